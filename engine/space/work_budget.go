package space

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
)

// A WorkBudget counts the work on a net before there are diagrams. The work ends with its context or at a limit of memory; see package
// halt.
type WorkBudget struct {
	Ctx         context.Context
	steps       int   // since the context was last checked
	Used, Limit int64 // bytes; 0: no limit
	Work        int64 // Limits.Work, for the diagrams that are made later
}

// look is the number of steps between checks of the context: a few milliseconds.
const look = 1 << 14

// By counts steps of a few words each. It ends the work when the context has ended.
func (t *WorkBudget) By(steps int) {
	if t.steps += steps; t.steps < look {
		return
	}
	t.steps = 0
	if t.Ctx.Err() != nil {
		halt.End(context.Cause(t.Ctx))
	}
}

// Take counts memory that lasts, in bytes, approximately. It ends the work past the limit.
func (t *WorkBudget) Take(bytes int64) {
	if t.Used += bytes; t.Limit > 0 && t.Used > t.Limit {
		halt.End(&dd.LimitError{Limit: t.Limit})
	}
}
