package engine

import (
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/hclspec"
)

// What all four drafts say of each promise. A promise is the same one on two drafts if its formula is,
// once names have been mapped, whatever it is called.

// A standpoint is a draft that is asked what becomes of base's promises.
type standpoint struct {
	draft   *Draft
	review  *ContractReview
	renamed *amendment // from base; nil where either means nothing
	answer  func(p *Promise) *Answer
	told    []bool // by requirement of the draft: it is in the table
}

// promises makes the table.
func (n *negotiating) promises() {
	sides := []*standpoint{
		n.standpoint(n.a, n.A, func(p *Promise) *Answer { return &p.A }),
		n.standpoint(n.b, n.B, func(p *Promise) *Answer { return &p.B }),
		n.standpoint(n.merged, n.Merge, func(p *Promise) *Answer { return &p.Merge }),
	}
	n.ofBase(sides)
	n.added(sides)
	n.checks(sides)
}

func (n *negotiating) standpoint(d *Draft, review *ContractReview, answer func(p *Promise) *Answer) *standpoint {
	s := &standpoint{draft: d, review: review, answer: answer, renamed: amend(n.base, d)}
	if s.means() {
		s.told = make([]bool, len(d.Spec.Requirements))
	}
	return s
}

// there reports whether there is such a draft.
func (s *standpoint) there() bool { return s.draft != nil && s.review != nil }

func (s *standpoint) means() bool { return s.there() && s.draft.Spec != nil }

// same reports whether the draft means what base does: it was not checked by itself.
func (s *standpoint) same() bool { return s.there() && s.review.Status == Same }

// baseResult is the check of base, which some review has made.
func (n *negotiating) baseResult() *Result {
	for _, r := range []*ContractReview{n.A, n.B, n.Merge} {
		if r != nil && r.Status != Same && r.Base != nil {
			return r.Base
		}
	}
	return nil
}

// ofBase tells what becomes of the promises of base.
func (n *negotiating) ofBase(sides []*standpoint) {
	was := n.baseResult()
	if was == nil || n.base.Spec == nil {
		return
	}
	for i, r := range n.base.Spec.Requirements {
		p := Promise{Name: r.Name, Requirement: &was.Requirements[i]}
		p.Base = promised(&was.Requirements[i])
		for _, s := range sides {
			*s.answer(&p) = s.of(r, p.Base)
		}
		n.Promises = append(n.Promises, p)
	}
}

func promised(q *Requirement) Answer {
	return Answer{Given: true, Promised: true, Verdict: q.Verdict, Requirement: q}
}

// of is what the draft says of a requirement of base.
func (s *standpoint) of(r *hclspec.Requirement, was Answer) Answer {
	switch {
	case !s.there():
		return Answer{}
	case s.same():
		if i := slices.IndexFunc(s.draft.Spec.Requirements, func(own *hclspec.Requirement) bool { return own.Name == r.Name }); i >= 0 {
			s.told[i] = true
		}
		return was
	case !s.means():
		return Answer{Given: true, Promised: true, Verdict: IllFormed}
	}
	if i := s.draft.keeping(r, s.renamed.names); i >= 0 {
		s.told[i] = true
		return s.resting(promised(&s.review.Head.Requirements[i]))
	}
	for i := range s.review.Findings {
		if f := &s.review.Findings[i]; f.Old && f.Name == r.Name {
			return s.resting(Answer{Given: true, Verdict: f.Head.Verdict, Requirement: f.Head})
		}
	}
	return Answer{}
}

// resting returns an answer with what the review found of whom the promise rests on.
func (s *standpoint) resting(a Answer) Answer {
	a.Waits = slices.ContainsFunc(s.review.Findings, func(f Finding) bool { return f.Head == a.Requirement && f.Kind == RestsAsBefore })
	return a
}

// keeping is the requirement that promises the same as one of another draft: the one of its name, where
// several do; -1: none does.
func (d *Draft) keeping(r *hclspec.Requirement, names *delta.Names) int {
	promise, found := d.promise(names.HeadRequirement(r)), -1
	name, _ := names.Head(delta.Requirement, r.Name)
	for i, own := range d.Spec.Requirements {
		if d.promise(own) == promise && (found < 0 || own.Name == name) {
			found = i
		}
	}
	return found
}

// added tells of what base does not promise.
func (n *negotiating) added(sides []*standpoint) {
	for i, s := range sides {
		if !s.means() || s.same() {
			continue
		}
		for k, r := range s.draft.Spec.Requirements {
			if s.told[k] {
				continue
			}
			s.told[k] = true
			q := &s.review.Head.Requirements[k]
			p := Promise{Name: r.Name, Requirement: q}
			if n.base != nil && n.base.Spec == nil {
				p.Base = Answer{Given: true, Verdict: IllFormed}
			}
			*s.answer(&p) = promised(q)
			for _, other := range sides[i+1:] {
				*other.answer(&p) = other.also(s.draft, r)
			}
			n.Promises = append(n.Promises, p)
		}
	}
}

// also is what the draft says of what another one adds.
func (s *standpoint) also(of *Draft, r *hclspec.Requirement) Answer {
	if !s.means() || s.same() {
		return Answer{}
	}
	_, names := delta.Changes(of.Spec, s.draft.Spec)
	i := s.draft.keeping(r, names)
	if i < 0 {
		return Answer{}
	}
	s.told[i] = true
	return promised(&s.review.Head.Requirements[i])
}

// checks tells of the built-in checks that fail on any draft.
func (n *negotiating) checks(sides []*standpoint) {
	type key struct{ code, subject string }
	var order []key
	rows := map[key]*Promise{}
	was := n.baseResult()
	for _, s := range sides {
		if !s.means() || s.review.Status == Removed {
			continue
		}
		for i := range s.review.Findings {
			f := &s.review.Findings[i]
			if f.Check == nil {
				continue
			}
			k := key{f.Name, s.baseSubject(f, was)}
			if rows[k] == nil {
				rows[k] = &Promise{Name: f.Name, Check: f.Check}
				order = append(order, k)
			}
			*s.answer(rows[k]) = f.answer()
			switch {
			case f.Kind == Standing || f.Kind == Repaired || f.Way != nil:
				rows[k].Base = Answer{Given: true, Promised: true, Verdict: Violated, Check: f.Check}
			case f.Kind == Dropped:
				rows[k].Base = Answer{Given: true, Promised: true, Verdict: Holds, Check: f.Check}
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

func (f *Finding) answer() Answer {
	verdict := Violated
	switch f.Kind {
	case Undecided:
		verdict = Unknown
	case Repaired, Dropped:
		verdict = Holds
	}
	return Answer{Given: true, Promised: f.Kind != Weakened && f.Kind != Dropped, Verdict: verdict, Check: f.Check}
}

// baseSubject is what a check is about, by its name on base.
func (s *standpoint) baseSubject(f *Finding, was *Result) string {
	if s.renamed == nil || was == nil || f.Kind == Repaired {
		return f.Check.Subject
	}
	for i := range was.Diagnostics {
		d := &was.Diagnostics[i]
		if d.Code == f.Check.Code && d.Subject != "" && s.renamed.subject(d) == f.Check.Subject {
			return d.Subject
		}
	}
	return f.Check.Subject
}

// unsaid is for a draft that has no finding on a check: it is as base, or nobody knows, or it does not fail.
func (s *standpoint) unsaid(p *Promise) {
	switch a := s.answer(p); {
	case a.Given || !s.there():
	case s.same():
		*a = p.Base
	case s.review.Status == Removed:
	case s.review.Head.Model.States == nil:
		*a = Answer{Given: true, Promised: true, Verdict: Unknown}
	}
}
