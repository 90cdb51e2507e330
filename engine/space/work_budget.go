package space

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
)

// A WorkBudget counts the work on a net before there are diagrams. The work ends, by a panic that Caught recovers, with its context or at a
// limit of memory.
type WorkBudget struct {
	Ctx         context.Context
	steps       int   // since the context was last checked
	Used, Limit int64 // bytes; 0: no limit
	Work        int64 // Limits.Work, for the diagrams that are made later
}

// look is the number of steps between checks of the context: a few milliseconds.
const look = 1 << 14

// ended is the value that a WorkBudget panics with.
type ended struct{ cause error }

// By counts steps of a few words each. It panics when the context has ended; Caught recovers.
func (t *WorkBudget) By(steps int) {
	if t.steps += steps; t.steps < look {
		return
	}
	t.steps = 0
	if t.Ctx.Err() != nil {
		panic(ended{context.Cause(t.Ctx)})
	}
}

// Take counts memory that lasts, in bytes, approximately. It panics past the limit; Caught recovers.
func (t *WorkBudget) Take(bytes int64) {
	if t.Used += bytes; t.Limit > 0 && t.Used > t.Limit {
		panic(ended{&dd.LimitError{Limit: t.Limit}})
	}
}

// Caught turns the panic of a WorkBudget into an error in *err. It must be deferred.
func Caught(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(ended)
		if !ok {
			panic(r)
		}
		*err = e.cause
	}
}
