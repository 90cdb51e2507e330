package hclspec

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/construct"
)

// subject reads what an accept block is on: party.element, event.NAME, document.NAME or requirement.NAME, with an index where there
// are several. Without the index it means all of them. In names of a phase's things there is another dot. What is gone need not exist.
func (l *loader) subject(e hclsyntax.Expression, gone bool) string {
	all, ok := steps(e)
	if !ok || len(all) < 2 {
		l.notASubject(e)
		return ""
	}
	if root := all[0].text; root == "event" || root == "requirement" || root == "document" || l.isNormWord(root) {
		ref := joined(all[1:])
		if !gone {
			l.claimExists(root, ref)
		}
		return root + "." + ref.String()
	}
	last := all[len(all)-1]
	if last.index {
		l.notASubject(e)
		return ""
	}
	ref := joined(all[:len(all)-1])
	l.elementExists(ref, last)
	return ref.String() + "." + last.text
}

func (l *loader) notASubject(e hclsyntax.Expression) {
	l.mistake(codeNotAReference, e.Range(), "What is accepted must be named.",
		"Write party.element, event.NAME, document.NAME or requirement.NAME, without quotes.")
}

// claimExists reports an event, document or requirement that there is not.
func (l *loader) claimExists(root string, ref partyRef) {
	space := l.events
	switch {
	case root == "requirement":
		space = l.promises
	case root == "document":
		space = l.documents.named
	case construct.IsNorm(root):
		space = l.normsOf(root)
	}
	to, known := space[ref.name]
	if known && (!ref.indexed || root == "event" && len(l.eventsOf(ref)) > 0) {
		l.refer(ref.at, to)
		return
	}
	l.unknown(ref.at, fmt.Sprintf("There is no %q in %q.", ref, root), ref.name, func() []string { return keys([]names{space}) })
}

// elementExists reports a party, or an element of one, that there is not.
func (l *loader) elementExists(ref partyRef, element step) {
	if l.families[ref.name] == nil {
		l.unknown(ref.at, fmt.Sprintf("There is no party %q.", ref.name), ref.name, l.roots)
		return
	}
	found := l.find(ref)
	if len(found) == 0 {
		return
	}
	l.refer(ref.at, found[0].party.Range)
	spaces := []names{found[0].taken, found[0].transitions}
	for _, n := range spaces {
		if to, known := n[element.text]; known {
			l.refer(element.at, to)
			return
		}
	}
	l.unknown(element.at, fmt.Sprintf("There is no %q in %q.", element.text, ref), element.text, func() []string { return keys(spaces) })
}

// roots are what the subject of an accept block may begin with.
func (l *loader) roots() []string {
	return slices.Concat([]string{"document", "event", "requirement"}, l.partyNames)
}
