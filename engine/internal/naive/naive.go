// Package naive labels small graphs with CTL formulas, slowly and plainly: an oracle for tests. It
// shares nothing with engine/ctl but the formulas, and takes no operator as another's dual.
//
// Paths are maximal: infinite, or ending in a dead end. Each path operator is read off its
// definition, looking at most n arcs ahead in a graph of n states: a path of n arcs has met some
// state twice, so what has not come by then need never come, and what has lasted until then can
// last for ever. Cost: n times the arcs for each operator.
package naive

import (
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
)

// A Graph has the states 0 to len(Succ)-1.
type Graph struct {
	Succ  [][]int                     // Succ[s] are the successors of s; none: a dead end
	Holds func(state, place int) bool // whether a state's marking holds a place
}

// Sat reports for each state whether it satisfies f, whose atoms must be resolved.
func Sat(g Graph, f *ctl.Formula) []bool {
	if f.Means != nil {
		return Sat(g, f.Means)
	}
	var left, right []bool
	if f.Left != nil {
		left = Sat(g, f.Left)
	}
	if f.Right != nil {
		right = Sat(g, f.Right)
	}
	if f.Op >= ctl.EX {
		return temporal(g, f.Op, left, right)
	}
	sat := make([]bool, len(g.Succ))
	for s := range sat {
		sat[s] = local(g, f, s, left, right)
	}
	return sat
}

func local(g Graph, f *ctl.Formula, s int, left, right []bool) bool {
	switch f.Op {
	case ctl.True, ctl.False:
		return f.Op == ctl.True
	case ctl.Atom:
		if f.Sum != nil {
			return f.Sum.Holds(func(place int) bool { return g.Holds(s, place) })
		}
		return g.Holds(s, f.Place)
	case ctl.Not:
		return !left[s]
	case ctl.And:
		return left[s] && right[s]
	case ctl.Or:
		return left[s] || right[s]
	case ctl.Implies:
		return !left[s] || right[s]
	case ctl.Iff:
		return left[s] == right[s]
	}
	panic(fmt.Sprintf("naive: operator %d", f.Op))
}

// temporal fills a table: value[s] after round k looks k arcs ahead of s.
func temporal(g Graph, op ctl.Op, left, right []bool) []bool {
	value := make([]bool, len(g.Succ))
	for s := range value {
		value[s] = now(op, left, right, s)
	}
	rounds := len(g.Succ)
	if op == ctl.EX || op == ctl.AX {
		value, rounds = left, 1
	}
	for range rounds {
		ahead := make([]bool, len(g.Succ))
		for s := range ahead {
			ahead[s] = look(g, op, left, right, value, s)
		}
		value = ahead
	}
	return value
}

// now is the value of a path that may not be followed any further.
func now(op ctl.Op, left, right []bool, s int) bool {
	switch op {
	case ctl.EF, ctl.AF, ctl.EG, ctl.AG:
		return left[s]
	case ctl.EU, ctl.AU:
		return right[s]
	}
	return left[s] || (right != nil && right[s])
}

// look is the value at s, given the values of the successors.
func look(g Graph, op ctl.Op, left, right, value []bool, s int) bool {
	dead := len(g.Succ[s]) == 0
	some, every := false, true
	for _, t := range g.Succ[s] {
		some = some || value[t]
		every = every && value[t]
	}
	switch op {
	case ctl.EX, ctl.EF:
		return some || op == ctl.EF && left[s]
	case ctl.AX:
		return every
	case ctl.AF:
		return left[s] || !dead && every
	case ctl.EG:
		return left[s] && (dead || some)
	case ctl.AG:
		return left[s] && every
	case ctl.EU:
		return right[s] || left[s] && some
	case ctl.AU:
		return right[s] || left[s] && !dead && every
	case ctl.EW:
		return right[s] || left[s] && (dead || some)
	case ctl.AW:
		return right[s] || left[s] && every
	}
	panic(fmt.Sprintf("naive: operator %d", op))
}
