package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/local"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/engine/scenario"
	"github.com/redlinehq/redline/engine/slice"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
	"github.com/redlinehq/redline/engine/zone"
)

// A decider is a method that decides one formula without a complete state model. It leaves what it can't decide open: the zero nearby. Methods
// that build a state model are behind stateModel.
type decider interface {
	decide(ctx context.Context, q *question) nearby
}

// deciders are asked in this order, cheapest first, and the first verdict counts. BenchmarkDeciders leaves them out one by one.
var deciders = []decider{structural{}, zoned{}, sliced{}, onTheFly{}, reducedNet{}}

// A question is a formula about a draft, with the limits for its answer.
type question struct {
	*compile.Draft
	budget  finding.Budget
	net     *structure.Net // of the draft, shared by its formulas
	formula *ctl.Formula
	simple  *ctl.Formula // the formula simplified by structure, with the same value in all reachable states
}

// nearest asks methods in turn. A formula that does not hold gets a run.
func nearest(ctx context.Context, q *question, methods []decider) nearby {
	if phrase.ScriptOf(q.formula) != nil { // Scripted decides it
		return nearby{}
	}
	q.simple = q.formula
	for _, method := range methods {
		if n := method.decide(ctx, q); n.engine != "" || ctx.Err() != nil {
			return n
		}
	}
	return nearby{}
}

// Scripted decides the requirement of a scenario, and reports whether it is one. It needs no state model. Its fingerprint is of the scenario
// and of in what it is not as expected, so a waiver accepts that, however it comes about.
func Scripted(ctx context.Context, d *compile.Draft, f *ctl.Formula, req *finding.Requirement, b finding.Budget) bool {
	s := phrase.ScriptOf(f)
	if s == nil {
		return false
	}
	a, err := scenario.Decide(ctx, d, s, scenario.Usual)
	if err != nil {
		req.Reason = b.Reason(err)
		return true
	}
	req.Verdict, req.Reason, req.Trace, req.Run = finding.Holds, "", a.Trace, ""
	if !a.Holds {
		req.Verdict, req.Run = finding.Violated, d.Fingerprint(CanonicalMeaning(d, f, compile.Terms{})+unlike(s, a), &finding.Trace{})
	}
	if req.Scenario != nil {
		claim := *req.Scenario
		claim.Stops, claim.Lacks, claim.OneWay, claim.There = a.Stops, a.Lacks, a.OneWay, a.There
		if a.Holds {
			claim.Of = a.Of
		}
		req.Scenario = &claim
	}
	req.Judge(b.Today)
	return true
}

// unlike returns for a fingerprint in what a scenario is not as expected. One that should be impossible can only be possible.
func unlike(s *phrase.Script, a *scenario.Answer) string {
	switch {
	case !s.Possible:
		return ""
	case a.Stops > 0:
		return fmt.Sprintf("\nstops at step %d", a.Stops)
	}
	return "\nends otherwise"
}

// scripts decides the scenarios that are still open because there is no state model.
func (f Outcome) scripts(ctx context.Context, b finding.Budget) {
	if f.broken || f.Draft.Spec == nil || f.Draft.Failure != "" {
		return
	}
	decide := func(formulas []*ctl.Formula, slots []finding.Requirement) {
		for i, g := range formulas {
			if g != nil && slots[i].Verdict == finding.Unknown {
				Scripted(ctx, f.Draft, g, &slots[i], b)
			}
		}
	}
	decide(f.Draft.Formulas, f.Result.Requirements)
	decide(f.Asked.Formulas, f.Asked.Requirements)
}

// scriptsFirst decides the scenarios of a draft before anything else, since a state model may take all the time there is. Methods that come to
// their end decide them again, which costs little.
func scriptsFirst(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment) *Outcome {
	if !slices.ContainsFunc(d.Formulas, func(f *ctl.Formula) bool { return f != nil && phrase.ScriptOf(f) != nil }) {
		return nil
	}
	f := &Outcome{Draft: d, Result: StaticResult(d), Asked: BaseQuestions(d, m)}
	f.scripts(ctx, b)
	return f
}

// take fills in the verdicts on scenarios that are still open.
func (f Outcome) take(told *Outcome) {
	if told == nil || f.broken {
		return
	}
	fill := func(slots, told []finding.Requirement) {
		for i := range slots {
			if slots[i].Verdict == finding.Unknown && told[i].Verdict != finding.Unknown {
				slots[i] = told[i]
			}
		}
	}
	fill(f.Result.Requirements, told.Result.Requirements)
	fill(f.Asked.Requirements, told.Asked.Requirements)
}

// structural decides what follows from the net's structure alone (package structure), and simplifies the formula for the methods after it.
type structural struct{}

func (structural) decide(ctx context.Context, q *question) nearby {
	simple, err := q.net.Simplify(ctx, q.formula)
	if err != nil {
		return nearby{}
	}
	q.simple = simple
	if simple.Op == ctl.True {
		return nearby{engine: finding.Structural, holds: true}
	}
	return nearby{}
}

// sliced labels a state model in which markings have only the tokens that matter to the formula (package slice). It is for contracts with norms and clocks,
// whose fates and times multiply states. Of other nets reducedNet drops what does not matter.
type sliced struct{}

func (sliced) decide(ctx context.Context, q *question) nearby {
	if q.Rule != petri.One || !watched(q.Net) {
		return nearby{}
	}
	g, ok, err := slice.Explore(ctx, q.Net, q.ClockPlaces(), q.formula, space.Limits{States: q.budget.States, Bytes: int64(q.budget.Memory)})
	if !ok || err != nil {
		return nearby{}
	}
	checker := ctl.New(g.Sets())
	holds, err := checker.Holds(ctx, q.formula)
	if err != nil {
		return nearby{}
	}
	shown, err := checker.Explain(ctx, q.formula, g.Between)
	if err == nil && shown != nil {
		shown, err = slice.Lift(q.Net, shown)
	}
	if err != nil {
		return nearby{}
	}
	return nearby{engine: finding.Reduced, holds: holds, evidence: shown}
}

// zoned lists sets of clocks' values (package zone). It is for what can be reached, and what must come, in contracts with clocks that overlap.
type zoned struct{}

func (zoned) decide(ctx context.Context, q *question) nearby {
	if q.Rule != petri.One || !watched(q.Net) {
		return nearby{}
	}
	by := explain.Replayer{Net: q.Net, Rule: q.Rule}
	value := func(m petri.Marking, f *ctl.Formula) bool {
		holds, _ := by.Value(m, f) // known, as it has no temporal operators
		return holds
	}
	holds, shown, ok, err := zone.Decide(ctx, q.Net, q.ClockPlaces(), q.formula, value, space.Limits{States: q.budget.States})
	if !ok || err != nil {
		return nearby{}
	}
	return nearby{engine: finding.Reduced, holds: holds, evidence: shown}
}

// watched reports whether some net only watches what happens, as norms and clocks do.
func watched(n *petri.Net) bool {
	return slices.ContainsFunc(n.Transitions, func(t petri.Transition) bool { return len(t.Moves) > 0 })
}

// onTheFly searches only the states that the answer needs (package local).
type onTheFly struct{}

func (onTheFly) decide(ctx context.Context, q *question) nearby {
	a, err := local.Decide(ctx, q.Net, q.Rule, q.formula, space.Limits{States: q.budget.States, Bytes: int64(q.budget.Memory)})
	if err != nil || a.Why != nil {
		return nearby{}
	}
	return nearby{engine: finding.Local, holds: a.Holds, evidence: a.Evidence}
}
