package engine

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/hclspec"
)

// An amendment is what differs between two drafts that mean something: element by element, and which
// names of base stand for what on head. What base says is asked of head in head's names. Where there is
// no base, or none that means something, it is nil, and names are what they are.
type amendment struct {
	base    *Draft
	changes []delta.Change
	names   *delta.Names
}

func amend(base, head *Draft) *amendment {
	if base == nil || head == nil || base.Spec == nil || head.Spec == nil {
		return nil
	}
	m := &amendment{base: base}
	m.changes, m.names = delta.Changes(base.Spec, head.Spec)
	return m
}

// reversed returns the amendment that leads back, for asking base what head says.
func (m *amendment) reversed(head *Draft) *amendment {
	if m == nil {
		return nil
	}
	return &amendment{base: head, names: m.names.Reversed()}
}

// naming says what names of base are on head.
func (m *amendment) naming() naming {
	if m == nil {
		return naming{}
	}
	return naming{m.names}
}

// texts lists all formulas of base, in head's names.
func (m *amendment) texts() []*hclspec.Formula {
	if m == nil {
		return nil
	}
	texts := m.base.texts()
	for i, f := range texts {
		texts[i] = m.names.HeadText(f)
	}
	return texts
}

// subject is on head what a finding on base is about: its own subject where head has that no more.
func (m *amendment) subject(d *Diagnostic) string {
	if m == nil {
		return d.Subject
	}
	name, ok := m.names.HeadSubject(d.Subject)
	if !ok {
		return d.Subject
	}
	return name
}

// counterparts finds, for each requirement of head, the one of base that promises the same, under
// whatever name; else the one that has its name, or had it before it was renamed. nil: base has none.
func (c *ContractReview) counterparts(m *amendment, head *Draft) []*Requirement {
	list := make([]*Requirement, len(head.Spec.Requirements))
	if m == nil {
		return list
	}
	promised := map[string][]int{} // by what is promised, of base
	for j, r := range m.base.Spec.Requirements {
		promise := head.promise(m.names.HeadRequirement(r))
		promised[promise] = append(promised[promise], j)
	}
	names := map[string]int{}
	for j, r := range m.base.Spec.Requirements {
		if name, ok := m.names.Head(delta.Requirement, r.Name); ok {
			names[name] = j + 1
		}
	}
	for i, r := range head.Spec.Requirements {
		named := names[r.Name] - 1
		switch same := promised[head.promise(r)]; {
		case slices.Contains(same, named):
			list[i] = &c.Base.Requirements[named]
		case len(same) > 0:
			list[i] = &c.Base.Requirements[same[len(same)-1]]
		case named >= 0:
			list[i] = &c.Base.Requirements[named]
		}
	}
	return list
}

func isNorm(e delta.Element) bool { return delta.Obligation <= e && e <= delta.Power }

// leftOut stands for the value of an attribute that is not there.
const leftOut = "left out"

// changedTerms says what each attribute that differs was and is: "within was 3, now 9".
func changedTerms(terms []delta.Term) []string {
	var said []string
	for _, t := range terms {
		said = append(said, t.Word+" was "+cmp.Or(t.Was, leftOut)+", now "+cmp.Or(t.Now, leftOut))
	}
	return said
}
