package verify

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
)

// timely sets req.Timely if a requirement fails on an infinite run, on which time may stop, but holds if time passes as long as it can. If
// the budget ends, it is not set. It is the same whatever run shows the violation: where it holds if time passes, all of them are infinite.
func (c *Checked[S]) timely(ctx context.Context, f *ctl.Formula, req *finding.Requirement) {
	if !ticks(c.Draft) || req.Resting || slices.Contains(req.Assuming, "time") || !goesOn(req.Trace) {
		return
	}
	holds, err := c.Checker(c.actsOf(append(slices.Clone(req.Assuming), "time"), req.Ideal)).Holds(ctx, f)
	req.Timely = err == nil && holds
}

// actsOf returns the acts of the named parties, by party.
func (c *Checked[S]) actsOf(names []string, ideal bool) [][]int {
	actors, _ := c.Actors(names)
	return acts(c.Draft, actors, ideal)
}

// goesOn reports whether a run, or one that explains it, is infinite.
func goesOn(t *finding.Trace) bool {
	return t != nil && (len(t.Loop) > 0 || slices.ContainsFunc(t.Then, goesOn))
}
