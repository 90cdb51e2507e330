package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Enclose is a state model, as Reach makes, of more states than are reachable: all markings in which exactly one place of each component that
// the variables are made of is marked. These are closed under firing without contact. Fewer are Within what else is known. Nothing is
// explored, so it is there where what is reachable has no small diagram; and since what is asked of the initial state
// depends on reachable ones alone, the answer to that is the same.
func Enclose(ctx context.Context, n *petri.Net, limits space.Limits) (*Model, error) {
	x, err := prepare(&space.WorkBudget{Ctx: ctx, Limit: limits.Bytes, Work: limits.Work}, n, len(n.Transitions))
	if err != nil {
		return nil, err
	}
	if err := x.begin(); err != nil {
		return nil, err
	}
	if x.reach, err = x.forest.Every(ctx); err != nil {
		return nil, err
	}
	return x.Within(ctx, x.oneEach())
}

// oneEach says of each component that variables have only a part of, that one of its places is marked. Of others the variable
// itself says so.
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

// Within is the state model of those states in which all sums are at most what they may be. If these are not closed under firing,
// what it says of them is of no use. It shares its diagrams with x, and is not to be used beside it by another goroutine.
func (x *Model) Within(ctx context.Context, sums []*ctl.Sum) (*Model, error) {
	y := *x
	y.dead, y.deadKnown = dd.Empty, false
	for _, s := range sums {
		sets := y.Sets(ctx)
		y.reach = sets.Count(s)
		if err := sets.Err(); err != nil {
			return nil, err
		}
	}
	return &y, nil
}
