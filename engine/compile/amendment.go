package compile

import (
	"cmp"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// An Amendment lists the differences between two well-formed drafts, element by element, and maps names of base to names on head. What base
// requires is asked of head in head's names. A nil *Amendment has no base: it renames nothing.
type Amendment struct {
	Base    *Draft
	Changes []diff.Change
	Names   *diff.Names
	Norms   map[string]diff.Action // of the other side than Base: those that Base has otherwise (Rewired), and of head those that it lacks (Added)
}

// Amend compares two drafts. It returns nil if either is missing or ill-formed.
func Amend(base, head *Draft) *Amendment {
	if base == nil || head == nil || base.Spec == nil || head.Spec == nil {
		return nil
	}
	m := &Amendment{Base: base}
	m.Changes, m.Names = diff.Changes(base.Spec, head.Spec)
	m.Norms = map[string]diff.Action{}
	for _, c := range m.Changes {
		if c.Element.OfNorm() && (c.Action == diff.Added || c.Action == diff.Rewired) {
			m.Norms[c.Name] = c.Action
		}
	}
	return m
}

// Reversed returns the amendment from head to base, without changes. It serves to ask base what head requires.
func (m *Amendment) Reversed(head *Draft) *Amendment {
	if m == nil {
		return nil
	}
	back := &Amendment{Base: head, Names: m.Names.Reversed(), Norms: map[string]diff.Action{}}
	for _, c := range m.Changes {
		if c.Element.OfNorm() && c.Action == diff.Rewired {
			back.Norms[cmp.Or(c.Was, c.Name)] = c.Action
		}
	}
	return back
}

// Naming returns the mapping from names of base to names on head.
func (m *Amendment) Naming() Naming {
	if m == nil {
		return Naming{}
	}
	return Naming{m.Names}
}

// Texts returns all formulas of base, in head's names.
func (m *Amendment) Texts() []*hclspec.Formula {
	if m == nil {
		return nil
	}
	texts := m.Base.texts()
	for i, f := range texts {
		texts[i] = m.Names.HeadText(f)
	}
	return texts
}

// Subject returns the name on head of the subject of a finding on base. It returns the finding's own subject if head no longer has it.
func (m *Amendment) Subject(d *finding.Diagnostic) string {
	if m == nil {
		return d.Subject
	}
	name, ok := m.Names.HeadSubject(d.Subject)
	if !ok {
		return d.Subject
	}
	return name
}
