package negotiate

import (
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// This file makes the table of promises: the verdicts of all four drafts. Promises of two drafts are the same if their formulas are, names
// mapped, whatever they are called.

// A standpoint is a draft that is compared with base's promises.
type standpoint struct {
	draft   *compile.Draft
	review  *finding.ContractReview
	renamed *compile.Amendment // from base; nil if either is ill-formed or absent
	answer  func(p *finding.Promise) *finding.Answer
	listed  []bool // requirements of the draft that are in the table
}

// promises fills the table of promises.
func (n *negotiator) promises() {
	sides := []*standpoint{
		n.standpoint(n.a, n.A, func(p *finding.Promise) *finding.Answer { return &p.A }),
		n.standpoint(n.b, n.B, func(p *finding.Promise) *finding.Answer { return &p.B }),
		n.standpoint(n.merged, n.Merge, func(p *finding.Promise) *finding.Answer { return &p.Merge }),
	}
	n.ofBase(sides)
	n.added(sides)
	n.checks(sides)
}

func (n *negotiator) standpoint(d *compile.Draft, review *finding.ContractReview, answer func(p *finding.Promise) *finding.Answer) *standpoint {
	s := &standpoint{draft: d, review: review, answer: answer, renamed: compile.Amend(n.base, d)}
	if s.means() {
		s.listed = make([]bool, len(d.Spec.Requirements))
	}
	return s
}

// there reports whether the draft exists and was reviewed.
func (s *standpoint) there() bool { return s.draft != nil && s.review != nil }

// means reports whether the draft exists and is well-formed.
func (s *standpoint) means() bool { return s.there() && s.draft.Spec != nil }

// same reports whether the draft has base's meaning. It was then not checked by itself.
func (s *standpoint) same() bool { return s.there() && s.review.Status == finding.Same }

// baseResult returns the result of base, which one of the reviews has, or nil.
func (n *negotiator) baseResult() *finding.Result {
	for _, r := range []*finding.ContractReview{n.A, n.B, n.Merge} {
		if r != nil && r.Status != finding.Same && r.Base != nil {
			return r.Base
		}
	}
	return nil
}

// ofBase adds the promises of base to the table.
func (n *negotiator) ofBase(sides []*standpoint) {
	was := n.baseResult()
	if was == nil || n.base.Spec == nil {
		return
	}
	for i, r := range n.base.Spec.Requirements {
		p := finding.Promise{Name: r.Name, Requirement: &was.Requirements[i]}
		p.Base = promised(&was.Requirements[i])
		for _, s := range sides {
			*s.answer(&p) = s.of(r, p.Base)
		}
		n.Promises = append(n.Promises, p)
	}
}

// promised returns the answer of a draft that makes the promise.
func promised(q *finding.Requirement) finding.Answer {
	return finding.Answer{Given: true, Promised: true, Verdict: q.Verdict, Requirement: q}
}

// of returns the draft's answer to a requirement of base.
func (s *standpoint) of(r *hclspec.Requirement, was finding.Answer) finding.Answer {
	switch {
	case !s.there():
		return finding.Answer{}
	case s.same():
		if i := slices.IndexFunc(s.draft.Spec.Requirements, func(own *hclspec.Requirement) bool { return own.Name == r.Name }); i >= 0 {
			s.listed[i] = true
		}
		return was
	case !s.means():
		return finding.Answer{Given: true, Promised: true, Verdict: finding.IllFormed}
	}
	if i := keeping(s.draft, r, s.renamed.Names); i >= 0 {
		s.listed[i] = true
		return s.resting(promised(&s.review.Head.Requirements[i]))
	}
	for i := range s.review.Findings {
		if f := &s.review.Findings[i]; f.Old && f.Name == r.Name {
			return s.resting(finding.Answer{Given: true, Verdict: f.Head.Verdict, Requirement: f.Head})
		}
	}
	return finding.Answer{}
}

// resting returns an answer with Waits set by the review.
func (s *standpoint) resting(a finding.Answer) finding.Answer {
	a.Waits = slices.ContainsFunc(s.review.Findings, func(f finding.Finding) bool { return f.Finds(a.Requirement) && f.Kind == finding.RestsAsBefore })
	return a
}

// keeping returns the requirement of d that promises the same as one of another draft, or -1. The one of the same name wins if there are
// several.
func keeping(d *compile.Draft, r *hclspec.Requirement, names *diff.Names) int {
	promise, found := d.Promise(names.HeadRequirement(r)), -1
	name, _ := names.Head(diff.Requirement, r.Name)
	for i, own := range d.Spec.Requirements {
		if d.Promise(own) == promise && (found < 0 || own.Name == name) {
			found = i
		}
	}
	return found
}

// added adds the promises that base does not make to the table.
func (n *negotiator) added(sides []*standpoint) {
	for i, s := range sides {
		if !s.means() || s.same() {
			continue
		}
		for k, r := range s.draft.Spec.Requirements {
			if s.listed[k] {
				continue
			}
			s.listed[k] = true
			q := &s.review.Head.Requirements[k]
			p := finding.Promise{Name: r.Name, Requirement: q}
			if n.base != nil && n.base.Spec == nil {
				p.Base = finding.Answer{Given: true, Verdict: finding.IllFormed}
			}
			*s.answer(&p) = promised(q)
			for _, other := range sides[i+1:] {
				*other.answer(&p) = other.also(s.draft, r)
			}
			n.Promises = append(n.Promises, p)
		}
	}
}

// also returns the draft's answer to a promise that another draft adds.
func (s *standpoint) also(of *compile.Draft, r *hclspec.Requirement) finding.Answer {
	if !s.means() || s.same() {
		return finding.Answer{}
	}
	_, names := diff.Changes(of.Spec, s.draft.Spec)
	i := keeping(s.draft, r, names)
	if i < 0 {
		return finding.Answer{}
	}
	s.listed[i] = true
	return promised(&s.review.Head.Requirements[i])
}

// checks adds the built-in checks that fail on any draft to the table.
func (n *negotiator) checks(sides []*standpoint) {
	type key struct{ code, subject string }
	var order []key
	rows := map[key]*finding.Promise{}
	was := n.baseResult()
	for _, s := range sides {
		if !s.means() || s.review.Status == finding.Removed {
			continue
		}
		for i := range s.review.Findings {
			f := &s.review.Findings[i]
			if f.Check == nil {
				continue
			}
			k := key{f.Name, s.baseSubject(f, was)}
			if rows[k] == nil {
				rows[k] = &finding.Promise{Name: f.Name, Check: f.Check}
				order = append(order, k)
			}
			*s.answer(rows[k]) = answer(f)
			switch {
			case f.Kind == finding.Standing || f.Kind == finding.Repaired || f.Way != nil:
				rows[k].Base = finding.Answer{Given: true, Promised: true, Verdict: finding.Violated, Check: f.Check}
			case f.Kind == finding.Dropped:
				rows[k].Base = finding.Answer{Given: true, Promised: true, Verdict: finding.Holds, Check: f.Check}
			}
		}
	}
	for _, k := range order {
		p := rows[k]
		for _, s := range sides {
			s.unsaid(p)
		}
		n.Promises = append(n.Promises, *p)
	}
}

// answer returns the answer that a finding on a check gives.
func answer(f *finding.Finding) finding.Answer {
	verdict := finding.Violated
	switch f.Kind {
	case finding.Undecided:
		verdict = finding.Unknown
	case finding.Repaired, finding.Dropped:
		verdict = finding.Holds
	}
	return finding.Answer{Given: true, Promised: f.Kind != finding.Weakened && f.Kind != finding.Dropped, Verdict: verdict, Check: f.Check}
}

// baseSubject returns the subject of a check by its name on base.
func (s *standpoint) baseSubject(f *finding.Finding, was *finding.Result) string {
	if s.renamed == nil || was == nil || f.Kind == finding.Repaired {
		return f.Check.Subject
	}
	for i := range was.Diagnostics {
		d := &was.Diagnostics[i]
		if d.Code == f.Check.Code && d.Subject != "" && s.renamed.Subject(d) == f.Check.Subject {
			return d.Subject
		}
	}
	return f.Check.Subject
}

// unsaid sets the answer of a draft without a finding on a check: base's answer, unknown, or none.
func (s *standpoint) unsaid(p *finding.Promise) {
	switch a := s.answer(p); {
	case a.Given || !s.there():
	case s.same():
		*a = p.Base
	case s.review.Status == finding.Removed:
	case s.review.Head.Model.States == nil:
		*a = finding.Answer{Given: true, Promised: true, Verdict: finding.Unknown}
	}
}
