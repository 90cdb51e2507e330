package space

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A variable of a symbolic state model is a set of places of which at most one is marked. Value i
// says that its place i is marked; the last value, where some state may have none of them marked, that none is.
type variable struct {
	places []int
	none   bool // whether none may be marked
	alone  bool // one place of which no component with one token is known
}

// size is the number of values.
func (v *variable) size() int {
	if v.none {
		return len(v.places) + 1
	}
	return len(v.places)
}

// value of the variable in a marking.
func (v *variable) value(m petri.Marking) int {
	for i, p := range v.places {
		if m.Has(p) {
			return i
		}
	}
	return len(v.places)
}

// variables partitions the places of a net: each into a set of which exactly one is marked in every
// reachable marking, as far as one is found, less the places that other sets have taken. What is in no such
// set is a variable of its own.
func variables(n *petri.Net) []variable {
	f := newComponents(n)
	taken := make([]bool, len(n.Places))
	var list []variable
	for p := range n.Places {
		if taken[p] {
			continue
		}
		v := variable{places: []int{p}, none: true, alone: true}
		if set := f.find(p, taken); set != nil {
			v.places = slices.DeleteFunc(slices.Clone(set), func(q int) bool { return taken[q] })
			v.none, v.alone = len(v.places) < len(set), false
		}
		for _, q := range v.places {
			taken[q] = true
		}
		list = append(list, v)
	}
	return list
}

// components finds state machine components with one token: sets of places such that every transition consumes as many of them
// as it produces, one or none, and of which one is marked initially (Best, Devillers, Koutny 2001, Petri Net Algebra, on
// S-components). In every reachable marking exactly one place of such a set is marked.
type components struct {
	flows  []flow
	at     [][]int // by place, the flows it is in
	marked []bool
	in     []bool // the set being tried
	set    []int
	most   int // places in it
	tries  int
}

// A flow is what a transition consumes and produces together: its arcs, or one of its moves.
type flow struct{ from, to []int }

// maxTries bounds the search for one component: places put into the set.
const maxTries = 20_000

func newComponents(n *petri.Net) *components {
	f := &components{at: make([][]int, len(n.Places)), marked: make([]bool, len(n.Places)), in: make([]bool, len(n.Places))}
	for _, p := range n.Initial {
		f.marked[p] = true
	}
	for i := range n.Transitions {
		t := &n.Transitions[i]
		f.add(t.In, t.Out)
		for _, p := range t.Marks {
			f.add(nil, []int{p})
		}
		for _, v := range t.Moves {
			f.add([]int{v.From}, []int{v.To})
		}
	}
	return f
}

func (f *components) add(from, to []int) {
	for _, list := range [][]int{from, to} {
		for _, p := range list {
			f.at[p] = append(f.at[p], len(f.flows))
		}
	}
	f.flows = append(f.flows, flow{from, to})
}

// find returns a component with the place, sorted, of few places, and few that are taken; nil when none is found.
func (f *components) find(place int, taken []bool) []int {
	for f.most = 2; f.most < 2*len(f.marked); f.most *= 2 {
		f.tries = 0
		found := f.put(place) && f.settle(taken)
		set := slices.Sorted(slices.Values(f.set))
		f.drop(0)
		if found {
			return set
		}
	}
	return nil
}

// drop takes the places back that were put after the first few.
func (f *components) drop(first int) {
	for _, p := range f.set[first:] {
		f.in[p] = false
	}
	f.set = f.set[:first]
}

// put adds a place to the set, unless some flow would have two.
func (f *components) put(p int) bool {
	f.tries++
	f.in[p] = true
	f.set = append(f.set, p)
	for _, i := range f.at[p] {
		if f.count(f.flows[i].from) > 1 || f.count(f.flows[i].to) > 1 {
			return false
		}
	}
	return true
}

func (f *components) count(list []int) int {
	n := 0
	for _, p := range list {
		if f.in[p] {
			n++
		}
	}
	return n
}

// settle adds places until every flow is balanced, going back where that fails.
func (f *components) settle(taken []bool) bool {
	open := f.unbalanced()
	if open == nil {
		return f.tokens() == 1
	}
	choices := slices.Clone(open)
	slices.SortStableFunc(choices, func(p, q int) int { return rank(taken[p]) - rank(taken[q]) })
	size := len(f.set)
	for _, p := range choices {
		if f.tries > maxTries || len(f.set) == f.most {
			return false
		}
		if f.put(p) && f.tokens() <= 1 && f.settle(taken) {
			return true
		}
		f.drop(size)
	}
	return false
}

func rank(taken bool) int {
	if taken {
		return 1
	}
	return 0
}

func (f *components) tokens() int {
	n := 0
	for _, p := range f.set {
		if f.marked[p] {
			n++
		}
	}
	return n
}

// unbalanced returns the places of which one must be added for the sake of some flow: the fewest; nil when all
// flows are balanced.
func (f *components) unbalanced() []int {
	var best []int
	for _, p := range f.set {
		for _, i := range f.at[p] {
			x := &f.flows[i]
			from, to := f.count(x.from), f.count(x.to)
			var lacking []int
			switch {
			case from < to:
				lacking = x.from
			case from > to:
				lacking = x.to
			default:
				continue
			}
			if len(lacking) == 0 {
				return []int{}
			}
			if best == nil || len(lacking) < len(best) {
				best = lacking
			}
		}
	}
	return best
}
