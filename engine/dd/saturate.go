package dd

import "context"

// Reach returns a and the tuples that the system leads to from it in any number of steps.
//
// It is saturation (Ciardo, Luettgen, Siminiceanu 2001): a node is saturated when no relation whose
// top is at or below its level adds to it; nodes are saturated from the bottom up, and every node
// that a firing makes is saturated at once. Time and memory depend on the diagrams alone.
func (f *Forest) Reach(ctx context.Context, s *System, a Node) (Node, error) {
	return f.run(ctx, func() Node { return f.saturate(s, a, whole) })
}

// ReachWithin returns a and the tuples that the system leads to from it by steps that all end within c. It is constrained saturation (Zhao,
// Ciardo 2009).
func (f *Forest) ReachWithin(ctx context.Context, s *System, a, c Node) (Node, error) {
	return f.run(ctx, func() Node { return f.saturate(s, a, c) })
}

func (f *Forest) saturate(s *System, n, c Node) Node {
	if n <= whole || c == Empty || f.Level(n) < s.lowest {
		return n
	}
	o := s.number + opSaturate
	if r, ok := f.find(o, uint32(n), uint32(c), 0); ok {
		return r
	}
	level := f.Level(n)
	children := f.take(level)
	for i := range children {
		children[i] = f.saturate(s, f.Child(n, i), f.Child(c, i))
	}
	f.close(s, level, children, c)
	return f.remember(o, uint32(n), uint32(c), 0, f.give(level, children))
}

// close fires the relations whose top is at a level until they add nothing to the children.
func (f *Forest) close(s *System, level int, children []Node, c Node) {
	if level >= len(s.arcs) || s.arcs[level] == nil {
		return
	}
	arcs := s.arcs[level]
	var small [64]bool
	changed := small[:]
	if len(children) > len(small) {
		changed = make([]bool, len(children))
	}
	for i, n := range children {
		changed[i] = n != Empty
	}
	for again := true; again; {
		again = false
		for i := range children {
			for changed[i] {
				changed[i] = false
				for _, a := range arcs[i] {
					f.labour(1)
					within := f.Child(c, int(a.to))
					if within == Empty {
						continue
					}
					f.Stats.firings++
					more := f.union(children[a.to], f.fire(s, a.next, children[i], within))
					if more != children[a.to] {
						children[a.to], changed[a.to] = more, true
						again = again || int(a.to) < i
					}
				}
			}
		}
	}
}

// fire returns the saturated image of n under one relation, within c.
func (f *Forest) fire(s *System, r Relation, n, c Node) Node {
	switch {
	case n == Empty || c == Empty:
		return Empty
	case r == Identity && c == whole:
		return n
	case r == Identity:
		return f.saturate(s, f.intersect(n, c), c)
	}
	o := s.number + opFire
	if m, ok := f.find(o, uint32(r), uint32(n), uint32(c)); ok {
		return m
	}
	level := f.Level(n)
	children := f.take(level)
	if rel := &f.list[r]; rel.level < level {
		for i := range children {
			children[i] = f.fire(s, r, f.Child(n, i), f.Child(c, i))
		}
	} else {
		for i, p := range rel.pairs {
			f.labour(1)
			m := f.fire(s, rel.below(i), f.Child(n, int(p.From)), f.Child(c, int(p.To)))
			children[p.To] = f.union(children[p.To], m)
		}
	}
	f.close(s, level, children, c)
	return f.remember(o, uint32(r), uint32(n), uint32(c), f.give(level, children))
}
