package space

import "github.com/redlinehq/redline/engine/petri"

// moves are the moves of one transition, sorted by From: see petri.Move.
type moves struct {
	list []petri.Move
	must bool // the transition fires only where a move applies
}

func (x moves) any(m []uint64) bool {
	for i := range x.list {
		if applies(m, &x.list[i]) {
			return true
		}
	}
	return false
}

// apply moves tokens in m and in full by the moves that apply in before; the three may be the same slice. It returns the first target that
// already holds a token in full, or -1. A place that a move empties is free.
func (x moves) apply(before, m, full []uint64) int {
	if len(x.list) == 0 {
		return -1
	}
	var room [16]int
	applied := room[:0]
	for i := range x.list {
		v := &x.list[i]
		again := len(applied) > 0 && x.list[applied[len(applied)-1]].From == v.From
		if !again && applies(before, v) {
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

func applies(m []uint64, v *petri.Move) bool {
	if !Has(m, v.From) {
		return false
	}
	for _, p := range v.If {
		if !Has(m, p) {
			return false
		}
	}
	return true
}
