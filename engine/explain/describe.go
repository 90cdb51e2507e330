package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// This file describes single markings and transitions of a draft, without a state model. Simulations and conformance checks of logs use it.

// TransitionName returns the canonical name of a composed transition: the names of its parts, joined by +. If only time takes part, it
// returns the name of its event. Several transitions may share a name: see package conform.
func TransitionName(d *compile.Draft, t int) string {
	tr := d.Net.Transitions[t]
	var parts []string
	for _, p := range tr.Parts {
		if !d.Parties[p.Net].Bookkeeping() {
			parts = append(parts, d.Named(p))
		}
	}
	if len(parts) == 0 {
		return d.Events[tr.Event].Name
	}
	return strings.Join(parts, "+")
}

// Event returns the event of a composed transition, or nil for a transition that no event mentions.
func Event(d *compile.Draft, t int) *hclspec.Event {
	if e := d.Net.Transitions[t].Event; e >= 0 {
		return d.Events[e]
	}
	return nil
}

// Actors returns the parties that take part in a composed transition, in net order, without nets for bookkeeping.
func Actors(d *compile.Draft, t int) []*hclspec.Party {
	var list []*hclspec.Party
	for _, p := range d.Net.Transitions[t].Parts {
		if !d.Parties[p.Net].Bookkeeping() {
			list = append(list, d.Parties[p.Net])
		}
	}
	return list
}

// Called returns the words for a party in lists: its name, or Purchaser 1 (goods).
func Called(d *compile.Draft, p *hclspec.Party) string { return cmp.Or(d.Calls[p.Name], p.Name) }

// Truth returns the value of a formula in a marking. Known is false if the marking alone does not decide it.
func Truth(d *compile.Draft, m petri.Marking, f *ctl.Formula) (value, known bool) {
	return (&Replayer{}).Value(m, f)
}

// Lacks returns the places that a composed transition needs and that are not marked, by party.
func Lacks(d *compile.Draft, m petri.Marking, t int) []finding.PartyState {
	var list []finding.PartyState
	tr := &d.Net.Transitions[t]
	for i, place := range d.AllPlaces {
		if m.Has(i) || !petri.Marking(tr.In).Has(i) && !petri.Marking(tr.Read).Has(i) {
			continue
		}
		name := d.Owners[i].Name
		if len(list) == 0 || list[len(list)-1].Party != name {
			list = append(list, finding.PartyState{Party: name, Called: d.Calls[name]})
		}
		last := &list[len(list)-1]
		last.Places = append(last.Places, compile.Word(place))
	}
	return list
}

// Collision describes the contact of firing a transition that would put a second token on a place.
func Collision(d *compile.Draft, place int) string {
	if p := d.AllPlaces[place]; p.Kind == hclspec.CounterBound {
		return fmt.Sprintf("counter %s.%s would leave its bounds", d.Owners[place].Name, p.Counter)
	}
	return fmt.Sprintf("place %s would hold two tokens", d.Net.Places[place])
}

// A Due is the state of a norm in a marking in which it binds or has been breached.
type Due struct {
	Norm                 *hclspec.Norm
	By, To               []*hclspec.Party // who bears it in that marking, several jointly, and to whom it is owed
	Bearer, Counterparty string           // these as in a sentence: the seller; no counterparty: empty
	Breached             bool
	State                string // owed, suspended, in force, given, held, breached
	Left                 int    // ticks until its time is over, which stands still while it is suspended; 0: it has no time
	Unit                 string // of a tick: day; tick if the contract does not say
	Within               int    // ticks it has in all, but for those that powers add; 0: no time is set
	Idle                 bool   // of a permission or a power: nothing that makes use of it can happen there
}

// Duties holds the places of a draft's norms.
type Duties struct {
	draft *compile.Draft
	at    []dutyPlaces // by norm
}

// dutyPlaces are the places of one norm's net.
type dutyPlaces struct {
	on, breached, suspended int      // suspended, breached: -1 if there is none
	tenures                 [2][]int // the places of its bearers and counterparties; -1: always
	left, kept              []int    // left[i] is marked when i+1 ticks are left, kept[i] while it is suspended with these
	uses                    []int    // the transitions that make use of a permission or a power
}

// DutiesOf finds the places of a draft's norms.
func DutiesOf(d *compile.Draft) *Duties {
	at, list := d.PlacesAt(), make([]dutyPlaces, len(d.Spec.Norms))
	for i, n := range d.Spec.Norms {
		list[i] = dutyPlaces{on: at[n.On()], breached: -1, suspended: -1}
		for side, tenures := range [][]hclspec.Tenure{n.Bearers, n.Counterparties} {
			for _, t := range tenures {
				place := -1
				if t.While != nil {
					place = at[t.While]
				}
				list[i].tenures[side] = append(list[i].tenures[side], place)
			}
		}
		if p := n.Suspended(); p != nil {
			list[i].suspended = at[p]
		}
		if p := n.Breached(); p != nil {
			list[i].breached = at[p]
		}
		if n.Kind == hclspec.Permission || n.Kind == hclspec.Power {
			for _, e := range n.Acts {
				list[i].uses = append(list[i].uses, d.TransitionsOf(e)...)
			}
		}
		for _, p := range n.Net.Places {
			switch p.Kind {
			case hclspec.ClockLeft:
				if n.Lead == nil { // that time makes nothing due
					list[i].left = append(list[i].left, at[p])
				}
			case hclspec.ClockKept:
				list[i].kept = append(list[i].kept, at[p])
			}
		}
	}
	return &Duties{d, list}
}

// In returns the norms that bind or are breached in a marking, in the order of the text.
func (d *Duties) In(m petri.Marking) []Due {
	var list []Due
	for i, n := range d.draft.Spec.Norms {
		if at := d.at[i]; m.Has(at.on) || at.breached >= 0 && m.Has(at.breached) || at.suspended >= 0 && m.Has(at.suspended) {
			list = append(list, d.due(n, at, m))
		}
	}
	return list
}

// due describes a norm in a marking.
func (d *Duties) due(n *hclspec.Norm, at dutyPlaces, m petri.Marking) Due {
	who := func(p *hclspec.Party) string { return d.draft.Who("the ", p) }
	due := Due{Norm: n, By: n.Bearers[marked(at.tenures[0], m)].Parties, Within: max(0, len(at.left)-n.Extensible), Unit: cmp.Or(d.draft.Spec.Tick, "tick"), State: construct.Breached}
	if due.Bearer = hclspec.Named(due.By, who); len(n.Counterparties) > 0 {
		due.To = n.Counterparties[marked(at.tenures[1], m)].Parties
		due.Counterparty = hclspec.Named(due.To, who)
	}
	switch {
	case m.Has(at.on):
		due.State = strings.ReplaceAll(n.On().Name, "_", " ")
	case at.suspended >= 0 && m.Has(at.suspended):
		due.State = construct.Suspended
	default:
		due.Breached = true
	}
	due.Idle = len(at.uses) > 0 && !slices.ContainsFunc(at.uses, func(t int) bool { return d.draft.Net.Fireable(m, t) })
	for _, clock := range [][]int{at.left, at.kept} {
		for i, p := range clock {
			if m.Has(p) {
				due.Left = i + 1
			}
		}
	}
	return due
}

// marked returns the index of the first of some places that is marked, or that is -1.
func marked(places []int, m petri.Marking) int {
	return slices.IndexFunc(places, func(p int) bool { return p < 0 || m.Has(p) })
}

// Breached returns the place that is marked once a norm has been breached, or -1 if the norm cannot be breached.
func Breached(d *compile.Draft, n *hclspec.Norm) int {
	if n.Breached() == nil {
		return -1
	}
	return d.PlaceOf[n.Name+"."+n.Breached().Name]
}
