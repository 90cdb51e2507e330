package local

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// DecideFrom is Decide with a first round of less effort, so that small nets need several.
func DecideFrom(ctx context.Context, effort int, n *petri.Net, rule petri.Rule, f *ctl.Formula, limits space.Limits) (Answer, error) {
	t, root, err := begin(ctx, n, rule, f, limits)
	if err != nil {
		return Answer{}, err
	}
	t.first = effort
	return t.answer(f, root)
}
