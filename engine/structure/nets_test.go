package structure

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
)

// anyNet is a small net: mostly parties in one state each, some of whose transitions happen together, or tokens that split and
// join; else anything at all, with contacts. Some are watched, and some remember.
func anyNet(t *rapid.T) *petri.Net {
	var n *petri.Net
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		n = testnets.Wild(t, rapid.IntRange(1, 7).Draw(t, "places"))
	case 1, 2:
		n = parties(t)
	default:
		n = splits(t)
	}
	if rapid.IntRange(0, 2).Draw(t, "watched") == 0 {
		testnets.Watch(t, n)
	}
	if rapid.IntRange(0, 3).Draw(t, "history") == 0 && len(n.Transitions) > 0 {
		n.Transitions[0].Marks = []int{len(n.Places)}
		n.Places = append(n.Places, petri.Place{Name: "happened"})
	}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	return n
}

func empty(places int) *petri.Net {
	n := &petri.Net{Name: "n", Places: make([]petri.Place, places)}
	for p := range n.Places {
		n.Places[p] = petri.Place{Net: "n", Name: fmt.Sprint("p", p)}
	}
	return n
}

// parties are up to three state machines; a transition moves one or two of them, and may read a place of another.
func parties(t *rapid.T) *petri.Net {
	sizes := rapid.SliceOfN(rapid.IntRange(2, 4), 2, 3).Draw(t, "sizes")
	first, places := []int{}, 0
	for _, size := range sizes {
		first, places = append(first, places), places+size
	}
	n := empty(places)
	n.Initial = first
	for range rapid.IntRange(1, 8).Draw(t, "transitions") {
		tr := petri.Transition{Event: -1}
		for i, size := range sizes {
			from, to := first[i]+rapid.IntRange(0, size-1).Draw(t, "from"), first[i]+rapid.IntRange(0, size-1).Draw(t, "to")
			switch rapid.IntRange(0, 3).Draw(t, "takes part") {
			case 0, 1:
				if from != to {
					tr.In, tr.Out = append(tr.In, from), append(tr.Out, to)
				}
			case 2:
				tr.Read = append(tr.Read, from)
			}
		}
		n.Transitions = append(n.Transitions, tr)
	}
	return n
}

// splits are tokens that become several and one again, each under a number of its own: mostly one-safe.
func splits(t *rapid.T) *petri.Net {
	n := empty(rapid.IntRange(4, 8).Draw(t, "places"))
	n.Initial = []int{0}
	place := rapid.IntRange(0, len(n.Places)-1)
	for range rapid.IntRange(1, 7).Draw(t, "transitions") {
		in := rapid.SliceOfNDistinct(place, 1, 2, rapid.ID).Draw(t, "in")
		out := rapid.SliceOfNDistinct(place, 1, 2, rapid.ID).Draw(t, "out")
		tr := petri.Transition{Event: -1}
		for _, p := range in {
			if slices.Contains(out, p) {
				tr.Read = append(tr.Read, p)
			} else {
				tr.In = append(tr.In, p)
			}
		}
		tr.Out = slices.DeleteFunc(out, func(p int) bool { return slices.Contains(tr.Read, p) })
		for _, list := range [][]int{tr.In, tr.Out, tr.Read} {
			slices.Sort(list)
		}
		n.Transitions = append(n.Transitions, tr)
	}
	return n
}
