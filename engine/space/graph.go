package space

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"github.com/redlinehq/redline/engine/petri"
)

// A Graph is the state model of a net. Its states are the reachable markings, numbered from 0, the initial one. It has an arc for every firing
// in every state, or for every step under petri.All; parallel arcs count separately. It is safe for concurrent reading.
type Graph struct {
	Net    *petri.Net
	ID     uint64 // unique among all graphs of this process, including discarded ones
	rule   petri.Rule
	firer  *firer
	Budget budget
	index  index
	Marks  rows[uint64] // by state, its marking as a bit set over places
	first  rows[uint32] // by state, its first arc; one more entry at the end
	succ   rows[uint32] // by arc, its target
	Dead   int

	Reversing sync.Mutex // guards Budget, once the graph is built, and back
	back      *reverse
}

// Len returns the number of states.
func (g *Graph) Len() int { return g.Marks.len }

// Arcs returns the number of arcs.
func (g *Graph) Arcs() int { return g.succ.len }

// DeadEnds returns the number of states without successor.
func (g *Graph) DeadEnds() int { return g.Dead }

// Bytes returns the memory that the graph takes, in bytes: markings, index, arcs and, once a method has needed them, arcs backwards.
func (g *Graph) Bytes() int64 {
	g.Reversing.Lock()
	defer g.Reversing.Unlock()
	return g.Budget.used
}

// Marking returns the marking of state s.
func (g *Graph) Marking(s int) petri.Marking { return petri.Marking(members(g.Marks.At(s))) }

// Find returns the state with marking m, and reports whether m is reachable.
func (g *Graph) Find(m petri.Marking) (s int, ok bool) {
	words := make([]uint64, g.firer.words)
	for _, p := range m {
		if p < 0 || p >= len(g.Net.Places) {
			return 0, false
		}
		Add(words, p)
	}
	s, _ = g.index.find(words, Hash(words))
	return max(s, 0), s >= 0
}

// Rule returns the rule by which transitions fire.
func (g *Graph) Rule() petri.Rule { return g.rule }

// Succ returns the targets of the arcs that leave state s, in the order of Steps. The caller must not change it.
func (g *Graph) Succ(s int) []uint32 { return g.succ.span(g.ArcsFrom(s)) }

// Steps returns what fires along each arc that leaves state s: sorted transitions, a single one under petri.One. It fires them again, since
// storing them would cost as much as the arcs.
func (g *Graph) Steps(s int) [][]int {
	set := make([]uint64, (len(g.Net.Transitions)+63)/64)
	g.firer.fireable(g.Marks.At(s), set)
	able := members(set)
	if g.rule == petri.All {
		var steps [][]int
		_ = g.firer.steps(context.Background(), able, func(step []int) error { // which never fails
			steps = append(steps, slices.Clone(step))
			return nil
		})
		return steps
	}
	steps := make([][]int, len(able))
	for i := range able {
		steps[i] = able[i : i+1 : i+1]
	}
	return steps
}

// ArcsFrom returns the range of arcs that leave state s: from up to, but not including, to.
func (g *Graph) ArcsFrom(s int) (from, to int) {
	return int(g.first.At(s)[0]), int(g.first.At(s + 1)[0])
}

// members returns the elements of a bit set, ascending.
func members(words []uint64) []int {
	n := 0
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	list := make([]int, 0, n)
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			list = append(list, i*64+bits.TrailingZeros64(w))
		}
	}
	return list
}

// Between returns the first step from one marking to another. It panics if there is none.
func (g *Graph) Between(from, to petri.Marking) []int {
	s, _ := g.Find(from)
	t, _ := g.Find(to)
	for i, next := range g.Succ(s) {
		if int(next) == t {
			return g.Steps(s)[i]
		}
	}
	panic("space: no step between consecutive markings of a run")
}
