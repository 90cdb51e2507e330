package dd

import (
	"maps"
	"slices"
)

// A Relation changes the variables of some levels, and leaves the others unchanged. It is a diagram of its own: a node has, for each pair of
// values before and after, the relation below (matrix diagrams: A. Miner, G. Ciardo, 1999, Efficient reachability set generation and storage
// using decision diagrams). If that is the same below all pairs of each node, the levels change independently.
type Relation uint32

const (
	Nothing  Relation = 0 // leads nowhere
	Identity Relation = 1 // changes nothing
)

// A Local is the effect of a relation on one variable: the pairs of values before and after. A value that is no From has no successor. A
// value may have several.
type Local struct {
	Level int
	Pairs []Pair
}

// A Pair has the values of a variable before and after a step.
type Pair struct{ From, To uint16 }

// relation is a node: the effect at one level, and the relation below, for all pairs or for each.
type relation struct {
	level int
	pairs []Pair
	next  Relation
	nexts []Relation // by pair; nil if next is below all
	other Relation   // another one with the same hash, or none
}

// below returns the relation below pair number i.
func (r *relation) below(i int) Relation {
	if r.nexts != nil {
		return r.nexts[i]
	}
	return r.next
}

// Relations stores the relations of one list of variables. The zero value is empty.
type Relations struct {
	list  []relation
	chain map[uint64]Relation // by hash, the last
	known int64               // approximate bytes of these and of systems
}

// Clone returns a store with the same relations, to which others can be added. The receiver must not be changed any more.
func (s *Relations) Clone() Relations {
	return Relations{slices.Clip(s.list), maps.Clone(s.chain), s.known}
}

// Chain returns the relation of locals, which must be in ascending order of levels. Without locals it is the identity. Relations that agree
// from some level down share that part, and its cached results.
func (s *Relations) Chain(locals []Local) Relation {
	next := Identity
	for i := range locals {
		next = s.keep(relation{level: locals[i].Level, pairs: locals[i].Pairs, next: next})
	}
	return next
}

// Branch returns the relation of a level whose effect on the levels below depends on the pair: nexts is by pair. Pairs above Nothing must be
// left out. Without pairs it is Nothing.
func (s *Relations) Branch(level int, pairs []Pair, nexts []Relation) Relation {
	if len(pairs) == 0 {
		return Nothing
	}
	r := relation{level: level, pairs: pairs, next: nexts[0]}
	if slices.ContainsFunc(nexts, func(n Relation) bool { return n != r.next }) {
		r.next, r.nexts = Nothing, nexts
	}
	return s.keep(r)
}

// keep returns the relation of a node.
func (s *Relations) keep(r relation) Relation {
	if s.chain == nil {
		s.list, s.chain = make([]relation, Identity+1), map[uint64]Relation{}
	}
	h := mix(uint64(r.next)<<32 ^ uint64(r.level))
	for i, p := range r.pairs {
		h = mix(h ^ uint64(p.From)<<16 ^ uint64(p.To) ^ uint64(r.below(i))<<32)
	}
	r.other = s.chain[h]
	for same := r.other; same != 0; same = s.list[same].other {
		if k := &s.list[same]; k.level == r.level && k.next == r.next && slices.Equal(k.pairs, r.pairs) && slices.Equal(k.nexts, r.nexts) {
			return same
		}
	}
	s.chain[h] = Relation(len(s.list))
	s.list = append(s.list, r)
	s.known += int64(4*(len(r.pairs)+len(r.nexts)) + 120)
	return s.chain[h]
}

// Inverse returns the relation with before and after exchanged.
func (s *Relations) Inverse(r Relation) Relation {
	return s.rewrite(r, func(_ int, p Pair) (Pair, bool) { return Pair{From: p.To, To: p.From}, true })
}

// Restrict returns the part of a relation in which the pair at each level is one of those to keep.
func (s *Relations) Restrict(r Relation, keep func(level int, p Pair) bool) Relation {
	return s.rewrite(r, func(level int, p Pair) (Pair, bool) { return p, keep(level, p) })
}

// rewrite changes or drops the pairs of all nodes of a relation.
func (s *Relations) rewrite(r Relation, change func(level int, p Pair) (Pair, bool)) Relation {
	known := map[Relation]Relation{Nothing: Nothing, Identity: Identity}
	var rewrite func(r Relation) Relation
	rewrite = func(r Relation) Relation {
		if changed, ok := known[r]; ok {
			return changed
		}
		node := s.list[r]
		pairs, nexts := make([]Pair, 0, len(node.pairs)), make([]Relation, 0, len(node.pairs))
		for i, p := range node.pairs {
			if p, kept := change(node.level, p); kept {
				pairs, nexts = with(pairs, nexts, p, rewrite(node.below(i)))
			}
		}
		known[r] = s.Branch(node.level, pairs, nexts)
		return known[r]
	}
	return rewrite(r)
}

// with adds a pair and the relation below it, unless that is Nothing, or the last pairs from the same value have it.
func with(pairs []Pair, nexts []Relation, p Pair, next Relation) ([]Pair, []Relation) {
	if next == Nothing {
		return pairs, nexts
	}
	for i := len(pairs) - 1; i >= 0 && pairs[i].From == p.From; i-- {
		if pairs[i] == p && nexts[i] == next {
			return pairs, nexts
		}
	}
	return append(pairs, p), append(nexts, next)
}

// Visit calls visit with every pair of every node of a relation.
func (s *Relations) Visit(r Relation, visit func(level int, p Pair)) {
	seen := map[Relation]bool{Nothing: true, Identity: true}
	var walk func(r Relation)
	walk = func(r Relation) {
		if seen[r] {
			return
		}
		seen[r] = true
		node := &s.list[r]
		for i, p := range node.pairs {
			visit(node.level, p)
			walk(node.below(i))
		}
	}
	walk(r)
}

// A System is a union of relations, sorted for saturation by the highest level they touch.
type System struct {
	number    op
	relations []Relation
	lowest    int         // level of a relation's top; above all levels if there are no relations
	arcs      [][][]arc   // by level, by value of its variable
	joint     [][][]joint // likewise, from the first image on
	other     *System     // another one with the same hash, or none
}

// An arc is a pair of the top level of a relation: the new value, and the relation below.
type arc struct {
	to   uint16
	next Relation
}

// System returns the union of relations without Identity and Nothing. The same relations give the same system, so that repeated calls take no more
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
	lowest, highest := len(f.sizes), 0
	for _, r := range relations {
		if top := f.Highest(r); top > 0 {
			lowest, highest = min(lowest, top), max(highest, top)
		}
	}
	s := &System{f.numbers * opCount, slices.Clone(relations), lowest, make([][][]arc, highest+1), nil, first}
	f.systems[h] = s
	f.known += int64(4*len(relations) + 24*highest + 150)
	for _, r := range relations {
		if r > Identity {
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
	for i, p := range top.pairs {
		list := &s.arcs[top.level][p.From]
		*list = append(*list, arc{p.To, top.below(i)})
		f.known += 8
	}
}

// A joint is what the relations of a system do together that have one pair of values at their top level.
type joint struct {
	to   uint16
	next Relation // of a single one: what is below
	rest *System  // of several
	idle bool     // one of several is the identity below
}

// jointly returns what the relations with this top level do, by value of its variable. Followed down one by one, relations that share a variable far above their
// others take a number of nodes that grows with the square of theirs.
func (f *Forest) jointly(s *System, level int) [][]joint {
	if level >= len(s.arcs) || s.arcs[level] == nil {
		return nil
	}
	if s.joint == nil {
		s.joint = make([][][]joint, len(s.arcs))
		f.known += int64(24 * len(s.arcs))
	}
	if s.joint[level] == nil {
		f.known += int64(24 * f.sizes[level])
		s.joint[level] = make([][]joint, f.sizes[level])
		for i, arcs := range s.arcs[level] {
			s.joint[level][i] = f.joined(arcs)
		}
	}
	return s.joint[level]
}

// joined joins the arcs from one value that lead to the same one.
func (f *Forest) joined(arcs []arc) (list []joint) {
	f.labour(len(arcs))
	nexts, seen := map[uint16][]Relation{}, map[arc]bool{}
	for _, a := range arcs {
		if !seen[a] {
			seen[a] = true
			nexts[a.to] = append(nexts[a.to], a.next)
		}
	}
	for _, to := range slices.Sorted(maps.Keys(nexts)) {
		j := joint{to: to, next: nexts[to][0]}
		if len(nexts[to]) > 1 {
			j.rest, j.idle = f.System(nexts[to]), seen[arc{to, Identity}]
		}
		list = append(list, j)
	}
	f.known += int64(24 * len(list))
	return list
}

// Cost returns how many levels all relations span, shared parts counted once. It estimates in advance how expensive firing is under an order
// of the variables.
func (s *Relations) Cost() int {
	highest := make([]int, len(s.list))
	cost := 0
	for r := len(s.list) - 1; r > int(Identity); r-- { // users of a relation come after it
		rel := &s.list[r]
		highest[r] = max(highest[r], rel.level)
		highest[rel.next] = max(highest[rel.next], rel.level-1)
		for _, next := range rel.nexts {
			highest[next] = max(highest[next], rel.level-1)
		}
		if highest[r] > rel.level {
			cost += highest[r] - rel.level
		}
	}
	return cost + len(s.list)
}
