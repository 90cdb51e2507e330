package symbolic

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A variable of a symbolic state model is a set of places of which at most one is marked. Value i means that its place i is marked. If in some
// state none of them may be marked, there is one more value, which means that.
type variable struct {
	places []int
	none   bool // whether none may be marked
	alone  bool // a single place, with no known component with one token

	component []int // the component its places are from; nil if alone
}

// size returns the number of values.
func (v *variable) size() int {
	if v.none {
		return len(v.places) + 1
	}
	return len(v.places)
}

// value returns the value of the variable in a marking.
func (v *variable) value(m petri.Marking) int {
	for i, p := range v.places {
		if m.Has(p) {
			return i
		}
	}
	return len(v.places)
}

// variables partitions the places of a net. Each part comes from a set of places of which exactly one is marked in every reachable marking,
// less the places in earlier parts. A place without such a set is a variable of its own. Half of the steps are shared by all places equally,
// and the rest go to the first that are left.
func variables(t *space.WorkBudget, n *petri.Net) []variable {
	f := newComponents(t, n)
	taken, untaken := make([]bool, len(n.Places)), len(n.Places)
	var list []variable
	for _, share := range []func() int{
		func() int { return (f.left - maxSteps/2) / untaken },
		func() int { return f.left / 4 },
	} {
		for p := range n.Places {
			if taken[p] || share() <= 0 {
				continue
			}
			if set := f.find(p, taken, share()); set != nil {
				v := part(set, taken)
				list, untaken = append(list, v), untaken-len(v.places)
			}
		}
	}
	for p := range n.Places {
		if !taken[p] {
			list = append(list, variable{places: []int{p}, none: true, alone: true})
		}
	}
	slices.SortFunc(list, func(a, b variable) int { return cmp.Compare(a.places[0], b.places[0]) })
	return list
}

// part returns a variable of the places of a component that are not taken yet, and takes them.
func part(set []int, taken []bool) variable {
	places := slices.DeleteFunc(slices.Clone(set), func(q int) bool { return taken[q] })
	for _, q := range places {
		taken[q] = true
	}
	return variable{places: places, none: len(places) < len(set), component: set}
}
