package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// ReachEach computes for each of many initial markings what Reach does, at once. The transitions from the given number on serve to
// choose: they lead from the net's initial marking to the others, and fire at no other time. It returns the initial markings, too.
func ReachEach(ctx context.Context, n *petri.Net, choosing int, limits space.Limits) (x *Model, initial dd.Node, err error) {
	if x, err = prepare(&space.WorkBudget{Ctx: ctx, Limit: limits.Bytes, Work: limits.Work}, n, choosing); err != nil {
		return nil, dd.Empty, err
	}
	if err = x.begin(); err != nil {
		return nil, dd.Empty, err
	}
	first := choosers(x.deeds, choosing)
	if initial, err = x.forest.Reach(ctx, x.forest.System(x.forth[first:]), x.initial); err != nil {
		return nil, dd.Empty, err
	}
	x.deeds = x.deeds[:first]
	for v, list := range x.touching {
		x.touching[v] = slices.DeleteFunc(list, func(d int) bool { return d >= first })
	}
	x.relate()
	x.reach, err = x.forest.Reach(ctx, x.after, initial)
	return x, initial, err
}

// choosers is the number of the first deed of the transitions from a given one on.
func choosers(deeds []firing, choosing int) int {
	if first := slices.IndexFunc(deeds, func(d firing) bool { return d.transition >= choosing }); first >= 0 {
		return first
	}
	return len(deeds)
}

// beside moves what each of some deeds produces next to the last of what it reads, in an order.
func (e *encoding) beside(order []int, deeds []firing) []int {
	if len(deeds) == 0 {
		return order
	}
	above, moved := make([][]int, len(e.vars)), make([]bool, len(e.vars))
	level := inverse(order)
	for _, d := range deeds {
		made, last := e.of[e.net.Transitions[d.transition].Out[0]], -1
		for _, l := range d.locals {
			if l.Variable != made && (last < 0 || level[l.Variable] > level[last]) {
				last = l.Variable
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

// Only makes an actor one of whom progress is assumed in some states only.
func (f FairDiagrams) Only(actor int, where dd.Node) {
	f.actors[actor].able = f.Intersect(f.actors[actor].able, where)
}
