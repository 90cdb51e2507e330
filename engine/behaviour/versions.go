package behaviour

import (
	"cmp"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// called is what people call a party that either draft has: head's word for it, or base's.
func (v *Versions) called(party string) string {
	return cmp.Or(v.Head.Draft.Calls[party], v.Base.Draft.Calls[party])
}

// Versions are both drafts of a contract once they are checked: what a Difference, and what is said of a
// finding beyond its verdict, is made from. Either draft may be nil.
type Versions struct {
	Base, Head Version
	Names      compile.Naming
	Budget     finding.Budget
}

// Version is one of them.
type Version struct {
	Draft *compile.Draft
	Asked *compile.Draft // with history places for what the other asks
	Model *verify.Listed // the draft with its state model, and with history places for what the other asks; nil: none
	Why   string         // why there is none
}

// Mean reports whether both sides have the contract and mean something.
func (v *Versions) Mean() bool {
	return v.Base.Draft != nil && v.Head.Draft != nil && v.Base.Draft.Spec != nil && v.Head.Draft.Spec != nil
}

// DeedOf is what a composed transition does.
func DeedOf(n compile.SideNaming, d *compile.Draft, t int) Action {
	tr := d.Net.Transitions[t]
	switch {
	case tr.Moving:
		return Action{Kind: TimeAction, Name: d.Events[tr.Event].Name}
	case tr.Event >= 0:
		return Action{EventAction, n.Event(d.Events[tr.Event].Name)}
	}
	return Action{TransitionAction, n.Part(d, tr.Parts[0])}
}
