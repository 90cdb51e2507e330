package product

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// Observations of states are glances: acts that change nothing. No glance leads to another pair of states, so products are built without
// them, and each pair is asked for its glances. A hidden act that changes what can be observed of a state is not hidden. It is split into a
// part that changes none of it, and parts that have a label.

// values returns, by variable, which values mark a place of a list.
func values(c *symbolic.Coding, places []int) map[int][]bool {
	all := map[int][]bool{}
	for _, p := range places {
		v, value := c.At(p)
		if all[v] == nil {
			all[v] = make([]bool, c.Size(v))
		}
		all[v][value] = true
	}
	return all
}

// shifts splits a hidden act. The last part leaves everything watched as it is. Each other part changes one watched variable and leaves
// those before it.
func (a *act) shifts(watched map[int][]bool, label int) (list []act) {
	rest := slices.Clone(a.locals)
	for i, l := range a.locals {
		seen := watched[l.Variable]
		if seen == nil {
			continue
		}
		var keeps, changes []dd.Pair
		for _, p := range l.Pairs {
			if p.From == p.To || !seen[p.From] && !seen[p.To] {
				keeps = append(keeps, p)
			} else {
				changes = append(changes, p)
			}
		}
		if len(changes) > 0 {
			other := slices.Clone(rest)
			other[i].Pairs = changes
			list = append(list, act{transition: a.transition, label: label, locals: other})
		}
		if len(keeps) == 0 {
			return list
		}
		rest[i].Pairs = keeps
	}
	return append(list, act{transition: a.transition, label: a.label, locals: rest})
}

// act returns a glance as an act. It has no locals if the glance is impossible.
func (g *Glance) act(c *symbolic.Coding) act {
	a := act{transition: -1, label: g.Label, glance: true, locals: []symbolic.VariableLocal{}}
	none := values(c, g.None)
	for v, no := range none {
		var pairs []dd.Pair
		for value := range no {
			if !no[value] {
				pairs = append(pairs, dd.Pair{From: uint16(value), To: uint16(value)})
			}
		}
		a.locals = append(a.locals, symbolic.VariableLocal{Variable: v, Pairs: pairs})
	}
	for _, p := range g.All {
		v, value := c.At(p)
		is := dd.Pair{From: uint16(value), To: uint16(value)}
		i := slices.IndexFunc(a.locals, func(l symbolic.VariableLocal) bool { return l.Variable == v })
		switch {
		case i < 0:
			a.locals = append(a.locals, symbolic.VariableLocal{Variable: v, Pairs: []dd.Pair{is}})
		case slices.Contains(a.locals[i].Pairs, is):
			a.locals[i].Pairs = []dd.Pair{is}
		default: // two places of one variable are never marked at once
			return act{glance: true}
		}
	}
	slices.SortFunc(a.locals, func(x, y symbolic.VariableLocal) int { return x.Variable - y.Variable })
	return a
}
