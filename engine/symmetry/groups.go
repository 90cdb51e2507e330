package symmetry

import (
	"encoding/binary"
	"slices"
)

// Groups are sets of transitions, each with members.
type Groups struct {
	net     *Net
	sets    [][]int
	who     [][]int        // by group, members; nil: none have any
	members []string       // names by member
	at      map[string]int // members by name
	named   map[string][]int
	own     []string       // by group, its key
	keys    map[string]int // how often each occurs
	with    map[int][]int  // by class, the groups that have a transition of it
	of      [][]int        // by member, its groups
}

// TransitionGroups returns sets of transitions that an exchange may map onto each other. Entry i of who lists the members that take part in set i, as indices
// into members, their names. Both may be nil.
func (s *Net) TransitionGroups(sets, who [][]int, members []string) *Groups {
	g := &Groups{net: s, sets: sets, who: who, members: members, at: map[string]int{}, named: map[string][]int{}, keys: map[string]int{},
		with: map[int][]int{}, of: make([][]int, len(members))}
	for m, name := range members {
		g.at[name] = m
		enter(g.named, m, name)
	}
	for i, set := range sets {
		g.own = append(g.own, g.key(i, nil, nil))
		g.keys[g.own[i]]++
		for _, t := range set {
			if list := g.with[s.class[t]]; len(list) == 0 || list[len(list)-1] != i {
				g.with[s.class[t]] = append(list, i)
			}
		}
		if who == nil {
			continue
		}
		for _, m := range who[i] {
			g.of[m] = append(g.of[m], i)
		}
	}
	return g
}

// key returns the mapped classes of a group's transitions, and its mapped members. Transitions of one class do the same, so how many of them
// the group has does not matter.
func (g *Groups) key(group int, classes, members map[int]int) string {
	var list []int
	for _, t := range g.sets[group] {
		list = append(list, image(classes, g.net.class[t]))
	}
	slices.Sort(list)
	var key []byte
	for _, class := range slices.Compact(list) {
		key = binary.AppendUvarint(key, uint64(class)+1)
	}
	key, list = append(key, 0), list[:0]
	if g.who != nil {
		for _, m := range g.who[group] {
			list = append(list, image(members, m))
		}
	}
	slices.Sort(list)
	for _, m := range list {
		key = binary.AppendUvarint(key, uint64(m))
	}
	return string(key)
}

// image returns what a map moves a number to.
func image(moves map[int]int, n int) int {
	if to, ok := moves[n]; ok {
		return to
	}
	return n
}

// Keeps reports whether the exchange maps the groups onto each other, and returns the members that it moves.
func (x *exchange) Keeps(g *Groups) (members map[int]int, ok bool) {
	members = map[int]int{}
	for _, index := range x.index {
		for _, m := range g.named[index] {
			to, known := g.at[x.rename.Replace(g.members[m])]
			if !known {
				return nil, false
			}
			if to != m {
				members[m] = to
			}
		}
	}
	var groups []int
	for class := range x.classes {
		groups = append(groups, g.with[class]...)
	}
	for m := range members {
		groups = append(groups, g.of[m]...)
	}
	slices.Sort(groups)
	for _, i := range slices.Compact(groups) {
		if g.keys[g.own[i]] != g.keys[g.key(i, x.classes, members)] {
			return nil, false
		}
	}
	return members, true
}
