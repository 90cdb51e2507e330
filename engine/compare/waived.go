package compare

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// waivers checks a contract that means the same on both sides, for its waivers and for what it accepts for another reason than base. Every review
// lists waivers, and an expired one is an objection whatever is amended.
func waivers(ctx context.Context, c *finding.ContractReview, base, head *compile.Draft, b finding.Budget) {
	if NothingToReview(base, head) {
		return
	}
	c.Head = verify.Decide(ctx, head, b, nil, verify.ProposeNothing).Result
	c.Base = c.Head
	for i := range c.Head.Requirements {
		q := &c.Head.Requirements[i]
		if q.Waiver == nil {
			continue
		}
		if kind, _ := sort(before{own: q, here: q}, q, func(bool) *finding.Way { return &finding.Way{} }); kind == finding.Waived || kind == finding.WaiverExpired || kind == finding.Undecided || q.Waiver.State == finding.Undated {
			c.Findings = append(c.Findings, finding.Finding{Kind: kind, Name: q.Name, Head: q, Base: q})
		}
	}
}

// NothingToReview reports whether the review of a contract needs no work: it means the same on both sides, has no waiver, and accepts what base accepts for
// the same reasons.
func NothingToReview(base, head *compile.Draft) bool {
	if Status(base, head) != finding.Same || Waives(head) {
		return false
	}
	return head.Spec == nil || !slices.ContainsFunc(head.Spec.Accepts, func(now *hclspec.Accept) bool { return !hasAccept(base, now) })
}

// hasAccept reports whether a draft has an accept, the same in every attribute.
func hasAccept(d *compile.Draft, now *hclspec.Accept) bool {
	return slices.ContainsFunc(d.Spec.Accepts, func(was *hclspec.Accept) bool {
		return was.Code == now.Code && was.On == now.On && was.Run == now.Run && was.Reason == now.Reason
	})
}

// Waives reports whether a draft has a waiver. Only then do results depend on the day.
func Waives(d *compile.Draft) bool {
	if d.Spec == nil {
		return false
	}
	for _, r := range d.Spec.Requirements {
		if r.Waiver != nil {
			return true
		}
	}
	return false
}
