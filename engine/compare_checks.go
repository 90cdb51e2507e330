package engine

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// checks sorts the built-in checks of class violation that concern one element each. An accepted one
// is no objection. What is gone is repaired only if head still has the element, and a state model.
func (c *ContractReview) checks(head *Draft) {
	for i := range c.Head.Diagnostics {
		now := &c.Head.Diagnostics[i]
		if !objection(now) {
			continue
		}
		kind := New
		if c.Base != nil && same(c.Base, now) != nil {
			kind = Standing
		}
		c.Findings = append(c.Findings, Finding{Kind: kind, Name: string(now.Code), Check: now})
	}
	if c.Base == nil || c.Head.Model.States == nil {
		return
	}
	for i := range c.Base.Diagnostics {
		was := &c.Base.Diagnostics[i]
		if objection(was) && same(c.Head, was) == nil && head.has(was.Subject) {
			c.Findings = append(c.Findings, Finding{Kind: Repaired, Name: string(was.Code), Check: was})
		}
	}
}

// objection says whether a finding is a violation that nobody accepted, other than of the declared final states.
func objection(d *Diagnostic) bool {
	return d.Class == codes.Violation && d.Accepted == "" && d.Subject != ""
}

// same finds the finding of the same code on the same element, accepted or not.
func same(r *Result, d *Diagnostic) *Diagnostic {
	i := slices.IndexFunc(r.Diagnostics, func(e Diagnostic) bool { return e.Code == d.Code && e.Subject == d.Subject })
	if i < 0 {
		return nil
	}
	return &r.Diagnostics[i]
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
