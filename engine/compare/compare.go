package compare

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// Compared reviews the amendment of one contract without looking for causes. It also returns base with its explicit states, or nil. Either
// draft may be nil, not both. Results of limits and time are in the review.
func Compared(ctx context.Context, base, head *compile.Draft, b finding.Budget) (finding.ContractReview, *verify.Listed) {
	base, head = compile.SameTick(base, head)
	review := finding.ContractReview{Status: Status(base, head)}
	name(&review, base, head)
	if amended := compile.Amend(base, head); amended != nil {
		if review.Reworded = amended.Names.Reworded(); review.Status == finding.Same {
			for _, c := range amended.Changes { // a calendar that no duration needs
				if c.Element == diff.TheContract {
					review.Reworded = append(review.Reworded, c)
				}
			}
		}
	}
	review.Defaults = defaults(base, head)
	if review.Status == finding.Same {
		waivers(ctx, &review, base, head, b)
		accept(&review, nil, base, head)
		return review, nil
	}
	amended := compile.Amend(base, head)
	back := amended.Reversed(head)
	v := behaviour.Versions{Base: behaviour.Version{Draft: base}, Head: behaviour.Version{Draft: head}, Names: amended.Naming(), Budget: b}
	if amended != nil {
		v.Changes = amended.Changes
	}
	var asked, before *verify.Answers // head's answers to base's wordings, and base's to head's
	var group errgroup.Group
	var one, two *verify.Version
	if base != nil && head != nil {
		one, two = verify.Versions()
	}
	if base != nil {
		group.Go(func() error {
			f := verify.DecideBeside(ctx, base, b, back, one)
			review.Base, before, v.Base.Asked, v.Base.Model = f.Result, f.Asked, f.Draft, f.Listed
			return nil
		})
	}
	if head != nil {
		group.Go(func() error {
			f := verify.DecideBeside(ctx, head, b, amended, two)
			review.Head, asked, v.Head.Asked, v.Head.Model = f.Result, f.Asked, f.Draft, f.Listed
			return nil
		})
	}
	_ = group.Wait() // results carry their own reasons
	if head != nil {
		s := Sorting{Review: &review, Base: v.Base.Model, Head: v.Head.Model, Draft: head, Amended: amended, Back: back, Asked: asked, Before: before, Budget: b}
		s.all(ctx)
	}
	withdraw(ctx, &review, amended, base, head, asked, b)
	if v.Mean() {
		v.Base.Why, v.Head.Why = verify.WhyNotListed(review.Base.Model, b.Engine), verify.WhyNotListed(review.Head.Model, b.Engine)
		v.Base.Few, v.Head.Few = verify.Few(review.Base.Model), verify.Few(review.Head.Model)
		review.Difference = v.Difference(ctx)
		review.Difference.States.Merge(&review.Base.Model, &review.Head.Model)
		v.Refuse(ctx, review.Findings)
		declared(&review, amended, head, b.Owed, before, asked)
	}
	accept(&review, amended, base, head)
	return review, v.Base.Model
}

// Status returns what happened to a contract. A nil draft means that its side has no such contract.
func Status(base, head *compile.Draft) finding.Status {
	switch {
	case base == nil:
		return finding.Added
	case head == nil:
		return finding.Removed
	case base.Digest == head.Digest && (base.Digest != "" || sameText(base, head)):
		return finding.Same
	}
	return finding.Changed
}

// defaults returns the defaults of variables that differ between two drafts and are of no account in either, since a value is given from outside.
func defaults(base, head *compile.Draft) (list []finding.Default) {
	if base == nil || head == nil {
		return nil
	}
	was, now := base.Source.Overridden, head.Source.Overridden
	for name := range now {
		if was[name] != now[name] {
			list = append(list, finding.Default{Variable: name, Was: was[name], Now: now[name], From: head.Source.Origin(name)})
		}
	}
	for name, old := range was {
		if _, still := now[name]; !still && old != "" {
			list = append(list, finding.Default{Variable: name, Was: old, From: base.Source.Origin(name)})
		}
	}
	slices.SortFunc(list, func(a, b finding.Default) int { return strings.Compare(a.Variable, b.Variable) })
	return list
}

// sameText reports whether two ill-formed drafts have the same files and the same diagnostics. A file that was refused unread is in neither
// text, but in the diagnostics.
func sameText(a, b *compile.Draft) bool {
	return maps.EqualFunc(a.Source.Files, b.Source.Files, slices.Equal[[]byte]) &&
		slices.EqualFunc(a.Source.Diagnostics, b.Source.Diagnostics, func(x, y *hcl.Diagnostic) bool { return x.Summary == y.Summary && x.Detail == y.Detail })
}

// name sets path, name and title of a review.
func name(c *finding.ContractReview, base, head *compile.Draft) {
	for _, d := range []*compile.Draft{base, head} { // head's names win
		if d == nil {
			continue
		}
		c.Path = d.Path
		if d.Spec != nil {
			c.Name, c.Title = d.Spec.Name, d.Spec.Title
		}
	}
}
