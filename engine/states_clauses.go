package engine

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// Clauses that died or came alive: the events and the parties' transitions that both drafts have and
// that only one of them can fire.

// A mention is an event or a transition, by its name on head.
type mention struct {
	event bool
	name  string
}

func (a mention) compare(b mention) int {
	return cmp.Or(cmp.Compare(truth(b.event), truth(a.event)), natural(a.name, b.name))
}

// mentions are those of one draft.
type mentions struct {
	fires map[mention]bool
	with  map[mention][]mention // of a transition, the events that it fires with; itself where it fires alone
}

func (c *comparison) mentions(n sideNaming, m *modelled) mentions {
	all := mentions{map[mention]bool{}, map[mention][]mention{}}
	for net, party := range m.parties {
		for i, t := range m.transitions[net] {
			if party.Made == "" && t.Range != party.Range { // the last: made, for a phase that waits
				all.fires[mention{false, n.part(m.Draft, petri.Part{Net: net, Transition: i})}] = false
			}
		}
	}
	for i, t := range m.Net.Transitions {
		if t.Moving {
			continue // that time does not pass says no more than that nothing is begun
		}
		for _, p := range t.Parts {
			own := mention{false, n.part(m.Draft, p)}
			by := own
			if t.Event >= 0 {
				by = mention{true, n.event(m.events[t.Event].Name)}
				all.fires[by] = all.fires[by] || m.fired[i]
			}
			if _, written := all.fires[own]; written && m.fired[i] {
				all.fires[own] = true
				all.with[own] = append(all.with[own], by)
			}
		}
	}
	return all
}

func (c *comparison) clauses(n naming) (died, alive []Clause) {
	base, head := c.mentions(n.of(0), c.sides[0]), c.mentions(n.of(1), c.sides[1])
	return c.lost(base, head), c.lost(head, base)
}

// lost are those that fire on one side and not on the other. A transition that fires with nothing but
// events that are lost is not named besides.
func (c *comparison) lost(on, off mentions) []Clause {
	gone := func(k mention) bool {
		now, both := off.fires[k]
		return on.fires[k] && both && !now
	}
	var list []Clause
	for _, k := range sortedKeys(on.fires, mention.compare) {
		alone := k.event || slices.ContainsFunc(on.with[k], func(by mention) bool { return by == k || !gone(by) })
		if gone(k) && alone {
			list = append(list, c.sides[1].clause(k))
		}
	}
	return list
}

// clause is a mention as the draft writes it.
func (d *Draft) clause(k mention) Clause {
	if k.event {
		e := d.event(k.name)
		return Clause{Name: e.Name, Title: e.Title, Clause: e.Clause, Source: e.Range}
	}
	for net := range d.transitions {
		for i, t := range d.transitions[net] {
			if d.named(petri.Part{Net: net, Transition: i}) == k.name {
				return Clause{Name: k.name, Title: t.Title, Clause: t.Clause, Source: t.Range}
			}
		}
	}
	panic("engine: a clause that nobody wrote: " + k.name)
}
