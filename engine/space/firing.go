package space

import (
	"math/bits"

	"github.com/redlinehq/redline/engine/petri"
)

// A patch is the part of one transition that concerns one word of a marking: what it needs there and what it does.
type patch struct {
	word          int
	need, in, out uint64
	use           uint64 // need, and the places that moves depend on or go to
	marks         uint64 // history places; like out, without contact
}

// A firer is a net prepared for firing. Each transition is listed at one of the places it needs, so that only transitions listed at marked
// places are tried.
type firer struct {
	words   int
	patches [][]patch // by transition, one for each word it touches
	moves   []moves   // by transition
	free    []int     // the transitions that need no token
	waiting [][]int   // by place
	waited  []uint64  // the places where some transition waits
}

func newFirer(n *petri.Net) *firer {
	f := &firer{words: max(1, (len(n.Places)+63)/64), waiting: make([][]int, len(n.Places))}
	f.waited, f.moves = make([]uint64, f.words), prepared(n, f.words)
	for i := range n.Transitions {
		t := &n.Transitions[i]
		f.patches = append(f.patches, f.patch(t))
		f.wait(i, t)
	}
	return f
}

func (f *firer) patch(t *petri.Transition) []patch {
	dense := make(map[int]*patch)
	var order []int
	at := func(p int) *patch {
		if dense[p/64] == nil {
			dense[p/64] = &patch{word: p / 64}
			order = append(order, p/64)
		}
		return dense[p/64]
	}
	for _, p := range t.In {
		at(p).in |= 1 << (p % 64)
		at(p).need |= 1 << (p % 64)
	}
	for _, p := range t.Read {
		at(p).need |= 1 << (p % 64)
	}
	for _, p := range t.Out {
		at(p).out |= 1 << (p % 64)
	}
	for _, p := range t.Marks {
		at(p).marks |= 1 << (p % 64)
	}
	for _, v := range t.Moves {
		for _, p := range append([]int{v.From, v.To}, v.If...) {
			at(p).use |= 1 << (p % 64)
		}
	}
	patches := make([]patch, len(order))
	for i, w := range order {
		patches[i] = *dense[w]
		patches[i].use |= patches[i].need
	}
	return patches
}

// wait lists transition i at the place it needs with the shortest list so far, the first such place.
func (f *firer) wait(i int, t *petri.Transition) {
	best := -1
	for _, list := range [][]int{t.In, t.Read} {
		for _, p := range list {
			if best < 0 || len(f.waiting[p]) < len(f.waiting[best]) {
				best = p
			}
		}
	}
	if best < 0 {
		f.free = append(f.free, i)
		return
	}
	f.waiting[best] = append(f.waiting[best], i)
	Add(f.waited, best)
}

// fireable adds the fireable transitions of m to set, a bit set over transitions.
func (f *firer) fireable(m, set []uint64) {
	for _, t := range f.free {
		if f.enabled(m, t) {
			Add(set, t)
		}
	}
	for i, w := range m {
		for w &= f.waited[i]; w != 0; w &= w - 1 {
			for _, t := range f.waiting[i*64+bits.TrailingZeros64(w)] {
				if f.enabled(m, t) {
					Add(set, t)
				}
			}
		}
	}
}

func (f *firer) enabled(m []uint64, t int) bool {
	for i := range f.patches[t] {
		p := &f.patches[t][i]
		if m[p.word]&p.need != p.need {
			return false
		}
	}
	return !f.moves[t].must || f.moves[t].any(m)
}

// fire changes m by firing transition t, which is fireable. It returns the first place in contact, or -1. After a contact, m is useless.
func (f *firer) fire(m []uint64, t int) int {
	clash := f.moves[t].apply(m, m, m)
	for i := range f.patches[t] {
		p := &f.patches[t][i]
		if both := m[p.word] & p.out; both != 0 {
			clash = first(clash, p.word*64+bits.TrailingZeros64(both))
		}
		m[p.word] = m[p.word]&^p.in | p.out | p.marks
	}
	return clash
}

// together changes m by firing transitions in one step. It returns the first place in contact, or -1. A place that one transition of the step
// empties is not free for the output of another.
func (f *firer) together(m []uint64, ts []int) int {
	before, full := append([]uint64(nil), m...), append([]uint64(nil), m...)
	for _, t := range ts {
		clash := f.moves[t].apply(before, m, full)
		for i := range f.patches[t] {
			p := &f.patches[t][i]
			if both := full[p.word] & p.out; both != 0 {
				clash = first(clash, p.word*64+bits.TrailingZeros64(both))
			}
			full[p.word] |= p.out
			m[p.word] = m[p.word]&^p.in | p.out | p.marks
		}
		if clash >= 0 {
			return clash
		}
		for i := range full {
			full[i] |= before[i] // a place that moves emptied is free for their own transition only
		}
	}
	return -1
}

func first(a, b int) int {
	if a < 0 {
		return b
	}
	return min(a, b)
}
