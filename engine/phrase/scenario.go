package phrase

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A scenario is a formula with the atom ran(e1, e2): the last of these events has just happened, and these are all that happened so far, in
// this order; transitions without an event count for nothing. No marking decides that, so no state model labels such a formula: package
// scenario decides it by firing the net. The atom lets names be resolved, renamed and compared as in every formula.

// Ran, InBreach and Fulfilled are the functions of scenarios. The argument of InBreach is a party, those of Fulfilled are norms.
const (
	Ran       = "ran"
	InBreach  = "in_breach"
	Fulfilled = "fulfilled"
)

// Begun is an argument of Ran that is no event. Those before it are events: the steps are all that happened since the first of them happened for the first time.
const Begun = "*"

// parseScenario returns the formula of a scenario. Possible: EF ran(...). Impossible: AG !ran(...). Otherwise: EF ran(...) && AG (ran(...) -> p).
func parseScenario(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	s := text.Scenario
	ran := func() *ctl.Formula { return callOf(Ran, s.Steps...) }
	if len(s.Begins) > 0 {
		ran = func() *ctl.Formula { return callOf(Ran, slices.Concat(s.Begins, []string{Begun}, s.Steps)...) }
	}
	some := &ctl.Formula{Op: ctl.EF, Left: ran()}
	var then *ctl.Formula
	switch s.Expect {
	case hclspec.ExpectPossible:
		return some, nil
	case hclspec.ExpectImpossible:
		return &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: ran()}}, nil
	case hclspec.ExpectBreach:
		then = callOf(InBreach, s.Party)
	case hclspec.ExpectFulfilled:
		then = callOf(Fulfilled, s.Duties...)
	default:
		f, err := ctl.Parse(text.Text)
		if err != nil {
			return nil, NotAFormula(err, text)
		}
		if timely := temporal(f); timely != nil {
			return nil, Diagnostic("formula-syntax", text.Source(timely.From, timely.To), "What has to be so after a scenario speaks of one state: this says what may come.",
				"Leave out AG, EF and their like, and before(...); or write a requirement.")
		}
		Rescope(f, text.Scope)
		then = f
	}
	all := &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Implies, Left: ran(), Right: then}}
	return &ctl.Formula{Op: ctl.And, Left: some, Right: all}, nil
}

// callOf returns the atom of a function of scenarios. It has no place: nothing may take it for one.
func callOf(function string, args ...string) *ctl.Formula {
	c := &ctl.Call{Function: function}
	for _, a := range args {
		c.Args = append(c.Args, ctl.Ref{Name: a})
	}
	return &ctl.Formula{Op: ctl.Atom, Name: c.String(), Call: c, Place: -1}
}

// A Script is the content of the formula of a scenario.
type Script struct {
	Begins   []string // events with the first of which it begins; none: it begins with the contract
	Steps    []string
	Possible bool         // some run must have these steps; otherwise none may
	Then     *ctl.Formula // what has to be so after each of these runs; nil: nothing
}

// ScriptOf returns the content of a formula if it is that of a scenario, and otherwise nil.
func ScriptOf(f *ctl.Formula) *Script {
	if f == nil {
		return nil
	}
	s, ran := &Script{Possible: true}, f
	switch {
	case f.Op == ctl.And && f.Right.Op == ctl.AG && f.Right.Left.Op == ctl.Implies:
		ran, s.Then = f.Left, f.Right.Left.Right
	case f.Op == ctl.AG && f.Left.Op == ctl.Not:
		ran, s.Possible = f.Left, false
	}
	if ran.Op != ctl.EF && s.Possible || ran.Left == nil || ran.Left.Call == nil || ran.Left.Call.Function != Ran {
		return nil
	}
	for _, a := range ran.Left.Call.Args {
		s.Steps = append(s.Steps, a.Name)
	}
	if at := slices.Index(s.Steps, Begun); at >= 0 {
		s.Begins, s.Steps = s.Steps[:at:at], s.Steps[at+1:]
	}
	return s
}

// Written returns a scenario as text that means a formula, which must be that of a scenario. It is written where the given text is.
func Written(f *ctl.Formula, like *hclspec.Formula) *hclspec.Formula {
	s := ScriptOf(f)
	text := &hclspec.Formula{Range: like.Range, Notation: like.Notation, Scenario: &hclspec.Scenario{Begins: s.Begins, Steps: s.Steps, Expect: like.Scenario.Expect, Unit: like.Scenario.Unit}}
	switch like.Scenario.Expect {
	case hclspec.ExpectBreach:
		text.Scenario.Party = s.Then.Call.Args[0].Name
	case hclspec.ExpectFulfilled:
		for _, a := range s.Then.Call.Args {
			text.Scenario.Duties = append(text.Scenario.Duties, a.Name)
		}
	case hclspec.ExpectEnds:
		text.Text = s.Then.CTL()
	}
	return text
}
