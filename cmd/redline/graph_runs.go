package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report"
)

// maxCollapsed is the number of states of a model that is drawn collapsed.
const maxCollapsed = 500_000

// states draws the state model, whole or collapsed.
func (d *drawing) states(ctx context.Context, draft *engine.Draft) (report.Graph, error) {
	b := defaultBudget()
	b.States = maxCollapsed
	model, err := draft.Explore(ctx, b)
	if err != nil {
		return report.Graph{}, err
	}
	if d.by == "" && model.Len() <= maxDrawn {
		return report.DrawStates(draft, model), nil
	}
	var open []petri.Marking
	for _, r := range draft.Check(ctx, b).Requirements {
		if r.Trace == nil || r.Verdict != engine.Violated || d.requirement != "" && r.Name != d.requirement {
			continue
		}
		if staged := draft.Stage([]*engine.Trace{r.Trace})[0]; staged != nil {
			open = append(open, report.Visited(draft, staged)...)
		}
	}
	g, _, err := report.DrawCollapsed(ctx, draft, model, d.by, open)
	if errors.Is(err, report.ErrNoBlocks) {
		return report.Graph{}, fmt.Errorf("the state model has %d states, and %w: name a party or a phase with --by", model.Len(), err)
	}
	return g, err
}

// trace draws the run of a requirement; without a name, of the one violated requirement that there is.
func (d *drawing) trace(ctx context.Context, draft *engine.Draft) (report.Graph, error) {
	r, err := d.shown(draft.Check(ctx, defaultBudget()))
	if err != nil {
		return report.Graph{}, err
	}
	staged := draft.Stage([]*engine.Trace{r.Trace})[0]
	if staged == nil {
		return report.Graph{}, fmt.Errorf("the run of %s has no picture: 'redline check' tells it", r.Name)
	}
	title := r.Name
	if r.Title != "" {
		title += ": " + r.Title
	}
	return report.DrawTrace(draft, title, staged), nil
}

// shown finds the requirement whose run is to be drawn.
func (d *drawing) shown(checked *engine.Result) (*engine.Requirement, error) {
	var all, violated []string
	var found *engine.Requirement
	for i := range checked.Requirements {
		r := &checked.Requirements[i]
		all = append(all, r.Name)
		if r.Verdict == engine.Violated && r.Trace != nil {
			violated = append(violated, r.Name)
		}
		if r.Name == d.requirement || d.requirement == "" && r.Verdict == engine.Violated && r.Trace != nil && found == nil {
			found = r
		}
	}
	switch {
	case d.requirement == "" && len(violated) > 1:
		return nil, fmt.Errorf("%d requirements are violated (%s): name one with --requirement", len(violated), listed(violated))
	case found == nil && d.requirement == "":
		return nil, errors.New("no requirement is violated, so there is no run to draw")
	case found == nil:
		hint := ""
		if near := hclspec.Nearest(d.requirement, all); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, fmt.Errorf("there is no requirement named %q%s", d.requirement, hint)
	case found.Trace == nil:
		return nil, fmt.Errorf("the requirement %q has no run to draw (its verdict: %s)", found.Name, found.Verdict)
	}
	return found, nil
}
