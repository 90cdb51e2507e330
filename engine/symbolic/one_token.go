package symbolic

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// components finds state machine components with one token. These are sets of places such that every transition consumes as many of them as it
// produces, one or none, and of which one is marked initially (Best, Devillers, Koutny, 2001, Petri Net Algebra, on S-components). In every
// reachable marking exactly one place of such a set is marked.
type components struct {
	budget   *space.WorkBudget
	flows    []flow
	at       [][]end // by place, its flows
	marked   []bool
	in       []bool // the set being tried
	set      []int
	tokens   int // in the set
	balanced int // the first so many places of the set are in balanced flows only
	most     int // bound on the places in the set
	tries    int
	left     int // steps left for the net
	share    int // steps left for the place being tried
}

// A flow is a set of places that a transition consumes and produces together: its arcs, or one of its moves.
type flow struct {
	from, to     []int
	taken, given int // how many of from and to are in the set
}

// An end is one end of a flow at a place.
type end struct {
	flow int
	to   bool
}

// maxTries bounds the places put into the set in the search for one component of a size. maxSteps bounds the flows looked at in the search for
// all components of a net, approximately. A component that is not found costs a larger model, and no answer.
const (
	maxTries = 20_000
	maxSteps = 1 << 25
)

func newComponents(t *space.WorkBudget, n *petri.Net) *components {
	places := len(n.Places)
	f := &components{budget: t, at: make([][]end, places), marked: make([]bool, places), in: make([]bool, places), left: maxSteps}
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
			if !v.Stays() {
				f.add([]int{v.From}, []int{v.To})
			}
		}
	}
	return f
}

func (f *components) add(from, to []int) {
	f.budget.By(1 + len(from) + len(to))
	for _, p := range from {
		f.at[p] = append(f.at[p], end{len(f.flows), false})
	}
	for _, p := range to {
		f.at[p] = append(f.at[p], end{len(f.flows), true})
	}
	f.flows = append(f.flows, flow{from: from, to: to})
}

// find returns a component with the place, sorted. It prefers small ones, and places that are not taken. It returns nil if it finds none
// within steps.
func (f *components) find(place int, taken []bool, steps int) []int {
	f.share = steps
	for f.most = 2; f.most < 2+2*len(f.marked) && f.share > 0; f.most *= 2 {
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

func (f *components) step(steps int) {
	f.left, f.share = f.left-steps, f.share-steps
	f.budget.By(steps)
}

// drop removes all places but the first few from the set.
func (f *components) drop(first int) {
	for _, p := range f.set[first:] {
		f.in[p] = false
		f.count(p, -1)
	}
	f.set, f.balanced = f.set[:first], 0
}

// put adds a place to the set. It reports whether no flow of the place, nor the initial marking, has two places of the set.
func (f *components) put(p int) bool {
	f.tries++
	f.in[p] = true
	f.set = append(f.set, p)
	return f.count(p, 1) && f.tokens <= 1
}

// count adds by, which is 1 or -1, to the counts of a place's flows and tokens. It reports whether no flow of the place has two.
func (f *components) count(p, by int) bool {
	f.step(1 + len(f.at[p]))
	if f.marked[p] {
		f.tokens += by
	}
	single := true
	for _, e := range f.at[p] {
		x := &f.flows[e.flow]
		if e.to {
			x.given += by
		} else {
			x.taken += by
		}
		single = single && x.given <= 1 && x.taken <= 1
	}
	return single
}

// settle adds places until every flow is balanced, with backtracking. It reports whether the set is then a component with one token.
func (f *components) settle(taken []bool) bool {
	open := f.unbalanced()
	if open == nil {
		return f.tokens == 1
	}
	f.step(len(open))
	choices := slices.Clone(open)
	slices.SortStableFunc(choices, func(p, q int) int { return rank(taken[p]) - rank(taken[q]) })
	size, balanced := len(f.set), f.balanced
	for _, p := range choices {
		if f.tries > maxTries || len(f.set) == f.most || f.share <= 0 {
			return false
		}
		if f.put(p) && f.settle(taken) {
			return true
		}
		f.drop(size)
		f.balanced = balanced
	}
	return false
}

func rank(taken bool) int {
	if taken {
		return 1
	}
	return 0
}

// unbalanced returns the places of which one must be added to balance a flow: the shortest list, or the first of at most one place. It returns
// nil when all flows are balanced. A balanced flow stays so until a place is removed.
func (f *components) unbalanced() []int {
	var best []int
	for i := f.balanced; i < len(f.set); i++ {
		all := true
		f.step(1 + len(f.at[f.set[i]]))
		for _, e := range f.at[f.set[i]] {
			x := &f.flows[e.flow]
			if x.taken == x.given {
				continue
			}
			all = false
			lacking := x.to
			if x.taken < x.given {
				lacking = x.from
			}
			if best == nil || len(lacking) < len(best) {
				best = lacking
			}
			if len(lacking) <= 1 {
				return append([]int{}, best...)
			}
		}
		if all && i == f.balanced {
			f.balanced++
		}
	}
	return best
}
