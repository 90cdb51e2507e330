package compare

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// A sorting sorts what was decided of head by what the amendment did to it.
type Sorting struct {
	Review        *finding.ContractReview
	Base, Head    *verify.Listed     // with their states; nil: they were not looked at one by one
	Draft         *compile.Draft     // head
	Amended, Back *compile.Amendment // nil: there is no base that means anything
	Asked, Before *verify.Answers    // what head says to base's wordings, and base to head's
	Budget        finding.Budget

	steps *stepwise // nil until it is needed
}

// all adds the findings on head: its requirements in source order, base's wordings, then the built-in checks.
func (s *Sorting) all(ctx context.Context) {
	s.Requirements(ctx)
	s.Dropped(ctx)
	s.Completion(ctx)
	s.Checks(ctx)
	s.acceptedAnew(ctx)
}

func (s *Sorting) add(f finding.Finding) { s.Review.Findings = append(s.Review.Findings, f) }

// A before is what base says of a promise of head.
type before struct {
	own  *finding.Requirement // what base promises: the same, or by the same name; nil: nothing
	here *finding.Requirement // what base says to head's wording; nil where it promises nothing, or has not the names for it
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
func sort(was before, now *finding.Requirement, way func() *finding.Way) (finding.Kind, *finding.Way) {
	switch {
	case now.Verdict == finding.IllFormed:
		return finding.Meaningless, nil
	case now.Verdict == finding.Holds && violated(was.here):
		return finding.Repaired, nil
	case now.Verdict == finding.Holds:
		return finding.Kept, nil
	case now.Verdict != finding.Violated:
		return finding.Undecided, nil
	case now.Waiver != nil && now.Waiver.State == finding.Expired:
		return finding.WaiverExpired, nil
	case violated(was.own) && violated(was.here):
		accepted := now.Waived() || was.own.Waived() // before a new way is looked for
		return sortBoth(was, now, way(), accepted)
	case now.Waived():
		return sortWaived(now, way())
	}
	return finding.New, nil
}

// sortWaived sorts what only head violates, and a waiver accepts the run that was shown; now has another run already, if there is one that it does not accept.
func sortWaived(now *finding.Requirement, w *finding.Way) (finding.Kind, *finding.Way) {
	switch {
	case w.Unknown != "":
		return finding.Undecided, w
	case !now.Waived():
		return finding.New, nil
	}
	return finding.Waived, nil
}

// sortBoth sorts what both versions violate; now has the run of a new way already, if there is one.
func sortBoth(was before, now *finding.Requirement, w *finding.Way, accepted bool) (finding.Kind, *finding.Way) {
	switch {
	case w.Unknown == "" && now.Waived() && accepted:
		return finding.Waived, w
	case w.New && now.Waived():
		return finding.Standing, &finding.Way{} // the waiver names the new way only
	case !w.New && w.Unknown == "" && was.own.Waived():
		return finding.New, nil // base's waiver accepted it, and head's does not
	}
	return sortWay(w)
}

// sortWay sorts what both versions violate.
func sortWay(w *finding.Way) (finding.Kind, *finding.Way) {
	switch {
	case w.New:
		return finding.New, w
	case w.Unknown != "":
		return finding.Undecided, w
	}
	return finding.Standing, w
}

// violated reports whether there is a verdict, and it is violated.
func violated(q *finding.Requirement) bool { return q != nil && q.Verdict == finding.Violated }

// Requirements sorts the verdicts on what head requires.
func (s *Sorting) Requirements(ctx context.Context) {
	if s.Draft.Spec == nil {
		return
	}
	for i, own := range counterparts(s.Review, s.Amended, s.Draft) {
		now := &s.Review.Head.Requirements[i]
		was := before{own: own, here: s.here(own, i)}
		kind, way := sort(was, now, func() *finding.Way {
			if violated(was.own) && violated(was.here) {
				return s.way(ctx, i, now)
			}
			return s.besides(ctx, i, now)
		})
		s.add(rested(was.here, s.Amended, finding.Finding{Kind: kind, Name: now.Name, Head: now, Base: own, Way: way}))
	}
}

// here is what base says to the wording of requirement i of head.
func (s *Sorting) here(own *finding.Requirement, i int) *finding.Requirement {
	if own == nil {
		return nil
	}
	r := s.Draft.Spec.Requirements[i]
	if k := slices.IndexFunc(s.Before.Requirements, func(q finding.Requirement) bool { return q.Name == r.Name }); k >= 0 {
		return &s.Before.Requirements[k]
	}
	return own // it was not asked, since it promises the same
}

// way compares how both versions violate requirement i of head. The run of a new way takes the place of the one that was found without regard to base.
func (s *Sorting) way(ctx context.Context, i int, now *finding.Requirement) *finding.Way {
	r := s.Draft.Spec.Requirements[i]
	f, why := s.followed()
	if f == nil {
		return &finding.Way{Unknown: why}
	}
	a, ok := f.Promise(r, s.Back.Names.HeadRequirement(r))
	return s.compared(ctx, now, a, ok)
}

// compared says in which way a promise is violated, and shows it.
func (s *Sorting) compared(ctx context.Context, now *finding.Requirement, a Pledge, ok bool) *finding.Way {
	if !ok {
		return &finding.Way{Unknown: "the promise can't be asked of both versions"}
	}
	w, e := s.steps.Unnamed(ctx, a, now, s.Budget)
	if w.New {
		s.show(ctx, now, a.Head, e)
	}
	return w
}

// show has a run take the place of the one that was found without regard to base and waiver.
func (s *Sorting) show(ctx context.Context, now *finding.Requirement, promise *ctl.Formula, e *ctl.Evidence) {
	now.Trace = explain.Trace(s.Head.Checked.Draft, e, now.Notation)
	now.Run = s.Head.Fingerprint(verify.Promised(s.Head.Checked.Draft, promise, compile.TermsDecided(now)), now.Trace)
	now.Timely = false
	s.Head.Timely(ctx, promise, now)
	now.Judge(s.Budget.Today)
}

// besides looks for a way in which head violates requirement i, and its waiver does not accept it, and shows that.
func (s *Sorting) besides(ctx context.Context, i int, now *finding.Requirement) *finding.Way {
	if s.Head == nil {
		return &finding.Way{Unknown: "the states of head were not looked at one by one"}
	}
	r := s.Draft.Spec.Requirements[i]
	w, e := Besides(ctx, s.Head, r, now, s.Budget)
	if w.New {
		promise, _ := asking(s.Head.Checked.Draft, r)
		s.show(ctx, now, promise, e)
	}
	return w
}

// followed returns base and head with their states and steps; nil, and why, where there are none.
func (s *Sorting) followed() (*stepwise, string) {
	switch {
	case s.Base == nil:
		return nil, "the states of base were not looked at one by one"
	case s.Head == nil:
		return nil, "the states of head were not looked at one by one"
	case s.steps == nil:
		s.steps = InStep(s.Base, s.Head, s.Amended.Naming())
	}
	return s.steps, ""
}

// Dropped sorts what head says to the wordings of base that it dropped or changed: as a promise that base makes, and head keeps or not.
func (s *Sorting) Dropped(ctx context.Context) {
	for i := range s.Asked.Requirements {
		now := &s.Asked.Requirements[i]
		was := find(s.Review.Base, now.Name)
		own := *was
		own.Waiver = nil // head has no promise that could have one
		kind, way := sort(before{own: &own, here: was}, now, func() *finding.Way { return s.oldWay(ctx, now) })
		switch kind {
		case finding.Kept, finding.Repaired:
			kind = finding.Dropped
		case finding.New:
			kind = finding.Weakened
		}
		s.add(rested(was, s.Amended, finding.Finding{Kind: kind, Name: now.Name, Head: now, Base: was, Old: true, Way: way}))
	}
}

func (s *Sorting) oldWay(ctx context.Context, now *finding.Requirement) *finding.Way {
	f, why := s.followed()
	if f == nil {
		return &finding.Way{Unknown: why}
	}
	list := f.base.Spec.Requirements
	r := list[slices.IndexFunc(list, func(r *hclspec.Requirement) bool { return r.Name == now.Name })]
	a, ok := f.Promise(s.Amended.Names.HeadRequirement(r), r)
	return s.compared(ctx, now, a, ok)
}

func find(r *finding.Result, name string) *finding.Requirement {
	i := slices.IndexFunc(r.Requirements, func(q finding.Requirement) bool { return q.Name == name })
	return &r.Requirements[i]
}
