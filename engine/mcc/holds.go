package mcc

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
)

// An early decides formulas in the initial state of a model whose states are all reachable. It starts with the outermost operator. It skips the
// right operand of a Boolean operator if the left one decides. EF p means that some state satisfies p, AG p that all do.
type early[S any] struct {
	*ctl.Checker[S]
	algebra ctl.Algebra[S]
}

func newEarly[S any](algebra ctl.Algebra[S]) early[S] { return early[S]{ctl.New(algebra), algebra} }

func (e early[S]) holds(ctx context.Context, f *ctl.Formula) (bool, error) {
	switch f.Op {
	case ctl.Not:
		holds, err := e.holds(ctx, f.Left)
		return !holds, err
	case ctl.And, ctl.Or:
		holds, err := e.holds(ctx, f.Left)
		if err != nil || holds == (f.Op == ctl.Or) {
			return holds, err
		}
		return e.holds(ctx, f.Right)
	case ctl.EF:
		none, err := e.nowhere(ctx, f.Left)
		return !none, err
	case ctl.AG:
		return e.nowhere(ctx, &ctl.Formula{Op: ctl.Not, Left: f.Left})
	}
	return e.Holds(ctx, f)
}

// nowhere reports whether no state satisfies f.
func (e early[S]) nowhere(ctx context.Context, f *ctl.Formula) (bool, error) {
	set, err := e.Sat(ctx, f)
	return err == nil && e.algebra.Equal(set, e.algebra.None()), err
}
