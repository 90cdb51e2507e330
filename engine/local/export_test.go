package local

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// DecideFrom is Decide with a first round of less effort, so that small nets need several; or without stubborn sets.
func DecideFrom(ctx context.Context, effort int, whole bool, n *petri.Net, rule petri.Rule, f *ctl.Formula, limits space.Limits) (answer, error) {
	c := newCompiler(n, rule)
	c.plain = c.plain && !whole
	root := c.compile(f)
	x, err := newSearch(ctx, n, rule, limits)
	if err != nil {
		return answer{}, err
	}
	x.first, x.least = effort, 1
	return (&evaluator{x, c}).answer(f, root)
}
