package behaviour

import (
	"cmp"
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// This file finds clauses that died or came alive: events and parties' transitions that both drafts have and only one of them can fire.

// A mention is an event or a transition, by its name on head.
type mention struct {
	event bool
	name  string
}

func (a mention) compare(b mention) int {
	return cmp.Or(cmp.Compare(verify.ZeroOrOne(b.event), verify.ZeroOrOne(a.event)), hclspec.Natural(a.name, b.name))
}

// A mentions has the mentions of one draft.
type mentions struct {
	fires map[mention]bool
	with  map[mention][]mention // events that a transition fires with; itself if it fires alone
}

func (c *comparison) mentions(n compile.SideNaming, m *modelled) mentions {
	all := mentions{map[mention]bool{}, map[mention][]mention{}}
	for net, party := range m.Parties {
		for i, t := range m.Transitions[net] {
			if party.Made == "" && t.Range != party.Range { // the last condition excludes transitions made for a phase that waits
				all.fires[mention{false, n.Part(m.Draft, petri.Part{Net: net, Transition: i})}] = false
			}
		}
	}
	for i, t := range m.Net.Transitions {
		if t.Moving {
			continue // a clock that never runs means only that nothing was begun
		}
		for _, p := range t.Parts {
			own := mention{false, n.Part(m.Draft, p)}
			by := own
			if t.Event >= 0 {
				by = mention{true, n.Event(m.Events[t.Event].Name)}
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

func (c *comparison) clauses(n compile.Naming) (died, alive []finding.Clause) {
	base, head := c.mentions(n.Of(0), c.sides[0]), c.mentions(n.Of(1), c.sides[1])
	return c.lost(base, head), c.lost(head, base)
}

// lost returns the clauses that fire on one side and not on the other. A transition that fires only with events that are listed is not
// listed itself.
func (c *comparison) lost(on, off mentions) []finding.Clause {
	gone := func(k mention) bool {
		now, both := off.fires[k]
		return on.fires[k] && both && !now
	}
	var list []finding.Clause
	for _, k := range slices.SortedFunc(maps.Keys(on.fires), mention.compare) {
		alone := k.event || slices.ContainsFunc(on.with[k], func(by mention) bool { return by == k || !gone(by) })
		if gone(k) && alone {
			list = append(list, clause(c.sides[1].Listed.Checked.Draft, k))
		}
	}
	return list
}

// clause returns a mention as the draft writes it. It panics if the draft lacks it.
func clause(d *compile.Draft, k mention) finding.Clause {
	if k.event {
		e := d.Event(k.name)
		return finding.Clause{Name: e.Name, Title: e.Title, Clause: e.Clause, Source: e.Range}
	}
	for net := range d.Transitions {
		for i, t := range d.Transitions[net] {
			if d.Named(petri.Part{Net: net, Transition: i}) == k.name {
				return finding.Clause{Name: k.name, Title: t.Title, Clause: t.Clause, Source: t.Range}
			}
		}
	}
	panic("behaviour: a clause that nobody wrote: " + k.name)
}
