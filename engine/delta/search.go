package delta

import "slices"

// A search follows one side's states, each with the set of all states that the other side can be in after the same observations. It is
// breadth first and in order of labels, so each result has the shortest word, and of these the first.
//
// It leaves out a state that is in the set itself, since the other side can then do everything that it can. While it only asks whether
// anything is refused, it also leaves out a state that it had before with a smaller set (M. De Wulf, L. Doyen, T. Henzinger, J.-F. Raskin
// 2006, Antichains: a new algorithm for checking universality of finite automata): what the larger set refuses, the smaller one refuses at
// that point or sooner. Sooner may be another label, so this does not apply once it looks for all refused labels.
type search struct {
	*stepBudget
	view   *view
	sets   *sets
	groups []group
	states []uint32 // of the groups, one group after another
	met    numbers  // keys of set and state

	antichain bool
	dropped   bool     // the antichain left a state out
	last      []uint32 // by state: one more than its latest link; 0: none
	links     []link

	found   []refusal
	refused map[uint32]int // by label: one more than its place in found
	wait    uint32         // see View
	keys    []uint64
}

// A group has the states after one word, without those left out, and the set.
type group struct {
	parent, label uint32 // the word is the parent's and the label; the first group has none
	set           uint32
	states        span
}

// A link is a set that a state was met with, and the number of the link before it plus 1.
type link struct{ set, before uint32 }

// A refusal is a word whose last label the other side refuses, and what the other side can do instead.
type refusal struct {
	word, instead []uint32
	delayed       bool // the other side has the last label after some waits
}

func newSearch(m *stepBudget, v *view) *search {
	return &search{stepBudget: m, view: v, sets: newSets(m, v)}
}

// refusals finds each label that other refuses after a word of both, with the first shortest such word; if there are words after which other refuses it
// however often it waits, the first shortest of these. The results are valid even if there is an error.
func (s *search) refusals(from, other uint32) error {
	if err := s.begin(from, other); err != nil {
		return err
	}
	for g := 0; g < len(s.groups); g++ {
		if err := s.expand(g, s.refuse); err != nil {
			return err
		}
		if s.antichain && len(s.found) > 0 {
			s.antichain = false
			if s.dropped {
				g = -1
				if err := s.restart(from, other); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// begin starts with the empty word.
func (s *search) begin(from, other uint32) error {
	s.antichain, s.refused = true, map[uint32]int{}
	s.last = make([]uint32, s.view.sys.Len())
	return s.restart(from, other)
}

// restart returns to the empty word. Results and sets stay.
func (s *search) restart(from, other uint32) error {
	s.groups, s.states, s.met = s.groups[:0], s.states[:0], numbers{}
	set, err := s.sets.close([]uint64{uint64(other)})
	if err != nil {
		return err
	}
	return s.add(group{set: set}, []uint64{uint64(from)})
}

// expand follows each label that can be observed next after group g, and calls refuse for those that the other side cannot follow.
func (s *search) expand(g int, refuse func(g int, label uint32) error) error {
	from := s.groups[g]
	labels, next, err := s.sets.after(from.set)
	if err != nil {
		return err
	}
	s.keys = s.keys[:0]
	for _, state := range s.members(g) {
		s.keys = s.view.observed(s.keys, state)
	}
	s.keys = sorted(s.keys)
	for lo, hi := 0, 0; lo < len(s.keys); lo = hi {
		hi = run(s.keys, lo)
		label := uint32(s.keys[lo] >> 32)
		if i, ok := slices.BinarySearch(labels, label); !ok {
			if err := refuse(g, label); err != nil {
				return err
			}
		} else if err := s.add(group{parent: uint32(g), label: label, set: next[i]}, s.keys[lo:hi]); err != nil {
			return err
		}
	}
	return s.tick(1 + len(s.keys))
}

func (s *search) members(g int) []uint32 {
	return s.states[s.groups[g].states.from:s.groups[g].states.to]
}

// add adds a group of the states of keys and those they reach silently, unless all are left out.
func (s *search) add(g group, keys []uint64) error {
	g.states.from = uint32(len(s.states))
	for _, k := range keys {
		s.offer(uint32(k), g.set)
	}
	v := s.view.sys
	for i := int(g.states.from); i < len(s.states); i++ {
		from := v.First[s.states[i]]
		a := from
		for ; a < v.First[s.states[i]+1] && v.Label[a] == Silent; a++ {
			s.offer(v.Target[a], g.set)
		}
		if err := s.tick(int(a - from)); err != nil {
			return err
		}
	}
	g.states.to = uint32(len(s.states))
	if g.states.from == g.states.to {
		return nil
	}
	s.groups = append(s.groups, g)
	return s.claim(20 + 28*int(g.states.to-g.states.from))
}

// offer adds a state to the group under construction, unless it can be left out.
func (s *search) offer(state, set uint32) {
	if s.sets.has(set, state) || !s.met.add(key(set, state)) {
		return
	}
	if s.antichain {
		if s.smaller(state, set) {
			s.dropped = true
			return
		}
		s.links = append(s.links, link{set, s.last[state]})
		s.last[state] = uint32(len(s.links))
	}
	s.states = append(s.states, state)
}

// smaller reports whether state was met with a subset of set. It examines only the latest sets: examining all would cost more than it
// saves.
func (s *search) smaller(state, set uint32) bool {
	all := s.sets.get(set)
	if len(all) == 1 {
		return false
	}
	for i, n := s.last[state], 0; i > 0 && n < 32; i, n = s.links[i-1].before, n+1 {
		looked, ok := part(s.sets.get(s.links[i-1].set), all)
		s.since += looked
		if ok {
			return true
		}
	}
	return false
}

// part reports whether all numbers of a are in b, and how many it compared. Both are sorted.
func part(a, b []uint32) (looked int, ok bool) {
	j := 0
	for i := range a {
		for j < len(b) && b[j] < a[i] {
			j++
		}
		if len(a)-i > len(b)-j || b[j] != a[i] {
			return i + j + 1, false
		}
	}
	return len(a) + j, true
}

func (s *search) refuse(g int, label uint32) error {
	at := s.refused[label]
	if at > 0 && !s.found[at-1].delayed {
		return nil
	}
	instead, _, err := s.sets.after(s.groups[g].set)
	if err != nil {
		return err
	}
	delayed, err := s.comes(label, s.groups[g].set)
	if err != nil || at > 0 && delayed {
		return err
	}
	r := refusal{append(s.word(g), label), slices.Clone(instead), delayed}
	if at > 0 {
		s.found[at-1] = r
		return nil
	}
	s.found = append(s.found, r)
	s.refused[label] = len(s.found)
	return nil
}

// comes reports whether a label that is refused in a set is possible after some waits.
func (s *search) comes(label, set uint32) (bool, error) {
	if s.wait == Silent || label == s.wait {
		return false, nil
	}
	for met := map[uint32]bool{}; !met[set]; {
		met[set] = true
		labels, next, err := s.sets.after(set)
		if err != nil {
			return false, err
		}
		if slices.Contains(labels, label) {
			return true, nil
		}
		i, ok := slices.BinarySearch(labels, s.wait)
		if !ok {
			return false, nil
		}
		set = next[i]
		if err := s.tick(1); err != nil {
			return false, err
		}
	}
	return false, nil
}

// word returns the observations up to group g.
func (s *search) word(g int) []uint32 {
	var word []uint32
	for ; g > 0; g = int(s.groups[g].parent) {
		word = append(word, s.groups[g].label)
	}
	slices.Reverse(word)
	return word
}
