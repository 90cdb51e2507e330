package blame

import (
	"context"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// alone shows a run of head that violates the promise of a search and needs the changes to blame alone, if the run found first needs others, too, and there is
// one. It builds the state model of base with the changes to blame, finds a run there, and takes the same steps on head. Of a promise with a waiver it leaves the
// run as it is: that is one which the waiver does not accept.
func (s *Search) alone(ctx context.Context) {
	f := s.Finding
	if f.Head == nil || f.Head.Trace == nil || f.Head.Scenario != nil || f.Head.Waiver != nil || s.Questions[s.Q].Promise == nil {
		return
	}
	d := s.redraft(s.Apply(s.made))
	if means := Means(d); means == "" || means == s.Head.Unnamed || !s.needsMore(d, f.Head.Trace) {
		return
	}
	t, way := s.runOf(ctx, d)
	if t == nil {
		return
	}
	f.Blame.First = &finding.FirstRun{Trace: f.Head.Trace, Run: f.Head.Run}
	head := *f.Head
	if head.Trace = t; head.Run != "" {
		head.Run = s.Head.Fingerprint(s.meaning(), t)
	}
	if f.Head = &head; f.Way != nil {
		f.Way = way
	}
	shown := []finding.Finding{*f}
	s.versions(s.Base).Refuse(ctx, shown)
	f.Refusal, f.Lost = shown[0].Refusal, shown[0].Lost
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
// found.
func (s *Search) runOf(ctx context.Context, some *compile.Draft) (*finding.Trace, *finding.Way) {
	on := s.Questions[s.Q].in(some)
	d := some.RecallingTexts(on.texts())
	g := s.explore(ctx, d, verify.StaticResult(d))
	if g == nil {
		return nil, nil
	}
	s.work += g.Len() + g.Arcs()
	c := verify.Listing(d, g, s.Budget.Memory)
	way, e := on.violation(ctx, c, s.Budget)
	if e == nil {
		return nil, nil
	}
	now, head := s.onHead()
	_, names := diff.Changes(head.Spec, d.Spec)
	if e = compare.Retrace(c, e, on.Promise, verify.Listing(head, nil, 0), now.Promise, compile.Naming{Names: names}); e == nil {
		return nil, nil
	}
	return explain.Trace(head, e, s.Finding.Head.Notation), way
}
