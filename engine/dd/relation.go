package dd

import "slices"

// A Relation changes the variables of some levels independently, and leaves the others unchanged.
type Relation uint32

const identity Relation = 1

// A Local is the effect of a relation on one variable: the pairs of values before and after. A value that is no From has no successor. A
// value may have several.
type Local struct {
	Level int
	Pairs []Pair
}

// A Pair has the values of a variable before and after a step.
type Pair struct{ From, To uint16 }

// relation is a chain: the effect at one level, and the relation below.
type relation struct {
	level int
	pairs []Pair
	next  Relation
	other Relation // another one with the same hash, or none
}

// Relations stores the chains of one list of variables. The zero value is empty.
type Relations struct {
	list  []relation
	chain map[uint64]Relation // by hash, the last
	known int64               // approximate bytes of these and of systems
}

// Chain returns the relation of locals, which must be in ascending order of levels. Without locals it is the identity. Relations that agree
// from some level down share that part, and its cached results.
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

// link returns the relation of one local effect above a relation.
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
	other     *System   // another one with the same hash, or none
}

// An arc is a pair of the top level of a relation: the new value, and the relation below.
type arc struct {
	to   uint16
	next Relation
}

// System returns the union of relations without the identity. The same relations give the same system, so that repeated calls take no more
// memory, and the 2^29 numbers of systems don't run out before memory does.
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

// add adds a relation to a system, at its top level.
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

// Cost returns how many levels all relations span, shared parts counted once. It estimates in advance how expensive firing is under an order
// of the variables.
func (s *Relations) Cost() int {
	highest := make([]int, len(s.list))
	cost := 0
	for r := len(s.list) - 1; r > int(identity); r-- { // users of a relation come after it
		rel := &s.list[r]
		highest[r] = max(highest[r], rel.level)
		highest[rel.next] = max(highest[rel.next], rel.level-1)
		if highest[r] > rel.level {
			cost += highest[r] - rel.level
		}
	}
	return cost + len(s.list)
}
