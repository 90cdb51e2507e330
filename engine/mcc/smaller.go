package mcc

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/reduce"
)

// smaller returns an examiner of the net reduced for a formula, and the formula for that net. If less than a quarter of the net can be removed, it
// returns e itself, which shares its state models among questions.
func (e *examiner) smaller(ctx context.Context, f *ctl.Formula) (*examiner, *ctl.Formula, error) {
	r, err := reduce.Reduce(ctx, e.net, f)
	if err != nil {
		return nil, nil, err
	}
	e.took.reduced(r)
	if left, of := r.Size(); left > of-of/4 && r.Formula.Left != nil {
		return e, f, nil
	}
	return e.of(r), r.Formula, nil
}

// of returns an examiner of a reduced net, with the memory that e does not use.
func (e *examiner) of(r *reduce.Reduced) *examiner {
	limits := e.limits
	if limits.Bytes > 0 {
		if e.held() > limits.Bytes/2 {
			e.symbolic, e.explicit = nil, nil
		}
		limits.Bytes -= e.held()
	}
	return &examiner{net: r.Net, limits: limits}
}

// maxParts bounds the operands that are decided separately.
const maxParts = 16

// parts decides the outer operands of Boolean operators for which at least three quarters of the net can be removed, in at most a quarter of the
// time. It returns the formula that remains.
func (e *examiner) parts(ctx context.Context, f *ctl.Formula) (*ctl.Formula, error) {
	if n := operands(f); n == 1 || n > maxParts {
		return f, nil
	}
	short := ctx
	if e.limits.Time > 0 {
		var cancel context.CancelFunc
		short, cancel = context.WithTimeoutCause(ctx, e.limits.Time/4, errTime)
		defer cancel()
	}
	f = e.part(short, f)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return f, nil
}

// part returns the formula with decided operands replaced by constants, and simplified.
func (e *examiner) part(ctx context.Context, f *ctl.Formula) *ctl.Formula {
	switch f.Op {
	case ctl.Not:
		return reduce.Simplify(&ctl.Formula{Op: ctl.Not, Left: e.part(ctx, f.Left)})
	case ctl.And, ctl.Or:
		left := e.part(ctx, f.Left)
		if left.Op == ctl.False && f.Op == ctl.And || left.Op == ctl.True && f.Op == ctl.Or {
			return left
		}
		return reduce.Simplify(&ctl.Formula{Op: f.Op, Left: left, Right: e.part(ctx, f.Right)})
	}
	r, err := reduce.Reduce(ctx, e.net, f)
	if err != nil {
		return f
	}
	if r.Formula.Op == ctl.True || r.Formula.Op == ctl.False {
		return r.Formula
	}
	if left, of := r.Size(); left > of/4 {
		return f
	}
	holds, err := e.of(r).search(ctx, r.Formula)
	switch {
	case err != nil: // the search for the whole formula may not need it
		return f
	case holds:
		return &ctl.Formula{Op: ctl.True}
	}
	return &ctl.Formula{Op: ctl.False}
}

// operands counts the outermost operands of Boolean operators.
func operands(f *ctl.Formula) int {
	switch f.Op {
	case ctl.Not:
		return operands(f.Left)
	case ctl.And, ctl.Or:
		return operands(f.Left) + operands(f.Right)
	}
	return 1
}

// held returns the memory of the state models.
func (e *examiner) held() (bytes int64) {
	if e.symbolic != nil {
		bytes += e.symbolic.Bytes()
	}
	if e.explicit != nil {
		bytes += e.explicit.Bytes()
	}
	return bytes
}
