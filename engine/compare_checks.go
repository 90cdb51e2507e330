package engine

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A built-in check of class violation is a promise as well: never to reach a bad state. It is sorted as one.

// completion sorts the checks of the declared final states; an accepted one is no objection. What is promised is one thing, that a final state can
// always be reached, whichever check reports that it is lost.
func (s *sorting) completion(ctx context.Context) {
	c := s.review
	if c.Head.Model.States != nil && s.asked.lostFinal != nil {
		s.add(Finding{Kind: Undecided, Name: string(s.asked.lostFinal.Code), Check: s.asked.lostFinal})
	}
	lost := s.lostWay(ctx)
	for _, code := range []codes.Code{"dead-end", "no-option-to-complete"} {
		was, now := failed(c.Base, code), failed(c.Head, code)
		switch {
		case now != nil && lost == nil:
			s.add(Finding{Kind: New, Name: string(code), Check: now})
		case now != nil:
			kind, way := sortWay(lost.of(code))
			if way.New {
				lost.shown, now.Trace = true, lost.trace
				s.draft.name(now)
			}
			s.add(Finding{Kind: kind, Name: string(code), Check: now, Way: way})
		case s.silent(code):
		default:
			if now, kind := s.formerly(was, first(s.asked.Completion, code)); now != nil {
				s.add(Finding{Kind: kind, Name: string(code), Check: now})
			}
		}
	}
	if lost != nil && lost.New && !lost.shown {
		kind, way := sortWay(&lost.Way)
		s.add(Finding{Kind: kind, Name: string(lost.code), Check: s.lostBy(lost), Way: way})
	}
	s.finalGivenUp()
}

// A lostWay is how both versions lose every final state.
type lostWay struct {
	Way
	code  codes.Code // the check that reports where a new way ends
	trace *Trace
	shown bool
}

// of is the way that a finding of a check is of.
func (l *lostWay) of(code codes.Code) *Way {
	if l.New && l.code != code {
		return &Way{}
	}
	return &l.Way
}

// lostWay compares how both versions lose every final state; nil where head does not, or where base does not.
func (s *sorting) lostWay(ctx context.Context) *lostWay {
	one, other := failed(s.review.Head, "dead-end"), failed(s.review.Head, "no-option-to-complete")
	now := cmp.Or(one, other)
	if now == nil || s.completes() {
		return nil
	}
	w, e := s.checkWay(ctx, now, "")
	l := &lostWay{Way: *w, code: "no-option-to-complete"}
	if w.New {
		l.trace = s.leadsThere(e)
		if s.head.stuck(e.Run.Markings[len(e.Run.Markings)-1]) {
			l.code, l.trace.DeadEnd = "dead-end", true
		}
	}
	return l
}

// lostBy is a finding of the check that did not report where a new way ends, since something else is nearer.
func (s *sorting) lostBy(l *lostWay) *Diagnostic {
	at := cmp.Or(failed(s.review.Head, "dead-end"), failed(s.review.Head, "no-option-to-complete"))
	diag := *at
	diag.Code, diag.Message, diag.Trace = l.code, s.head.completionMessage(l.code, big.NewInt(1)), l.trace
	s.draft.name(&diag)
	return &diag
}

// completes reports whether base can always reach a final state of head, as far as it is not accepted there that it can't.
func (s *sorting) completes() bool {
	c := s.review
	checks := []codes.Code{"dead-end", "no-option-to-complete"}
	own := slices.ContainsFunc(checks, func(code codes.Code) bool { return failed(c.Base, code) != nil })
	if !own {
		return true
	}
	here := true
	if s.before.final != nil {
		here = slices.ContainsFunc(checks, func(code codes.Code) bool { return first(s.before.Completion, code) != nil })
	}
	return !here
}

// silent reports whether it says nothing that head does not fail the check: it is accepted on
// either side, head has no state model, or not the names to ask base's final states with, or fails
// the other check with the same run.
func (s *sorting) silent(code codes.Code) bool {
	c := s.review
	if c.Head.Model.States == nil || s.asked.lostFinal != nil || c.Base.says(code) && failed(c.Base, code) == nil || c.Head.says(code) {
		return true
	}
	return code == "no-option-to-complete" && c.Head.says("dead-end") && first(s.asked.Completion, code) == nil
}

func (r *Result) says(code codes.Code) bool {
	return r != nil && slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool { return d.Code == code })
}

// formerly sorts a check that fails on base, or with base's final states on head, and no longer
// otherwise; either may be nil.
func (s *sorting) formerly(was, again *Diagnostic) (*Diagnostic, Kind) {
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

// checks sorts the built-in checks of class violation that concern one element each. An accepted one
// is no objection. What is gone is repaired only if head still has the element, and a state model.
func (s *sorting) checks(ctx context.Context) {
	c := s.review
	for i := range c.Head.Diagnostics {
		now := &c.Head.Diagnostics[i]
		if !objection(now) {
			continue
		}
		was := s.formerSubject(now)
		kind, way := New, (*Way)(nil)
		if was != "" {
			w, e := s.checkWay(ctx, now, was)
			if kind, way = sortWay(w); kind == New {
				now.Trace = s.leadsThere(e)
				s.draft.name(now)
			}
		}
		s.add(Finding{Kind: kind, Name: string(now.Code), Check: now, Way: way})
	}
	if c.Base == nil || c.Head.Model.States == nil {
		return
	}
	for i := range c.Base.Diagnostics {
		was := &c.Base.Diagnostics[i]
		if objection(was) && !c.Head.has(was.Code, s.amended.subject(was)) && s.draft.has(s.amended.subject(was)) {
			s.add(Finding{Kind: Repaired, Name: string(was.Code), Check: was})
		}
	}
}

// acceptedAnew looks for new ways in which head fails a check that it accepts and that base failed, too: what base accepts does not cover them.
func (s *sorting) acceptedAnew(ctx context.Context) {
	c := s.review
	if c.Base == nil {
		return
	}
	c.anew = map[string]string{}
	for _, now := range c.Head.Diagnostics {
		i := slices.IndexFunc(c.Base.Diagnostics, func(was Diagnostic) bool { return was.Code == now.Code && s.amended.subject(&was) == now.Subject })
		if now.Class != codes.Violation || now.Accepted == "" || i < 0 {
			continue
		}
		w, e := s.checkWay(ctx, &now, c.Base.Diagnostics[i].Subject)
		switch {
		case w.New:
			now.Trace = s.leadsThere(e)
			now.Trace.DeadEnd = now.Code == "dead-end" && s.head.stuck(e.Run.Markings[len(e.Run.Markings)-1])
			s.draft.name(&now)
			c.anew[string(now.Code)+" "+now.Subject] = now.Run
		case w.Unknown != "":
			c.anew[string(now.Code)+" "+now.Subject] = ""
		}
	}
}

// formerSubject returns what the same finding is about on base, in base's names; empty where base has none that counts.
func (s *sorting) formerSubject(now *Diagnostic) string {
	if s.review.Base == nil {
		return ""
	}
	for _, was := range s.review.Base.Diagnostics {
		if was.Code != now.Code || was.Accepted != "" {
			continue
		}
		if s.amended.subject(&was) == now.Subject {
			return was.Subject
		}
	}
	return ""
}

// checkWay compares how both versions fail a built-in check, and returns the run of a new way.
func (s *sorting) checkWay(ctx context.Context, now *Diagnostic, was string) (*Way, *ctl.Evidence) {
	f, why := s.followed()
	if f == nil {
		return &Way{Unknown: why}, nil
	}
	promise := f.neverBad(now, was)
	if was == "" && s.before.final != nil {
		promise.base = never(lostTo(s.before.final))
	}
	if promise.head == nil || promise.base == nil {
		return &Way{Unknown: "what is checked can't be asked of both versions"}, nil
	}
	return f.way(ctx, promise, nil, s.budget)
}

// leadsThere is the run to a bad state.
func (s *sorting) leadsThere(e *ctl.Evidence) *Trace {
	t := s.head.trace(e, hclspec.CTL.String())
	t.Claim, t.Then = "", nil
	return t
}

// stuck reports whether nothing can happen in a marking.
func (d *Draft) stuck(m petri.Marking) bool {
	for t := range d.Net.Transitions {
		if d.Net.Fireable(m, t) {
			return false
		}
	}
	return true
}

// neverBad is the promise that a built-in check holds both versions to. A finding without a subject is of the final states; was is the subject on base.
func (f *stepwise) neverBad(now *Diagnostic, was string) (w pledge) {
	on := func(d *Draft, subject string) *ctl.Formula {
		if bad := d.bad(now.Code, subject); bad != nil {
			return never(bad)
		}
		return nil
	}
	w.head, w.base = on(f.head.Draft, now.Subject), on(f.base.Draft, was)
	return w
}

// bad is what a built-in check of class violation looks for; nil where the draft has nothing to check.
func (d *Draft) bad(code codes.Code, subject string) *ctl.Formula {
	_, name, _ := strings.Cut(subject, ".")
	switch code {
	case "dead-end", "no-option-to-complete":
		if d.Final != nil {
			return lostTo(d.Final)
		}
	case "document-held-twice":
		return twice(d.held[name])
	case "obliged-and-forbidden", "permitted-and-forbidden":
		if i := slices.IndexFunc(d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Name == name }); i >= 0 {
			bad, _ := d.clash(d.Spec.Norms[i])
			return bad
		}
	}
	return nil
}

// objection says whether a finding is a violation that nobody accepted, other than of the declared final states.
func objection(d *Diagnostic) bool {
	return d.Class == codes.Violation && d.Accepted == "" && d.Subject != ""
}

// has says whether there is a finding of a code on an element, accepted or not.
func (r *Result) has(code codes.Code, subject string) bool {
	return slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool { return d.Code == code && d.Subject == subject })
}

// has says whether the draft still declares what a finding was about.
func (d *Draft) has(subject string) bool {
	kind, name, _ := strings.Cut(subject, ".")
	switch kind {
	case "document":
		return slices.ContainsFunc(d.Spec.Documents, func(doc *hclspec.Document) bool { return doc.Name == name })
	case hclspec.Obligation.String(), hclspec.Prohibition.String(), hclspec.Permission.String(), hclspec.Power.String():
		return slices.ContainsFunc(d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Kind.String() == kind && n.Name == name })
	}
	return true
}
