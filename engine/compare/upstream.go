package compare

import (
	"slices"

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
// place that the event fills, or that another such event fills. What comes through the state of another norm is told with that norm.

// dependent remarks on the norms that depend on an event that takes the act of others than before, where one side of them is worse off by that, and on those that begin by it
// without the consent of those they bind.
func (d *declaring) dependent(a finding.Act, at hcl.Range, terms []diff.Term) {
	after := dependents(d.head, a.Event)
	var norms []*hclspec.Norm
	for _, n := range d.head.Spec.Norms {
		bound, gain := d.share(n.Bearers, a), d.share(n.Counterparties, a)
		if n.Kind == hclspec.Power || n.Kind == hclspec.Permission {
			bound, gain = gain, bound
		}
		if d.worse(n, bound, gain, after) {
			norms = append(norms, n)
		}
		if bound.vetoLost && slices.ContainsFunc(n.Starts, func(s hclspec.Start) bool { return s.Event.Name == a.Event }) {
			d.relieve(relief{norms: []*hclspec.Norm{n}, at: at, terms: terms, what: "begin without the consent of those it binds", how: a.Event + ", " + othersAct})
		}
	}
	if len(norms) > 0 {
		it := map[bool]string{true: "it", false: "them"}[len(norms) == 1]
		d.relieve(relief{norms: norms, subject: "event." + a.Event, at: at, terms: terms, what: "depend on others than before", how: a.Event + ", on which depends what begins, performs or ends " + it})
	}
}

// A share says what one side of a norm can't do any more in an event that takes others: bring it about alone, or keep it from happening.
type share struct{ aloneLost, vetoLost bool }

// worse reports whether the events of a norm depend on one in which those whom it binds, or those who gain by it, have lost something that matters to them there.
func (d *declaring) worse(n *hclspec.Norm, bound, gain share, after map[string]bool) bool {
	on := func(what ...string) bool {
		return slices.ContainsFunc(what, func(w string) bool { return after[w] })
	}
	begins := slices.ContainsFunc(n.Starts, func(s hclspec.Start) bool { return after[s.Event.Name] })
	acts := slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return after[e.Name] })
	ends := on(valuesOf(n, "until")...) || on(valuesOf(n, "suspended_by")...) || on(relieving(d.head, n)...)
	if !n.Survives {
		ends = ends || on("contract.ended") || d.head.Spec.Ends != nil && on(d.head.Spec.Ends.By...)
	}
	performed := map[hclspec.NormKind]bool{
		hclspec.Obligation:  bound.aloneLost,
		hclspec.Prohibition: bound.vetoLost,
		hclspec.Permission:  gain.aloneLost || bound.vetoLost,
		hclspec.Power:       gain.aloneLost || bound.vetoLost,
	}
	return begins && (bound.vetoLost || gain.aloneLost) || acts && performed[n.Kind] || ends && (gain.vetoLost || bound.aloneLost) ||
		on(breaches(n)...) && bound.vetoLost || on(valuesOf(n, "resumes")...) && gain.aloneLost
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

// relieving returns what becomes of the powers that lift, suspend or extend a norm, when they are used.
func relieving(d *compile.Draft, n *hclspec.Norm) (all []string) {
	for _, p := range d.Spec.Norms {
		if slices.Contains(p.Relieves, n) {
			all = append(all, p.Written()+actDone[p.Kind])
		}
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
