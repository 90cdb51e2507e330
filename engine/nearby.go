package engine

import (
	"context"
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/local"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
)

// What can be decided without a state model, where there is none to be had: by the structure of the net, by going to no more
// states than an answer needs, and on a smaller net. It runs beside what tries to have one.

// A nearby verdict; the zero one is none.
type nearby struct {
	engine   Engine
	holds    bool
	evidence *ctl.Evidence
}

// nearbyVerdicts are those on what a draft requires, and on what another version does, by number.
type nearbyVerdicts struct{ own, asked []nearby }

// byLooking decides what it can without a state model.
func (d *Draft) byLooking(ctx context.Context, b Budget, m *amendment) foundOut {
	f := d.begin(m)
	f.result.Model.Engine = string(Local)
	d.unknown(f.result, noModel)
	f.asked.unknown(noModel)
	d.near(ctx, b, m).add(d, f, b)
	return f
}

const noModel = "none was to be made (--engine local), and no answer lies near"

// near decides what it can, with a limit of states and memory for each formula. Requirements that say which runs count it leaves alone.
func (d *Draft) near(ctx context.Context, b Budget, m *amendment) nearbyVerdicts {
	asked := d.ask(m)
	v := nearbyVerdicts{make([]nearby, len(d.Formulas)), make([]nearby, len(asked.formulas))}
	net := structure.New(d.Net)
	if safe, err := net.OneSafe(ctx); !safe || err != nil {
		return v // a contract in contact has no verdicts
	}
	for i, f := range d.Formulas {
		if f != nil && termsOf(d.Spec.Requirements[i]).plain() {
			v.own[i] = d.nearest(ctx, b, net, f)
		}
	}
	for i, f := range asked.formulas {
		if f != nil && asked.Requirements[i].terms().plain() {
			v.asked[i] = d.nearest(ctx, b, net, f)
		}
	}
	return v
}

// nearest decides one formula. That it does not hold is told with a run, which only the search has.
func (d *Draft) nearest(ctx context.Context, b Budget, net *structure.Net, f *ctl.Formula) nearby {
	simple, err := net.Simplify(ctx, f)
	if err != nil {
		return nearby{}
	}
	if simple.Op == ctl.True {
		return nearby{engine: Structural, holds: true}
	}
	limits := space.Limits{States: b.States, Bytes: int64(b.Memory)}
	a, err := local.Decide(ctx, d.Net, d.Rule, f, limits)
	if err == nil && a.Why == nil {
		return nearby{Local, a.Holds, a.Evidence}
	}
	if b.Engine == Local {
		return nearby{}
	}
	return d.reduced(ctx, b, f, simple)
}

// add gives verdicts to what has none.
func (v nearbyVerdicts) add(d *Draft, f foundOut, b Budget) {
	for i := range f.result.Requirements {
		d.tellNear(v.own[i], d.Formulas[i], &f.result.Requirements[i], b)
	}
	for i := range f.asked.Requirements {
		d.tellNear(v.asked[i], f.asked.formulas[i], &f.asked.Requirements[i], b)
	}
}

func (d *Draft) tellNear(n nearby, f *ctl.Formula, req *Requirement, b Budget) {
	if n.engine == "" || req.Verdict != Unknown {
		return
	}
	if n.evidence != nil {
		if err := replay(d.Net, d.Rule, nil, false, n.evidence); err != nil {
			req.Reason = fmt.Sprintf("the run found does not replay, which is a defect of redline: %v", err)
			return
		}
		req.Trace = d.trace(n.evidence, req.Notation)
	}
	req.Engine = n.engine
	if canRest(f) {
		req.Rests = &Rests{Unknown: "that takes a state model, and the verdict was found without one"}
	}
	if n.holds {
		req.Verdict, req.Reason = Holds, "whether it is vacuous is unknown: "+req.Reason
	} else {
		req.Verdict, req.Reason = Violated, ""
		req.Run = d.fingerprint(d.promised(f, terms{}), req.Trace)
	}
	req.judge(b.Today)
}
