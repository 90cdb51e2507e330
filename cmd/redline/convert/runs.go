package convert

import (
	"context"
	"errors"
	"fmt"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/draw"
)

// maxCollapsed bounds the states of a model that is drawn collapsed.
const maxCollapsed = 500_000

// states draws the state model, whole or collapsed.
func (d *Drawing) states(ctx context.Context, draft *compile.Draft) (draw.Graph, error) {
	b := engine.DefaultBudget()
	b.States = maxCollapsed
	model, err := verify.Explore(ctx, draft, b)
	if err != nil {
		return draw.Graph{}, err
	}
	if d.By == "" && model.Len() <= maxDrawn {
		return draw.States(draft, model), nil
	}
	var open []petri.Marking
	for _, r := range verify.Check(ctx, draft, b).Requirements {
		if r.Trace == nil || r.Verdict != finding.Violated || d.Requirement != "" && r.Name != d.Requirement {
			continue
		}
		if staged := explain.Stage(draft, []*finding.Trace{r.Trace})[0]; staged != nil {
			open = append(open, draw.Visited(draft, staged)...)
		}
	}
	g, _, err := draw.Collapsed(ctx, draft, model, d.By, open)
	if errors.Is(err, draw.ErrNoBlocks) {
		return draw.Graph{}, fmt.Errorf("the state model has %d states, and %w: name a party or a phase with --by", model.Len(), err)
	}
	return g, err
}

// trace draws the run of a requirement; without a name, that of the only violated one.
func (d *Drawing) trace(ctx context.Context, draft *compile.Draft) (draw.Graph, error) {
	r, err := d.shown(verify.Check(ctx, draft, engine.DefaultBudget()))
	if err != nil {
		return draw.Graph{}, err
	}
	staged := explain.Stage(draft, []*finding.Trace{r.Trace})[0]
	if staged == nil {
		return draw.Graph{}, fmt.Errorf("the run of %s has no picture: 'redline check' tells it", r.Name)
	}
	title := r.Name
	if r.Title != "" {
		title += ": " + r.Title
	}
	lead := fmt.Sprintf("A run that the contract allows, for the requirement %s.", r.Name)
	if r.Verdict == finding.Violated {
		lead = fmt.Sprintf("A run that the contract allows, and that violates %s.", r.Name)
	}
	return draw.Trace(draft, title, lead, staged), nil
}

// shown returns the requirement whose run is to be drawn.
func (d *Drawing) shown(checked *finding.Result) (*finding.Requirement, error) {
	var all, violated []string
	var found *finding.Requirement
	for i := range checked.Requirements {
		r := &checked.Requirements[i]
		all = append(all, r.Name)
		if r.Verdict == finding.Violated && r.Trace != nil {
			violated = append(violated, r.Name)
		}
		if r.Name == d.Requirement || d.Requirement == "" && r.Verdict == finding.Violated && r.Trace != nil && found == nil {
			found = r
		}
	}
	switch {
	case d.Requirement == "" && len(violated) > 1:
		return nil, fmt.Errorf("%d requirements are violated (%s): name one with --requirement", len(violated), listed(violated))
	case found == nil && d.Requirement == "":
		return nil, errors.New("no requirement is violated, so there is no run to draw")
	case found == nil:
		hint := ""
		if near := hclspec.Nearest(d.Requirement, all); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, fmt.Errorf("there is no requirement named %q%s", d.Requirement, hint)
	case found.Trace == nil:
		return nil, fmt.Errorf("the requirement %q has no run to draw (its verdict: %s)", found.Name, found.Verdict)
	}
	return found, nil
}
