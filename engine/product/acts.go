package product

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
)

// Hidden is the label of what is not observed.
const Hidden = -1

// An Observer defines what is observed of each transition.
type Observer struct {
	Labels [2][]int // by side and transition; Hidden: not observed
	Idle   int      // label of an idle step, where no transition that has to move something can fire; the same for both sides; Hidden: there are no idle steps

	Wait int // label of waiting: a word is preferred whose last label the other side does not have after any number of waits; Hidden: none is

	Glances [2][]Glance         // by side, observations of states; no transition has their labels
	Watched [2][]int            // by side, the places that glances depend on and that no hidden transition moves a token to or from
	Turned  [2][]int            // by side, places by whose change transitions of a label are told apart
	Turn    func(label int) int // the label of a transition that changes Turned, and has a label otherwise; nil: the same
	Group   func(label int) int // one word is shown for each group of labels, none for group 0; nil: each label is a group
}

// A Glance is an observation of a state in which all places of All are marked, and none of None.
type Glance struct {
	Label     int
	All, None []int
}

// An act is an action with its label. Its relation is one of the query's store, over the levels of the layout.
type act struct {
	transition int // -1: nothing fires
	label      int
	relation   dd.Relation
	glance     bool // it observes, and changes nothing
	steady     bool // no hidden act makes a difference to it
}

// acts returns the acts of one side that are ever possible, in order of labels, then of transitions.
func (q *query) acts(side int) (list []act) {
	c, o, level := q.codes[side], &q.observer, q.layout.level[side]
	watched, turned := values(c, o.Watched[side], level), values(c, o.Turned[side], level)
	for i, d := range c.Firings {
		a := act{transition: d.Transition, label: o.Labels[side][d.Transition], relation: q.firings[side][i]}
		if o.Turn != nil && o.Turn(a.label) != a.label {
			list = append(list, a.split(&q.store, turned, o.Turn(a.label))...)
		} else {
			list = append(list, a)
		}
	}
	for i := range o.Glances[side] {
		list = append(list, o.Glances[side][i].act(c, &q.store, watched, level))
	}
	if o.Idle != Hidden {
		still := halt.Must(c.Still(q.ctx))
		list = append(list, act{transition: -1, label: o.Idle, relation: halt.Must(c.Relation(q.ctx, &q.store, level, &still))})
	}
	list = slices.DeleteFunc(list, func(a act) bool { return a.relation == dd.Nothing })
	slices.SortStableFunc(list, func(a, b act) int { return cmp.Compare(a.label, b.label) })
	return list
}

// labels returns the observed labels of acts, in order.
func labels(list []act) (seen []int) {
	for i, a := range list {
		if a.label != Hidden && (i == 0 || list[i-1].label != a.label) {
			seen = append(seen, a.label)
		}
	}
	return seen
}

// chain returns the relation of locals in any order.
func chain(all *dd.Relations, locals []dd.Local) dd.Relation {
	slices.SortFunc(locals, func(a, b dd.Local) int { return cmp.Compare(a.Level, b.Level) })
	return all.Chain(locals)
}
