package mcc

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/reduce"
)

// smaller is an examiner of the net reduced for a formula, and the formula as it is there. Where less than a quarter of the net goes
// it is e itself, which shares its state models among questions.
func (e *examiner) smaller(ctx context.Context, f *ctl.Formula) (*examiner, *ctl.Formula, error) {
	r, err := reduce.Reduce(ctx, e.net, f)
	if err != nil {
		return nil, nil, err
	}
	if left, of := r.Size(); left > of-of/4 && r.Formula.Left != nil {
		return e, f, nil
	}
	if e.limits.Bytes > 0 && e.held() > e.limits.Bytes/2 {
		e.symbolic, e.explicit = nil, nil
	}
	limits := e.limits
	if limits.Bytes > 0 {
		limits.Bytes -= e.held()
	}
	return &examiner{net: r.Net, limits: limits}, r.Formula, nil
}

// held is the memory that the state models take.
func (e *examiner) held() (bytes int64) {
	if e.symbolic != nil {
		bytes += e.symbolic.Bytes()
	}
	if e.explicit != nil {
		bytes += e.explicit.Bytes()
	}
	return bytes
}
