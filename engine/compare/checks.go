package compare

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/construct"
)

// A built-in check of class violation is also a promise: never to reach a bad state. It is sorted as one.

// Completion adds the findings of the checks of the declared final states. An accepted check is no objection. Both checks are about one
// promise, that a final state can always be reached, whichever of them reports that it is lost.
func (s *Sorting) Completion(ctx context.Context) {
	c := s.Review
	if c.Head.Model.States != nil && s.Asked.LostFinal != nil {
		s.add(finding.Finding{Kind: finding.Undecided, Name: string(s.Asked.LostFinal.Code), Check: s.Asked.LostFinal})
	}
	lost, old := s.lostWay(ctx), s.formerWay(ctx)
	fresh := false
	for _, code := range []codes.Code{"dead-end", "no-option-to-complete"} {
		was, now := failed(c.Base, code), failed(c.Head, code)
		switch {
		case now != nil && lost == nil:
			s.add(finding.Finding{Kind: finding.New, Name: string(code), Check: now})
			fresh = true
		case now != nil:
			kind, way := sortWay(lost.of(code))
			if way.New {
				lost.shown, now.Trace, now.Run = true, lost.diag.Trace, lost.diag.Run
			}
			s.add(finding.Finding{Kind: kind, Name: string(code), Check: now, Way: way})
		case s.silent(code):
		default:
			if now, kind := s.formerly(was, first(s.Asked.Completion, code)); now != nil {
				s.add(old.sorted(finding.Finding{Kind: kind, Name: string(code), Check: now}))
			}
		}
	}
	if lost != nil && lost.New && !lost.shown {
		kind, way := sortWay(&lost.Way)
		s.add(finding.Finding{Kind: kind, Name: string(lost.diag.Code), Check: lost.diag, Way: way})
	}
	if old != nil && old.New && !old.shown && !fresh {
		s.add(old.sorted(finding.Finding{Kind: finding.Standing, Name: string(old.diag.Code), Check: old.diag}))
	}
	s.finalGivenUp()
}

// A lostWay is the way in which head loses every final state, compared with base.
type lostWay struct {
	finding.Way
	diag  *finding.Diagnostic // of a new way: of the check that finds its end
	shown bool
}

// of returns the way for the finding of a check.
func (l *lostWay) of(code codes.Code) *finding.Way {
	if l.New && l.diag.Code != code {
		return &finding.Way{}
	}
	return &l.Way
}

// lostWay compares how both versions lose every final state. It returns nil if one of them does not.
func (s *Sorting) lostWay(ctx context.Context) *lostWay {
	one, other := failed(s.Review.Head, "dead-end"), failed(s.Review.Head, "no-option-to-complete")
	now := cmp.Or(one, other)
	if now == nil || s.completes() {
		return nil
	}
	w, d := s.checkWay(ctx, now, "")
	return &lostWay{Way: *w, diag: d}
}

// formerWay compares how both versions lose base's final states, where head declares others or none. It returns nil if one of them does not.
func (s *Sorting) formerWay(ctx context.Context) *lostWay {
	now := cmp.Or(first(s.Asked.Completion, "dead-end"), first(s.Asked.Completion, "no-option-to-complete"))
	if now == nil || kept(s.Review.Base) {
		return nil
	}
	f, why := s.followed()
	if f == nil {
		return &lostWay{Way: finding.Way{Unknown: why}}
	}
	w, d := s.uncovered(ctx, f, pledge{Head: lostFinal(s.Asked.Final), Base: lostFinal(s.Amended.Base.Final)}, now)
	if d != nil {
		d.Run = "" // head has no final states of which an accept could name this run
	}
	return &lostWay{Way: *w, diag: d}
}

// lostFinal returns the promise that a final state can always be reached.
func lostFinal(final *ctl.Formula) *ctl.Formula {
	return verify.NeverReached(verify.FinalUnreachable(final))
}

// sorted returns the finding of a check that base's final states fail on both versions: the promise is weakened if head loses them in a new way.
func (l *lostWay) sorted(f finding.Finding) finding.Finding {
	if l == nil {
		return f
	}
	kind, way := sortWay(l.of(codes.Code(f.Name)))
	if way.New {
		kind, l.shown, f.Check = finding.Weakened, true, l.diag
	}
	f.Kind, f.Way = kind, way
	return f
}

// kept reports whether a result breaks the promise that a final state can always be reached by nothing but what is accepted.
func kept(r *finding.Result) bool {
	return failed(r, "dead-end") == nil && failed(r, "no-option-to-complete") == nil
}

// completes reports whether base can always reach a final state of head, or accepts that it cannot.
func (s *Sorting) completes() bool {
	c := s.Review
	checks := []codes.Code{"dead-end", "no-option-to-complete"}
	if kept(c.Base) {
		return true
	}
	here := true
	if s.Before.Final != nil {
		here = slices.ContainsFunc(checks, func(code codes.Code) bool { return first(s.Before.Completion, code) != nil })
	}
	return !here
}

// silent reports whether the absence of a failed check on head means nothing: the check is accepted on either side, head has no state model
// or lacks the names of base's final states, or the other check fails, by head's final states or by base's, and so the promise.
func (s *Sorting) silent(code codes.Code) bool {
	c := s.Review
	if c.Head.Model.States == nil || s.Asked.LostFinal != nil || says(c.Base, code) && failed(c.Base, code) == nil || says(c.Head, code) {
		return true
	}
	other := map[codes.Code]codes.Code{"dead-end": "no-option-to-complete", "no-option-to-complete": "dead-end"}[code]
	return first(s.Asked.Completion, code) == nil && (says(c.Head, other) || first(s.Asked.Completion, other) != nil)
}

// says reports whether a result has a diagnostic of a code.
func says(r *finding.Result, code codes.Code) bool {
	return r != nil && slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == code })
}

// formerly sorts a check that head's own final states pass: was fails on base, and again fails with base's final states on head. Either may
// be nil. The result is nil if both are. What base lost already, by whichever check, is not weakened.
func (s *Sorting) formerly(was, again *finding.Diagnostic) (*finding.Diagnostic, finding.Kind) {
	switch {
	case again == nil:
		return was, finding.Repaired
	case kept(s.Review.Base):
		return again, finding.Weakened
	}
	return again, finding.Standing
}

// failed returns the first diagnostic of a code that is not accepted, or nil.
func failed(r *finding.Result, code codes.Code) *finding.Diagnostic {
	if r == nil {
		return nil
	}
	return first(r.Diagnostics, code)
}

// first returns the first diagnostic of a code that is not accepted, or nil.
func first(list []finding.Diagnostic, code codes.Code) *finding.Diagnostic {
	i := slices.IndexFunc(list, func(d finding.Diagnostic) bool { return d.Code == code && d.Accepted == "" })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// Checks adds the findings of built-in checks of class violation that concern one element each. An accepted check is no objection. A check
// that no longer fails is repaired only if head still has the element, and a state model.
func (s *Sorting) Checks(ctx context.Context) {
	c := s.Review
	s.heldAsBefore()
	for i := range c.Head.Diagnostics {
		now := &c.Head.Diagnostics[i]
		if !objection(now) {
			continue
		}
		for _, f := range s.occurrences(ctx, now) {
			s.add(f)
		}
	}
	if c.Base == nil || c.Head.Model.States == nil {
		return
	}
	for i := range c.Base.Diagnostics {
		was := &c.Base.Diagnostics[i]
		if objection(was) && !s.still(was.Code, s.Amended.Subject(was)) && Has(s.Draft, s.Amended.Subject(was)) {
			s.add(finding.Finding{Kind: finding.Repaired, Name: string(was.Code), Check: was})
		}
	}
}

// check sorts a failed check of head by the subject for which base fails it, in base's names: "" if base passes.
func (s *Sorting) check(ctx context.Context, now *finding.Diagnostic, was string) finding.Finding {
	f := finding.Finding{Kind: finding.New, Name: string(now.Code), Check: now}
	if was == "" {
		return f
	}
	w, d := s.checkWay(ctx, now, was)
	if f.Kind, f.Way = sortWay(w); f.Kind == finding.New {
		now.Trace, now.Run = d.Trace, d.Run
	}
	return f
}

// heldAsBefore adds to head's diagnostics that a document of base is in two of its former places at once, unless head says so itself or it
// was so on base.
func (s *Sorting) heldAsBefore() {
	all := slices.Clone(s.Review.Head.Diagnostics) // findings point into the old list
	for _, d := range s.Asked.Twice {
		if has(s.Review.Head, d.Code, d.Subject) {
			continue
		}
		if slices.ContainsFunc(s.Review.Base.Diagnostics, func(was finding.Diagnostic) bool {
			return was.Code == d.Code && s.Amended.Subject(&was) == d.Subject
		}) {
			continue // base did not keep it
		}
		for _, a := range s.Draft.Spec.Accepts {
			if explain.Accepts(a, &d) {
				d.Accepted = a.Reason
			}
		}
		all = append(all, d)
	}
	slices.SortStableFunc(all, explain.Compare)
	s.Review.Head.Diagnostics = all
}

// stuck reports whether no transition is enabled in a marking.
func stuck(d *compile.Draft, m petri.Marking) bool {
	for t := range d.Net.Transitions {
		if d.Net.Fireable(m, t) {
			return false
		}
	}
	return true
}

// SafetyPromise returns the promise that a built-in check makes on both versions: never to reach a bad state. A diagnostic without a subject is
// about the final states; was is the subject on base. A formula is nil if its version has nothing to check.
func (f *stepwise) SafetyPromise(now *finding.Diagnostic, was string) (w pledge) {
	on := func(d *compile.Draft, subject string) *ctl.Formula {
		if bad := bad(d, now.Code, subject); bad != nil {
			return verify.NeverReached(bad)
		}
		return nil
	}
	w.Head, w.Base = on(f.head.Draft, now.Subject), on(f.base.Draft, was)
	return w
}

// bad returns the formula of the states that a built-in check of class violation looks for, or nil if the draft has nothing to check.
func bad(d *compile.Draft, code codes.Code, subject string) *ctl.Formula {
	_, name, _ := strings.Cut(subject, ".")
	switch code {
	case "dead-end", "no-option-to-complete":
		if d.Final != nil {
			return verify.FinalUnreachable(d.Final)
		}
	case "document-held-twice":
		return compile.AtLeastTwo(d.Held[name])
	case "due-event-blocked":
		if e := d.Event(name); e != nil {
			return verify.Blocked(d, e)
		}
	case "obliged-and-forbidden", "permitted-and-forbidden":
		if i := slices.IndexFunc(d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Name == name }); i >= 0 {
			return verify.Clash(d, d.Spec.Norms[i])
		}
	}
	return nil
}

// objection reports whether a diagnostic is a violation that is not accepted, other than of the declared final states.
func objection(d *finding.Diagnostic) bool {
	return d.Class == codes.Violation && d.Accepted == "" && d.Subject != ""
}

// has reports whether a result has a diagnostic of a code on an element, accepted or not.
func has(r *finding.Result, code codes.Code, subject string) bool {
	return slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == code && d.Subject == subject })
}

// Has reports whether the draft declares the subject of a diagnostic. It is true of subjects other than documents, events and norms.
func Has(d *compile.Draft, subject string) bool {
	kind, name, _ := strings.Cut(subject, ".")
	switch {
	case kind == "document":
		return slices.ContainsFunc(d.Spec.Documents, func(doc *hclspec.Document) bool { return doc.Name == name })
	case kind == "event":
		return d.Event(name) != nil
	case construct.IsNorm(kind):
		return slices.ContainsFunc(d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Kind.String() == kind && (n.Name == name || n.Of == name) })
	}
	return true
}
