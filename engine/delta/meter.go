package delta

import "context"

// A meter holds one computation to its limits.
type meter struct {
	ctx   context.Context
	limit int64 // bytes; 0: none
	used  int64
	steps int
}

// claim reserves n bytes, about when they are allocated.
func (m *meter) claim(n int) error {
	m.used += int64(n)
	if m.limit > 0 && m.used > m.limit {
		return &LimitError{Bytes: m.limit}
	}
	return nil
}

// tick counts n steps of work, and looks at the context once in 4096.
func (m *meter) tick(n int) error {
	m.steps += n
	if m.steps < 4096 {
		return nil
	}
	m.steps = 0
	if m.ctx.Err() != nil {
		return context.Cause(m.ctx)
	}
	return nil
}
