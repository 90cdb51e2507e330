package load

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// subject reads the subject of an accept block: party.element, event.NAME, document.NAME or requirement.NAME, with an index if there are
// several. Without the index it means all of them. Names that a phase made have another dot. If gone is set, the subject need not exist.
func (l *loader) subject(e hclsyntax.Expression, gone bool) string {
	all, ok := syntax.Steps(e)
	if !ok || len(all) < 2 {
		l.notASubject(e)
		return ""
	}
	if root := all[0].Text; root == "event" || root == "requirement" || root == "document" || l.isNormWord(root) {
		ref := syntax.Joined(all[1:])
		if !gone {
			l.claimExists(root, ref)
		}
		return root + "." + ref.String()
	}
	last := all[len(all)-1]
	if last.Index {
		l.notASubject(e)
		return ""
	}
	ref := syntax.Joined(all[:len(all)-1])
	l.elementExists(ref, last)
	return ref.String() + "." + last.Text
}

func (l *loader) notASubject(e hclsyntax.Expression) {
	l.Mistake(diag.NotAReference, e.Range(), "What is accepted must be named.",
		"Write party.element, event.NAME, document.NAME or requirement.NAME, without quotes.")
}

// claimExists reports an event, document, requirement or norm that does not exist.
func (l *loader) claimExists(root string, ref syntax.Ref) {
	space := l.events
	switch {
	case root == "requirement":
		space = l.promises
	case root == "document":
		space = l.documents.named
	case construct.IsNorm(root):
		space = l.normsOf(root)
	}
	to, known := space[ref.Name]
	if n := l.norms[ref.Name]; known && ref.Indexed && construct.IsNorm(root) {
		l.nth(n, ref.Index, ref.At)
		return
	}
	if known && (!ref.Indexed || root == "event" && len(l.eventsOf(ref)) > 0) {
		l.Refer(ref.At, to)
		return
	}
	l.Unknown(ref.At, fmt.Sprintf("There is no %q in %q.", ref, root), ref.Name, func() []string { return syntax.SortedNames([]syntax.Names{space}) })
}

// elementExists reports a party, or an element of one, that does not exist.
func (l *loader) elementExists(ref syntax.Ref, element syntax.Step) {
	if l.families[ref.Name] == nil {
		l.Unknown(ref.At, fmt.Sprintf("There is no party %q.", ref.Name), ref.Name, l.roots)
		return
	}
	found := l.find(ref)
	if len(found) == 0 {
		return
	}
	l.Refer(ref.At, found[0].party.Range)
	spaces := []syntax.Names{found[0].taken, found[0].transitions}
	for _, n := range spaces {
		if to, known := n[element.Text]; known {
			l.Refer(element.At, to)
			return
		}
	}
	l.Unknown(element.At, fmt.Sprintf("There is no %q in %q.", element.Text, ref), element.Text, func() []string { return syntax.SortedNames(spaces) })
}

// roots returns the words with which the subject of an accept block may begin.
func (l *loader) roots() []string {
	return slices.Concat([]string{"document", "event", "requirement"}, l.partyNames)
}
