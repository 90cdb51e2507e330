package structure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/petri"
)

// isTrap reports, from what firing means, whether a set of places that has a token always has one after: in every marking at all.
func isTrap(n *petri.Net, set []bool) bool {
	holds := func(m petri.Marking) bool { return slices.ContainsFunc(m, func(p int) bool { return set[p] }) }
	for all := range 1 << len(n.Places) {
		m := marking(all)
		if !holds(m) {
			continue
		}
		for t := range n.Transitions {
			if after, contact := n.Fire(m, []int{t}); n.Fireable(m, t) && contact < 0 && !holds(after) {
				return false
			}
		}
	}
	return true
}

// TestTraps: what is found within a set of places is a trap, and so is what it is made smaller to; where nothing moves, whatever
// trap there is within the set is within it.
func TestTraps(t *testing.T) {
	draws.Only(t, 40)
	marked := 0
	check(t, 2, func(t *rapid.T) {
		n := anyNet(t)
		from := rapid.SliceOfN(rapid.Bool(), len(n.Places), len(n.Places)).Draw(t, "set")
		set, traps := slices.Clone(from), newTraps(n)
		initially := traps.within(set)
		if !isTrap(n, set) {
			t.Fatalf("%v within %v is no trap", set, from)
		}
		if initially != slices.ContainsFunc(n.Initial, func(p int) bool { return set[p] }) {
			t.Fatalf("%v is said to be marked: %v", set, initially)
		}
		other := rapid.SliceOfN(rapid.Bool(), len(n.Places), len(n.Places)).Draw(t, "other")
		for p := range other {
			other[p] = other[p] && from[p]
		}
		if !moves(n) && clean(n, other) {
			for p := range other {
				if other[p] && !set[p] {
					t.Fatalf("%v is a trap within %v and not within %v", other, from, set)
				}
			}
		}
		if !initially {
			return
		}
		marked++
		small := make([]bool, len(set))
		for _, p := range traps.smaller(set, func() bool { return false }) {
			small[p] = true
		}
		if !isTrap(n, small) || !slices.ContainsFunc(n.Initial, func(p int) bool { return small[p] }) {
			t.Fatalf("%v is marked and no trap, of %+v", small, n)
		}
	})
	if marked < 100 {
		t.Errorf("only %d traps are marked", marked)
	}
}

func moves(n *petri.Net) bool {
	return slices.ContainsFunc(n.Transitions, func(t petri.Transition) bool { return len(t.Moves) > 0 })
}

// clean reports whether every transition that takes from the set puts into it, by its arcs: the textbook's trap.
func clean(n *petri.Net, set []bool) bool {
	in := func(p int) bool { return set[p] }
	return !slices.ContainsFunc(n.Transitions, func(t petri.Transition) bool {
		puts := slices.ContainsFunc(slices.Concat(t.Out, t.Read, t.Marks), in)
		return slices.ContainsFunc(t.In, in) && !puts
	})
}

// TestSamples: what a walk meets is reached, and dead ends are told from others.
func TestSamples(t *testing.T) {
	check(t, 2, func(t *rapid.T) {
		n := anyNet(t)
		x, s := explore(n, petri.One), sample(n)
		if !x.safe {
			return
		}
		for i := range s.count {
			var m petri.Marking
			for p := range n.Places {
				if s.places[p][i/64]>>(i%64)&1 == 1 {
					m = append(m, p)
				}
			}
			at := slices.IndexFunc(x.marks, func(o petri.Marking) bool { return slices.Equal(o, m) })
			if at < 0 || len(x.succ[at]) == 0 != (s.dead[i/64]>>(i%64)&1 == 1) {
				t.Fatalf("sample %v is state %d, of %v", m, at, x.marks)
			}
		}
	})
}

// TestGeneratorMeetsAll: the laws would mean little if nothing were settled in these nets, or all by the same means.
func TestGeneratorMeetsAll(t *testing.T) {
	var all Stats
	unsafe, dead, moving := 0, 0, 0
	for range 4 { // of a hundred nets too few are not one-safe, once in many runs
		rapid.Check(t, func(t *rapid.T) {
			n := anyNet(t)
			if moves(n) {
				moving++
			}
			x := explore(n, petri.One)
			if !x.safe {
				unsafe++
				return
			}
			if slices.ContainsFunc(x.succ, func(list []int) bool { return len(list) == 0 }) {
				dead++
			}
			structure := New(n)
			for range 5 {
				if _, err := structure.Simplify(t.Context(), anyFormula(t, len(n.Places), 4)); err != nil {
					t.Fatal(err)
				}
			}
			s := structure.Stats()
			all.Settled, all.Certificates, all.traps, all.Programmes = all.Settled+s.Settled, all.Certificates+s.Certificates, all.traps+s.traps, all.Programmes+s.Programmes
			all.refused, all.bounded = all.refused+s.refused, all.bounded+s.bounded
		})
	}
	if all.Settled < 40 || all.Certificates < 20 || all.traps < 5 || unsafe < 5 || dead < 10 || moving < 10 || all.refused > 0 || all.bounded > 0 {
		t.Errorf("%+v; of 400 nets %d not one-safe, %d with dead ends, %d with moves", all, unsafe, dead, moving)
	}
}

// TestSmallerTrapsEnd: who has had enough gets the trap as it is.
func TestSmallerTrapsEnd(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 3), Initial: petri.Marking{0, 1, 2}}
	for enough, want := range map[bool]int{true: 3, false: 1} {
		if got := newTraps(n).smaller([]bool{true, true, true}, func() bool { return enough }); len(got) != want {
			t.Errorf("enough %t: %v", enough, got)
		}
	}
}
