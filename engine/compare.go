package engine

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/hclspec/codes"
)

// Compare reviews the amendment of one contract: both versions are composed and checked, and what
// base required is asked of head too, in base's wording. Either draft may be nil, not both. A
// contract whose meaning is the same is not checked again.
func Compare(ctx context.Context, base, head *Draft, b Budget) ContractReview {
	b.ended = new(atomic.Bool)
	review := compared(ctx, base, head, b)
	review.link()
	if review.Difference != nil {
		review.blame(ctx, base, head, b)
	}
	review.interrupted = b.ended.Load()
	return review
}

// compared is Compare without asking what is to blame.
func compared(ctx context.Context, base, head *Draft, b Budget) ContractReview {
	review := ContractReview{Status: status(base, head)}
	review.name(base, head)
	if review.Status == Same {
		review.waivers(ctx, head, b)
		review.accept(nil, base, head)
		return review
	}
	var asked *answers
	amended := amend(base, head)
	v := versions{base: version{draft: base}, head: version{draft: head}, names: amended.naming(), budget: b}
	var group errgroup.Group
	if base != nil {
		group.Go(func() error {
			f := base.check(ctx, b, nil, nothing)
			review.Base, v.base.asked, v.base.model = f.result, f.draft, f.listed
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
		review.requirements(amended, head)
		review.dropped(asked)
		review.completion(asked)
		review.checks(amended, head)
		review.declared(amended, head)
	}
	review.withdraw(amended, base, head, asked)
	review.accept(amended, base, head)
	if v.mean() {
		v.base.why, v.head.why = review.Base.Model.unlisted(), review.Head.Model.unlisted()
		review.Difference = v.difference(ctx)
		review.Difference.Changes = amended.changes
		v.refuse(ctx, review.Findings)
	}
	return review
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

// requirements sorts the verdicts on what head requires.
func (c *ContractReview) requirements(m *amendment, head *Draft) {
	if head.Spec == nil {
		return
	}
	for i, was := range c.counterparts(m, head) {
		now := &c.Head.Requirements[i]
		c.Findings = append(c.Findings, Finding{Kind: sort(was, now), Name: now.Name, Head: now, Base: was})
	}
}

// sort compares the verdicts before and after; was is nil when base had no such requirement.
func sort(was, now *Requirement) Kind {
	violated := was != nil && was.Verdict == Violated
	switch now.Verdict {
	case IllFormed:
		return Meaningless
	case Violated:
		return sortViolated(was, now)
	case Holds:
		if violated {
			return Repaired
		}
		return Kept
	}
	return Undecided
}

// Reworded reports whether base has a requirement of this name that says something else. Another
// notation alone is no other wording.
func (f *Finding) Reworded() bool {
	return f.Base != nil && f.Head != nil && f.Base.Notation == f.Head.Notation && f.Base.Formula != f.Head.Formula
}

// dropped sorts what head says to the wordings of base that it dropped or changed. What failed on
// base already is no weaker for being dropped.
func (c *ContractReview) dropped(asked *answers) {
	for i := range asked.Requirements {
		now := &asked.Requirements[i]
		was := find(c.Base, now.Name)
		kind := map[Verdict]Kind{Holds: Dropped, Violated: Weakened}[now.Verdict]
		if kind == Weakened && was.Verdict == Violated {
			kind = Standing
		}
		c.Findings = append(c.Findings, Finding{Kind: kind, Name: now.Name, Head: now, Base: was, Old: true})
	}
}

func find(r *Result, name string) *Requirement {
	i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return q.Name == name })
	return &r.Requirements[i]
}

// completion sorts the built-in checks of class violation; an accepted one is no objection.
func (c *ContractReview) completion(asked *answers) {
	if c.Head.Model.States != nil && asked.lostFinal != nil {
		c.Findings = append(c.Findings, Finding{Kind: Undecided, Name: string(asked.lostFinal.Code), Check: asked.lostFinal})
	}
	for _, code := range []codes.Code{"dead-end", "no-option-to-complete"} {
		was, now := failed(c.Base, code), failed(c.Head, code)
		kind := Standing
		switch {
		case now != nil && was == nil:
			kind = New
		case now == nil && c.silent(code, asked):
			continue
		case now == nil:
			now, kind = c.formerly(was, first(asked.Completion, code))
		}
		if now != nil {
			c.Findings = append(c.Findings, Finding{Kind: kind, Name: string(code), Check: now})
		}
	}
}

// silent reports whether it says nothing that head does not fail the check: it is accepted on
// either side, head has no state model, or not the names to ask base's final states with, or fails
// the other check with the same run.
func (c *ContractReview) silent(code codes.Code, asked *answers) bool {
	if c.Head.Model.States == nil || asked.lostFinal != nil || c.Base.says(code) && failed(c.Base, code) == nil || c.Head.says(code) {
		return true
	}
	return code == "no-option-to-complete" && c.Head.says("dead-end") && first(asked.Completion, code) == nil
}

func (r *Result) says(code codes.Code) bool {
	return r != nil && slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool { return d.Code == code })
}

// formerly sorts a check that fails on base, or with base's final states on head, and no longer
// otherwise; either may be nil.
func (c *ContractReview) formerly(was, again *Diagnostic) (*Diagnostic, Kind) {
	switch {
	case again == nil:
		return was, Repaired
	case was == nil:
		return again, Weakened
	}
	return again, Standing
}

func failed(r *Result, code codes.Code) *Diagnostic {
	if r == nil {
		return nil
	}
	return first(r.Diagnostics, code)
}

func first(list []Diagnostic, code codes.Code) *Diagnostic {
	i := slices.IndexFunc(list, func(d Diagnostic) bool { return d.Code == code && d.Accepted == "" })
	if i < 0 {
		return nil
	}
	return &list[i]
}
