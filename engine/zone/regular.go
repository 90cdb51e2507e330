package zone

import (
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A timed net is one in which places that stand for the values of clocks can be replaced by the values.
type timed struct {
	*petri.Net
	clocks [][]int    // by clock, its places: the one that is marked while i+1 ticks are left, by i
	of     []int      // by place, its clock; -1: it is no clock's
	pos    []int      // by place of a clock, its index there
	tick   int        // the transition by which time passes
	short  *petri.Net // see shortened
}

// regular returns a net with clocks as a timed one, if these are regular: no event depends on a clock's value, but on whether it runs, the same happens to it
// whatever its value, and it starts and starts anew at a fixed value; the tick takes one off every running clock, and does more only where one is at its end.
func regular(n *petri.Net, clocks [][]int) (*timed, bool) {
	x := &timed{Net: n, clocks: clocks, of: slices.Repeat([]int{-1}, len(n.Places)), pos: make([]int, len(n.Places)), tick: -1}
	for c, places := range clocks {
		for i, p := range places {
			x.of[p], x.pos[p] = c, i
		}
	}
	for t := range n.Transitions {
		of := &n.Transitions[t]
		if of.Moving {
			if x.tick >= 0 || len(of.In)+len(of.Out)+len(of.Marks) > 0 {
				return nil, false
			}
			x.tick = t
		}
		if slices.ContainsFunc(slices.Concat(of.In, of.Out, of.Read, of.Marks), x.clocked) {
			return nil, false
		}
	}
	for t := range n.Transitions {
		if !x.uniform(t) {
			return nil, false
		}
	}
	if x.tick < 0 {
		return nil, false
	}
	x.short = x.shortened()
	return x, true
}

// shortened returns the net with one place for each clock, that of its last tick, for what can happen at all. A move by which a clock counts is one of a transition of its own: it
// does not take the token round in a circle. The tick on which a clock starts anew does, by way of the clock's highest place: it is no stay.
func (x *timed) shortened() *petri.Net {
	n := *x.Net
	n.Transitions = slices.Clone(n.Transitions)
	of := func(p int) int {
		if x.clocked(p) {
			return x.clocks[x.of[p]][0]
		}
		return p
	}
	for t := range n.Transitions {
		var moves []petri.Move
		seen := map[string]bool{}
		for _, v := range x.Transitions[t].Moves {
			counting := x.clocked(v.From) && x.clocked(v.To) && x.pos[v.To] == x.pos[v.From]-1
			again := t == x.tick && !counting && !v.Stays() && of(v.From) == of(v.To)
			v = petri.Move{If: slices.Clone(v.If), From: of(v.From), To: of(v.To)}
			for i, p := range v.If {
				v.If[i] = of(p)
			}
			key := fmt.Sprint(counting, again, v)
			switch {
			case seen[key]:
			case counting:
				v.If = append(v.If, n.Transitions[t].Read...)
				n.Transitions = append(n.Transitions, petri.Transition{Event: -1, Moves: []petri.Move{v}})
			case again:
				top := x.clocks[x.of[v.From]][len(x.clocks[x.of[v.From]])-1]
				moves = append(moves, petri.Move{If: v.If, From: v.From, To: top}, petri.Move{From: top, To: v.From})
			default:
				moves = append(moves, v)
			}
			seen[key] = true
		}
		n.Transitions[t].Moves = moves
	}
	return &n
}

func (x *timed) clocked(p int) bool { return x.of[p] >= 0 }

// atEnd reports whether a place stands for the last tick of a clock.
func (x *timed) atEnd(p int) bool { return x.of[p] >= 0 && x.pos[p] == 0 }

// counts is the place to which a move leads that takes one off a clock.
const counts = -1

// uniform reports whether a transition does the same to a clock whatever its value, the last tick aside if it is the tick.
func (x *timed) uniform(t int) bool {
	from := map[int][]petri.Move{} // by place of a clock
	for _, v := range x.Transitions[t].Moves {
		if slices.ContainsFunc(v.If, func(p int) bool { return x.clocked(p) && (t != x.tick || !x.atEnd(p)) }) {
			return false
		}
		if x.clocked(v.From) && x.clocked(v.To) {
			c := x.of[v.From]
			counting := t == x.tick && x.pos[v.To] == x.pos[v.From]-1
			again := t != x.tick && x.pos[v.To] == len(x.clocks[c])-1 || t == x.tick && x.atEnd(v.From)
			if x.of[v.To] != c || !counting && !again {
				return false
			}
			if counting {
				v.To = counts
			}
		}
		if x.clocked(v.From) {
			from[v.From] = append(from[v.From], petri.Move{If: v.If, To: v.To})
		}
	}
	for _, places := range x.clocks {
		if !alike(places, from, t == x.tick) {
			return false
		}
	}
	return true
}

// alike reports whether the moves from all places of a clock are alike; of the tick without those from the last tick. At its highest value a clock need not start
// anew, which it otherwise does if nothing else is the case.
func alike(places []int, from map[int][]petri.Move, tick bool) bool {
	if tick {
		places = places[1:]
	}
	same := func(a, b petri.Move) bool { return a.To == b.To && slices.Equal(a.If, b.If) }
	for i, p := range places {
		expected, top := from[places[0]], places[len(places)-1]
		if i == len(places)-1 && !tick {
			again := slices.IndexFunc(expected, func(v petri.Move) bool { return v.To == top })
			if again >= 0 {
				if slices.ContainsFunc(expected[again:], func(v petri.Move) bool { return v.To != top }) {
					return false
				}
				expected = expected[:again]
			}
		}
		if i > 0 && !slices.EqualFunc(from[p], expected, same) {
			return false
		}
	}
	return true
}
