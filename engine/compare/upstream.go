package compare

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// Whose act a norm's own events take is told with the norm: see consented. An event that they depend on takes an act, too: who alone can fulfil the condition of a claim
// decides whether anything is owed. So an event that takes the act of others than before is told with every norm that depends on it, by the net of head: its own events need a
// place that the event fills or empties, or that another such event does. What comes through the state of another norm is told with that norm.

// A share says what one side of a norm can do by itself, or keep from happening, in one version and not in the other.
type share struct{ aloneLost, vetoLost bool }

// dependent remarks on the norms that depend on an event that takes the act of others than before, or that begin by it, where one side of them is worse off by that: it can't
// bring about alone what it could, or can't keep from coming what it could.
func (d *declaring) dependent(a finding.Act, at hcl.Range, terms []diff.Term) {
	after := dependents(d.head, a.Event)
	on := func(events ...string) bool {
		return slices.ContainsFunc(events, func(e string) bool { return after[e] })
	}
	ends := d.head.Spec.Ends
	var norms []*hclspec.Norm
	for _, n := range d.head.Spec.Norms {
		bearers, others := d.share(n.Bearers, a), d.share(n.Counterparties, a)
		bound, gain := bearers, others
		if n.Kind == hclspec.Power || n.Kind == hclspec.Permission {
			bound, gain = others, bearers
		}
		starts, acts := beginnings(n), []string{}
		for _, e := range n.Acts {
			acts = append(acts, e.Name)
		}
		worse := bound.vetoLost // it can be breached, or used, more easily
		if n.Kind != hclspec.Prohibition {
			worse = bearers.aloneLost || n.Kind != hclspec.Obligation && worse
		}
		if on(starts...) && (bound.vetoLost || gain.aloneLost) || on(acts...) && worse || on(breaches(n)...) && bound.vetoLost || on(valuesOf(n, "resumes")...) && gain.aloneLost ||
			(gain.vetoLost || bound.aloneLost) && (on(slices.Concat(valuesOf(n, "until"), valuesOf(n, "suspended_by"))...) || !n.Survives && (on("contract.ended") || ends != nil && on(ends.By...)) || on(relieving(d.head, n)...)) {
			norms = append(norms, n)
		}
		if bound.vetoLost && slices.Contains(starts, a.Event) {
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: at, terms: terms, what: "begin without the consent of those it binds", how: a.Event + ", " + othersAct})
		}
	}
	if len(norms) > 0 {
		d.relieve(relief{norms: norms, subject: "event." + a.Event, at: at, terms: terms, what: "depend on others than before", how: a.Event + ", on which depends what begins, performs or ends " + map[bool]string{true: "it", false: "them"}[len(norms) == 1]})
	}
}

// share compares what one side of a norm has to say in an event.
func (d *declaring) share(side []hclspec.Tenure, a finding.Act) (s share) {
	var who []string
	for _, t := range side {
		for _, p := range t.Parties {
			who = append(who, compile.Naming{Names: d.amended.Names}.Of(1).Reader(p))
		}
	}
	in := func(p string) bool { return slices.Contains(who, p) }
	alone := func(way []string) bool { return !slices.ContainsFunc(way, func(p string) bool { return !in(p) }) }
	without := func(way []string) bool { return !slices.ContainsFunc(way, in) }
	return share{
		aloneLost: slices.ContainsFunc(a.Was, alone) && !slices.ContainsFunc(a.Now, alone),
		vetoLost:  !slices.ContainsFunc(a.Was, without) && slices.ContainsFunc(a.Now, without),
	}
}

// beginnings returns the names of the events by which a norm begins.
func beginnings(n *hclspec.Norm) (all []string) {
	for _, s := range n.Starts {
		all = append(all, s.Event.Name)
	}
	return all
}

// relieving returns what becomes of the powers that lift, suspend or extend a norm, when they are used.
func relieving(d *compile.Draft, n *hclspec.Norm) (all []string) {
	for _, p := range d.Spec.Norms {
		if slices.Contains(p.Relieves, n) {
			all = append(all, p.Written()+actDone[p.Kind])
		}
	}
	return all
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

// dependents returns the events that an event can make possible, by the net: each needs a place that the event fills, or that another of them does. The places of norms and of the
// contract's end are left out; what becomes of norms by those events is there, too, as pay.fulfilled, and contract.ended
// if one of these ends the contract.
func dependents(d *compile.Draft, event string) map[string]bool {
	filled, after := map[int]bool{}, map[string]bool{}
	fill := func(t *petri.Transition) {
		to := slices.Concat(t.Out, t.Marks)
		for _, m := range t.Moves {
			to = append(to, m.To)
		}
		for _, p := range to {
			if p >= len(d.Owners) || slices.Contains(t.In, p) { // what formulas remember makes nothing possible
				continue
			}
			if own := d.Owners[p].Made; !construct.IsNorm(own) && own != "contract" {
				filled[p] = true
			}
		}
	}
	for i := range d.Net.Transitions {
		if t := &d.Net.Transitions[i]; t.Event >= 0 && d.Events[t.Event].Name == event {
			fill(t)
		}
	}
	for before := -1; before < len(filled); {
		before = len(filled)
		for i := range d.Net.Transitions {
			t := &d.Net.Transitions[i]
			if t.Moving { // time carries on what a clock has begun
				for _, m := range t.Moves {
					filled[m.To] = filled[m.To] || filled[m.From]
				}
			} else if t.Event >= 0 && slices.ContainsFunc(slices.Concat(t.In, t.Read), func(p int) bool { return filled[p] }) {
				after[d.Events[t.Event].Name] = true
				fill(t)
			}
		}
	}
	delete(after, event)
	for _, n := range d.Spec.Norms {
		if slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return after[e.Name] }) {
			after[n.Written()+actDone[n.Kind]] = true
			after["contract.ended"] = after["contract.ended"] || n.Kind != hclspec.Obligation && len(valuesOf(n, "ends_contract")) > 0
		}
	}
	return after
}
