package dd

import "slices"

// A Relation on tuples changes the variables of some levels, each by itself, and leaves the others
// as they are.
type Relation uint32

const identity Relation = 1

// A Local is what a relation does to one variable: from a value to another, or the same. Values that are
// no From have no successor. One value may have several.
type Local struct {
	Level int
	Pairs []Pair
}

// A Pair of values of a variable.
type Pair struct{ From, To uint16 }

// relation is a chain: what it does at one level, and below.
type relation struct {
	level int
	pairs []Pair
	next  Relation
	other Relation // one with the same hash, or none
}

// Relations are the chains of one list of variables. The zero value has none.
type Relations struct {
	list  []relation
	chain map[uint64]Relation // by hash, the last
	known int64               // bytes of these, and of systems, about
}

// Chain makes the relation of locals, which stand in order of their levels, ascending; of none, the one that changes nothing.
// Relations that are the same from some level down share that part, and so what is remembered of it.
func (s *Relations) Chain(locals []Local) Relation {
	if s.chain == nil {
		s.list, s.chain = make([]relation, identity+1), map[uint64]Relation{}
	}
	next := identity
	for i := range locals {
		next = s.link(&locals[i], next)
	}
	return next
}

// link is the relation of one local step above a relation.
func (s *Relations) link(l *Local, next Relation) Relation {
	h := mix(uint64(next)<<32 ^ uint64(l.Level))
	for _, p := range l.Pairs {
		h = mix(h ^ uint64(p.From)<<16 ^ uint64(p.To))
	}
	first := s.chain[h]
	for r := first; r != 0; r = s.list[r].other {
		if k := &s.list[r]; k.level == l.Level && k.next == next && slices.Equal(k.pairs, l.Pairs) {
			return r
		}
	}
	r := Relation(len(s.list))
	s.list = append(s.list, relation{l.Level, l.Pairs, next, first})
	s.chain[h] = r
	s.known += int64(4*len(l.Pairs) + 96)
	return r
}

// A System is a union of relations, sorted for saturation by the highest level they touch.
type System struct {
	number    op
	relations []Relation
	arcs      [][][]arc // by level, by value of its variable
	other     *System   // one with the same hash, or none
}

// An arc of the top level of a relation: to a value, and what happens below.
type arc struct {
	to   uint16
	next Relation
}

// System makes the union of relations, less the one that changes nothing. The same relations make the same system: who asks for one again and again takes no
// more memory, and the numbers, of which there are 2^29, don't run out before memory does.
func (f *Forest) System(relations []Relation) *System {
	h := uint64(0)
	for _, r := range relations {
		h = mix(h ^ uint64(r))
	}
	first := f.systems[h]
	for s := first; s != nil; s = s.other {
		if slices.Equal(s.relations, relations) {
			return s
		}
	}
	f.numbers++
	s := &System{f.numbers * opCount, slices.Clone(relations), make([][][]arc, len(f.sizes)), first}
	f.systems[h] = s
	f.known += int64(4*len(relations) + 24*len(f.sizes) + 96)
	for _, r := range relations {
		if r != identity {
			f.add(s, &f.list[r])
		}
	}
	return s
}

// add enters a relation into a system, at its top.
func (f *Forest) add(s *System, top *relation) {
	if s.arcs[top.level] == nil {
		s.arcs[top.level] = make([][]arc, f.sizes[top.level])
		f.known += int64(24 * f.sizes[top.level])
	}
	for _, p := range top.pairs {
		list := &s.arcs[top.level][p.From]
		*list = append(*list, arc{p.To, top.next})
		f.known += 8
	}
}

// Cost is how many levels relations go down in all, what they share counted once: a measure, before
// anything is computed, of what an order of the variables makes firing cost.
func (s *Relations) Cost() int {
	highest := make([]int, len(s.list))
	cost := 0
	for r := len(s.list) - 1; r > int(identity); r-- { // what uses a relation stands after it
		rel := &s.list[r]
		highest[r] = max(highest[r], rel.level)
		highest[rel.next] = max(highest[rel.next], rel.level-1)
		if highest[r] > rel.level {
			cost += highest[r] - rel.level
		}
	}
	return cost + len(s.list)
}
