package behaviour

import (
	"cmp"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// called returns the usual name of a party: head's, or else base's.
func (v *Versions) called(party string) string {
	return cmp.Or(v.Head.Draft.Calls[party], v.Base.Draft.Calls[party])
}

// calls returns the usual names of parties of either side, by name as reported.
func (c *comparison) calls() finding.Calls { return c.Versions.calls(c.Parties) }

func (v *Versions) calls(parties []string) (calls finding.Calls) {
	for _, p := range parties {
		if name := v.called(p); name != "" {
			calls = append(calls, finding.Call{Name: p, Called: name})
		}
	}
	return calls
}

// Versions are both checked drafts of a contract, from which differences and refusals are computed. Either draft may be nil.
type Versions struct {
	Base, Head Version
	Names      compile.Naming
	Changes    []diff.Change // of the text
	Budget     finding.Budget
}

// A Version is one of the two.
type Version struct {
	Draft *compile.Draft
	Asked *compile.Draft // with history places for the other's formulas
	Model *verify.Listed // the draft with its explicit states, and history places for the other's formulas; nil: none
	Why   string         // why there is no Model
}

// Mean reports whether both sides have a well-formed contract.
func (v *Versions) Mean() bool {
	return v.Base.Draft != nil && v.Head.Draft != nil && v.Base.Draft.Spec != nil && v.Head.Draft.Spec != nil
}

// ActionOf returns the action of a composed transition.
func ActionOf(n compile.SideNaming, d *compile.Draft, t int) Action {
	tr := d.Net.Transitions[t]
	switch {
	case tr.Moving:
		return Action{Kind: TimeAction, Name: d.Events[tr.Event].Name}
	case tr.Event >= 0:
		return Action{EventAction, n.Event(d.Events[tr.Event].Name)}
	}
	return Action{TransitionAction, n.Part(d, tr.Parts[0])}
}
