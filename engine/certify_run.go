package engine

import (
	"context"
	"reflect"
	"slices"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Where no state model is complete, the run that was shown of a verdict may be all its proof: the certificate is made from the states on
// it. The checker, which knows nothing of that, tells whether it is enough.

// retracing proves verdicts from their runs.
func (d *Draft) retracing(r *Result) proving {
	traces := map[string]*Trace{}
	for _, q := range r.Requirements {
		traces[q.Name] = q.Trace
	}
	incomplete := &certificate.ErrNone{Why: "there is no complete state model: " + r.Model.Incomplete}
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		w := &walker{draft: d}
		if v.Requirement == "" || traces[v.Requirement] == nil || !w.walk(traces[v.Requirement], d.Net.Initial) {
			return nil, incomplete
		}
		g, err := space.Part(d.Net, d.Rule, w.arcs)
		if err != nil {
			return nil, err
		}
		c, err := certificate.Listed(ctx, v, g)
		if ctx.Err() == nil && (err != nil || checker.Check(ctx, c, v.Problem, v.Formula, certificateLimits) != nil) {
			return nil, incomplete // a run does not prove it
		}
		return c, err
	}
}

// A walker fires runs again, as they are told.
type walker struct {
	draft *Draft
	arcs  []space.Arc
}

// walk fires a trace from a marking. It is false where what is told can't be fired.
func (w *walker) walk(trace *Trace, from petri.Marking) bool {
	places := []petri.Marking{from} // by step, from where the trace starts
	for _, told := range byStep(slices.Concat(trace.Prefix, trace.Loop)) {
		m := places[len(places)-1]
		step := w.step(told, m)
		if !w.draft.Net.IsStep(m, w.draft.Rule, step) {
			return false
		}
		after, contact := w.draft.Net.Fire(m, step)
		if contact >= 0 {
			return false
		}
		w.arcs, places = append(w.arcs, space.Arc{From: m, To: after}), append(places, after)
	}
	for _, then := range trace.Then {
		if then.after >= len(places) || !w.walk(then, places[then.after]) {
			return false
		}
	}
	return true
}

// step is the transitions that are told of a step, sorted; fewer, where some are not to be found.
func (w *walker) step(told []Firing, m petri.Marking) (step []int) {
	for _, f := range told {
		for t := range w.draft.Net.Transitions {
			if !slices.Contains(step, t) && w.draft.Net.Fireable(m, t) && reflect.DeepEqual(w.draft.firing(f.Step, t, m), f) {
				step = append(step, t)
				break
			}
		}
	}
	slices.Sort(step)
	return step
}

// byStep groups firings that fire together.
func byStep(all []Firing) (steps [][]Firing) {
	for i, f := range all {
		if i == 0 || f.Step != all[i-1].Step {
			steps = append(steps, nil)
		}
		steps[len(steps)-1] = append(steps[len(steps)-1], f)
	}
	return steps
}
