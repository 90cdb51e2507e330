package engine

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/sync/errgroup"
)

// Compare reviews the amendment of one contract: both versions are composed and checked, and what
// base required is asked of head too, in base's wording. Either draft may be nil, not both. A
// contract whose meaning is the same is not checked again.
func Compare(ctx context.Context, base, head *Draft, b Budget) ContractReview {
	b.ended = new(atomic.Bool)
	review, was := compared(ctx, base, head, b)
	review.link()
	if review.Difference != nil {
		review.blame(ctx, base, head, was, b)
	}
	review.interrupted = b.ended.Load()
	return review
}

// compared is Compare without asking what is to blame; it returns base with its states, too, if it has them.
func compared(ctx context.Context, base, head *Draft, b Budget) (ContractReview, *listed) {
	review := ContractReview{Status: status(base, head)}
	review.name(base, head)
	if review.Status == Same {
		review.waivers(ctx, head, b)
		review.accept(nil, base, head)
		return review, nil
	}
	amended := amend(base, head)
	back := amended.reversed(head)
	v := versions{base: version{draft: base}, head: version{draft: head}, names: amended.naming(), budget: b}
	var asked, before *answers // what head says to base's wordings, and base to head's
	var group errgroup.Group
	if base != nil {
		group.Go(func() error {
			f := base.check(ctx, b, back, nothing)
			review.Base, before, v.base.asked, v.base.model = f.result, f.asked, f.draft, f.listed
			return nil
		})
	}
	if head != nil {
		group.Go(func() error {
			f := head.check(ctx, b, amended, nothing)
			review.Head, asked, v.head.asked, v.head.model = f.result, f.asked, f.draft, f.listed
			return nil
		})
	}
	_ = group.Wait() // results carry their own reasons
	if head != nil {
		s := sorting{review: &review, base: v.base.model, head: v.head.model, draft: head, amended: amended, back: back, asked: asked, before: before, budget: b}
		s.all(ctx)
	}
	review.withdraw(amended, base, head, asked, b.Owed)
	if v.mean() {
		v.base.why, v.head.why = review.Base.Model.unlisted(), review.Head.Model.unlisted()
		review.Difference = v.difference(ctx)
		review.Difference.Changes = amended.changes
		v.refuse(ctx, review.Findings)
		review.declared(amended, head, b.Owed)
	}
	review.accept(amended, base, head)
	return review, v.base.model
}

// versions are both drafts of a contract once they are checked: what a Difference, and what is said of a
// finding beyond its verdict, is made from. Either draft may be nil.
type versions struct {
	base, head version
	names      naming
	budget     Budget
}

// version is one of them.
type version struct {
	draft *Draft
	asked *Draft  // with history places for what the other asks
	model *listed // the draft with its state model, and with history places for what the other asks; nil: none
	why   string  // why there is none
}

// mean reports whether both sides have the contract and mean something.
func (v *versions) mean() bool {
	return v.base.draft != nil && v.head.draft != nil && v.base.draft.Spec != nil && v.head.draft.Spec != nil
}

func status(base, head *Draft) Status {
	switch {
	case base == nil:
		return Added
	case head == nil:
		return Removed
	case base.Digest != "" && base.Digest == head.Digest, sameText(base, head):
		return Same
	}
	return Changed
}

// sameText compares drafts that mean nothing by their bytes, and by what is wrong with them: a file that was refused unread
// is in no text.
func sameText(a, b *Draft) bool {
	return maps.EqualFunc(a.Source.Files, b.Source.Files, slices.Equal[[]byte]) &&
		slices.EqualFunc(a.Source.Diagnostics, b.Source.Diagnostics, func(x, y *hcl.Diagnostic) bool { return x.Summary == y.Summary && x.Detail == y.Detail })
}

func (c *ContractReview) name(base, head *Draft) {
	for _, d := range []*Draft{base, head} { // head's names win
		if d == nil {
			continue
		}
		c.Path = d.Path
		if d.Spec != nil {
			c.Name, c.Title = d.Spec.Name, d.Spec.Title
		}
	}
}

// Reworded reports whether base has a requirement of this name that says something else. Another
// notation alone is no other wording.
func (f *Finding) Reworded() bool {
	return f.Base != nil && f.Head != nil && f.Base.Notation == f.Head.Notation && f.Base.Formula != f.Head.Formula
}
