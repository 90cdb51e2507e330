package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An accepting collects the acceptances of head that the gate depends on or that base does not have.
type accepting struct {
	review     *finding.ContractReview
	amended    *compile.Amendment // nil: base and head mean the same, or one of them nothing
	base, head *compile.Draft     // base is nil if it is absent or ill-formed
	same       bool               // both sides have the same behaviour
}

// accept adds the acceptances of head to a review. Base's count for what base had, and for nothing else.
func accept(c *finding.ContractReview, m *compile.Amendment, base, head *compile.Draft) {
	if head == nil || head.Spec == nil {
		return
	}
	a := accepting{review: c, amended: m, base: base, head: head}
	if base != nil && base.Spec == nil {
		a.base = nil
	}
	a.same = a.base != nil && (c.Status == finding.Same || compile.SameNet(base, head))
	a.waivers()
	a.checks()
	a.outgrown()
	a.retired()
	slices.SortStableFunc(c.Acceptances, func(x, y finding.Acceptance) int {
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Name, y.Name))
	})
}

// add appends an acceptance, unless base has it and no verdict depends on it. rests reports whether one does.
func (a *accepting) add(one finding.Acceptance, at hcl.Range, rests, byBase bool) {
	if byBase && !rests {
		return
	}
	if byBase {
		one.State, one.Run = finding.ByBase, ""
	}
	one.Contract, one.File, one.Source, one.Digest = a.review.Path, at.Filename, at, a.head.Digest
	a.review.Acceptances = append(a.review.Acceptances, one)
}

// waivers adds the waivers of requirements. A violation that base has too needs none if both sides have the same behaviour, unless a waiver of
// base names it: that has another text now, and without it the violation would be an objection.
func (a *accepting) waivers() {
	for _, r := range a.head.Spec.Requirements {
		if r.Waiver == nil {
			continue
		}
		one := finding.Acceptance{Kind: finding.AcceptWaiver, Name: r.Name, Reason: r.Waiver.Reason, Approver: r.Waiver.Approver}
		was := a.named(r.Name)
		if was != nil {
			one.BaseFile = was.Range.Filename
		}
		if was != nil && was.Waiver != nil && was.Waiver.Reason != r.Waiver.Reason {
			one.Gave = was.Waiver.Reason
		}
		i := slices.IndexFunc(a.review.Findings, func(f finding.Finding) bool {
			return f.Kind == finding.Waived && f.Name == r.Name
		})
		if i >= 0 {
			on := a.review.Findings[i].Base
			one.Needed = !a.same || on == nil || on.Verdict != finding.Violated || on.Named()
			one.Stood = !one.Needed
		}
		one.InBase = sameWaiver(was, r)
		a.add(one, r.Waiver.Range, i >= 0, one.InBase && a.samePromise(was, r))
	}
}

// named returns base's requirement of a name, or nil.
func (a *accepting) named(name string) *hclspec.Requirement {
	if a.base == nil {
		return nil
	}
	i := slices.IndexFunc(a.base.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return a.base.Spec.Requirements[i]
}

// sameWaiver reports whether base has the same waiver, of whatever promise: every attribute is unchanged.
func sameWaiver(was, now *hclspec.Requirement) bool {
	if was == nil || was.Waiver == nil {
		return false
	}
	w, v := *was.Waiver, *now.Waiver
	w.Range, v.Range = hcl.Range{}, hcl.Range{}
	return w == v
}

// samePromise reports whether a requirement promises on base what it promises on head, both as written and in head's names.
func (a *accepting) samePromise(was, now *hclspec.Requirement) bool {
	promise, renamed := a.head.Promise(now), was
	if a.amended != nil {
		renamed = a.amended.Names.HeadRequirement(was)
	}
	return a.base.Promise(was) == promise && a.head.Promise(renamed) == promise
}

// checks adds the accept blocks that change the exit status: those of failed checks, and those of norms if the gate objects to norms. One
// of base counts for what base failed, in the ways in which base failed it, or for the runs that it names.
func (a *accepting) checks() {
	for _, now := range a.head.Spec.Accepts {
		rests := a.covers(now)
		page, _ := codes.Lookup(codes.Code(now.Code))
		if page.Class != codes.Violation && !(finding.OnlyReviews(now.Code) && now.Run != "") && !rests {
			continue
		}
		one := finding.Acceptance{Kind: finding.AcceptFinding, Name: now.Code, Reason: now.Reason}
		if now.On != "" {
			one.Name += " on " + now.On
		}
		byBase := a.inBase(now)
		if one.InBase = byBase; a.base != nil {
			one.BaseFile = a.fileOf(now.On)
		}
		if rests {
			had := says(a.review.Base, codes.Code(now.Code)) // if only on another element, what is new is in Anew
			byBase, one.Needed = byBase && (had || now.Run != ""), !a.same || !had || a.accepted(codes.Code(now.Code))
			one.Stood = !one.Needed
		}
		for _, w := range a.review.Anew {
			if explain.Accepts(now, &w.Diagnostic) {
				rests, byBase, one.Needed, one.Stood = true, byBase && now.Run != "" && !w.Unknown, true, false
				if one.InBase {
					one.Run = w.Way
				}
			}
		}
		a.add(one, now.Range, rests, byBase)
	}
}

// outgrown takes base's accepts off the warnings of head that base did not have, in head's names, and that they do not name. A remark that only a
// review makes is named by its run.
func (a *accepting) outgrown() {
	if a.review.Base == nil {
		return
	}
	for i := range a.review.Head.Diagnostics {
		d := &a.review.Head.Diagnostics[i]
		if d.Class != codes.Warning || d.Accepted == "" || a.had(d) {
			continue
		}
		if slices.ContainsFunc(a.head.Spec.Accepts, func(by *hclspec.Accept) bool {
			return explain.Accepts(by, d) && (!a.inBase(by) || by.Run != "" || by.On != "" && !finding.OnlyReviews(by.Code))
		}) {
			continue
		}
		d.Accepted, d.Detail = "", strings.TrimSpace(d.Detail+" Base's accept covers only what base had: this is new, and it does not name it.")
	}
}

// had reports whether base has a diagnostic of head, in head's names, of the same element or another one of several of a kind.
func (a *accepting) had(d *finding.Diagnostic) bool {
	return slices.ContainsFunc(a.review.Base.Diagnostics, func(was finding.Diagnostic) bool {
		return was.Code == d.Code && compile.WithoutIndex(a.amended.Subject(&was)) == compile.WithoutIndex(d.Subject)
	})
}

// inBase reports whether base has an accept of head, the same in every attribute.
func (a *accepting) inBase(now *hclspec.Accept) bool {
	return a.base != nil && hasAccept(a.base, now)
}

// accepted reports whether base accepts a check that fails: without an accept it would be an objection.
func (a *accepting) accepted(code codes.Code) bool {
	return slices.ContainsFunc(a.review.Base.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == code && d.Accepted != "" })
}

// fileOf returns the file of base with the subject of an accept: the norm's own, else that of the contract.
func (a *accepting) fileOf(on string) string {
	for _, n := range a.base.Spec.Norms {
		if on == n.Kind.String()+"."+n.Name || on == n.Kind.String()+"."+n.Of {
			return n.Range.Filename
		}
	}
	return a.base.Spec.Range.Filename
}

// covers reports whether an accept covers a violation that the gate would object to otherwise.
func (a *accepting) covers(by *hclspec.Accept) bool {
	return a.review.Head != nil && slices.ContainsFunc(a.review.Head.Diagnostics, func(d finding.Diagnostic) bool {
		return d.Class == codes.Violation && explain.Accepts(by, &d)
	})
}

// retired adds the retire blocks of head.
func (a *accepting) retired() {
	for _, r := range a.head.Spec.Retires {
		one := finding.Acceptance{Kind: finding.AcceptRetire, Name: r.Name, Reason: r.Reason, Promise: r.Digest}
		if was := a.named(r.Name); was != nil {
			one.BaseFile = was.Range.Filename
		} else if r.Name == finding.FinalPromise && a.base != nil && a.base.Spec.Final != nil {
			one.BaseFile = a.base.Spec.Final.Range.Filename
		}
		one.Needed = slices.ContainsFunc(a.review.Findings, func(f finding.Finding) bool { return f.RetiredBy(r.Name, r.Digest) })
		byBase := a.base != nil && slices.ContainsFunc(a.base.Spec.Retires, func(was *hclspec.Retire) bool {
			return was.Name == r.Name && was.Digest == r.Digest && was.Reason == r.Reason
		})
		one.InBase = byBase
		a.add(one, r.Range, one.Needed, byBase)
	}
}
