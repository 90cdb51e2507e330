package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Enclose returns a state model of more states than are reachable: all markings in which each component behind the variables has exactly one
// marked place. These are closed under firing without contact. Within restricts them further. Enclose explores nothing, so it works where the
// reachable states have no small diagram. What is asked of the initial state depends on reachable states alone, so the answer is the same. Its
// errors are those of Reach.
func Enclose(ctx context.Context, n *petri.Net, limits space.Limits) (_ *Model, err error) {
	defer halt.Caught(&err)
	x := halt.Must(prepare(&space.WorkBudget{Ctx: ctx, Limit: limits.Bytes, Work: limits.Work}, n, len(n.Transitions)))
	x.begin()
	x.reach = halt.Must(x.forest.Every(ctx))
	return x.Within(ctx, x.oneEach())
}

// oneEach returns sums that say, of each component that is only partly covered by its variable, that exactly one of its places is marked. For
// other components the variable itself says so.
func (x *Model) oneEach() (sums []*ctl.Sum) {
	for i := range x.vars {
		v := &x.vars[i]
		if v.alone || !v.none {
			continue
		}
		most, least := &ctl.Sum{Most: 1}, &ctl.Sum{Most: -1}
		for _, p := range v.component {
			most.Weights = append(most.Weights, ctl.Weight{Place: p, By: 1})
			least.Weights = append(least.Weights, ctl.Weight{Place: p, By: -1})
		}
		sums = append(sums, most, least)
	}
	return sums
}

// Within returns the model of those states in which every sum is at most its bound. The result is useless unless these states are closed under
// firing. It shares its diagrams with x, so only one goroutine may use the two.
func (x *Model) Within(ctx context.Context, sums []*ctl.Sum) (_ *Model, err error) {
	defer halt.Caught(&err)
	y := *x
	y.dead, y.deadKnown = dd.Empty, false
	for _, s := range sums {
		y.reach = y.Sets(ctx).Count(s)
	}
	return &y, nil
}
