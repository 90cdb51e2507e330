package explain

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// SecondHolder returns how a run brings a document to a second place, and where the text does that: at the transition that keeps the document
// in the last step, or else at the one that adds it. It returns an empty detail, and the document's range, if more than one thing happens in
// that step, or if the document is held twice from the beginning.
func SecondHolder(d *compile.Draft, doc *hclspec.Document, run *finding.Trace) (at hcl.Range, detail string) {
	n := len(run.Prefix)
	if n == 0 || n > 1 && run.Prefix[n-2].Step == run.Prefix[n-1].Step {
		return doc.Range, ""
	}
	last := &run.Prefix[n-1]
	holds := func(p *hclspec.Place) bool { return slices.Contains(doc.Places, p) }
	var giver, keeper *hclspec.Transition
	var given, keeping, kept string
	for _, party := range d.Parties {
		for _, t := range party.Transitions {
			name := party.Name + "." + compile.SourceName(t)
			if !slices.Contains(last.Transitions, name) {
				continue
			}
			if slices.ContainsFunc(t.Produce, holds) {
				giver, given = t, party.Name
			}
			if i := slices.IndexFunc(t.Read, holds); i >= 0 {
				keeper, keeping, kept = t, name, t.Read[i].Name
			}
		}
	}
	what := last.Event
	if what != "" {
		what = fmt.Sprintf("Event %q", what)
	} else if len(last.Transitions) > 0 {
		what = last.Transitions[0]
	}
	switch {
	case giver == nil:
		return doc.Range, ""
	case keeper == nil:
		return giver.Range, fmt.Sprintf("%s gives %s the document while it is held elsewhere.", what, given)
	}
	return keeper.Range, fmt.Sprintf("%s gives %s the document, but %s keeps it. Write consume = [%s].", what, given, keeping, kept)
}
