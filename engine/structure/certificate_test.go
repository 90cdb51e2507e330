package structure

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// shows is a checker of certificates that shares nothing with the one in use. It goes over the transitions as they stand in the net, and
// over all sets of places, of which there must be few.
func shows(n *petri.Net, c *certificate, given premises) bool {
	weights := make([]*big.Int, len(n.Places))
	for p := range weights {
		weights[p] = new(big.Int)
	}
	for _, w := range c.places {
		weights[w.Place].Add(weights[w.Place], big.NewInt(int64(w.By)))
	}
	for _, s := range c.sums {
		for _, w := range given.sums[s.sum].weights {
			by := big.NewInt(s.by)
			weights[w.Place].Add(weights[w.Place], by.Mul(by, big.NewInt(int64(w.By))))
		}
	}
	total := func(places []int) *big.Int {
		sum := new(big.Int)
		for _, p := range places {
			sum.Add(sum, weights[p])
		}
		return sum
	}
	raises := func(from, to []int) bool { return total(to).Cmp(total(from)) > 0 }
	for _, t := range n.Transitions {
		if raises(t.In, t.Out) {
			return false
		}
		for _, v := range t.Moves {
			if raises([]int{v.From}, []int{v.To}) {
				return false
			}
		}
		for _, p := range t.Marks {
			if raises(nil, []int{p}) {
				return false
			}
		}
	}
	for set := range 1 << len(n.Places) {
		if m := marking(set); meetsAll(m, given) && total(m).Cmp(total(n.Initial)) <= 0 {
			return false
		}
	}
	return true
}

// marking is the set of places as a number has bits.
func marking(set int) (m petri.Marking) {
	for p := 0; set>>p > 0; p++ {
		if set>>p&1 == 1 {
			m = append(m, p)
		}
	}
	return m
}

func meetsAll(m petri.Marking, given premises) bool {
	for _, l := range given.literals {
		if m.Has(l.place) != l.marked {
			return false
		}
	}
	for _, l := range given.limits {
		if v := value(given.sums[l.sum].weights, m); v < l.least || v > l.most {
			return false
		}
	}
	return !slices.ContainsFunc(given.sums, func(s sum) bool { return s.trap && value(s.weights, m) == 0 })
}

func value(weights []ctl.Weight, m petri.Marking) (sum int) {
	for _, w := range weights {
		if m.Has(w.Place) {
			sum += w.By
		}
	}
	return sum
}

// anyPremises narrows a search by literals and sums, and reports whether these leave anything.
func anyPremises(t *rapid.T, s *search) bool {
	var goals []goal
	for range rapid.IntRange(1, 4).Draw(t, "premises") {
		goals = append(goals, goal{anyAtom(t, len(s.marked)), rapid.Bool().Draw(t, "holds")})
	}
	_, met := s.assume(goals)
	return met
}

// TestCertificates: what a programme says to be impossible has a certificate that both checkers accept, and no reachable marking
// meets the premises. What they accept of a certificate that was changed, the other accepts too.
func TestCertificates(t *testing.T) {
	found, corrupted, refused := 0, 0, 0
	check(t, 4, func(t *rapid.T) {
		n := anyNet(t)
		x := newProver(n)
		x.refresh()
		x.table.enough = func() bool { return false }
		s := &search{prover: &x}
		if !anyPremises(t, s) {
			return
		}
		out, c := x.table.solve()
		if out == given {
			t.Fatal("given up")
		}
		s.given.sums = x.table.sums
		if out == possible {
			within(t, x.table)
			return
		}
		if found++; !c.proves(x.effects, s.given) || !shows(n, c, s.given) {
			t.Fatalf("%+v proves nothing of %+v", c, s.given)
		}
		if reached := explore(n, petri.One); reached.safe && slices.ContainsFunc(reached.marks, func(m petri.Marking) bool { return meetsAll(m, s.given) }) {
			t.Fatalf("%+v is met, in spite of %+v", s.given, c)
		}
		for range 3 {
			bad := corrupt(t, c)
			corrupted++
			if !bad.proves(x.effects, s.given) {
				refused++
			} else if !shows(n, bad, s.given) {
				t.Fatalf("%+v, once %+v, is accepted", bad, c)
			}
		}
	})
	if found < 500 || refused < corrupted/2 {
		t.Errorf("%d certificates; of %d corrupted ones %d refused", found, corrupted, refused)
	}
}

// within checks what a programme calls possible: all variables are within their bounds, and rows say what they are.
func within(t *rapid.T, x *tableau) {
	for v := range x.x {
		if x.x[v] < x.lo[v]-1e-6 || x.x[v] > x.hi[v]+1e-6 {
			t.Fatalf("variable %d is %v, not from %v to %v", v, x.x[v], x.lo[v], x.hi[v])
		}
	}
	change := make([]float64, len(x.marked))
	for i, e := range x.list {
		for _, p := range e.to {
			change[p] += x.x[len(x.marked)+i]
		}
		for _, p := range e.from {
			change[p] -= x.x[len(x.marked)+i]
		}
	}
	for p, by := range change {
		if d := by - x.x[p]; d > 1e-6 || d < -1e-6 {
			t.Fatalf("place %d changes by %v, and effects make it %v", p, x.x[p], by)
		}
	}
}

// corrupt changes one weight of a certificate.
func corrupt(t *rapid.T, c *certificate) *certificate {
	bad := &certificate{slices.Clone(c.places), slices.Clone(c.sums)}
	i := rapid.IntRange(0, len(bad.places)+len(bad.sums)-1).Draw(t, "weight")
	by := rapid.SampledFrom([]int{-1, 1, -7, 1 << 40}).Draw(t, "by")
	if i < len(bad.places) {
		bad.places[i].By += by
	} else {
		bad.sums[i-len(bad.places)].by += int64(by)
	}
	return bad
}

// TestSearchRefusesBadCertificates: a tableau that errs settles nothing.
func TestSearchRefusesBadCertificates(t *testing.T) {
	n := empty(2)
	n.Initial = []int{0}
	n.Transitions = []petri.Transition{{In: []int{0}, Out: []int{1}, Event: -1}}
	both := &ctl.Formula{Op: ctl.And, Left: &ctl.Formula{Op: ctl.Atom, Place: 0}, Right: &ctl.Formula{Op: ctl.Atom, Place: 1}}
	x := newProver(n)
	x.left = budget
	if never, err := x.never(context.Background(), goal{both, true}); !never || err != nil || x.Certificates != 1 {
		t.Fatal(never, err, x.Stats)
	}
	x.table = nil
	x.refresh()
	x.table.rows[1].vals[0] = -1 // as if firing took the token
	if never, err := x.never(context.Background(), goal{&ctl.Formula{Op: ctl.Atom, Place: 1}, true}); never || err != nil || x.refused != 1 {
		t.Error(never, err, x.Stats)
	}
}
