package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// What a norm comes to takes events: one brings it about, others fulfil, use or breach it. A norm is as written and yet worth less if its event takes the
// consent of others now, or can't happen where it binds. After the same steps the same is owed, so no row tells of it.

// outOfReach says what a check of head newly finds of a norm.
var outOfReach = []struct {
	code      codes.Code
	what, how string
}{
	{"norm-never-arises", "never begin", "what begins it, which can't come about any more, or only where it can't begin"},
	{"power-never-usable", "be there where it can't be used", "what uses it, which can't come about there any more"},
	{"power-forbidden", "be used by a breach alone", "what uses it, which is forbidden now"},
}

// unreachable remarks on norms that can't begin any more, and on those but obligations that bind where what they come to can't come about.
func (d *declaring) unreachable() {
	for _, n := range d.head.Spec.Norms {
		for _, of := range outOfReach {
			if d.newly(of.code, n.Kind.String()+"."+n.Name) {
				d.relieve(relief{norms: []*hclspec.Norm{n}, at: n.Range, terms: []diff.Term{{Word: string(of.code)}}, what: of.what, how: of.how})
			}
		}
		idle := func(e *hclspec.Event) bool { return !d.newly("event-never-happens", "event."+e.Name) }
		if n.Kind == hclspec.Prohibition && !slices.ContainsFunc(n.Acts, idle) {
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: n.Range, terms: []diff.Term{{Word: "forbids", Now: "nothing"}}, what: "forbid nothing", how: "what it forbids, which can't come about any more"})
		}
	}
}

// unfulfillable remarks on obligations that are never fulfilled any more, and on those that can be owed now where nobody can fulfil them.
func (d *declaring) unfulfillable() {
	if unfinished(d.review.Base) {
		return // how it was before is not known: see unsure
	}
	for _, n := range d.head.Spec.Norms {
		now, was := d.now[n.Kind.String()+"."+n.Name], d.before(n)
		shown := slices.ContainsFunc(d.review.Difference.Gone, func(t finding.Turn) bool { return t.How == finding.TurnFulfilled && t.Norm == n.Name }) // told with a run: see foreseen
		var terms []diff.Term
		what, how := "be owed where it can't be fulfilled", "what fulfils it, which can't come about there any more"
		switch {
		case now == nil || has(d.review.Head, "norm-never-arises", n.Kind.String()+"."+n.Name):
		case was.Ever && !now.Ever:
			terms = []diff.Term{{Word: "fulfilment", Now: "never"}}
			what, how = "never be fulfilled", "what fulfils it, which can't come about any more while it is owed"
		case !shown && (now.UsedUp && !was.UsedUp || now.Lost && !was.Lost):
			terms = []diff.Term{{Word: "fulfilment", Now: "out of reach"}}
		}
		if terms != nil {
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: n.Range, terms: terms, what: what, how: how})
		}
	}
}

// turned remarks on norms that begin, are used, are resumed or end by an event that one version has after the same steps, and the other refuses.
func (d *declaring) turned() {
	for _, t := range d.review.Difference.Turns {
		n, lost := d.headNorm(t.Norm), t.Side == diff.InBase
		switch subject := n.Kind.String() + "." + n.Name; {
		case lost && (d.newly("norm-never-arises", subject) || t.How == finding.TurnUsed && d.newly("power-never-usable", subject)):
			continue // which is said
		case !lost && (d.isNew(t.Event) || t.How == finding.TurnUsed && len(n.Relieves) > 0):
			continue // which is said
		}
		what := map[finding.TurnKind]string{finding.TurnBegins: "begin", finding.TurnUsed: "be used", finding.TurnResumes: "be resumed", finding.TurnEnds: "end, be suspended or extended"}[t.How]
		how, of := "in more cases", d.head
		why := t.Called + ", which could not come about there before"
		if lost {
			how, of, why = "in fewer cases", d.base, t.Called+", which can't come about any more where it could"
		}
		run := &finding.Trace{Claim: why, Prefix: t.Run, Ends: &finding.Ends{Side: t.Side, Refused: true}}
		d.relieve(relief{norms: []*hclspec.Norm{n}, at: n.Range, terms: []diff.Term{{Word: "turns", Was: t.Event, Now: of.Fingerprint("turns", run)}}, what: what + " " + how, how: why, run: run})
	}
}

// foreseen remarks on norms that can't begin, be used or be fulfilled any more after some step of head, and could on base.
func (d *declaring) foreseen() {
	for _, t := range d.review.Difference.Gone {
		n := d.headNorm(t.Norm)
		if slices.ContainsFunc(d.review.Difference.Turns, func(o finding.Turn) bool {
			return o.Side == diff.InBase && o.How == t.How && o.Norm == t.Norm
		}) {
			continue // which is said
		}
		can := map[finding.TurnKind]string{finding.TurnBegins: "begin", finding.TurnUsed: "be used", finding.TurnFulfilled: "be fulfilled", finding.TurnFulfilledAlone: "be fulfilled without others"}[t.How]
		what, how := "come to nothing", t.Called
		if t.How == finding.TurnFulfilledAlone {
			what = "take the act of others"
		}
		run := &finding.Trace{Prefix: t.Run, Ends: &finding.Ends{Side: t.Side, Alone: true}}
		switch terms := []diff.Term{{Word: "gone", Now: d.head.Fingerprint("gone", run)}}; {
		case len(t.Run) == 0:
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: n.Range, terms: terms, what: what, how: "what fulfils it, which can't come about without them from the start, as it could before"})
			continue
		case t.Run[len(t.Run)-1].Step > 1:
			how = fmt.Sprintf("%d steps, the last of them %s", t.Run[len(t.Run)-1].Step, how)
			fallthrough
		default:
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: n.Range, terms: terms, what: what, how: how + ", after which it can't " + can + " any more, as it could before" + d.withoutFreer(t.Run), run: run})
		}
	}
}

// withoutFreer names the events of a run that take the act of fewer now: base, which is compared without them, may have them by the act of more. It returns "" if there are none.
func (d *declaring) withoutFreer(run []finding.Firing) string {
	var names []string
	for _, a := range d.review.Difference.Acts {
		if a.Freer() && slices.ContainsFunc(run, func(f finding.Firing) bool { return f.Event == a.Event }) {
			names = append(names, a.Event)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " without " + strings.Join(names, " and ") + ", which others than before bring about now"
}

// headNorm returns the norm of head of a name, which has to exist.
func (d *declaring) headNorm(name string) *hclspec.Norm {
	return d.head.Spec.Norms[slices.IndexFunc(d.head.Spec.Norms, func(n *hclspec.Norm) bool { return n.Name == name })]
}

// isNew reports whether an event of head is none of base.
func (d *declaring) isNew(event string) bool {
	return slices.ContainsFunc(d.amended.Changes, func(c diff.Change) bool { return c.Element == diff.Event && c.Action == diff.Added && c.Name == event })
}

// before returns how an obligation of head could be fulfilled on base: an occurrence as that with its number or, if base lacks that, as the last before it.
func (d *declaring) before(n *hclspec.Norm) (all verify.Fulfilment) {
	for _, o := range d.base.Spec.Norms {
		subject := o.Kind.String() + "." + o.Name
		if was := d.was[subject]; was != nil && o.Nth <= max(n.Nth, 1) && compile.WithoutIndex(d.amended.Subject(&finding.Diagnostic{Subject: subject})) == n.Kind.String()+"."+n.Written() {
			all = *was
		}
	}
	return all
}

// newly reports whether a check of head is about a subject, and none of base is about it or another occurrence of it. Where base's checks were not finished
// that is not known: see unsure.
func (d *declaring) newly(code codes.Code, subject string) bool {
	return !unfinished(d.review.Base) && has(d.review.Head, code, subject) && !slices.ContainsFunc(d.review.Base.Diagnostics, func(o finding.Diagnostic) bool {
		return o.Code == code && compile.WithoutIndex(d.amended.Subject(&o)) == compile.WithoutIndex(subject)
	})
}

// consented remarks on norms that come to something by an event that takes the act of others than before: if a way of base is gone, on those that it fulfils, uses or
// brings about; if one is new, on those that it breaches.
func (d *declaring) consented(a finding.Act, at hcl.Range, terms []diff.Term, how string) {
	gone, fresh := a.Harder(), a.Freer()
	for _, n := range d.head.Spec.Norms {
		say := func(when bool, what string) {
			if when {
				d.relieve(relief{norms: []*hclspec.Norm{n}, at: at, terms: terms, what: what, how: how})
			}
		}
		begins := slices.ContainsFunc(n.Starts, func(s hclspec.Start) bool { return s.Event.Name == a.Event })
		say(gone && begins, "become harder to bring about")
		switch acts := actOf(n, a.Event); n.Kind {
		case hclspec.Obligation:
			say(gone && acts, "become harder to fulfil")
			say(fresh && slices.Contains(breaches(n), a.Event), "be breached more easily")
		case hclspec.Prohibition:
			say(fresh && acts, "be breached more easily")
		default:
			say(gone && acts, "become harder to use")
		}
	}
}

// breaches returns the names of the events that breach an obligation, or before which it has to be fulfilled.
func breaches(n *hclspec.Norm) []string {
	all := valuesOf(n, "breach")
	for _, before := range valuesOf(n, "before") {
		event, _, _ := strings.Cut(before, " = ")
		all = append(all, event)
	}
	return all
}
