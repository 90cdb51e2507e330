package space

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
)

// A toil is the work on a net that comes before there are diagrams: it ends with its context, and when it takes too much memory.
type toil struct {
	ctx         context.Context
	steps       int   // since the last look
	used, limit int64 // bytes; no limit: 0
	work        int64 // Limits.Work, for the diagrams that come of it
}

// look is after how many steps a toil looks at its context: a few milliseconds.
const look = 1 << 14

// ended is what a toil panics with.
type ended struct{ cause error }

// by counts steps, each a few words looked at.
func (t *toil) by(steps int) {
	if t.steps += steps; t.steps < look {
		return
	}
	t.steps = 0
	if t.ctx.Err() != nil {
		panic(ended{context.Cause(t.ctx)})
	}
}

// take counts memory, in bytes, about, that lasts.
func (t *toil) take(bytes int64) {
	if t.used += bytes; t.limit > 0 && t.used > t.limit {
		panic(ended{&dd.LimitError{Limit: t.limit}})
	}
}

// caught makes the panic that ends a toil an error.
func caught(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(ended)
		if !ok {
			panic(r)
		}
		*err = e.cause
	}
}
