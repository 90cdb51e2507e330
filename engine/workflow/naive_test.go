package workflow_test

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/workflow"
)

// A naive check of a net: all its markings, and what can be reached from each, from petri's definitions alone. It looks at what
// becomes of each marking one by one, where the package looks at sets.
type naive struct {
	marks   []petri.Marking
	succ    [][]int
	steps   []int // by marking, how far it is from the first
	fired   []bool
	contact int // distance of the nearest marking in which a transition is in contact; -1: there is none
}

func naively(n *petri.Net) *naive {
	x := &naive{marks: []petri.Marking{n.Initial}, steps: []int{0}, fired: make([]bool, len(n.Transitions)), contact: -1}
	for s := 0; s < len(x.marks); s++ {
		x.succ = append(x.succ, nil)
		for t := range n.Transitions {
			if !n.Fireable(x.marks[s], t) {
				continue
			}
			x.fired[t] = true
			after, place := n.Fire(x.marks[s], []int{t})
			if place >= 0 {
				if x.contact < 0 {
					x.contact = x.steps[s]
				}
				continue
			}
			to := slices.IndexFunc(x.marks, func(m petri.Marking) bool { return slices.Equal(m, after) })
			if to < 0 {
				to, x.marks, x.steps = len(x.marks), append(x.marks, after), append(x.steps, x.steps[s]+1)
			}
			x.succ[s] = append(x.succ[s], to)
		}
	}
	return x
}

func (x *naive) arcs() (n int) {
	for _, list := range x.succ {
		n += len(list)
	}
	return n
}

// final is whether only sinks are marked, and some.
func (x *naive) final(s int, sinks []int) bool {
	for _, p := range x.marks[s] {
		if !slices.Contains(sinks, p) {
			return false
		}
	}
	return len(x.marks[s]) > 0
}

// ends is whether a final marking can be reached from s.
func (x *naive) ends(s int, sinks []int) bool {
	seen := map[int]bool{s: true}
	for todo := []int{s}; len(todo) > 0; todo = todo[1:] {
		if x.final(todo[0], sinks) {
			return true
		}
		for _, next := range x.succ[todo[0]] {
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return false
}

// kinds is what is wrong with s, apart from contact; at most one thing is told of it, but for what is both a dead end and improper.
func (x *naive) kinds(s int, ends *workflow.Ends) (list []workflow.Kind) {
	dead := len(x.succ[s]) == 0
	if ends == nil {
		if dead {
			list = append(list, workflow.DeadEnd)
		}
		return list
	}
	if dead && !x.final(s, ends.Sinks) {
		list = append(list, workflow.DeadEnd)
	}
	if len(ends.Sinks) == 1 && slices.Contains(x.marks[s], ends.Sinks[0]) && len(x.marks[s]) > 1 {
		list = append(list, workflow.Improper)
	}
	if list == nil && !x.ends(s, ends.Sinks) {
		list = append(list, workflow.NoOption)
	}
	return list
}

// A told is a finding without its run.
type told struct {
	kind   workflow.Kind
	states int
	steps  int // of the nearest
}

func (x *naive) findings(ends *workflow.Ends) []told {
	var list []told
	for kind := workflow.DeadEnd; kind <= workflow.NoOption; kind++ {
		f := told{kind: kind, steps: -1}
		for s := range x.marks {
			if slices.Contains(x.kinds(s, ends), kind) {
				if f.states++; f.steps < 0 || x.steps[s] < f.steps {
					f.steps = x.steps[s]
				}
			}
		}
		if f.states > 0 {
			list = append(list, f)
		}
	}
	return list
}

// sound is van der Aalst's definition, and that the net is one-safe.
func (x *naive) sound(ends *workflow.Ends) bool {
	if x.contact >= 0 || slices.Contains(x.fired, false) {
		return false
	}
	for s := range x.marks {
		if !x.ends(s, ends.Sinks) {
			return false
		}
		if len(ends.Sinks) == 1 && slices.Contains(x.marks[s], ends.Sinks[0]) && len(x.marks[s]) > 1 {
			return false
		}
	}
	return true
}

// unmarked lists the places that are marked nowhere.
func (x *naive) unmarked(n *petri.Net) (list []int) {
	for p := range n.Places {
		if !slices.ContainsFunc(x.marks, func(m petri.Marking) bool { return slices.Contains(m, p) }) {
			list = append(list, p)
		}
	}
	return list
}
