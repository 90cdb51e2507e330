package dd

import "context"

// Highest returns the highest level that a relation changes or depends on; 0 if there is none.
func (s *Relations) Highest(r Relation) int {
	if r <= Identity {
		return 0
	}
	return s.list[r].level
}

// Domain returns the identity on the tuples from which a relation leads somewhere.
func (s *Relations) Domain(r Relation) Relation {
	return s.rewrite(r, func(_ int, p Pair) (Pair, bool) { return Pair{From: p.From, To: p.From}, true })
}

// Map returns a relation with each pair replaced by another one of its level.
func (s *Relations) Map(r Relation, to func(level int, p Pair) Pair) Relation {
	return s.rewrite(r, func(level int, p Pair) (Pair, bool) { return to(level, p), true })
}

// Some returns the part of a relation in which the pair at some level is of a kind.
func (s *Relations) Some(r Relation, kind func(level int, p Pair) bool) Relation {
	known := map[Relation]Relation{Nothing: Nothing, Identity: Nothing}
	var some func(r Relation) Relation
	some = func(r Relation) Relation {
		if part, ok := known[r]; ok {
			return part
		}
		node := s.list[r]
		var pairs []Pair
		var nexts []Relation
		for i, p := range node.pairs {
			next := node.below(i)
			if !kind(node.level, p) {
				next = some(next)
			}
			pairs, nexts = with(pairs, nexts, p, next)
		}
		known[r] = s.Branch(node.level, pairs, nexts)
		return known[r]
	}
	return some(r)
}

// Occurs reports whether a relation leads somewhere from some tuple of the values, by level, that occur.
func (s *Relations) Occurs(r Relation, values [][]bool) bool {
	failed := map[Relation]bool{}
	var occurs func(r Relation) bool
	occurs = func(r Relation) bool {
		if r <= Identity || failed[r] {
			return r == Identity
		}
		node := &s.list[r]
		for i, p := range node.pairs {
			if values[node.level][p.From] && occurs(node.below(i)) {
				return true
			}
		}
		failed[r] = true
		return false
	}
	return occurs(r)
}

// A copier copies relations of one store to another one, in which each level has another number. level is by the old number. It must keep the
// order of levels.
type copier struct {
	from, to *Relations
	level    []int
	known    map[Relation]Relation
}

// NewCopier returns a Copier that has copied nothing yet.
func NewCopier(from, to *Relations, level []int) *copier {
	return &copier{from, to, level, map[Relation]Relation{Nothing: Nothing, Identity: Identity}}
}

// Copy returns the copy of a relation.
func (c *copier) Copy(r Relation) Relation {
	if copied, ok := c.known[r]; ok {
		return copied
	}
	node := c.from.list[r]
	node.level = c.level[node.level]
	if node.nexts == nil {
		node.next = c.Copy(node.next)
	} else {
		nexts := make([]Relation, len(node.nexts))
		for i, next := range node.nexts {
			nexts[i] = c.Copy(next)
		}
		node.nexts = nexts
	}
	c.known[r] = c.to.keep(node)
	return c.known[r]
}

// join returns the relation that does in one step what two relations do, which share no level. Its errors are those of the forest.
func (f *Forest) join(ctx context.Context, a, b Relation) (r Relation, err error) {
	known := map[[2]Relation]Relation{}
	var join func(a, b Relation) Relation
	join = func(a, b Relation) Relation {
		switch {
		case a == Nothing || b == Identity:
			return a
		case b == Nothing || a == Identity:
			return b
		case f.list[a].level < f.list[b].level:
			a, b = b, a
		}
		if r, ok := known[[2]Relation{a, b}]; ok {
			return r
		}
		node := f.list[a]
		f.labour(1 + len(node.pairs))
		if node.nexts == nil {
			node.next = join(node.next, b)
		} else {
			nexts := make([]Relation, len(node.nexts))
			for i, next := range node.nexts {
				nexts[i] = join(next, b)
			}
			node.nexts = nexts
		}
		known[[2]Relation{a, b}] = f.Relations.keep(node)
		return known[[2]Relation{a, b}]
	}
	err = f.guard(ctx, func() { r = join(a, b) })
	return r, err
}

// disagreement returns the identity on the tuples from which two relations lead to different ones. Its errors are those of the forest.
func (f *Forest) disagreement(ctx context.Context, a, b Relation) (r Relation, err error) {
	x := &forking{f, map[fork]Relation{}}
	err = f.guard(ctx, func() { r = x.both(fork{a, b, false}) })
	return r, err
}

// A fork is two relations below a level, with whether they lead to different values above.
type fork struct {
	a, b   Relation
	differ bool
}

type forking struct {
	*Forest
	known map[fork]Relation
}

// both returns the identity on the tuples from which both relations lead somewhere, and to different tuples unless they differ above.
func (x *forking) both(k fork) Relation {
	level := max(x.Highest(k.a), x.Highest(k.b))
	switch {
	case k.a == Nothing || k.b == Nothing || level == 0 && !k.differ:
		return Nothing
	case level == 0:
		return Identity
	}
	if r, ok := x.known[k]; ok {
		return r
	}
	var pairs []Pair
	var nexts []Relation
	x.at(k.a, level, func(p Pair, a Relation) {
		x.at(k.b, level, func(q Pair, b Relation) {
			if x.labour(1); p.From == q.From {
				pairs, nexts = with(pairs, nexts, Pair{From: p.From, To: p.From}, x.both(fork{a, b, k.differ || p.To != q.To}))
			}
		})
	})
	x.known[k] = x.Branch(level, pairs, nexts)
	return x.known[k]
}

// at calls do with the pairs of a relation at a level, and the relation below each.
func (x *forking) at(r Relation, level int, do func(p Pair, next Relation)) {
	if x.Highest(r) < level {
		for v := range x.sizes[level] {
			do(Pair{From: uint16(v), To: uint16(v)}, r)
		}
		return
	}
	for i, p := range x.list[r].pairs {
		do(p, x.list[r].below(i))
	}
}
