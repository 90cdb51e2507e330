package delta

import "slices"

// A sets has sets of states of a view, closed under silent steps, and their successors by observed label: the subset construction, computed
// on demand.
type sets struct {
	lists // the sets
	view  *view

	follow []span // by set: its range in label and next
	known  []bool // by set: follow is
	label  []uint32
	next   []uint32

	seen  []uint32 // by state: the turn in which it was last collected
	turn  uint32
	stack []uint32
	keys  []uint64
}

// A span is a part of a list.
type span struct{ from, to uint32 }

func newSets(m *stepBudget, v *view) *sets {
	return &sets{lists: newLists(m), view: v, seen: make([]uint32, v.sys.Len())}
}

func (s *sets) has(i, state uint32) bool {
	_, ok := slices.BinarySearch(s.get(i), state)
	return ok
}

// close returns the number of the set of the states of keys and all that they reach silently.
func (s *sets) close(keys []uint64) (uint32, error) {
	s.turn++
	s.stack = s.stack[:0]
	for _, k := range keys {
		s.collect(uint32(k))
	}
	v := s.view.sys
	for i := 0; i < len(s.stack); i++ {
		s.since++
		for a := v.First[s.stack[i]]; a < v.First[s.stack[i]+1] && v.Label[a] == Silent; a++ {
			s.collect(v.Target[a])
		}
	}
	slices.Sort(s.stack)
	i, err := s.number(s.stack)
	if int(i) == len(s.known) && err == nil {
		s.follow, s.known = append(s.follow, span{}), append(s.known, false)
	}
	return i, err
}

func (s *sets) collect(state uint32) {
	if s.seen[state] != s.turn {
		s.seen[state] = s.turn
		s.stack = append(s.stack, state)
	}
}

// after returns the labels that can be observed next in set i, sorted, and the set that each leads to.
func (s *sets) after(i uint32) (labels, sets []uint32, err error) {
	if !s.known[i] {
		if err := s.expand(i); err != nil {
			return nil, nil, err
		}
	}
	f := s.follow[i]
	return s.label[f.from:f.to], s.next[f.from:f.to], nil
}

func (s *sets) expand(i uint32) error {
	s.keys = s.keys[:0]
	for _, state := range s.get(i) {
		s.keys = s.view.observed(s.keys, state)
	}
	if err := s.tick(len(s.keys)); err != nil {
		return err
	}
	s.keys = sorted(s.keys)
	f := span{from: uint32(len(s.label))}
	for lo, hi := 0, 0; lo < len(s.keys); lo = hi {
		hi = run(s.keys, lo)
		to, err := s.close(s.keys[lo:hi])
		if err != nil {
			return err
		}
		s.label, s.next = append(s.label, uint32(s.keys[lo]>>32)), append(s.next, to)
	}
	f.to = uint32(len(s.label))
	s.follow[i], s.known[i] = f, true
	return s.claim(8 * int(f.to-f.from))
}

// run returns the end of the keys with the label of the one at lo.
func run(keys []uint64, lo int) int {
	hi := lo + 1
	for hi < len(keys) && keys[hi]>>32 == keys[lo]>>32 {
		hi++
	}
	return hi
}

// observed appends the keys of the observed arcs of a state.
func (v *view) observed(keys []uint64, state uint32) []uint64 {
	for a := v.sys.First[state]; a < v.sys.First[state+1]; a++ {
		if v.sys.Label[a] != Silent {
			keys = append(keys, key(v.sys.Label[a], v.sys.Target[a]))
		}
	}
	return keys
}
