package slice

import (
	"encoding/binary"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Slicer drops tokens that do not matter to a formula. An act is a transition or one of its moves: what can happen, with what it reads and changes.
type Slicer struct {
	asked   question
	exact   bool       // each place of the formula keeps its tokens, and not only each predicate its value
	groups  [][]uint64 // as bit sets over places
	acts    []act
	waiting [][]int // by place, the acts that need it
	touched [][]int // by place, the acts that change it
	twins   [][]twin
	kept    map[string][]uint64 // by marking, with groups whole, the places that matter
	key     []byte
}

// An act happens only where all its needs are marked. Those of a move include the needs of its transition.
type act struct {
	needs   []int
	changes []int // places that it may unmark or mark
	unmarks []int
	marks   []int // those that it marks
	watched bool  // it is a move of a silent transition
	decides bool  // whether a transition can happen depends on it
}

// New returns a slicer of a one-safe net for a formula, as Explore uses it; false if the formula has EX or AX.
func New(n *petri.Net, groups [][]int, f *ctl.Formula) (*Slicer, bool) {
	asked, ok := asks(f)
	if !ok {
		return nil, false
	}
	s := &Slicer{asked: asked, kept: map[string][]uint64{}, waiting: make([][]int, len(n.Places)), touched: make([][]int, len(n.Places))}
	words := max(1, (len(n.Places)+63)/64)
	for _, places := range groups {
		group := make([]uint64, words)
		for _, p := range places {
			space.Add(group, p)
		}
		s.groups = append(s.groups, group)
	}
	for i := range n.Transitions {
		t := &n.Transitions[i]
		needs, changes := slices.Concat(t.In, t.Read), slices.Concat(t.In, t.Out, t.Marks)
		silent := t.Moving && len(changes) == 0
		s.act(act{needs, changes, t.In, slices.Concat(t.Out, t.Marks), false, true})
		if !t.Moving {
			changes = nil
		}
		for _, v := range t.Moves { // a transition that happens only where a move applies depends on all of them
			a := act{slices.Concat(needs, v.If, []int{v.From}), append([]int{v.From, v.To}, changes...), []int{v.From}, []int{v.To}, silent, t.Moving && !silent}
			if v.Stays() { // it changes what the moves after it do
				a.unmarks, a.marks, a.watched = nil, nil, false
			}
			s.act(a)
		}
	}
	s.twins = twinsOf(n)
	return s, true
}

// act adds an act.
func (s *Slicer) act(a act) {
	slices.Sort(a.needs)
	a.needs = slices.Compact(a.needs)
	for _, p := range a.needs {
		s.waiting[p] = append(s.waiting[p], len(s.acts))
	}
	for _, p := range a.changes {
		s.touched[p] = append(s.touched[p], len(s.acts))
	}
	s.acts = append(s.acts, a)
}

// Forget unmarks the places of m, a bit set, that do not matter. Without their tokens fewer may, so it goes on until none is left that does not.
func (s *Slicer) Forget(m []uint64) {
	for again := true; again; {
		again = false
		for i, w := range s.mattering(m) {
			again = again || m[i]&^w != 0
			m[i] &= w
		}
	}
}

// mattering returns the places that matter in a marking. It is the same for markings that differ only within groups.
func (s *Slicer) mattering(m []uint64) []uint64 {
	m = slices.Clone(m)
	for _, group := range s.groups {
		if some(group, m) {
			for i, w := range group {
				m[i] |= w
			}
		}
	}
	s.key = s.key[:0]
	for _, w := range m {
		s.key = binary.LittleEndian.AppendUint64(s.key, w)
	}
	if kept, known := s.kept[string(s.key)]; known {
		return kept
	}
	reached := slices.Clone(m)
	can := s.possible(reached)
	stays := s.staying(can, m)
	s.single(can, stays)
	var known constants
	if !s.exact {
		known = constants{stays, reached}
	}
	kept := s.backwards(can, known)
	s.kept[string(s.key)] = kept
	return kept
}

// possible returns the acts that can ever happen from a marking, and perhaps more: a place that was marked stays so.
func (s *Slicer) possible(reached []uint64) []bool {
	can, missing := make([]bool, len(s.acts)), make([]int, len(s.acts))
	var work []int
	happens := func(a int) {
		can[a] = true
		for _, p := range s.acts[a].marks {
			if !space.Has(reached, p) {
				space.Add(reached, p)
				work = append(work, p)
			}
		}
	}
	for p := range s.waiting {
		if space.Has(reached, p) {
			work = append(work, p)
		}
	}
	for a := range s.acts {
		if missing[a] = len(s.acts[a].needs); missing[a] == 0 {
			happens(a)
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range s.waiting[p] {
			if missing[a]--; missing[a] == 0 {
				happens(a)
			}
		}
	}
	return can
}

// staying returns the places that are marked for good in a marking, given the acts that can happen. Of a group it is not known which place is marked.
func (s *Slicer) staying(can []bool, m []uint64) []uint64 {
	stays := slices.Clone(m)
	for a := range s.acts {
		if can[a] {
			for _, p := range s.acts[a].unmarks {
				stays[p/64] &^= 1 << (p % 64)
			}
		}
	}
	for _, group := range s.groups {
		for i, w := range group {
			stays[i] &^= w
		}
	}
	return stays
}

// backwards returns the places that matter, given the acts that can happen, and what does not change.
func (s *Slicer) backwards(can []bool, c constants) []uint64 {
	matters := make([]uint64, (len(s.waiting)+63)/64)
	var work []int
	matter := func(places []int) {
		for _, p := range places {
			if !space.Has(matters, p) {
				space.Add(matters, p)
				work = append(work, p)
			}
		}
	}
	for _, f := range s.asked.predicates {
		matter(c.support(f).places)
	}
	if s.asked.paths {
		for a := range s.acts {
			if can[a] && s.acts[a].decides {
				matter(s.acts[a].needs)
			}
		}
		matter(s.circles(can))
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range s.touched[p] {
			if can[a] {
				matter(s.acts[a].needs)
			}
		}
	}
	return matters
}

// circles returns the places on circles along which moves of silent transitions can take a token, and perhaps some between circles.
func (s *Slicer) circles(can []bool) (on []int) {
	into, out := make([]int, len(s.waiting)), make([]int, len(s.waiting))
	var left []*act
	for a := range s.acts {
		if can[a] && s.acts[a].watched {
			left = append(left, &s.acts[a])
		}
	}
	for before := -1; before != len(left); {
		before = len(left)
		clear(into)
		clear(out)
		for _, v := range left {
			out[v.changes[0]]++
			into[v.changes[1]]++
		}
		left = slices.DeleteFunc(left, func(v *act) bool { return into[v.changes[0]] == 0 || out[v.changes[1]] == 0 })
	}
	for _, v := range left {
		on = append(on, v.changes...)
	}
	return on
}

// some reports whether two sets share a place.
func some(a, b []uint64) bool {
	for i, w := range a {
		if w&b[i] != 0 {
			return true
		}
	}
	return false
}
