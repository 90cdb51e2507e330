package engine

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A sorting sorts what was decided of head by what the amendment did to it.
type sorting struct {
	review        *ContractReview
	base, head    *listed    // with their states; nil: they were not looked at one by one
	draft         *Draft     // head
	amended, back *amendment // nil: there is no base that means anything
	asked, before *answers   // what head says to base's wordings, and base to head's
	budget        Budget

	steps *stepwise // nil until it is needed
}

// all adds the findings on head: its requirements in source order, base's wordings, then the built-in checks.
func (s *sorting) all(ctx context.Context) {
	s.requirements(ctx)
	s.dropped(ctx)
	s.completion(ctx)
	s.checks(ctx)
	s.acceptedAnew(ctx)
}

func (s *sorting) add(f Finding) { s.review.Findings = append(s.review.Findings, f) }

// A before is what base says of a promise of head.
type before struct {
	own  *Requirement // what base promises: the same, or by the same name; nil: nothing
	here *Requirement // what base says to head's wording; nil where it promises nothing, or has not the names for it
}

// sort says what an amendment did to a promise. This is the rule, and the only one:
//
//   - What head keeps is repaired if base, which made the promise, violates head's wording; else it is kept.
//   - What head violates is new if base did not make the promise, or kept it, or keeps head's wording; waived if a waiver of head names every way (see unnamed).
//   - What both violate is new if head violates it in a way that base did not have (see package ways) and no waiver of head names, and undecided if that is
//     unknown. Else it is standing. It is waived if a waiver of head names the run that is shown; and new if it does not, and base's waiver accepted it.
//   - A waiver that has expired accepts nothing, and is said first.
//   - What would be new, and what no waiver of base accepted, rests as before if it fails only while somebody waits on whom it rested already (see rested).
//
// The way is asked for only where it counts.
func sort(was before, now *Requirement, way func() *Way) (Kind, *Way) {
	switch {
	case now.Verdict == IllFormed:
		return Meaningless, nil
	case now.Verdict == Holds && was.here.violated():
		return Repaired, nil
	case now.Verdict == Holds:
		return Kept, nil
	case now.Verdict != Violated:
		return Undecided, nil
	case now.Waiver != nil && now.Waiver.State == Expired:
		return WaiverExpired, nil
	case was.own.violated() && was.here.violated():
		accepted := now.Waived() || was.own.Waived() // before a new way is looked for
		return sortBoth(was, now, way(), accepted)
	case now.Waived():
		return sortWaived(now, way())
	}
	return New, nil
}

// sortWaived sorts what only head violates, and a waiver accepts the run that was shown; now has another run already, if there is one that it does not accept.
func sortWaived(now *Requirement, w *Way) (Kind, *Way) {
	switch {
	case w.Unknown != "":
		return Undecided, w
	case !now.Waived():
		return New, nil
	}
	return Waived, nil
}

// sortBoth sorts what both versions violate; now has the run of a new way already, if there is one.
func sortBoth(was before, now *Requirement, w *Way, accepted bool) (Kind, *Way) {
	switch {
	case w.Unknown == "" && now.Waived() && accepted:
		return Waived, w
	case w.New && now.Waived():
		return Standing, &Way{} // the waiver names the new way only
	case !w.New && w.Unknown == "" && was.own.Waived():
		return New, nil // base's waiver accepted it, and head's does not
	}
	return sortWay(w)
}

// sortWay sorts what both versions violate.
func sortWay(w *Way) (Kind, *Way) {
	switch {
	case w.New:
		return New, w
	case w.Unknown != "":
		return Undecided, w
	}
	return Standing, w
}

// violated reports whether there is a verdict, and it is violated.
func (q *Requirement) violated() bool { return q != nil && q.Verdict == Violated }

// requirements sorts the verdicts on what head requires.
func (s *sorting) requirements(ctx context.Context) {
	if s.draft.Spec == nil {
		return
	}
	for i, own := range s.review.counterparts(s.amended, s.draft) {
		now := &s.review.Head.Requirements[i]
		was := before{own: own, here: s.here(own, i)}
		kind, way := sort(was, now, func() *Way {
			if was.own.violated() && was.here.violated() {
				return s.way(ctx, i, now)
			}
			return s.besides(ctx, i, now)
		})
		s.add(was.here.rested(s.amended, Finding{Kind: kind, Name: now.Name, Head: now, Base: own, Way: way}))
	}
}

// here is what base says to the wording of requirement i of head.
func (s *sorting) here(own *Requirement, i int) *Requirement {
	if own == nil {
		return nil
	}
	r := s.draft.Spec.Requirements[i]
	if k := slices.IndexFunc(s.before.Requirements, func(q Requirement) bool { return q.Name == r.Name }); k >= 0 {
		return &s.before.Requirements[k]
	}
	return own // it was not asked, since it promises the same
}

// way compares how both versions violate requirement i of head. The run of a new way takes the place of the one that was found without regard to base.
func (s *sorting) way(ctx context.Context, i int, now *Requirement) *Way {
	r := s.draft.Spec.Requirements[i]
	f, why := s.followed()
	if f == nil {
		return &Way{Unknown: why}
	}
	a, ok := f.promise(r, s.back.names.HeadRequirement(r))
	return s.compared(ctx, now, a, ok)
}

// compared says in which way a promise is violated, and shows it.
func (s *sorting) compared(ctx context.Context, now *Requirement, a pledge, ok bool) *Way {
	if !ok {
		return &Way{Unknown: "the promise can't be asked of both versions"}
	}
	w, e := s.steps.unnamed(ctx, a, now, s.budget)
	if w.New {
		s.show(ctx, now, a.head, e)
	}
	return w
}

// show has a run take the place of the one that was found without regard to base and waiver.
func (s *sorting) show(ctx context.Context, now *Requirement, promise *ctl.Formula, e *ctl.Evidence) {
	now.Trace = s.head.trace(e, now.Notation)
	now.Run = s.head.fingerprint(s.head.promised(promise, now.terms()), now.Trace)
	now.Timely = false
	s.head.timely(ctx, promise, now)
	now.judge(s.budget.Today)
}

// besides looks for a way in which head violates requirement i, and its waiver does not accept it, and shows that.
func (s *sorting) besides(ctx context.Context, i int, now *Requirement) *Way {
	if s.head == nil {
		return &Way{Unknown: "the states of head were not looked at one by one"}
	}
	r := s.draft.Spec.Requirements[i]
	w, e := s.head.besides(ctx, r, now, s.budget)
	if w.New {
		promise, _ := s.head.asking(r)
		s.show(ctx, now, promise, e)
	}
	return w
}

// followed returns base and head with their states and steps; nil, and why, where there are none.
func (s *sorting) followed() (*stepwise, string) {
	switch {
	case s.base == nil:
		return nil, "the states of base were not looked at one by one"
	case s.head == nil:
		return nil, "the states of head were not looked at one by one"
	case s.steps == nil:
		s.steps = inStep(s.base, s.head, s.amended.naming())
	}
	return s.steps, ""
}

// dropped sorts what head says to the wordings of base that it dropped or changed: as a promise that base makes, and head keeps or not.
func (s *sorting) dropped(ctx context.Context) {
	for i := range s.asked.Requirements {
		now := &s.asked.Requirements[i]
		was := find(s.review.Base, now.Name)
		own := *was
		own.Waiver = nil // head has no promise that could have one
		kind, way := sort(before{own: &own, here: was}, now, func() *Way { return s.oldWay(ctx, now) })
		switch kind {
		case Kept, Repaired:
			kind = Dropped
		case New:
			kind = Weakened
		}
		s.add(was.rested(s.amended, Finding{Kind: kind, Name: now.Name, Head: now, Base: was, Old: true, Way: way}))
	}
}

func (s *sorting) oldWay(ctx context.Context, now *Requirement) *Way {
	f, why := s.followed()
	if f == nil {
		return &Way{Unknown: why}
	}
	list := f.base.Spec.Requirements
	r := list[slices.IndexFunc(list, func(r *hclspec.Requirement) bool { return r.Name == now.Name })]
	a, ok := f.promise(s.amended.names.HeadRequirement(r), r)
	return s.compared(ctx, now, a, ok)
}

func find(r *Result, name string) *Requirement {
	i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return q.Name == name })
	return &r.Requirements[i]
}

// never is the promise that a bad state is never reached.
func never(bad *ctl.Formula) *ctl.Formula {
	return &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: bad}}
}
