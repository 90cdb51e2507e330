package twin

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/delta"
)

// A smaller relation than all pairs that agree in what was observed: the pairs that are reached while each side does what is
// alike, seen or hidden, and alone only what is hidden and has nothing alike on the other side. Where in each of these pairs
// whatever one side can do the other can do alike, maybe after hidden moves of its own, it simulates the one; where both do,
// the relation is a branching bisimulation. What the sides can go on with for ever hidden must be alike, too.

// A match is such a relation, and what is alike.
type match struct {
	*product
	alike [2][][]int // by side and act, the other side's that are alike
}

// match looks for simulations both ways.
func (q *query) match() error {
	m, err := q.matched()
	if errors.Is(err, errTooManyPairs) {
		return nil
	}
	for side := range q.simulates {
		var turning []bool
		if err == nil {
			turning, err = m.turning(side)
		}
		if err != nil || slices.Contains(turning, true) {
			return err
		}
	}
	for own := range q.simulates {
		if q.simulates[own], err = m.simulates(own); err != nil {
			return err
		}
	}
	if q.simulates[Base] && q.simulates[Head] {
		q.answer.Relation = delta.Same
	}
	return nil
}

func (q *query) matched() (*match, error) {
	m := &match{alike: q.alikes()}
	var joints, lone []joint
	for side, list := range m.alike {
		for i, others := range list {
			a := q.acts[side][i]
			if a.label == Hidden && len(others) == 0 {
				j := joint{-1, -1}
				j[side] = i
				lone = append(lone, j)
			}
			for _, other := range others {
				if side == Base {
					joints = append(joints, joint{i, other})
				}
			}
			if len(joints) > maxJoints {
				return nil, errTooManyPairs
			}
		}
	}
	var err error
	m.product, err = newProduct(q.ctx, q.codes, q.layout, q.acts, append(joints, lone...), q.bytes)
	return m, err
}

// alikes are the acts of one label that are alike by number; those that have none, of others that have none, either.
func (q *query) alikes() (alike [2][][]int) {
	type kind struct{ label, number int }
	var by [2]map[kind][]int
	for side, list := range q.acts {
		by[side] = map[kind][]int{}
		for i, a := range list {
			k := kind{a.label, q.number(side, a.transition)}
			by[side][k] = append(by[side][k], i)
		}
	}
	var odd [2]map[int][]int // by label
	for side := range by {
		odd[side] = map[int][]int{}
		for i, a := range q.acts[side] {
			if len(by[1-side][kind{a.label, q.number(side, a.transition)}]) == 0 {
				odd[side][a.label] = append(odd[side][a.label], i)
			}
		}
	}
	for side, list := range q.acts {
		for _, a := range list {
			others := by[1-side][kind{a.label, q.number(side, a.transition)}]
			if len(others) == 0 {
				others = odd[1-side][a.label]
			}
			alike[side] = append(alike[side], others)
		}
	}
	return alike
}

// number of what is alike.
func (q *query) number(side, transition int) int {
	if transition < 0 {
		return q.idle
	}
	return q.like[side][transition]
}

// idleNumber is the number of where nothing fires: that of what is observed alike.
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

// simulates reports whether in each pair own can do alike all that the other side can do.
func (m *match) simulates(own int) (bool, error) {
	for i := range m.acts[1-own] {
		others := m.alike[1-own][i]
		if m.acts[1-own][i].label == Hidden && len(others) == 0 {
			continue // the pair goes on, own standing still
		}
		if ok, err := m.follows(own, i, others); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// follows reports whether own can do one of its acts wherever the other side can do another act: at once, or after hidden moves of
// its own.
func (m *match) follows(own, other int, mine []int) (bool, error) {
	test, top := m.tests(1-own, m.acts[1-own][other:other+1])
	var list []act
	for _, i := range mine {
		list = append(list, m.acts[own][i])
	}
	tests, high := m.tests(own, list)
	for _, n := range m.above(max(top, high)) {
		can, err := m.able(n, test)
		if err != nil {
			return false, err
		}
		both, err := m.able(can, tests)
		if err != nil {
			return false, err
		}
		if both != can {
			return m.followsLate(own, test, tests)
		}
	}
	return true, nil
}

// followsLate is follows where own can't always do it at once.
func (m *match) followsLate(own int, test, tests []dd.Relation) (bool, error) {
	if !m.lone[own] {
		return false, nil
	}
	can, err := m.able(m.reach, test)
	if err != nil {
		return false, err
	}
	ready, err := m.able(m.reach, tests)
	if err == nil {
		ready, err = m.forest.ReachWithin(m.ctx, m.silent(m.back, own), ready, m.reach)
	}
	if err == nil {
		can, err = m.forest.Minus(m.ctx, can, ready)
	}
	return can == dd.Empty, err
}
