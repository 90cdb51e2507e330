package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// ReachEach computes the markings reachable from each of many initial markings at once. The transitions with numbers from choosing on lead
// from the net's initial marking to the others, and fire only before all others. It returns the model and the set of initial markings. Its
// errors are those of Reach.
func ReachEach(ctx context.Context, n *petri.Net, choosing int, limits space.Limits) (_ *Model, initial dd.Node, err error) {
	defer halt.Caught(&err)
	x := halt.Must(prepare(&space.WorkBudget{Ctx: ctx, Limit: limits.Bytes, Work: limits.Work}, n, choosing))
	x.begin()
	forest, first := x.forest.With(ctx), choosers(x.firings, choosing)
	initial = forest.Reach(x.forest.System(forth(x.firings[first:])), x.initial)
	x.firings = x.firings[:first]
	for v, list := range x.touching {
		x.touching[v] = slices.DeleteFunc(list, func(d int) bool { return d >= first })
	}
	x.idle = false
	x.relate()
	x.reach = forest.Reach(x.after, initial)
	return x, initial, nil
}

// forth returns the relations of firings.
func forth(firings []firing) []dd.Relation {
	list := make([]dd.Relation, len(firings))
	for i := range firings {
		list[i] = firings[i].forth
	}
	return list
}

// choosers returns the index of the first firing that belongs to a transition with a number from choosing on.
func choosers(firings []firing, choosing int) int {
	if first := slices.IndexFunc(firings, func(d firing) bool { return d.transition >= choosing }); first >= 0 {
		return first
	}
	return len(firings)
}

// beside changes an order of variables: it moves what each firing produces to just above the highest variable that the firing reads.
func (e *encoding) beside(order []int, firings []firing) []int {
	if len(firings) == 0 {
		return order
	}
	above, moved := make([][]int, len(e.vars)), make([]bool, len(e.vars))
	level := inverse(order)
	for _, d := range firings {
		made, last := e.of[e.net.Transitions[d.transition].Out[0]], -1
		for _, v := range d.touched {
			if v != made && (last < 0 || level[v] > level[last]) {
				last = v
			}
		}
		if last >= 0 {
			above[last], moved[made] = append(above[last], made), true
		}
	}
	var next []int
	for _, v := range order {
		if !moved[v] {
			next = append(append(next, v), above[v]...)
		}
	}
	return next
}

// Only restricts the states in which progress of an actor is assumed to those in which some places are marked. It must be called before the
// algebra is used.
func (f FairDiagrams) Only(actor int, places []int) { f.actors[actor].only = places }
