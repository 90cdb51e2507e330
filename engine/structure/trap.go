package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// traps finds traps. A trap is a set of places such that every transition that takes a token from one of them leaves a token on one of them.
// Once marked, it is marked for ever (F. Commoner, 1972, Deadlocks in Petri nets). Traps extend the state equation as in J. Esparza, S. Melzer
// (2000, Verification of safety properties using integer programming: beyond the state equation, section 4).
type traps struct {
	net          *petri.Net
	users, feeds [][]int32 // by place, the transitions that may take its token or leave one
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

// within reduces a set of places to the largest trap in it, and reports whether that is marked initially.
func (t *traps) within(set []bool) bool {
	var todo []int32
	for p, in := range set {
		if in {
			todo = append(todo, t.users[p]...)
		}
	}
	return t.shrink(set, todo)
}

// shrink removes places from the set until no transition can take the last token of the set. It looks at the transitions of todo, and at those
// that a removal affects. It reports whether the rest is marked initially.
func (t *traps) shrink(set []bool, todo []int32) bool {
	waits := make([]bool, len(t.net.Transitions)) // each waits once, though it uses many places
	var next []int32
	add := func(list []int32) {
		for _, i := range list {
			if !waits[i] {
				waits[i] = true
				next = append(next, i)
			}
		}
	}
	for add(todo); len(next) > 0; {
		i := next[len(next)-1]
		next, waits[i] = next[:len(next)-1], false
		for _, p := range losing(&t.net.Transitions[i], set) {
			set[p] = false
			add(t.feeds[p])
		}
	}
	return slices.ContainsFunc(t.net.Initial, func(p int) bool { return set[p] })
}

// maxTries bounds the places looked at in the search for a smaller trap.
const maxTries = 200_000

// smaller returns an initially marked trap within one. The fewer places a trap has, the stronger it is. It looks for none that is smaller still once
// enough reports true: of a large net that can take minutes.
func (t *traps) smaller(set []bool, enough func() bool) (trap []int) {
	tries := maxTries / len(set)
	for p := range set {
		if !set[p] || tries == 0 || enough() {
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

// feeders returns, by place, the transitions that may leave a token on it.
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

// losing returns the places of the set from which the transition may take the set's last token. A move may apply or not, so its target only
// makes up for its own source.
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

// leaves reports whether some place of the set is marked whenever the transition has fired.
func leaves(of *petri.Transition, set []bool) bool {
	in := func(p int) bool { return set[p] }
	stays := func(p int) bool {
		return set[p] && !slices.ContainsFunc(of.Moves, func(v petri.Move) bool { return v.From == p && !v.Stays() })
	}
	return slices.ContainsFunc(of.Out, in) || slices.ContainsFunc(of.Marks, in) || slices.ContainsFunc(of.Read, stays)
}

// isMarkedTrap reports whether the places, each of weight 1, are an initially marked trap.
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
