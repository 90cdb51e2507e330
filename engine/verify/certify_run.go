package verify

import (
	"context"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/space"
)

// If no state model is complete, the run shown for a verdict may be its whole proof. The certificate is made from the states on that run.
// The checker decides whether that is enough; it does not know where the states come from.

// retracing returns a method that proves verdicts from their runs.
func retracing(d *compile.Draft, r *finding.Result) prover {
	traces := map[string]*finding.Trace{}
	for _, q := range r.Requirements {
		traces[q.Name] = q.Trace
	}
	unproved := &certificate.ErrNone{Why: "no run proves it"}
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		shown := traces[v.Requirement]
		if v.Requirement == "" || shown == nil {
			return nil, unproved
		}
		run := explain.Stage(d, []*finding.Trace{shown})[0]
		if run == nil {
			return nil, unproved
		}
		g, err := space.Part(d.Net, d.Rule, arcs(d, run))
		if err != nil {
			return nil, err
		}
		c, err := certificate.FromGraph(ctx, v, g)
		if ctx.Err() == nil && (err != nil || checker.Check(ctx, c, v.Problem, v.Formula, certificateLimits) != nil) {
			return nil, unproved // a run does not prove it
		}
		return c, err
	}
}

// arcs returns the arcs of a run and of the runs that explain it.
func arcs(d *compile.Draft, run *explain.Staged) (list []space.Arc) {
	m := run.Start
	for _, step := range run.Steps {
		after, contact := d.Net.Fire(m, step)
		if contact >= 0 {
			return list
		}
		list, m = append(list, space.Arc{From: m, To: after}), after
	}
	for _, then := range run.Then {
		list = append(list, arcs(d, then)...)
	}
	return list
}
