package structure

import (
	"maps"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// A reason is what a proof rests on: a certificate, and the sums that it refers to by index; or a marked trap alone.
type reason struct {
	certificate
	of   []sum
	trap []ctl.Weight
}

// because notes what rules a case out.
func (p *prover) because(r reason) { p.reasons = append(p.reasons, r) }

// Reasons returns what the last OneSafe or Simplify rests on: sums, in the order of their names, none twice, that are at most what they
// may be in the initial marking, and after any firing without contact from a marking in which they are. So the
// markings in which all are, reachable or not, are an inductive invariant; and what was proved holds in each of them.
//
// They are the totals of certificates, which no effect raises (J. Farkas, 1902; where none lowers one either it is at least as
// much, too), and traps that are initially marked, of which a token at least is there for ever (F. Commoner, 1972).
func (n *Net) Reasons() []*ctl.Sum {
	found := map[string]*ctl.Sum{}
	for _, r := range n.reasons {
		for _, s := range n.sumsOf(r) {
			found[s.String()] = s
		}
	}
	list := make([]*ctl.Sum, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		list = append(list, found[name])
	}
	return list
}

// sumsOf writes a reason as sums. Numbers that are too large for one are left out, which weakens the invariant and nothing else.
func (p *prover) sumsOf(r reason) (list []*ctl.Sum) {
	if r.trap != nil {
		return atLeast(r.trap, 1)
	}
	for _, s := range r.sums {
		if of := &r.of[s.sum]; of.trap && s.by > 0 {
			list = append(list, atLeast(of.weights, 1)...)
		}
	}
	total := r.together(r.of)
	weights, ok := small(total)
	if !ok {
		return list
	}
	initial := 0
	for _, w := range weights {
		initial += w.By * tokens(p.marked[w.Place])
	}
	list = append(list, atMost(weights, initial)...)
	if p.neverRaise(negative(total)) {
		list = append(list, atLeast(weights, initial)...)
	}
	return list
}

// atMost is a sum, unless it says nothing.
func atMost(weights []ctl.Weight, most int) []*ctl.Sum {
	if f := ctl.AtMost(weights, most); f.Sum != nil {
		return []*ctl.Sum{f.Sum}
	}
	return nil
}

func atLeast(weights []ctl.Weight, least int) []*ctl.Sum {
	turned := make([]ctl.Weight, len(weights))
	for i, w := range weights {
		turned[i] = ctl.Weight{Place: w.Place, By: -w.By}
	}
	return atMost(turned, -least)
}

func negative(weights map[int]*big.Int) map[int]*big.Int {
	turned := map[int]*big.Int{}
	for p, w := range weights {
		turned[p] = new(big.Int).Neg(w)
	}
	return turned
}

// small are the weights divided by what they have in common, if they add up to numbers that are exact wherever they go.
func small(weights map[int]*big.Int) (list []ctl.Weight, ok bool) {
	common, all := new(big.Int), new(big.Int)
	for _, w := range weights {
		common.GCD(nil, nil, common, new(big.Int).Abs(w))
	}
	if common.Sign() == 0 {
		return nil, true
	}
	for p, w := range weights {
		by := new(big.Int).Quo(w, common)
		all.Add(all, new(big.Int).Abs(by))
		list = append(list, ctl.Weight{Place: p, By: int(by.Int64())})
	}
	return list, all.BitLen() < 60
}
