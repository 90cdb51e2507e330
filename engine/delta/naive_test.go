package delta_test

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
)

// What the package computes, once more from the definitions: sets as sorted slices, relations as
// matrices, no reduction of anything.

type arc struct{ from, label, to int }

// lts is a system as its arcs, whose labels are observed through see.
type lts struct {
	states int
	arcs   []arc
	see    []uint32
}

func (l *lts) observed(a arc) uint32 {
	if l.see == nil {
		return uint32(a.label)
	}
	return l.see[a.label]
}

func (l *lts) system() *delta.System {
	slices.SortStableFunc(l.arcs, func(a, b arc) int { return cmp.Compare(a.from, b.from) })
	s := &delta.System{First: make([]uint32, l.states+1)}
	for _, a := range l.arcs {
		s.First[a.from+1]++
		s.Label, s.Target = append(s.Label, uint32(a.label)), append(s.Target, uint32(a.to))
	}
	for i := range l.states {
		s.First[i+1] += s.First[i]
	}
	return s
}

// post is where a step leads that is observed as o.
func (l *lts) post(set []int, o uint32) []int {
	var to []int
	for _, a := range l.arcs {
		if l.observed(a) == o && slices.Contains(set, a.from) {
			to = append(to, a.to)
		}
	}
	return unique(to)
}

// silently adds what is reached in silence.
func (l *lts) silently(set []int) []int {
	for {
		more := unique(append(slices.Clone(set), l.post(set, delta.Silent)...))
		if len(more) == len(set) {
			return more
		}
		set = more
	}
}

// next is what can be observed next, and Silent if silence can be endless.
func (l *lts) next(state int) []uint32 {
	var next []uint32
	set := l.silently([]int{state})
	for _, a := range l.arcs {
		if slices.Contains(set, a.from) && l.observed(a) != delta.Silent {
			next = append(next, l.observed(a))
		}
	}
	for _, s := range set {
		if slices.Contains(l.silently(l.post([]int{s}, delta.Silent)), s) {
			next = append(next, delta.Silent)
		}
	}
	return unique(next)
}

func unique[E cmp.Ordered](list []E) []E {
	slices.Sort(list)
	return slices.Compact(list)
}

// bisimilar is branching bisimilarity with explicit divergence of the states of a and b together, those of b after
// those of a. It is the largest relation found by taking away pairs that break the definition (R. van
// Glabbeek, B. Luttik, N. Trčka 2009, Branching bisimilarity with explicit divergence, definition 2.2 with condition D2):
// where nothing is silent, that of strong bisimilarity.
func bisimilar(a, b *lts) [][]bool {
	both := &lts{states: a.states + b.states, see: a.see, arcs: slices.Clone(a.arcs)}
	for _, x := range b.arcs {
		both.arcs = append(both.arcs, arc{x.from + a.states, x.label, x.to + a.states})
	}
	rel := make([][]bool, both.states)
	for i := range rel {
		rel[i] = slices.Repeat([]bool{true}, both.states)
	}
	for again := true; again; {
		again = false
		for s := range rel {
			for t := range rel {
				if rel[s][t] && !(both.follows(rel, s, t) && both.idles(rel, s, t)) {
					rel[s][t], rel[t][s], again = false, false, true
				}
			}
		}
	}
	return rel
}

// follows: each step of s is silent and leads to an equal of t, or t can do it after silent steps to an
// equal of s.
func (l *lts) follows(rel [][]bool, s, t int) bool {
	for _, a := range l.arcs {
		if a.from != s || l.observed(a) == delta.Silent && rel[a.to][t] {
			continue
		}
		found := false
		for _, b := range l.arcs {
			found = found || l.observed(b) == l.observed(a) && rel[s][b.from] && rel[a.to][b.to] && slices.Contains(l.silently([]int{t}), b.from)
		}
		if !found {
			return false
		}
	}
	return true
}

// idles: if silence can be endless from s on among equals of t, then t can go on in silence to an equal of one of them.
func (l *lts) idles(rel [][]bool, s, t int) bool {
	equals := &lts{states: l.states, see: l.see}
	for _, a := range l.arcs {
		if l.observed(a) == delta.Silent && rel[a.from][t] && rel[a.to][t] {
			equals.arcs = append(equals.arcs, a)
		}
	}
	if !slices.Contains(equals.next(s), delta.Silent) {
		return true
	}
	for _, x := range equals.silently([]int{s}) {
		if !slices.Contains(equals.silently(equals.post(equals.silently([]int{x}), delta.Silent)), x) && !slices.Contains(equals.next(x), delta.Silent) {
			continue // not on an endless path
		}
		for _, y := range l.silently(l.post([]int{t}, delta.Silent)) {
			if rel[x][y] {
				return true
			}
		}
	}
	return false
}

// A place is what both sides may be in after a word.
type place struct {
	word       []uint32
	own, other []int
}

// places are all different ones in order of length, then of labels. Where own goes on and other can't is no
// place; it calls refused.
func places(own, other *lts, labels uint32, refused func(p place, label uint32)) []place {
	list := []place{{nil, own.silently([]int{0}), other.silently([]int{0})}}
	met := map[string]bool{fmt.Sprint(list[0].own, list[0].other): true}
	for i := 0; i < len(list); i++ {
		for o := uint32(1); o <= labels; o++ {
			p := place{append(slices.Clone(list[i].word), o), own.silently(own.post(list[i].own, o)), other.silently(other.post(list[i].other, o))}
			id := fmt.Sprint(p.own, p.other)
			switch {
			case len(p.own) == 0 || met[id]:
			case len(p.other) == 0:
				refused(list[i], o)
			default:
				met[id] = true
				list = append(list, p)
			}
		}
	}
	return list
}

// lifted are the labels of the run in which word is observed: the fewest, then the first.
func (l *lts) lifted(word []uint32, ends func(state int) bool) []uint32 {
	type stage struct {
		labels []uint32
		done   int
		set    []int
	}
	list := []stage{{nil, 0, []int{0}}}
	met := map[string]bool{}
	for i := 0; ; i++ {
		s := list[i]
		if s.done == len(word) && slices.ContainsFunc(s.set, ends) {
			return s.labels
		}
		for label := range 10 {
			o := l.observed(arc{label: label})
			if o != delta.Silent && (s.done == len(word) || word[s.done] != o) {
				continue
			}
			raw := &lts{states: l.states, arcs: l.arcs}
			n := stage{append(slices.Clone(s.labels), uint32(label)), s.done, raw.post(s.set, uint32(label))}
			if o != delta.Silent {
				n.done++
			}
			if id := fmt.Sprint(n.done, n.set); len(n.set) > 0 && !met[id] {
				met[id] = true
				list = append(list, n)
			}
		}
	}
}
