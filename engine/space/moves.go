package space

import (
	"math/bits"

	"github.com/redlinehq/redline/engine/petri"
)

// moves are the moves of one transition, sorted by From: see petri.Move. They are found by the tokens of a marking, since a clock has a move for each
// of its values.
type moves struct {
	list  []petri.Move
	must  bool     // the transition fires only where a move applies
	from  []uint64 // the places they start from
	rank  []int32  // by word of from, the number of places in the words before it
	begin []int32  // by number of place, the index of its first move; and the length of the list
}

// movesOf prepares the moves of a transition.
func movesOf(t *petri.Transition, words int) moves {
	x := moves{list: t.Moves, must: t.Moving, from: make([]uint64, words), rank: make([]int32, words)}
	for i := range x.list {
		if p := x.list[i].From; !Has(x.from, p) {
			Add(x.from, p)
			x.begin = append(x.begin, int32(i))
		}
	}
	x.begin = append(x.begin, int32(len(x.list)))
	for w := 1; w < words; w++ {
		x.rank[w] = x.rank[w-1] + int32(bits.OnesCount64(x.from[w-1]))
	}
	return x
}

// next returns the index of the first move that applies in m and starts from a place of word w in left, and what is left then; -1 if there is none.
// It passes over places at which the token stays.
func (x *moves) next(m []uint64, w int, left uint64) (int, uint64) {
	for left != 0 {
		bit := left & -left
		left &^= bit
		at := x.rank[w] + int32(bits.OnesCount64(x.from[w]&(bit-1)))
		for i := x.begin[at]; i < x.begin[at+1]; i++ {
			if !all(m, x.list[i].If) {
				continue
			}
			if x.list[i].Stays() {
				break
			}
			return int(i), left
		}
	}
	return -1, 0
}

func all(m []uint64, places []int) bool {
	for _, p := range places {
		if !Has(m, p) {
			return false
		}
	}
	return true
}

func (x *moves) any(m []uint64) bool {
	for w, from := range x.from {
		if i, _ := x.next(m, w, m[w]&from); i >= 0 {
			return true
		}
	}
	return false
}

// apply moves tokens in m and in full by the moves that apply in before; the three may be the same slice. It returns the first target that
// already holds a token in full, or -1. A place that a move empties is free.
func (x *moves) apply(before, m, full []uint64) int {
	var room [16]int
	applied := room[:0]
	for w, from := range x.from {
		for i, left := x.next(before, w, before[w]&from); i >= 0; i, left = x.next(before, w, left) {
			applied = append(applied, i)
		}
	}
	for _, i := range applied {
		drop(m, x.list[i].From)
		drop(full, x.list[i].From)
	}
	clash := -1
	for _, i := range applied {
		if to := x.list[i].To; Has(full, to) {
			clash = first(clash, to)
		}
		Add(m, x.list[i].To)
		Add(full, x.list[i].To)
	}
	return clash
}

// prepared returns the moves of all transitions. Those of one event share a list, which is prepared once.
func prepared(n *petri.Net, words int) []moves {
	type shared struct {
		first *petri.Move
		must  bool
	}
	known, list := map[shared]moves{}, make([]moves, len(n.Transitions))
	for i := range n.Transitions {
		t := &n.Transitions[i]
		if len(t.Moves) == 0 {
			list[i].must = t.Moving
			continue
		}
		key := shared{&t.Moves[0], t.Moving}
		if x, ok := known[key]; !ok || len(x.list) != len(t.Moves) {
			known[key] = movesOf(t, words)
		}
		list[i] = known[key]
	}
	return list
}
