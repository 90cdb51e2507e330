package compare

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// A Sorting sorts the verdicts of head by the effect of the amendment.
type Sorting struct {
	Review        *finding.ContractReview
	Base, Head    *verify.Listed     // with explicit states; nil: there are none
	Draft         *compile.Draft     // head
	Amended, Back *compile.Amendment // nil: base is absent or ill-formed
	Asked, Before *verify.Answers    // head's answers to base's wordings, and base's to head's
	Budget        finding.Budget

	steps *stepwise // nil until it is needed
}

// all adds the findings on head: its requirements in source order, base's wordings, then the built-in checks.
func (s *Sorting) all(ctx context.Context) {
	s.Requirements(ctx)
	s.Dropped(ctx)
	s.Completion(ctx)
	s.Checks(ctx)
	s.NewWaysOfAccepted(ctx)
}

func (s *Sorting) add(f finding.Finding) { s.Review.Findings = append(s.Review.Findings, f) }

// A before has base's side of a promise of head.
type before struct {
	own  *finding.Requirement // base's own requirement: the same promise, or the same name; nil: none
	here *finding.Requirement // base's verdict on head's wording; nil if base has no such promise, or lacks its names
}

// sort returns the effect of an amendment on a promise. This is the rule, and the only one:
//
//   - A promise that head keeps is repaired if base made it and violates both its own wording and head's; else it is kept.
//   - A promise that head violates is new if base did not make it, or kept it, or keeps head's wording. It is waived if a waiver of head names
//     every way (see Unnamed). It is undecided if base made it, and whether base kept it is unknown.
//   - A promise that both violate is new if head violates it in a way that base did not have (see package ways) and that no waiver of head
//     names, and undecided if that is unknown. Otherwise it is standing. It is waived if a waiver of head names the run found first.
//   - A promise that both violate, and whose waiver on base names base's run, is new if no waiver of head names the run found first. If one
//     does and leaves out base's run (see TakesWaiver), the promise is sorted as one that base kept: it has to name every way.
//   - An expired waiver accepts nothing, and takes precedence.
//   - A new violation that no waiver of base accepted rests as before if it occurs only while a party waits that the promise rested on
//     already (see rested).
//
// sort calls way only if the result depends on it. both says whether base violates the promise, too.
func sort(was before, now *finding.Requirement, way func(both bool) *finding.Way) (finding.Kind, *finding.Way) {
	switch {
	case now.Verdict == finding.IllFormed:
		return finding.Meaningless, nil
	case now.Verdict == finding.Holds && violated(was.own) && violated(was.here):
		return finding.Repaired, nil
	case now.Verdict == finding.Holds:
		return finding.Kept, nil
	case now.Verdict != finding.Violated:
		return finding.Undecided, nil
	case now.Waiver != nil && now.Waiver.State == finding.Expired && (violated(was.own) || violated(was.here)): // else it never accepted anything
		return finding.WaiverExpired, nil
	case was.own.Named() && !now.Named():
		return finding.New, nil // the run is another one by now, and an expiry of the waiver would not be noticed any more
	case violated(was.own) && violated(was.here) && !now.TakesWaiver(was.own):
		accepted := now.Waived() // before a new way is looked for
		return sortBoth(now, way(true), accepted)
	case now.Waived():
		return sortWaived(now, way(false))
	case was.unknown() != "":
		return finding.Undecided, &finding.Way{Unknown: was.unknown()}
	}
	return finding.New, nil
}

// unknown returns why it is not known whether base violates a promise that it made, and head's wording of it; "" if base keeps one, or violates both.
func (was before) unknown() string {
	for _, q := range []*finding.Requirement{was.own, was.here} {
		if q == nil || q.Verdict != finding.Unknown && q.Verdict != finding.Violated {
			return ""
		}
	}
	return cmp.Or(was.own.Reason, was.here.Reason)
}

// sortWaived sorts a promise that only head violates, where a waiver accepts the run that was found first. now has another run already if
// there is one that the waiver does not accept.
func sortWaived(now *finding.Requirement, w *finding.Way) (finding.Kind, *finding.Way) {
	switch {
	case w.Unknown != "":
		return finding.Undecided, w
	case !now.Waived():
		return finding.New, nil
	}
	return finding.Waived, nil
}

// sortBoth sorts a promise that both versions violate and whose waiver the amendment does not take away. accepted reports whether head's
// waiver accepts the run found first. now has the run of a new way already, if there is one.
func sortBoth(now *finding.Requirement, w *finding.Way, accepted bool) (finding.Kind, *finding.Way) {
	switch {
	case w.Unknown == "" && now.Waived() && accepted:
		return finding.Waived, w
	case w.New && now.Waived():
		return finding.Standing, &finding.Way{} // the waiver names the new way only
	}
	return sortWay(w)
}

// sortWay sorts a promise that both versions violate, without regard to waivers.
func sortWay(w *finding.Way) (finding.Kind, *finding.Way) {
	switch {
	case w.New:
		return finding.New, w
	case w.Unknown != "":
		return finding.Undecided, w
	}
	return finding.Standing, w
}

// violated reports whether q exists and is violated.
func violated(q *finding.Requirement) bool { return q != nil && q.Verdict == finding.Violated }

// Requirements adds the findings of head's requirements, in source order.
func (s *Sorting) Requirements(ctx context.Context) {
	if s.Draft.Spec == nil {
		return
	}
	for i, own := range counterparts(s.Review, s.Amended, s.Draft) {
		now := &s.Review.Head.Requirements[i]
		was := before{own: own, here: s.here(own, i)}
		kind, way := sort(was, now, func(both bool) *finding.Way {
			if both {
				return s.way(ctx, i, now, was.here)
			}
			return s.besides(ctx, i, now)
		})
		f := finding.Finding{Kind: kind, Name: now.Name, Head: now, Base: own, Way: way}
		if f.Reworded = was.reworded(now); f.Reworded && was.here != own {
			f.Was = was.here.Verdict
		}
		if !f.Reworded {
			f.Breach = s.otherBreach(own, now)
		}
		f.Recurring = s.recurring(now)
		s.add(s.emptied(s.leaning(i, s.unbound(s.rested(was.here, f, func() *finding.Way {
			r := s.Draft.Spec.Requirements[i]
			return s.urgent(ctx, r, s.Back.Names.HeadRequirement(r))
		})))))
	}
}

// recurring returns those of the occurrences of norms that remarks on a promise of head name that base has, too.
func (s *Sorting) recurring(now *finding.Requirement) (both []string) {
	if s.Amended == nil {
		return nil
	}
	var named []string
	for _, v := range now.Vacuous {
		named = append(named, v.Instances()...)
	}
	if len(named) == 0 {
		return nil
	}
	for _, n := range s.Amended.Base.Spec.Norms {
		if name, _ := s.Amended.Names.Head(diff.NormElement(n.Kind), n.Name); slices.Contains(named, name) {
			both = append(both, name)
		}
	}
	return both
}

// otherBreach returns by which norms, in head's names, a scenario left a party in breach on base, if it does so by others on head; else nil.
func (s *Sorting) otherBreach(was, now *finding.Requirement) (all []string) {
	if was == nil || was.Scenario == nil || now.Scenario == nil || len(now.Scenario.Of) == 0 {
		return nil
	}
	for _, of := range was.Scenario.Of {
		names := strings.Split(of, " and ")
		for i, name := range names {
			for _, n := range s.Amended.Base.Spec.Norms {
				if now, known := s.Amended.Names.Head(diff.NormElement(n.Kind), name); known {
					names[i] = now
				}
			}
		}
		slices.Sort(names)
		all = append(all, strings.Join(names, " and "))
	}
	if slices.Sort(all); slices.Equal(all, now.Scenario.Of) {
		return nil
	}
	return all
}

// emptied sorts a promise over ideal runs again that base made in earnest, and that head keeps only because no ideal run comes to where it asks for
// something. It is given up, though its words are still there.
func (s *Sorting) emptied(f finding.Finding) finding.Finding {
	if !f.Emptied() || !standsFor(f.Base) {
		return f
	}
	f.Kind, f.Rested = finding.Dropped, nil
	f.Promise = promiseDigest(s.Amended.Base, s.Amended.Names.WrittenOut(s.Amended.Base.MustRequirement(f.Base.Name)))
	return f
}

// reworded reports whether base's own requirement promises something else than head's. Base is not asked about a formula without a meaning:
// then the texts count.
func (was before) reworded(now *finding.Requirement) bool {
	return was.own != nil && (was.here != was.own || now.Verdict == finding.IllFormed && was.own.Formula != now.Formula)
}

// here returns base's verdict on the wording of requirement i of head, or nil if base has no such promise.
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

// way compares how both versions violate requirement i of head. The run of a new way replaces the run in now.
func (s *Sorting) way(ctx context.Context, i int, now, was *finding.Requirement) *finding.Way {
	r := s.Draft.Spec.Requirements[i]
	if now.Scenario != nil {
		return scenarioWay(now, was)
	}
	f, why := s.followed()
	if f == nil {
		return &finding.Way{Unknown: why}
	}
	a, ok := f.Promise(r, s.Back.Names.HeadRequirement(r))
	return s.compared(ctx, now, a, ok)
}

// scenarioWay compares in what a scenario is not as expected on both versions, which were asked for the same one: at which step it stops, or only
// at its end.
func scenarioWay(now, was *finding.Requirement) *finding.Way {
	return &finding.Way{New: now.Scenario.Stops != was.Scenario.Stops}
}

const notAsked = "the promise can't be asked of both versions"

// compared returns the way in which a promise is violated. The run of a new way replaces the run in now.
func (s *Sorting) compared(ctx context.Context, now *finding.Requirement, a pledge, ok bool) *finding.Way {
	if !ok {
		return &finding.Way{Unknown: notAsked}
	}
	w, e := s.steps.UnwaivedViolation(ctx, a, now, s.Budget)
	if w.New {
		s.show(now, a.Head, e)
	}
	return w
}

// show replaces the run of a requirement, with everything that depends on it: fingerprint and state of the waiver.
func (s *Sorting) show(now *finding.Requirement, promise *ctl.Formula, e *ctl.Evidence) {
	now.Trace = explain.Trace(s.Head.Checked.Draft, e, now.Notation)
	now.Run = s.Head.Fingerprint(verify.CanonicalMeaning(s.Head.Checked.Draft, promise, compile.TermsDecided(now)), now.Trace)
	now.Judge(s.Budget.Today)
}

// besides looks for a way in which head violates requirement i and that its waiver does not accept. The run of such a way replaces the run
// in now.
func (s *Sorting) besides(ctx context.Context, i int, now *finding.Requirement) *finding.Way {
	if now.Scenario != nil {
		return &finding.Way{}
	}
	if s.Head == nil {
		return &finding.Way{Unknown: "the states of head were not looked at one by one"}
	}
	r := s.Draft.Spec.Requirements[i]
	w, e := Besides(ctx, s.Head, r, now, s.Budget)
	if w.New {
		promise, _ := asking(s.Head.Checked.Draft, s.Head.Checked.Draft, r)
		s.show(now, promise, e)
	}
	return w
}

// followed returns base and head with their states and steps, or nil and the reason.
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

// Dropped adds the findings of base's wordings that head dropped or changed: each is a promise of base that head keeps or not. Which of them
// are given up is decided later (see withdraw).
func (s *Sorting) Dropped(ctx context.Context) {
	for i := range s.Asked.Requirements {
		now := &s.Asked.Requirements[i]
		was := find(s.Review.Base, now.Name)
		own := *was
		own.Waiver = nil // head has no promise that could have one
		kind, way := sort(before{own: &own, here: was}, now, func(bool) *finding.Way { return s.oldWay(ctx, now) })
		if kind == finding.New {
			kind = finding.Weakened
		}
		now.Run = "" // head has no requirement that could have a waiver of this run
		f := finding.Finding{Kind: kind, Name: now.Name, Head: now, Base: was, Old: true, Way: way}
		s.add(s.unbound(s.rested(was, f, func() *finding.Way {
			r := s.Amended.Base.MustRequirement(now.Name)
			return s.urgent(ctx, s.Amended.Names.HeadRequirement(r), r)
		})))
	}
}

// oldWay compares how both versions violate a wording of base that head dropped or changed.
func (s *Sorting) oldWay(ctx context.Context, now *finding.Requirement) *finding.Way {
	if now.Scenario != nil {
		return scenarioWay(now, find(s.Review.Base, now.Name))
	}
	f, why := s.followed()
	if f == nil {
		return &finding.Way{Unknown: why}
	}
	r := s.Amended.Base.MustRequirement(now.Name)
	a, ok := f.Promise(s.Amended.Names.HeadRequirement(r), r)
	return s.compared(ctx, now, a, ok)
}

// find returns the requirement of a name, which has to exist.
func find(r *finding.Result, name string) *finding.Requirement {
	i := slices.IndexFunc(r.Requirements, func(q finding.Requirement) bool { return q.Name == name })
	return &r.Requirements[i]
}
