package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A trap is a set of places such that whatever takes a token from one of them leaves a token on one of them. Once marked, it
// is marked for ever (F. Commoner, 1972, Deadlocks in Petri nets; J. Esparza, S. Melzer, 2000, Verification of safety properties
// using integer programming: beyond the state equation, section 4, adds traps to the state equation as is done here).

// traps finds traps.
type traps struct {
	net          *petri.Net
	users, feeds [][]int32 // by place, the transitions that may take its token, and those that may leave one
}

func newTraps(n *petri.Net) *traps {
	t := &traps{n, make([][]int32, len(n.Places)), feeders(n)}
	for i := range n.Transitions {
		of := &n.Transitions[i]
		for _, p := range of.In {
			t.users[p] = append(t.users[p], int32(i))
		}
		for _, v := range of.Moves {
			t.users[v.From] = append(t.users[v.From], int32(i))
		}
	}
	return t
}

// within makes of a set of places the largest trap in it, and reports whether that is marked initially.
func (t *traps) within(set []bool) bool {
	var todo []int32
	for p, in := range set {
		if in {
			todo = append(todo, t.users[p]...)
		}
	}
	return t.shrink(set, todo)
}

// shrink puts places out of the set from which one of the transitions takes without leaving anything on another, and so on
// with those for which that matters.
func (t *traps) shrink(set []bool, todo []int32) bool {
	for len(todo) > 0 {
		of := &t.net.Transitions[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for _, p := range losing(of, set) {
			set[p] = false
			todo = append(todo, t.feeds[p]...)
		}
	}
	return slices.ContainsFunc(t.net.Initial, func(p int) bool { return set[p] })
}

// maxTries bounds the search for a smaller trap: places looked at.
const maxTries = 200_000

// smaller lists a trap within a trap that is initially marked, and is so itself: the fewer its places, the more it tells.
func (t *traps) smaller(set []bool) (trap []int) {
	tries := maxTries / len(set)
	for p := range set {
		if !set[p] || tries == 0 {
			continue
		}
		tries--
		without := slices.Clone(set)
		without[p] = false
		if t.shrink(without, slices.Clone(t.feeds[p])) {
			copy(set, without)
		}
	}
	for p, in := range set {
		if in {
			trap = append(trap, p)
		}
	}
	return trap
}

// feeders are, by place, the transitions that may leave a token on it.
func feeders(n *petri.Net) [][]int32 {
	at := make([][]int32, len(n.Places))
	for i := range n.Transitions {
		of := &n.Transitions[i]
		for _, p := range slices.Concat(of.Out, of.Read, of.Marks) {
			at[p] = append(at[p], int32(i))
		}
		for _, v := range of.Moves {
			at[v.To] = append(at[v.To], int32(i))
		}
	}
	return at
}

// losing lists the places of the set from which the transition may take the last token of all the set. A move may apply or
// not; so what it leaves makes up for what it takes, and for nothing else.
func losing(of *petri.Transition, set []bool) (list []int) {
	if leaves(of, set) {
		return nil
	}
	for _, p := range of.In {
		if set[p] {
			list = append(list, p)
		}
	}
	for _, v := range of.Moves {
		if set[v.From] && !set[v.To] {
			list = append(list, v.From)
		}
	}
	return list
}

// leaves reports whether a token is on some place of the set whenever the transition has fired.
func leaves(of *petri.Transition, set []bool) bool {
	in := func(p int) bool { return set[p] }
	stays := func(p int) bool {
		return set[p] && !slices.ContainsFunc(of.Moves, func(v petri.Move) bool { return v.From == p })
	}
	return slices.ContainsFunc(of.Out, in) || slices.ContainsFunc(of.Marks, in) || slices.ContainsFunc(of.Read, stays)
}

// isMarkedTrap checks that the places, each of weight 1, are a trap that is initially marked.
func (e *effects) isMarkedTrap(weights []ctl.Weight) bool {
	set := make([]bool, len(e.marked))
	marked := false
	for _, w := range weights {
		if w.By != 1 {
			return false
		}
		set[w.Place] = true
		marked = marked || e.marked[w.Place]
	}
	for i := range e.net.Transitions {
		if len(losing(&e.net.Transitions[i], set)) > 0 {
			return false
		}
	}
	return marked
}
