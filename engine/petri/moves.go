package petri

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// A Move is what a transition does to a net that only watches it, such as an obligation: where the
// places If and From are all marked before it fires, the token of From goes to To. Where they are
// not, the transition fires all the same. Of the moves with one From the first that applies counts.
// A move with To == From is a stay: where it counts, the token stays, and nothing moves. So a move
// with stays before it says "unless", in as many moves as there are exceptions.
//
// A move is a conditional transfer arc (Dufourd, Finkel, Schnoebelen 1998, Reset nets between
// decidability and undecidability, for the unconditional one). In a one-safe net it adds no power:
// a transition with moves stands for one ordinary transition for each way the watching nets can
// stand, of which there may be exponentially many. The moves of a transition are sorted by From;
// From and To of moves are on no other arc of the transition.
type Move struct {
	If       []int
	From, To int
}

// Stays reports whether a move leaves the token where it is, whatever the moves after it say.
func (v Move) Stays() bool { return v.From == v.To }

// Moved lists the moves of t that apply in m, without stays.
func (n *Net) Moved(m Marking, t int) []Move { return slices.Collect(n.moved(m, t)) }

// moved yields the moves of t that apply in m, without stays, by the place they start from. Both are sorted by that, and a transition may have 100,000 moves.
func (n *Net) moved(m Marking, t int) iter.Seq[Move] {
	return func(yield func(Move) bool) {
		moves, marked := n.Transitions[t].Moves, make([]bool, len(n.Places))
		for _, p := range m {
			marked[p] = true
		}
		for _, p := range m {
			at, _ := slices.BinarySearchFunc(moves, p, func(v Move, p int) int { return cmp.Compare(v.From, p) })
			for moves = moves[at:]; len(moves) > 0 && moves[0].From == p; moves = moves[1:] {
				if applies := !slices.ContainsFunc(moves[0].If, func(q int) bool { return !marked[q] }); !applies {
					continue
				}
				if !moves[0].Stays() && !yield(moves[0]) {
					return
				}
				break
			}
		}
	}
}

// moves reports whether a move of t applies in m.
func (n *Net) moves(m Marking, t int) bool {
	for range n.moved(m, t) {
		return true
	}
	return false
}

// Waits reports whether time, which passes by some transitions, would change something in m, or something holds it up. Where it does not, time may
// pass and nothing happens.
func (n *Net) Waits(m Marking, ticks []int) bool {
	for _, t := range ticks {
		if tr := &n.Transitions[t]; !tr.Moving || n.moves(m, t) || !subset(tr.In, m) || !subset(tr.Read, m) {
			return true
		}
	}
	return false
}

// effects lists what transition t unmarks and, ascending, marks in m.
func (n *Net) effects(m Marking, t int) (unmarked, marked []int) {
	unmarked, marked = slices.Clone(n.Transitions[t].In), slices.Clone(n.Transitions[t].Out)
	for _, v := range n.Moved(m, t) {
		unmarked, marked = append(unmarked, v.From), append(marked, v.To)
	}
	slices.Sort(marked)
	return unmarked, marked
}

// saneMoves checks that moves are sorted by From, stay clear of arcs, and that their places exist.
func (n *Net) saneMoves(t *Transition) error {
	if !slices.IsSortedFunc(t.Moves, func(a, b Move) int { return cmp.Compare(a.From, b.From) }) {
		return fmt.Errorf("moves %v are not sorted by the place they start from", t.Moves)
	}
	arcs := slices.Concat(t.In, t.Out, t.Read)
	for _, v := range t.Moves {
		for _, p := range append([]int{v.From, v.To}, v.If...) {
			if p < 0 || p >= len(n.Places) {
				return fmt.Errorf("move %v: no place %d among %d", v, p, len(n.Places))
			}
		}
		if slices.Contains(t.In, v.From) || slices.Contains(t.Out, v.From) || !v.Stays() && slices.Contains(arcs, v.To) {
			return fmt.Errorf("move %v changes a place twice", v)
		}
	}
	return nil
}
