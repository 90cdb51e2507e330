package local

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A stubborn computes stubborn sets (Valmari, 1991, Stubborn sets for reduced state space generation) for the question whether a state that
// satisfies a predicate can be reached (Schmidt, 1999, Stubborn sets for standard properties; Kristensen, Valmari, 2000, Improved stubborn set
// methods for state properties). In a state that does not satisfy it, this is a set of transitions such that
//
//	(1) every path to the predicate fires one of them: the set contains an attractor;
//	(2) for each transition of the set that is not fireable, all transitions that mark some one place it lacks are in the set;
//	(3) for each that is fireable, all transitions that need a token it takes are in the set.
//
// On a shortest path to the predicate, consider the first transition that is in the set. By (2) it is fireable at once, and by (3) the others
// may follow it in their order. So a path of the same length starts with it, and the fireable transitions of the set suffice. No path gets
// longer, so nothing is put off for ever. If no transition of the set is fireable, there is no path.
type stubborn struct {
	net       *petri.Net
	holds     func(n *node, s int) bool // of a node without temporal operators
	producers [][]int                   // by place, the transitions that mark it
	consumers [][]int                   // by place, those that unmark it
	users     [][]int                   // by place, those that need it marked
	changes   map[*node]*change
	in        []bool // the set
	list      []int  // the set, in the order of additions
}

// stubbornly reports whether transitions of a net have only the effects that the conditions above cover.
func stubbornly(n *petri.Net) bool {
	return !slices.ContainsFunc(n.Transitions, func(t petri.Transition) bool {
		return t.Moving || len(t.Moves) > 0 || len(t.Marks) > 0
	})
}

func newStubborn(n *petri.Net, holds func(n *node, s int) bool) *stubborn {
	places := len(n.Places)
	x := &stubborn{net: n, holds: holds, changes: map[*node]*change{}, in: make([]bool, len(n.Transitions))}
	x.producers, x.consumers, x.users = make([][]int, places), make([][]int, places), make([][]int, places)
	for i := range n.Transitions {
		t := &n.Transitions[i]
		for _, p := range t.Out {
			x.producers[p] = append(x.producers[p], i)
		}
		for _, p := range t.In {
			x.consumers[p], x.users[p] = append(x.consumers[p], i), append(x.users[p], i)
		}
		for _, p := range t.Read {
			x.users[p] = append(x.users[p], i)
		}
	}
	return x
}

// fireable returns, ascending, the fireable transitions of a stubborn set for a predicate that state s with marking m does not satisfy.
func (x *stubborn) fireable(goal *node, s int, m []uint64) []int {
	x.add(x.attractor(goal, true, s, m))
	var ts []int
	for i := 0; i < len(x.list); i++ {
		t := x.list[i]
		if lacking := x.lacking(t, m); lacking >= 0 {
			x.add(x.producers[lacking])
			continue
		}
		ts = append(ts, t)
		for _, p := range x.net.Transitions[t].In {
			x.add(x.users[p])
		}
	}
	for _, t := range x.list {
		x.in[t] = false
	}
	x.list = x.list[:0]
	slices.Sort(ts)
	return ts
}

func (x *stubborn) add(ts []int) {
	for _, t := range ts {
		if !x.in[t] {
			x.in[t] = true
			x.list = append(x.list, t)
		}
	}
}

// lacking returns a place that t lacks, or -1 if t is fireable. It prefers the place that adds fewest transitions to the set.
func (x *stubborn) lacking(t int, m []uint64) int {
	best, least := -1, 0
	for _, places := range [][]int{x.net.Transitions[t].In, x.net.Transitions[t].Read} {
		for _, p := range places {
			if space.Has(m, p) {
				continue
			}
			if n := x.fresh(x.producers[p]); best < 0 || n < least {
				best, least = p, n
			}
		}
	}
	return best
}

// fresh returns the number of transitions that are not in the set.
func (x *stubborn) fresh(ts []int) (n int) {
	for _, t := range ts {
		if !x.in[t] {
			n++
		}
	}
	return n
}

// attractor returns transitions of which one must fire before goal has the given value, which it lacks in state s. Some may occur twice.
func (x *stubborn) attractor(goal *node, value bool, s int, m []uint64) []int {
	switch goal.kind {
	case always:
		return nil // its value never changes
	case place:
		if value {
			return x.producers[goal.place]
		}
		return x.consumers[goal.place]
	case atMost:
		return x.towards(goal, value)
	case dead:
		return x.disturbing(value, m)
	case not:
		return x.attractor(goal.parts[0], !value, s, m)
	case iff: // one of the two must change
		a, b := goal.parts[0], goal.parts[1]
		return append(slices.Clone(x.attractor(a, !x.holds(a, s), s, m)), x.attractor(b, !x.holds(b, s), s, m)...)
	}
	if (goal.kind == and) == value {
		return x.fewest(goal, value, s, m)
	}
	var all []int
	for _, p := range goal.parts {
		all = append(all, x.attractor(p, value, s, m)...)
	}
	return all
}

// fewest returns the cheapest attractor of a part that must change for the whole to change, the first among equals.
func (x *stubborn) fewest(goal *node, value bool, s int, m []uint64) []int {
	var best []int
	least, found := 0, false
	for _, p := range goal.parts {
		if x.holds(p, s) == value {
			continue
		}
		ts := x.attractor(p, value, s, m)
		if cost := x.cost(ts, m); !found || cost < least {
			best, least, found = ts, cost, true
		}
	}
	return best
}

// towards returns the transitions that make a sum smaller, or greater.
func (x *stubborn) towards(goal *node, smaller bool) []int {
	known := x.changes[goal]
	if known == nil {
		known = x.change(goal)
		x.changes[goal] = known
	}
	if smaller {
		return known.less
	}
	return known.more
}

// A change has the transitions that make a sum smaller, and those that make it greater.
type change struct{ less, more []int }

func (x *stubborn) change(goal *node) *change {
	by := make([]int, len(x.net.Transitions))
	for _, w := range goal.sum.Weights {
		for _, t := range x.producers[w.Place] {
			by[t] += w.By
		}
		for _, t := range x.consumers[w.Place] {
			by[t] -= w.By
		}
	}
	c := &change{}
	for t, n := range by {
		switch {
		case n < 0:
			c.less = append(c.less, t)
		case n > 0:
			c.more = append(c.more, t)
		}
	}
	return c
}

// disturbing returns transitions of which one must fire before a dead end: those that take a token some fireable transition needs. It returns
// none if the goal is to leave a dead end, since nothing can fire there.
func (x *stubborn) disturbing(value bool, m []uint64) []int {
	if !value {
		return nil
	}
	var best []int
	least, found := 0, false
	for t := range x.net.Transitions {
		if x.lacking(t, m) >= 0 {
			continue
		}
		var ts []int
		for _, places := range [][]int{x.net.Transitions[t].In, x.net.Transitions[t].Read} {
			for _, p := range places {
				ts = append(ts, x.consumers[p]...)
			}
		}
		if cost := x.cost(ts, m); !found || cost < least {
			best, least, found = ts, cost, true
		}
	}
	return best
}

// cost returns an estimate of the size of a set with these transitions. One that cannot fire brings others along.
func (x *stubborn) cost(ts []int, m []uint64) (n int) {
	for _, t := range ts {
		if n++; x.lacking(t, m) >= 0 {
			n += 4
		}
	}
	return n
}
