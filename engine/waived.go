package engine

import "context"

// sortViolated compares verdicts where head violates the requirement. What a waiver of base accepted
// is new when the waiver of head, if any, does not: either another run breaks the promise now, or the
// amendment takes the waiver away.
func sortViolated(was, now *Requirement) Kind {
	switch {
	case now.Waived():
		return Waived
	case now.Waiver != nil && now.Waiver.State == Expired:
		return WaiverExpired
	case was == nil || was.Verdict != Violated || was.Waived():
		return New
	case now.Waiver != nil && now.Waiver.State == OtherRun && now.Run != was.Run:
		return New
	}
	return Standing
}

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
		if kind := sort(q, q); kind == Waived || kind == WaiverExpired || kind == Undecided {
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
