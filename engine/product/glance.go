package product

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// Observations of states are glances: acts that change nothing. No glance leads to another pair of states, so products are built without
// them, and each pair is asked for its glances.

// values returns, by level, which values mark a place of a list.
func values(c *symbolic.Coding, places, level []int) map[int][]bool {
	all := map[int][]bool{}
	for _, p := range places {
		v, value := c.At(p)
		if all[level[v]] == nil {
			all[level[v]] = make([]bool, c.Size(v))
		}
		all[level[v]][value] = true
	}
	return all
}

// split splits an act into the part that changes some values, which gets a label, and the part that leaves them as they are. Either may be Nothing.
func (a *act) split(all *dd.Relations, turned map[int][]bool, label int) []act {
	changes := func(level int, p dd.Pair) bool {
		seen := turned[level]
		return seen != nil && p.From != p.To && (seen[p.From] || seen[p.To])
	}
	still := all.Restrict(a.relation, func(level int, p dd.Pair) bool { return !changes(level, p) })
	return []act{{transition: a.transition, label: label, relation: all.Some(a.relation, changes)}, {transition: a.transition, label: a.label, relation: still}}
}

// act returns a glance as an act. Its relation is Nothing if the glance is impossible.
func (g *Glance) act(c *symbolic.Coding, all *dd.Relations, watched map[int][]bool, level []int) act {
	a, allowed := act{transition: -1, label: g.Label, glance: true}, map[int][]bool{} // values, by level
	a.steady = !slices.ContainsFunc(slices.Concat(g.All, g.None), func(p int) bool {
		v, value := c.At(p)
		return watched[level[v]] == nil || !watched[level[v]][value]
	})
	for l, no := range values(c, g.None, level) {
		for i := range no {
			no[i] = !no[i]
		}
		allowed[l] = no
	}
	for _, p := range g.All {
		v, value := c.At(p)
		only, others := make([]bool, c.Size(v)), allowed[level[v]]
		only[value] = others == nil || others[value]
		allowed[level[v]] = only
	}
	var locals []dd.Local
	for l, values := range allowed {
		local := dd.Local{Level: l}
		for value, yes := range values {
			if yes {
				local.Pairs = append(local.Pairs, dd.Pair{From: uint16(value), To: uint16(value)})
			}
		}
		if locals = append(locals, local); len(local.Pairs) == 0 {
			return a
		}
	}
	a.relation = chain(all, locals)
	return a
}
