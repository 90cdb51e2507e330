package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// effects are what firing may change: the columns of the state equation (T. Murata, 1989, Petri nets: properties, analysis and
// applications, section IV B). A marking that is reached is the initial one and a sum of effects.
//
// A transition's arcs are one effect. Each of its moves, which may apply or not, is another, and so is each history place,
// which it may find marked already: more may happen by these columns than by the net, never less.
type effects struct {
	net    *petri.Net
	list   []effect
	at     [][]int32 // by place, the effects that change it
	marked []bool    // initially, by place
}

// An effect takes a token from each of some places, and puts one on each of others.
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
			e.add([]int{v.From}, []int{v.To})
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

// tokens are 1 for a marked place.
func tokens(marked bool) int {
	if marked {
		return 1
	}
	return 0
}
