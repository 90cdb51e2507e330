package space

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
)

// A toil is the work on a net that comes before there are diagrams: it ends with its context, and when it takes too much memory.
type WorkBudget struct {
	Ctx         context.Context
	steps       int   // since the last look
	Used, Limit int64 // bytes; no limit: 0
	Work        int64 // Limits.Work, for the diagrams that come of it
}

// look is after how many steps a toil looks at its context: a few milliseconds.
const look = 1 << 14

// ended is what a toil panics with.
type ended struct{ cause error }

// By counts steps, each a few words looked at.
func (t *WorkBudget) By(steps int) {
	if t.steps += steps; t.steps < look {
		return
	}
	t.steps = 0
	if t.Ctx.Err() != nil {
		panic(ended{context.Cause(t.Ctx)})
	}
}

// Take counts memory, in bytes, about, that lasts.
func (t *WorkBudget) Take(bytes int64) {
	if t.Used += bytes; t.Limit > 0 && t.Used > t.Limit {
		panic(ended{&dd.LimitError{Limit: t.Limit}})
	}
}

// Caught makes the panic that ends a toil an error.
func Caught(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(ended)
		if !ok {
			panic(r)
		}
		*err = e.cause
	}
}
