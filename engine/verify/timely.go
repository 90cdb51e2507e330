package verify

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
)

// Timely remarks on a requirement that fails on a run without end, on which time may stand still, if it holds where time passes as long
// as it can. What the budget does not reach is not said.
func (c *Checked[S]) Timely(ctx context.Context, f *ctl.Formula, req *finding.Requirement) {
	if !ticks(c.Draft) || req.Resting || slices.Contains(req.Assuming, "time") || !goesOn(req.Trace) {
		return
	}
	holds, err := c.Checker(c.actsOf(append(slices.Clone(req.Assuming), "time"))).Holds(ctx, f)
	req.Timely = err == nil && holds
}

// actsOf lists for each party that names stand for its acts.
func (c *Checked[S]) actsOf(names []string) [][]int {
	actors, _ := c.Actors(names)
	return acts(c.Draft, actors)
}

// goesOn says whether a run without end shows it.
func goesOn(t *finding.Trace) bool {
	return t != nil && (len(t.Loop) > 0 || slices.ContainsFunc(t.Then, goesOn))
}
