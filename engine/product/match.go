package product

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// A match is a smaller relation than the product. Its pairs are reached while each side does what is alike, observed or hidden, and does
// alone only what is hidden and has nothing alike on the other side. If in each of these pairs one side can do alike everything the other
// side can do, perhaps after hidden moves of its own, it simulates the other; if both do, the relation is a branching bisimulation. Endless
// hidden moves must be alike too.

// A match is such a relation, with its meetings.
type match struct {
	*product
	meetings []meeting
}

// match looks for simulations in both directions, and reports whether there are both.
func (q *query) match() bool {
	m := q.matched()
	if m.product == nil || len(m.turning(Base)) > 0 || len(m.turning(Head)) > 0 {
		return false
	}
	for own := range q.simulates {
		q.simulates[own] = m.simulates(own)
	}
	return q.settle(q.simulates[Base] && q.simulates[Head])
}

// matched builds the match, without a product if that would have too many steps. It lets acts of one label meet if they are alike by number, and
// the acts that have none alike meet each other.
func (q *query) matched() *match {
	type kind struct {
		label, number int
		odd           bool
	}
	m := &match{}
	by := map[kind]*meeting{}
	var order []kind
	enter := func(side, i int, k kind) {
		if by[k] == nil {
			by[k], order = &meeting{}, append(order, k)
		}
		by[k][side] = append(by[k][side], i)
	}
	for side, list := range q.possible {
		for i, a := range list {
			if !a.glance {
				enter(side, i, kind{a.label, q.number(side, a.transition), false})
			}
		}
	}
	for _, k := range slices.Clone(order) {
		for side, list := range by[k] {
			if len(by[k][1-side]) == 0 {
				for _, i := range list {
					enter(side, i, kind{k.label, 0, true})
				}
			}
		}
	}
	var lone [2][]int
	for _, k := range order {
		switch both := *by[k]; {
		case len(both[Base]) > 0 && len(both[Head]) > 0:
			m.meetings = append(m.meetings, both)
		case !k.odd:
		case k.label == Hidden:
			lone[Base], lone[Head] = append(lone[Base], both[Base]...), append(lone[Head], both[Head]...)
		default:
			m.meetings = append(m.meetings, both)
		}
	}
	m.product = q.newProduct(q.layout, q.possible, m.meetings, lone)
	return m
}

// number returns the number of what is alike.
func (q *query) number(side, transition int) int {
	if transition < 0 {
		return q.idle
	}
	return q.like[side][transition]
}

// idleNumber returns the number of an idle step: that of transitions with the same label.
func (q *query) idleNumber() int {
	number := -1
	for side, labels := range q.observer.Labels {
		for t, label := range labels {
			if n := q.like[side][t]; label == q.observer.Idle && (number < 0 || n < number) {
				number = n
			}
		}
	}
	return number
}

// simulates reports whether in each pair own can do alike everything the other side can do. Own does not move when the other side moves
// alone.
func (m *match) simulates(own int) bool {
	for _, both := range m.meetings {
		mine := m.test(own, both[own])
		for _, i := range both[1-own] {
			if !m.follows(own, m.test(1-own, []int{i}), mine) {
				return false
			}
		}
	}
	return m.looksAlike(own)
}

// looksAlike reports whether in each pair own has the glances of the other side.
func (m *match) looksAlike(own int) bool {
	list := m.acts[1-own]
	for i, a := range list {
		first := a.glance && (i == 0 || list[i-1].label != a.label)
		if first && !m.follows(own, m.test(1-own, m.of(1-own, a.label)), m.test(own, m.of(own, a.label))) {
			return false
		}
	}
	return true
}

// follows reports whether own passes its test wherever the other side passes another, at once or after hidden moves of its own.
func (m *match) follows(own int, other, mine test) bool {
	for _, n := range m.above(max(other.top, mine.top)) {
		if can := m.able(n, other); m.able(can, mine) != can {
			return m.followsLate(own, other, mine)
		}
	}
	return true
}

// followsLate is follows if own does not always pass at once.
func (m *match) followsLate(own int, other, mine test) bool {
	if !m.hides(own) {
		return false
	}
	can, ready := m.able(m.reach, other), m.drift(m.back.alone[own], m.able(m.reach, mine), m.reach)
	return m.forest.Minus(can, ready) == dd.Empty
}
