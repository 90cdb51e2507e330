package engine

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/reduce"
	"github.com/redlinehq/redline/engine/space"
)

// reduced decides a formula on a net made smaller for it, if that is at most three quarters of the draft's. Written is the formula as
// the draft has it, simple the same in all reachable states.
func (d *Draft) reduced(ctx context.Context, b Budget, written, simple *ctl.Formula) nearby {
	if d.Rule != petri.One {
		return nearby{}
	}
	r, err := reduce.Reduce(ctx, d.Net, simple)
	if err != nil {
		return nearby{}
	}
	if r.Formula.Op == ctl.True {
		return nearby{engine: Reduced, holds: true}
	}
	if left, of := r.Size(); left > of-of/4 {
		return nearby{}
	}
	x, err := space.Reach(ctx, r.Net, space.Limits{Bytes: int64(b.Memory), Work: patience})
	if err != nil {
		return nearby{}
	}
	checker := ctl.New[dd.Node](x.Sets(ctx))
	holds, err := checker.Holds(ctx, r.Formula)
	if err != nil {
		return nearby{}
	}
	if holds {
		return nearby{engine: Reduced, holds: true}
	}
	shown, err := checker.Explain(ctx, r.Formula, diagramModel{x: x, ctx: ctx, net: r.Net}.between)
	if err != nil || written.Op != ctl.AG || written.Left.Temporal() {
		return nearby{} // it would take more than one run
	}
	return d.lifted(ctx, r, shown.Run, written)
}

// lifted shows on the draft's own net that something without temporal operators does not always hold. The run ends
// where it fails first.
func (d *Draft) lifted(ctx context.Context, r *reduce.Reduced, smaller ctl.Run, always *ctl.Formula) nearby {
	run, err := r.Run(ctx, smaller)
	if err != nil {
		return nearby{}
	}
	by := &replayer{net: d.Net, rule: d.Rule}
	for i, m := range run.Markings {
		if holds, known := by.value(m, always.Left); known && !holds {
			end := ctl.Run{Markings: run.Markings[i : i+1], Loop: -1}
			run = ctl.Run{Markings: run.Markings[:i+1], Steps: run.Steps[:i], Loop: -1}
			return nearby{Reduced, false, &ctl.Evidence{Formula: always, Run: run, Next: []ctl.Because{{At: i, Evidence: &ctl.Evidence{Formula: always.Left, Run: end}}}}}
		}
	}
	return nearby{}
}
