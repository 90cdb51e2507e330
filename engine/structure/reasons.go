package structure

import (
	"maps"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// A reason is the basis of a proof: a certificate, with the sums that it refers to by index, or a marked trap alone.
type reason struct {
	certificate
	of   []sum
	trap []ctl.Weight
}

// because records a reason that rules a case out.
func (p *prover) because(r reason) { p.reasons = append(p.reasons, r) }

// Reasons returns the sums that the last OneSafe or Simplify rests on, in the order of their names, without repetition. Each is at most its
// bound in the initial marking, and stays so under any firing without contact. So the markings in which all are within their bounds, reachable
// or not, are an inductive invariant, and what was proved holds in each of them.
//
// The sums are the totals of certificates, which no effect raises (J. Farkas, 1902; if none lowers a total either, it is bounded below, too),
// and initially marked traps, which keep at least one token for ever (F. Commoner, 1972).
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

// sumsOf returns a reason as sums. It omits those with too large numbers, which only weakens the invariant.
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

// atMost returns a sum with a bound, or nothing if it holds always.
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

// small returns the weights divided by their common divisor. It reports whether every total of them is exact in an int.
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
