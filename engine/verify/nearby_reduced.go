package verify

import (
	"context"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/reduce"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// reducedNet decides on decision diagrams of the net reduced for the formula (package reduce), if that is at most three quarters as large as
// the draft's. It has runs for AG of a formula without temporal operators, and else only says what holds.
type reducedNet struct{}

func (reducedNet) decide(ctx context.Context, q *question) nearby {
	if q.Rule != petri.One || q.budget.Engine == finding.Local {
		return nearby{}
	}
	written := q.formula
	r, err := reduce.Reduce(ctx, q.Net, q.simple)
	if err != nil {
		return nearby{}
	}
	if r.Formula.Op == ctl.True {
		return nearby{engine: finding.Reduced, holds: true}
	}
	if left, of := r.Size(); left > of-of/4 {
		return nearby{}
	}
	x, err := symbolic.Reach(ctx, r.Net, space.Limits{Bytes: int64(q.budget.Memory), Work: Patience})
	if err != nil {
		return nearby{}
	}
	checker := ctl.New[dd.Node](x.Sets(ctx))
	holds, err := checker.Holds(ctx, r.Formula)
	if err != nil {
		return nearby{}
	}
	if holds {
		return nearby{engine: finding.Reduced, holds: true}
	}
	shown, err := checker.Explain(ctx, r.Formula, diagramModel{x: x, ctx: ctx, net: r.Net}.Between)
	if err != nil || written.Op != ctl.AG || written.Left.Temporal() {
		return nearby{} // it would take more than one run
	}
	return lifted(ctx, q.Draft, r, shown.Run, written)
}

// lifted turns a run of the reduced net that violates AG into a run of the draft's own net. The run ends where the operand first fails.
func lifted(ctx context.Context, d *compile.Draft, r *reduce.Reduced, smaller ctl.Run, always *ctl.Formula) nearby {
	run, err := r.Run(ctx, smaller)
	if err != nil {
		return nearby{}
	}
	by := &explain.Replayer{Net: d.Net, Rule: d.Rule}
	for i, m := range run.Markings {
		if holds, known := by.Value(m, always.Left); known && !holds {
			end := ctl.Run{Markings: run.Markings[i : i+1], Loop: -1}
			run = ctl.Run{Markings: run.Markings[:i+1], Steps: run.Steps[:i], Loop: -1}
			return nearby{engine: finding.Reduced, evidence: &ctl.Evidence{Formula: always, Run: run, Next: []ctl.Because{{At: i, Evidence: &ctl.Evidence{Formula: always.Left, Run: end}}}}}
		}
	}
	return nearby{}
}
