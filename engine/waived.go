package engine

import "context"

// waivers checks a contract that an amendment leaves as it is, for the sake of its waivers alone:
// they are listed in every review, and one that has expired is an objection whoever amends what.
func (c *ContractReview) waivers(ctx context.Context, head *Draft, b Budget) {
	if !head.Waives() {
		return
	}
	c.Head = head.check(ctx, b, nil, nothing).result
	c.Base = c.Head
	for i := range c.Head.Requirements {
		q := &c.Head.Requirements[i]
		if q.Waiver == nil {
			continue
		}
		if kind, _ := sort(before{own: q, here: q}, q, func() *Way { return &Way{} }); kind == Waived || kind == WaiverExpired || kind == Undecided {
			c.Findings = append(c.Findings, Finding{Kind: kind, Name: q.Name, Head: q, Base: q})
		}
	}
}

// Waives reports whether a requirement has a waiver: only then does it matter what day it is.
func (d *Draft) Waives() bool {
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
