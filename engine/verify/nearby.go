package verify

import (
	"context"
	"fmt"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/structure"
)

// Verdicts without a complete state model, by the methods in deciders.go. This runs beside the methods that build a state model.

// A nearby is a verdict found without a state model. The zero value is none.
type nearby struct {
	engine   finding.Engine
	holds    bool
	evidence *ctl.Evidence

	noRuns, empty bool // see finding.Requirement
}

// nearbyVerdicts are the verdicts on a draft's own requirements, and on those of another version, by index.
type nearbyVerdicts struct{ own, asked, leans []nearby }

// byLooking decides what it can without a state model.
func byLooking(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment) Outcome {
	f := Begin(d, m)
	f.Result.Model.Engine = string(finding.Local)
	unknown(d, f.Result, noModel)
	f.Asked.Unknown(noModel)
	near(ctx, d, b, m, deciders).add(d, f, b)
	return f
}

const noModel = "--engine local lists no states, and no answer lies near"

// near decides what methods can, with a limit of states and memory for each formula. It skips requirements with terms (compile.Terms).
func near(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, methods []decider) nearbyVerdicts {
	asked := BaseQuestions(d, m)
	v := nearbyVerdicts{make([]nearby, len(d.Formulas)), make([]nearby, len(asked.Formulas)), make([]nearby, len(asked.Leans))}
	net := structure.New(d.Net)
	if safe, err := net.OneSafe(ctx); !safe || err != nil {
		return v // a contract in contact has no verdicts
	}
	for i, f := range d.Formulas {
		if f == nil || !compile.TermsOf(d.Spec.Requirements[i]).Plain() {
			continue
		}
		v.own[i] = nearest(ctx, &question{d, b, net, f, nil}, methods)
		if n := &v.own[i]; n.holds && d.Spec.Requirements[i].Formula.Ideal {
			var known bool
			n.noRuns, n.empty, known = empty(d, f, func(g *ctl.Formula) (bool, bool) {
				n := nearest(ctx, &question{d, b, net, g, nil}, methods)
				return n.holds, n.engine != ""
			})
			if !known && m != nil {
				*n = nearby{}
			}
		}
	}
	for i, f := range asked.Formulas {
		if f != nil && compile.TermsDecided(&asked.Requirements[i]).Plain() {
			v.asked[i] = nearest(ctx, &question{d, b, net, f, nil}, methods)
		}
	}
	for i, l := range asked.Leans {
		if v.own[l.Requirement].holds {
			v.leans[i] = nearest(ctx, &question{d, b, net, l.formula, nil}, methods)
		}
	}
	return v
}

// complete reports whether every formula of a draft, and every one that is asked of it, has a verdict.
func (v nearbyVerdicts) complete(d *compile.Draft, asked *Answers) bool {
	for i, f := range d.Formulas {
		if f != nil && v.own[i].engine == "" {
			return false
		}
	}
	for i, f := range asked.Formulas {
		if f != nil && v.asked[i].engine == "" {
			return false
		}
	}
	return true
}

// add gives these verdicts to the requirements that have none.
func (v nearbyVerdicts) add(d *compile.Draft, f Outcome, b finding.Budget) {
	for i := range f.Result.Requirements {
		setNear(d, v.own[i], d.Formulas[i], &f.Result.Requirements[i], b)
	}
	for i := range f.Asked.Requirements {
		setNear(d, v.asked[i], f.Asked.Formulas[i], &f.Asked.Requirements[i], b)
	}
	for i := range f.Asked.Leans {
		f.Asked.Leans[i].setNear(d, v.leans[i])
	}
}

// setNear writes a verdict into a requirement that has none. It replays the run first.
func setNear(d *compile.Draft, n nearby, f *ctl.Formula, req *finding.Requirement, b finding.Budget) {
	if n.engine == "" || req.Verdict != finding.Unknown {
		return
	}
	if n.evidence != nil {
		if err := explain.Replay(d.Net, d.Rule, explain.Runs{}, n.evidence); err != nil {
			req.Reason = fmt.Sprintf("the run found does not replay, which is a defect of redline: %v", err)
			return
		}
		req.Trace = explain.Trace(d, n.evidence, req.Notation)
	}
	req.Engine = n.engine
	if compile.CanRest(f) {
		req.Rests = &finding.Rests{Unknown: "that takes a state model, and the verdict was found without one"}
	}
	if n.holds {
		req.NoRuns, req.Empty = n.noRuns, n.empty
		req.Verdict, req.Reason = finding.Holds, "whether it is vacuous is unknown: "+req.Reason
	} else {
		req.Verdict, req.Reason = finding.Violated, ""
		req.Run = d.Fingerprint(CanonicalMeaning(d, f, compile.Terms{}), req.Trace)
	}
	req.Judge(b.Today)
}
