package dd

import "fmt"

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
}

// Chain makes the relation of locals, which stand in order of their levels, ascending; of none, the one that changes nothing.
// Relations that are the same from some level down share that part, and so what is remembered of it.
func (f *Forest) Chain(locals []Local) Relation {
	next := identity
	for _, l := range locals {
		key := fmt.Sprint(l, next)
		r, ok := f.chains[key]
		if !ok {
			r = Relation(len(f.relations))
			f.relations = append(f.relations, relation{l.Level, l.Pairs, next})
			f.chains[key] = r
			f.known += int64(2*len(key) + 4*len(l.Pairs) + 64)
		}
		next = r
	}
	return next
}

// A System is a union of relations, sorted for saturation by the highest level they touch.
type System struct {
	number op
	arcs   [][][]arc // by level, by value of its variable
}

// An arc of the top level of a relation: to a value, and what happens below.
type arc struct {
	to   uint16
	next Relation
}

// System makes the union of relations. The same relations make the same system: who asks for one again and again takes no
// more memory, and the numbers, of which there are 2^29, don't run out before memory does.
func (f *Forest) System(relations []Relation) *System {
	key := fmt.Sprint(relations)
	if s := f.systems[key]; s != nil {
		return s
	}
	s := &System{number: op(len(f.systems)+1) * opCount, arcs: make([][][]arc, len(f.sizes))}
	f.systems[key] = s
	f.known += int64(len(key) + 24*len(f.sizes))
	for _, r := range relations {
		f.add(s, &f.relations[r])
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
func (f *Forest) Cost() int {
	highest := make([]int, len(f.relations))
	cost := 0
	for r := len(f.relations) - 1; r > int(identity); r-- { // what uses a relation stands after it
		rel := f.relations[r]
		highest[r] = max(highest[r], rel.level)
		highest[rel.next] = max(highest[rel.next], rel.level-1)
		if highest[r] > rel.level {
			cost += highest[r] - rel.level
		}
	}
	return cost + len(f.relations)
}
