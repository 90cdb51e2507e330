package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// The norms of base that something new lifts, suspends, extends, passes on, ends with the contract or keeps from beginning after its end are written as before,
// and less may be owed. What is known never to come about relieves nothing.

// ended says of norms what something new does to them: they end with the contract.
const ended = "end with the contract"

// reliefs returns what relieves norms and is new.
func (d *declaring) reliefs() (all []relief) {
	for _, change := range d.amended.Changes {
		switch {
		case change.Element == diff.TheContract:
			if by := d.newEnds(); len(by) > 0 {
				subject := map[bool]string{true: "event." + by[0]}[len(by) == 1 && d.head.Event(by[0]) != nil]
				all = append(all, relief{norms: d.ending(), subject: subject, at: change.Head, terms: change.Terms, what: ended, how: strings.Join(by, " or ") + ", which did not end it before"})
			}
		case isNorm(change.Element) && change.Action == diff.Added && !has(d.review.Head, "norm-never-arises", normSubject(change)):
			by := d.head.Spec.Norms[slices.IndexFunc(d.head.Spec.Norms, func(n *hclspec.Norm) bool { return n.Written() == change.Name })]
			add := func(norms []*hclspec.Norm, what string) {
				all = append(all, relief{norms: norms, subject: normSubject(change), at: by.Range, terms: change.Terms, what: what, how: "the new " + by.Called()})
			}
			add(by.Relieves, "be lifted, suspended or extended")
			add(d.named(valuesOf(by, "assigns")), "be passed on")
			if len(valuesOf(by, "ends_contract")) > 0 {
				add(d.ending(), ended)
			}
		}
	}
	return all
}

// lapses remarks once on the norms that stand otherwise only in that they are over with the contract, which something new ends, if they are several.
func (d *declaring) lapses(all []relief) {
	all = slices.DeleteFunc(slices.Clone(all), func(by relief) bool { return by.what != ended })
	other := func(c diff.Change) bool {
		return c.Action != diff.Added && c.Element != diff.Requirement && c.Element != diff.TheContract
	}
	if len(all) != 1 || all[0].subject == "" || slices.ContainsFunc(d.amended.Changes, other) {
		return // none, or it is not known which
	}
	by := all[0]
	by.norms = slices.DeleteFunc(slices.Clone(by.norms), func(n *hclspec.Norm) bool { return !d.lapsed(n) })
	if len(by.norms) < 2 {
		return
	}
	owed, i := d.owed().All(), 0
	var said []string
	shown := 0
	for _, n := range by.norms {
		at := slices.IndexFunc(owed, func(o finding.NormDifference) bool { return isOf(&o, n) })
		said = append(said, fmt.Sprintf("Of the %s %s: %s", n.Called(), bound(n), d.each(&owed[at], described)))
		if len(said) == 1 || len(owed[at].Run) < len(owed[i].Run) {
			i, shown = at, len(said)-1
		}
	}
	one := d.relieving(by)
	one.Detail, one.Trace = one.Detail+" "+said[shown], shownRun(&owed[i])
	of := map[diff.Side]*compile.Draft{diff.InBase: d.base, diff.InHead: d.head, diff.InBoth: d.head}[owed[i].Side]
	one.Run = of.Fingerprint(string(one.Code)+" "+one.Run+" "+strings.Join(said, " "), one.Trace)
	d.remark(one, effectSome)
	d.lapsing = by.norms
}

// lapsed reports whether a norm stands otherwise only where the contract is over on head and not on base: there it does not bind any more.
func (d *declaring) lapsed(n *hclspec.Norm) bool {
	some := false
	for _, o := range d.owed().All() {
		if !isOf(&o, n) {
			continue
		}
		if some = slices.ContainsFunc(o.Ends.Now, func(p finding.PartyState) bool {
			return p.Party == finding.EndOfContract && slices.Equal(p.Places, []string{"ended"})
		}); !some {
			return false
		}
	}
	return some
}

// isOf reports whether a difference is of a norm of head.
func isOf(o *finding.NormDifference, n *hclspec.Norm) bool {
	return o.Norm == n.Name && o.Kind == n.Kind.String()
}

// A relief is something new by which norms may come to an end.
type relief struct {
	norms     []*hclspec.Norm
	subject   string // what is new, as an accept names it; "" for what is not
	at        hcl.Range
	terms     []diff.Term
	what, how string
	run       *finding.Trace // shows it; nil: nothing does
}

// relieve remarks on norms that base has: on each by its own name, or on several at once by that of what is new and relieves them. The occurrences of a norm are
// one. A remark that a norm has already says it, too, and is named by both.
func (d *declaring) relieve(by relief) {
	var left []*hclspec.Norm
	also := map[int][]*hclspec.Norm{}
	for _, n := range by.norms {
		whole := *n
		whole.Name, whole.Of, whole.Nth = n.Written(), "", 0
		switch on := d.on(n); {
		case d.added(n), by.what == ended && slices.Contains(d.lapsing, n):
		case len(on) > 0:
			for _, i := range on {
				also[i] = append(also[i], n)
			}
		case !slices.ContainsFunc(left, func(o *hclspec.Norm) bool { return o.Name == whole.Name }):
			left = append(left, &whole)
		}
	}
	for i, of := range also {
		r, whom := &d.said[i], "it"
		if n := of[0]; len(of) == 1 && n.Nth > 0 && r.Subject != n.Kind.String()+"."+n.Name {
			whom = "the " + hclspec.Ordinal(n.Nth)
		}
		r.Detail = strings.TrimSpace(fmt.Sprintf("%s The amendment lets %s %s: by %s.", r.Detail, whom, by.what, by.how))
		r.Run = changeRun(&r.Diagnostic, append(by.named(), diff.Term{Word: "besides", Was: r.Run}))
		r.effect = effectSome
	}
	size := 1
	if by.subject != "" {
		size = max(len(left), 1)
	}
	for by.norms = range slices.Chunk(left, size) {
		d.remark(d.relieving(by), effectSome)
	}
}

// named returns the terms by which an accept names a relief.
func (by relief) named() []diff.Term {
	return append(slices.Clone(by.terms), diff.Term{Word: by.what, Now: by.how})
}

// relieving returns the remark on what relieves norms.
func (d *declaring) relieving(by relief) finding.Diagnostic {
	var names, called []string
	for _, n := range by.norms {
		names, called = append(names, n.Kind.String()+"."+n.Name), append(called, fmt.Sprintf("the %s %s", n.Called(), bound(n)))
	}
	subject, which, terms, detail := names[0], called[0], by.named(), ""
	if more := len(called) - 1; more > 0 {
		subject, which = by.subject, fmt.Sprintf("%d norms", len(called))
		terms = append(terms, diff.Term{Word: "relieves", Now: strings.Join(names, ", ")})
		detail = "These are " + strings.Join(called[:more], ", ") + " and " + called[more] + "."
	}
	one := explain.NewDiagnostic(d.head, "norm-changed", subject, by.at, fmt.Sprintf("The amendment lets %s %s: by %s.", which, by.what, by.how), detail)
	one.Run, one.Trace = changeRun(&one, terms), by.run
	return one
}

// ending returns the norms of head that the end of the contract ends.
func (d *declaring) ending() (all []*hclspec.Norm) {
	for _, n := range d.head.Spec.Norms {
		if !n.Survives {
			all = append(all, n)
		}
	}
	return all
}

// named returns the norms of head with the given names.
func (d *declaring) named(names []string) (all []*hclspec.Norm) {
	for _, n := range d.head.Spec.Norms {
		if slices.Contains(names, n.Written()) {
			all = append(all, n)
		}
	}
	return all
}

// newEnds returns the events and changes of norms that end the contract for good on head and not on base.
func (d *declaring) newEnds() (by []string) {
	if d.head.Spec.Ends == nil {
		return nil
	}
	before := map[string]bool{}
	if d.base.Spec.Ends != nil {
		for _, was := range d.base.Spec.Ends.By {
			event, _ := d.amended.Names.Head(diff.Event, was)
			change, _ := d.amended.Names.HeadPlace(was)
			before[event], before[change] = true, true
		}
	}
	for _, now := range d.head.Spec.Ends.By {
		if !before[now] && !has(d.review.Head, "event-never-happens", "event."+now) {
			by = append(by, now)
		}
	}
	return by
}

// outlived remarks on norms that survive the contract, and that an event began after its end that can't happen then any more: something that ends with the
// contract names it, too.
func (d *declaring) outlived() {
	was := d.base.Spec.Ends
	if d.head.Spec.Ends == nil {
		return
	}
	before := map[string]bool{}
	for _, e := range d.base.Spec.Events {
		if was == nil || e.Survives {
			now, _ := d.amended.Names.Head(diff.Event, e.Name)
			before[now] = true
		}
	}
	for _, n := range d.head.Spec.Norms {
		for _, s := range n.Starts {
			if n.Survives && before[s.Event.Name] && !s.Event.Survives {
				terms := []diff.Term{{Word: "survives", Was: s.Event.Name}}
				d.relieve(relief{norms: []*hclspec.Norm{n}, at: s.Event.Range, terms: terms, what: "no longer begin once the contract has ended", how: s.Event.Name + ", which can't happen then any more"})
			}
		}
	}
}

// othersAct says of an event that it takes the act of others.
const othersAct = "which takes the act of others than before"

// actTerms returns the terms by which an accept names that an event takes the act of others.
func actTerms(a finding.Act) []diff.Term {
	return []diff.Term{{Word: "takes", Was: fmt.Sprint(a.Was), Now: fmt.Sprint(a.Now)}}
}

// byOthers remarks on what an event of both versions relieves or fulfils that takes the act of others than before, and on norms that stay suspended since what resumes
// them does.
func (d *declaring) byOthers(a finding.Act, at hcl.Range) {
	terms := actTerms(a)
	if a.Freer() {
		d.relievedBy(a.Event, at, terms, othersAct)
	}
	if a.Harder() {
		for _, n := range d.head.Spec.Norms {
			if slices.Contains(valuesOf(n, "resumes"), a.Event) {
				of := n.Relieves
				if n.Kind == hclspec.Obligation { // by its own words
					of = []*hclspec.Norm{n}
				}
				d.relieve(relief{norms: of, at: at, terms: terms, what: "stay suspended", how: a.Event + ", " + othersAct})
			}
		}
	}
	d.consented(a, at, terms, a.Event+", "+othersAct)
}

// actDone has what becomes of a norm by its act.
var actDone = map[hclspec.NormKind]string{hclspec.Obligation: ".fulfilled", hclspec.Prohibition: ".breached", hclspec.Power: ".exercised"}

// actOf reports whether an event is the act of a norm.
func actOf(n *hclspec.Norm, event string) bool {
	return slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return e.Name == event })
}

// relievedBy remarks on the norms that an event ends with the contract, or ends by itself, or that a power lifts, suspends, extends or passes on by it.
func (d *declaring) relievedBy(event string, at hcl.Range, terms []diff.Term, which string) {
	occasions := []string{event}
	how := event + ", " + which
	for _, n := range d.head.Spec.Norms {
		if !actOf(n, event) {
			continue
		}
		occasions = append(occasions, n.Written()+actDone[n.Kind])
		if n.Kind == hclspec.Obligation {
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: at, terms: terms, what: "be fulfilled", how: how})
		}
		d.relieve(relief{norms: n.Relieves, at: at, terms: terms, what: "be lifted, suspended or extended", how: how})
		d.relieve(relief{norms: d.named(valuesOf(n, "assigns")), at: at, terms: terms, what: "be passed on", how: how})
		if n.Kind != hclspec.Obligation && len(valuesOf(n, "ends_contract")) > 0 {
			d.relieve(relief{norms: d.ending(), at: at, terms: terms, what: "end with the contract", how: how})
		}
	}
	brings := func(by string) bool { return slices.Contains(occasions, by) }
	if d.head.Spec.Ends != nil && slices.ContainsFunc(d.head.Spec.Ends.By, brings) {
		d.relieve(relief{norms: d.ending(), at: at, terms: terms, what: "end with the contract", how: how})
	}
	for _, n := range d.head.Spec.Norms {
		if slices.ContainsFunc(valuesOf(n, "until"), brings) {
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: at, terms: terms, what: "end", how: how})
		}
		if slices.ContainsFunc(valuesOf(n, "suspended_by"), brings) {
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: at, terms: terms, what: "be suspended", how: how})
		}
	}
}

// valuesOf returns the values of an attribute of a norm.
func valuesOf(n *hclspec.Norm, word string) []string {
	for _, t := range n.Terms {
		if t.Word == word {
			return strings.Split(t.Value, ", ")
		}
	}
	return nil
}
