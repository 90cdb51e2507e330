package product

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// Hidden is the label of what is not observed.
const Hidden = -1

// An Observer defines what is observed of each transition.
type Observer struct {
	Labels [2][]int // by side and transition; Hidden: not observed
	Idle   int      // label of an idle step, where no transition that has to move something can fire; the same for both sides; Hidden: there are no idle steps

	Glances [2][]Glance         // by side, observations of states; no transition has their labels
	Watched [2][]int            // by side, the places that glances depend on
	Shift   int                 // label of a hidden transition that changes the marking of Watched
	Group   func(label int) int // one word is shown for each group of labels, none for group 0; nil: each label is a group
}

// A Glance is an observation of a state in which all places of All are marked, and none of None.
type Glance struct {
	Label     int
	All, None []int
}

// An act is an action with its label.
type act struct {
	transition int // -1: nothing fires
	label      int
	locals     []symbolic.VariableLocal
	glance     bool // it observes, and changes nothing
}

// acts returns the acts of one side, in order of labels, then of transitions.
func acts(ctx context.Context, c *symbolic.Coding, o *Observer, side int) ([]act, error) {
	var list []act
	watched := values(c, o.Watched[side])
	for _, d := range c.Firings {
		a := act{transition: d.Transition, label: o.Labels[side][d.Transition], locals: d.Locals}
		if a.label == Hidden && len(watched) > 0 {
			list = append(list, a.shifts(watched, o.Shift)...)
		} else {
			list = append(list, a)
		}
	}
	for i := range o.Glances[side] {
		list = append(list, o.Glances[side][i].act(c))
	}
	if idle := o.Idle; idle != Hidden {
		still, err := c.Still(ctx)
		if err != nil {
			return nil, err
		}
		for _, d := range still {
			list = append(list, act{transition: -1, label: idle, locals: d.Locals})
		}
	}
	list = slices.DeleteFunc(list, func(a act) bool { return a.glance && a.locals == nil })
	slices.SortStableFunc(list, func(a, b act) int { return cmp.Compare(a.label, b.label) })
	return list, nil
}

func pass(p dd.Pair) dd.Pair { return p }

func turned(p dd.Pair) dd.Pair { return dd.Pair{From: p.To, To: p.From} }

// labels returns the observed labels of acts, in order.
func labels(list []act) (seen []int) {
	for i, a := range list {
		if a.label != Hidden && (i == 0 || list[i-1].label != a.label) {
			seen = append(seen, a.label)
		}
	}
	return seen
}

func (a *act) at(level []int, do func(p dd.Pair) dd.Pair) []dd.Local {
	list := make([]dd.Local, len(a.locals))
	for i, l := range a.locals {
		list[i] = dd.Local{Level: level[l.Variable]}
		for _, p := range l.Pairs {
			list[i].Pairs = append(list[i].Pairs, do(p))
		}
	}
	return list
}

// chain returns the relation of locals in any order.
func chain(f *dd.Forest, locals []dd.Local) dd.Relation { return f.Chain(sorted(locals)) }

// sorted sorts locals by their levels, in place.
func sorted(locals []dd.Local) []dd.Local {
	slices.SortFunc(locals, func(a, b dd.Local) int { return cmp.Compare(a.Level, b.Level) })
	return locals
}
