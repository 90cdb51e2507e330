package compare

import (
	"context"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// waivers checks a contract that an amendment leaves unchanged, for its waivers alone. Every review lists them, and an expired one is an
// objection whatever is amended.
func waivers(ctx context.Context, c *finding.ContractReview, head *compile.Draft, b finding.Budget) {
	if !Waives(head) {
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
