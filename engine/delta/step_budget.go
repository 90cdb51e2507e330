package delta

import "context"

// A stepBudget enforces the limits of one computation.
type stepBudget struct {
	ctx    context.Context
	limits Limits
	bytes  int64
	steps  int64 // added 4096 or more at a time, from
	since  int
}

// claim reserves n bytes, about when they are allocated. It returns a *LimitError if that exceeds the limit.
func (m *stepBudget) claim(n int) error {
	m.bytes += int64(n)
	if m.limits.Bytes > 0 && m.bytes > m.limits.Bytes {
		return &LimitError{Bytes: m.limits.Bytes}
	}
	return nil
}

// tick counts n steps of work. Once in 4096 steps it checks the limit and the context.
func (m *stepBudget) tick(n int) error {
	m.since += n
	if m.since < 4096 {
		return nil
	}
	m.steps += int64(m.since)
	m.since = 0
	if m.limits.Steps > 0 && m.steps > m.limits.Steps {
		return &LimitError{Steps: m.limits.Steps}
	}
	if m.ctx.Err() != nil {
		return context.Cause(m.ctx)
	}
	return nil
}

// again returns a budget for the next computation: the memory stays claimed, and no steps are taken.
func (m *stepBudget) again() *stepBudget {
	return &stepBudget{ctx: m.ctx, limits: m.limits, bytes: m.bytes}
}
