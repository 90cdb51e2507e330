package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// effects are the columns of the state equation (T. Murata, 1989, Petri nets: properties, analysis and applications, section IV B). A
// reachable marking is the initial one plus a sum of effects.
//
// The arcs of a transition are one effect. Each of its moves, which may apply or not, is another. So is each history place, which may be
// marked already. The columns allow more than the net does, never less.
type effects struct {
	net    *petri.Net
	list   []effect
	at     [][]int32 // by place, the effects that change it
	marked []bool    // initially, by place
}

// An effect takes a token from each place of from, and puts one on each place of to.
type effect struct{ from, to []int }

func newEffects(n *petri.Net) *effects {
	e := &effects{net: n, at: make([][]int32, len(n.Places)), marked: make([]bool, len(n.Places))}
	for _, p := range n.Initial {
		e.marked[p] = true
	}
	for i := range n.Transitions {
		t := &n.Transitions[i]
		e.add(t.In, t.Out)
		for _, v := range t.Moves {
			if !v.Stays() {
				e.add([]int{v.From}, []int{v.To})
			}
		}
		for _, p := range t.Marks {
			e.add(nil, []int{p})
		}
	}
	return e
}

// add adds an effect, unless it changes nothing.
func (e *effects) add(from, to []int) {
	if len(from)+len(to) == 0 {
		return
	}
	for _, p := range slices.Concat(from, to) {
		e.at[p] = append(e.at[p], int32(len(e.list)))
	}
	e.list = append(e.list, effect{from, to})
}

// tokens returns 1 for a marked place, otherwise 0.
func tokens(marked bool) int {
	if marked {
		return 1
	}
	return 0
}
