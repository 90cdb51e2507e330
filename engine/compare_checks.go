package engine

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// checks sorts the built-in checks of class violation that concern one element each. An accepted one
// is no objection. What is gone is repaired only if head still has the element, and a state model.
func (c *ContractReview) checks(m *amendment, head *Draft) {
	for i := range c.Head.Diagnostics {
		now := &c.Head.Diagnostics[i]
		if !objection(now) {
			continue
		}
		kind := New
		if c.Base != nil && slices.ContainsFunc(c.Base.Diagnostics, func(was Diagnostic) bool { return was.Code == now.Code && m.subject(&was) == now.Subject }) {
			kind = Standing
		}
		c.Findings = append(c.Findings, Finding{Kind: kind, Name: string(now.Code), Check: now})
	}
	if c.Base == nil || c.Head.Model.States == nil {
		return
	}
	for i := range c.Base.Diagnostics {
		was := &c.Base.Diagnostics[i]
		if objection(was) && !c.Head.has(was.Code, m.subject(was)) && head.has(m.subject(was)) {
			c.Findings = append(c.Findings, Finding{Kind: Repaired, Name: string(was.Code), Check: was})
		}
	}
}

// objection says whether a finding is a violation that nobody accepted, other than of the declared final states.
func objection(d *Diagnostic) bool {
	return d.Class == codes.Violation && d.Accepted == "" && d.Subject != ""
}

// has says whether there is a finding of a code on an element, accepted or not.
func (r *Result) has(code codes.Code, subject string) bool {
	return slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool { return d.Code == code && d.Subject == subject })
}

// has says whether the draft still declares what a finding was about.
func (d *Draft) has(subject string) bool {
	kind, name, _ := strings.Cut(subject, ".")
	switch kind {
	case "document":
		return slices.ContainsFunc(d.Spec.Documents, func(doc *hclspec.Document) bool { return doc.Name == name })
	case hclspec.Obligation.String(), hclspec.Prohibition.String(), hclspec.Permission.String(), hclspec.Power.String():
		return slices.ContainsFunc(d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Kind.String() == kind && n.Name == name })
	}
	return true
}
