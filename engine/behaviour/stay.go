package behaviour

import (
	"slices"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
)

// A stay is the part of a model in which a party is exposed.
type stay struct {
	*verify.Listed
	set space.Set
}

// lasting returns how long runs stay in a set, which ends tells that each of them leaves. It returns nil if a model has no clocks.
func lasting(c *verify.Listed, set space.Set, ends bool) *finding.Lasting {
	if !slices.ContainsFunc(c.Net.Transitions, func(t petri.Transition) bool { return t.Moving }) {
		return nil
	}
	s := stay{c, set}
	l := &finding.Lasting{Least: s.least(), Limited: ends && !s.still()}
	if l.Limited {
		l.Most = s.most()
	}
	return l
}

// ticks returns for each step of a state 1 if time passes by it, else 0.
func (c stay) ticks(s int) []int {
	steps := c.Graph.Steps(s)
	ticks := make([]int, len(steps))
	for i, step := range steps {
		ticks[i] = verify.ZeroOrOne(slices.ContainsFunc(step, func(t int) bool { return c.Net.Transitions[t].Moving }))
	}
	return ticks
}

// still reports whether no clock runs in some state.
func (c stay) still() bool {
	notDue := ticksRead(c.Net)
	return slices.ContainsFunc(slices.Collect(c.states()), func(s int) bool { return still(c.Listed, s, notDue) })
}

// states yields the states of the set.
func (c stay) states() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for s := range c.Graph.Len() {
			if space.Has(c.set, s) && !yield(s) {
				return
			}
		}
	}
}

// least returns the length in ticks of a shortest path through the set, from where it is entered to where it is left, layer by layer: 0 if there is none.
func (c stay) least() int {
	var layer []int // with the same number of ticks
	if space.Has(c.set, 0) {
		layer = append(layer, 0)
	}
	for s := range c.Graph.Len() {
		for _, next := range c.Graph.Succ(s) {
			if !space.Has(c.set, s) && space.Has(c.set, int(next)) {
				layer = append(layer, int(next))
			}
		}
	}
	had := make([]bool, c.Graph.Len())
	for n := 0; len(layer) > 0; n++ {
		var later []int
		left := false // by a tick
		for ; len(layer) > 0; layer = layer[1:] {
			s := layer[0]
			if had[s] {
				continue
			}
			had[s] = true
			ticks := c.ticks(s)
			for i, next := range c.Graph.Succ(s) {
				switch to, tick := int(next), ticks[i] > 0; {
				case !space.Has(c.set, to) && !tick:
					return n
				case !space.Has(c.set, to):
					left = true
				case tick:
					later = append(later, to)
				default:
					layer = append(layer, to)
				}
			}
		}
		if left {
			return n + 1
		}
		layer = later
	}
	return 0
}

// most returns the length in ticks of a longest path within the set, which has no cycle, and out of it: by depth-first search (T. Cormen et al. 2009,
// Introduction to Algorithms, 24.2).
func (c stay) most() (all int) {
	most := slices.Repeat([]int{-1}, c.Graph.Len())
	for start := range c.states() {
		for stack := []int{start}; len(stack) > 0; {
			s := stack[len(stack)-1]
			found, open, ticks := 0, false, c.ticks(s)
			for i, next := range c.Graph.Succ(s) {
				passed := ticks[i]
				if to := int(next); space.Has(c.set, to) {
					if most[to] < 0 {
						stack, open = append(stack, to), true
						break
					}
					passed += most[to]
				}
				found = max(found, passed)
			}
			if !open {
				most[s], stack = found, stack[:len(stack)-1]
			}
		}
		all = max(all, most[start])
	}
	return all
}
