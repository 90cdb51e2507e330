package blame

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/engine/ways"
	"github.com/redlinehq/redline/hclspec"
)

// alone makes the changes to blame and the run that is shown fit: the run is one of base with these changes alone, and breaks the promise there. If it isn't, as
// few other changes are blamed with which it is, or else a run is shown that needs the changes to blame alone. Of a promise with a waiver the run stays as it
// is: that is one which the waiver does not accept. If nothing fits, More is set.
func (s *Search) alone(ctx context.Context) {
	f := s.Finding
	d := s.redraft(s.Apply(s.made))
	if means := Means(d); means == "" || means == s.Head.Unnamed {
		return
	}
	if f.Head == nil || f.Head.Trace == nil || s.Questions[s.Q].Promise == nil {
		f.Blame.More = f.Check != nil && f.Check.Trace != nil && s.needsMore(d, f.Check.Trace)
		return
	}
	if f.Head.Scenario != nil {
		return
	}
	r := s.shown(ctx)
	if r.isOf(ctx, s, d) {
		return
	}
	least := r.least(ctx, s)
	switch {
	case least != nil && len(s.among(least)) <= len(s.among(s.made)):
		s.blameOn(ctx, least)
	case f.Head.Waiver == nil && (r != nil || s.needsMore(d, f.Head.Trace)) && s.another(ctx, d, r):
	case least == nil, least.includes(s.made):
		f.Blame.More = true
	default:
		s.blameOn(ctx, least)
	}
}

// Made returns the text with the changes alone that are to blame, once Blame has named them.
func (s *Search) Made() *compile.Draft { return s.redraft(s.Apply(s.made)) }

// blameOn blames a set of changes with which base has the run that is shown.
func (s *Search) blameOn(ctx context.Context, made set) {
	if s.one(ctx, s.Q, made) != Present { // the limits are reached
		s.Finding.Blame.More = true
		return
	}
	smallest := s.Finding.Blame.Smallest && len(s.among(made)) == len(s.among(s.made))
	s.Finding.Blame = &finding.Blame{Blocks: s.named(made), Smallest: smallest}
}

// another shows a run of head that has the steps of a violation of the promise in a draft with some of the changes. It reports whether there is one.
func (s *Search) another(ctx context.Context, some *compile.Draft, r *shownRun) bool {
	f := s.Finding
	t, way := s.runOf(ctx, some, r)
	if t == nil {
		return false
	}
	f.Blame.First = &finding.FirstRun{Trace: f.Head.Trace, Run: f.Head.Run}
	head := *f.Head
	if head.Trace = t; head.Run != "" {
		head.Run = s.Head.Fingerprint(s.meaning(), t)
	}
	if f.Head = &head; f.Way != nil {
		f.Way = way
	}
	found := []finding.Finding{*f}
	s.versions(s.Base).Refuse(ctx, found)
	f.Refusal, f.Lost = found[0].Refusal, found[0].Lost
	return true
}

// A shownRun is the run that a finding shows, as evidence of head.
type shownRun struct {
	head     *verify.Listed
	promise  *hclspec.Requirement
	evidence *ctl.Evidence
}

// shown finds the run that the finding shows again. It returns nil if it does not, or if head has too many states.
func (s *Search) shown(ctx context.Context) *shownRun {
	q, head := s.onHead()
	f, _ := head.Resolve(q.Promise.Formula)
	if f != nil && s.drawn != nil {
		if e := s.drawnEvidence(ctx, head, f, compile.TermsOf(q.Promise)); s.isShown(head, e) {
			return &shownRun{verify.Listing(head, nil, 0), q.Promise, e}
		}
		return nil
	}
	c := s.list(ctx, head)
	if c == nil || f == nil {
		return nil
	}
	e, _ := c.Evidence(ctx, f, compile.TermsOf(q.Promise))
	if s.isShown(head, e) {
		return &shownRun{c, q.Promise, e}
	}
	if _, e = q.violation(ctx, c, s.Budget); s.isShown(head, e) {
		return &shownRun{c, q.Promise, e}
	}
	return nil
}

// drawnEvidence returns evidence of the value of a formula from the decision diagrams of a draft, or nil.
func (s *Search) drawnEvidence(ctx context.Context, d *compile.Draft, f *ctl.Formula, on compile.Terms) *ctl.Evidence {
	if s.affordable() == 0 {
		return nil
	}
	s.work += s.usual
	x := s.draw(ctx, d, verify.StaticResult(d))
	if x == nil {
		return nil
	}
	e, _ := x.Evidence(ctx, f, on)
	return e
}

// isShown reports whether evidence of head is of the run that the finding shows.
func (s *Search) isShown(head *compile.Draft, e *ctl.Evidence) bool {
	f := s.Finding.Head
	return e != nil && s.Head.Fingerprint("", explain.Trace(head, e, f.Notation)) == s.Head.Fingerprint("", f.Trace)
}

// list returns a draft with its explicit states, or nil if there are too many, or if texts are checked on diagrams.
func (s *Search) list(ctx context.Context, d *compile.Draft) *verify.Listed {
	if s.affordable() == 0 || s.drawn != nil {
		return nil
	}
	g := s.explore(ctx, d, verify.StaticResult(d))
	if g == nil {
		return nil
	}
	s.work += g.Len() + g.Arcs()
	return verify.Listing(d, g, s.Budget.Memory)
}

// isOf reports whether a draft with some of the changes has the run, and it breaks the promise there.
func (r *shownRun) isOf(ctx context.Context, s *Search, some *compile.Draft) bool {
	if r == nil || Means(some) == "" {
		return false
	}
	on := s.Questions[s.Q].in(some)
	d := some.RecallingTexts(on.texts())
	f, _ := d.Resolve(on.Promise.Formula)
	if f == nil {
		return false
	}
	to := verify.Listing(d, nil, 0)
	if !ways.InACTL(f) {
		if s.needsMore(some, s.Finding.Head.Trace) {
			return false
		}
		if to = s.list(ctx, d); to == nil {
			return false
		}
	}
	_, names := diff.Changes(d.Spec, r.head.Spec)
	return compare.Retrace(ctx, r.head, r.evidence, r.promise, to, on.Promise, compile.Naming{Names: names}) != nil
}

// least returns few changes with which base has the run, and it breaks the promise there: the fewest if sets of few are few. None of them can be left out. It
// returns nil if there are none, or too many to try.
func (r *shownRun) least(ctx context.Context, s *Search) set {
	has := func(made set) bool {
		if s.followed >= maxTexts || ctx.Err() != nil {
			return false
		}
		s.followed++
		return r.isOf(ctx, s, s.redraft(s.Apply(made)))
	}
	every := make([]int, len(s.All))
	for k := range every {
		every[k] = k
	}
	most := s.set(every)
	if r == nil || len(every) > maxTexts-s.followed || !has(most) {
		return nil
	}
	for size := 1; size < len(every) && s.count(size) <= min(fewSets, maxTexts-s.followed); size++ {
		for _, c := range s.ofSize(size) {
			if has(c.made) {
				return s.without(c.made, has)
			}
		}
	}
	for _, k := range slices.Backward(every) {
		fewer := slices.Clone(most)
		if put(fewer, s.All[k].changes, false); has(fewer) {
			most = fewer
		}
	}
	return s.without(most, has)
}

// versions returns head with an earlier draft in place of base.
func (s *Search) versions(earlier *compile.Draft) *behaviour.Versions {
	_, names := diff.Changes(earlier.Spec, s.Head.Spec)
	return &behaviour.Versions{Base: behaviour.Version{Draft: earlier}, Head: behaviour.Version{Draft: s.Head}, Names: compile.Naming{Names: names}, Budget: s.Budget}
}

// needsMore reports whether a run of head takes a step that a draft with some of the changes refuses.
func (s *Search) needsMore(some *compile.Draft, t *finding.Trace) bool {
	v := s.versions(some)
	return v.Refusal(behaviour.ObservablesOf(some, s.Head, v.Names), t) != nil
}

// onHead returns the question in head's names, and head with the history that it asks about.
func (s *Search) onHead() (Question, *compile.Draft) {
	q := s.Questions[s.Q].in(s.Head)
	return q, s.Head.RecallingTexts(q.texts())
}

// meaning returns the promise as it is part of the fingerprint of a run of head.
func (s *Search) meaning() string {
	q, head := s.onHead()
	f, _ := head.Resolve(q.Promise.Formula)
	return verify.CanonicalMeaning(head, f, compile.TermsOf(q.Promise))
}

// runOf returns a run of head that has the steps of a violation of the promise in a draft with some of the changes, and the way it is. The run is nil if none is
// found. r is the run that is shown, which may be nil.
func (s *Search) runOf(ctx context.Context, some *compile.Draft, r *shownRun) (*finding.Trace, *finding.Way) {
	on := s.Questions[s.Q].in(some)
	d := some.RecallingTexts(on.texts())
	c, way, e := s.violationOf(ctx, d, on)
	if e == nil {
		return nil, nil
	}
	now, head := s.onHead()
	to := verify.Listing(head, nil, 0)
	if r != nil {
		to = r.head
	}
	_, names := diff.Changes(head.Spec, d.Spec)
	if e = compare.Retrace(ctx, c, e, on.Promise, to, now.Promise, compile.Naming{Names: names}); e == nil {
		return nil, nil
	}
	return explain.Trace(head, e, s.Finding.Head.Notation), way
}

// violationOf returns evidence that a draft violates the promise of a question, the way it is, and the draft with its states, if these are listed.
func (s *Search) violationOf(ctx context.Context, d *compile.Draft, on Question) (*verify.Listed, *finding.Way, *ctl.Evidence) {
	if s.drawn != nil {
		f, _ := d.Resolve(on.Promise.Formula)
		if f == nil {
			return nil, nil, nil
		}
		if e := s.drawnEvidence(ctx, d, f, compile.TermsOf(on.Promise)); e != nil && !e.Holds {
			return verify.Listing(d, nil, 0), nil, e
		}
		return nil, nil, nil
	}
	c := s.list(ctx, d)
	if c == nil {
		return nil, nil, nil
	}
	way, e := on.violation(ctx, c, s.Budget)
	return c, way, e
}
