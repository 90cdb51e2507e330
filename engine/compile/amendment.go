package compile

import (
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// An amendment is what differs between two drafts that mean something: element by element, and which
// names of base stand for what on head. What base says is asked of head in head's names. Where there is
// no base, or none that means something, it is nil, and names are what they are.
type Amendment struct {
	Base    *Draft
	Changes []diff.Change
	Names   *diff.Names
}

func Amend(base, head *Draft) *Amendment {
	if base == nil || head == nil || base.Spec == nil || head.Spec == nil {
		return nil
	}
	m := &Amendment{Base: base}
	m.Changes, m.Names = diff.Changes(base.Spec, head.Spec)
	return m
}

// Reversed returns the amendment that leads back, for asking base what head says.
func (m *Amendment) Reversed(head *Draft) *Amendment {
	if m == nil {
		return nil
	}
	return &Amendment{Base: head, Names: m.Names.Reversed()}
}

// Naming says what names of base are on head.
func (m *Amendment) Naming() Naming {
	if m == nil {
		return Naming{}
	}
	return Naming{m.Names}
}

// Texts lists all formulas of base, in head's names.
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

// Subject is on head what a finding on base is about: its own subject where head has that no more.
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
