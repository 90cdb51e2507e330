package space

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A variable of a symbolic state model is a set of places of which at most one is marked. Value i
// says that its place i is marked; the last value, where some state may have none of them marked, that none is.
type variable struct {
	places []int
	none   bool // whether none may be marked
	alone  bool // one place of which no component with one token is known
}

// size is the number of values.
func (v *variable) size() int {
	if v.none {
		return len(v.places) + 1
	}
	return len(v.places)
}

// value of the variable in a marking.
func (v *variable) value(m petri.Marking) int {
	for i, p := range v.places {
		if m.Has(p) {
			return i
		}
	}
	return len(v.places)
}

// variables partitions the places of a net: each into a set of which exactly one is marked in every
// reachable marking, as far as one is found, less the places that other sets have taken. What is in no such
// set is a variable of its own.
func variables(t *toil, n *petri.Net) []variable {
	f := newComponents(t, n)
	taken := make([]bool, len(n.Places))
	var list []variable
	untaken := len(n.Places)
	for p := range n.Places {
		if taken[p] {
			continue
		}
		v := variable{places: []int{p}, none: true, alone: true}
		if set := f.find(p, taken, untaken); set != nil {
			v.places = slices.DeleteFunc(slices.Clone(set), func(q int) bool { return taken[q] })
			v.none, v.alone = len(v.places) < len(set), false
		}
		for _, q := range v.places {
			taken[q] = true
		}
		untaken -= len(v.places)
		list = append(list, v)
	}
	return list
}
