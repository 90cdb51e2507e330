package twin

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/space"
)

// Hidden is the label of what is not observed.
const Hidden = -1

// An Observer says what is observed of each transition.
type Observer struct {
	Labels [2][]int // by side and transition; Hidden: nothing
	Idle   int      // what is observed where no transition that must move something can fire, and nothing changes, both sides alike; Hidden: there is no such thing
}

// An act is a deed as it is observed.
type act struct {
	transition int // -1: nothing fires
	label      int
	locals     []space.VariableLocal
}

// acts are those of one side, in order of labels, then of transitions.
func acts(ctx context.Context, c *space.Coding, labels []int, idle int) ([]act, error) {
	var list []act
	for _, d := range c.Deeds {
		list = append(list, act{d.Transition, labels[d.Transition], d.Locals})
	}
	if idle != Hidden {
		still, err := c.Still(ctx)
		if err != nil {
			return nil, err
		}
		for _, d := range still {
			list = append(list, act{-1, idle, d.Locals})
		}
	}
	slices.SortStableFunc(list, func(a, b act) int { return cmp.Compare(a.label, b.label) })
	return list, nil
}

func pass(p dd.Pair) dd.Pair { return p }

func turned(p dd.Pair) dd.Pair { return dd.Pair{From: p.To, To: p.From} }

// labels that are observed of acts, in order.
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

// chain makes a relation of locals in any order.
func chain(f *dd.Forest, locals []dd.Local) dd.Relation { return f.Chain(sorted(locals)) }

// sorted are locals in order of their levels.
func sorted(locals []dd.Local) []dd.Local {
	slices.SortFunc(locals, func(a, b dd.Local) int { return cmp.Compare(a.Level, b.Level) })
	return locals
}
