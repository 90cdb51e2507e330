package dd

import (
	"context"
	"slices"
)

// Image returns the tuples of c that the system leads to from a in one step.
func (f *Forest) Image(ctx context.Context, s *System, a, c Node) (Node, error) {
	return f.run(ctx, func() Node { return f.image(s, a, c) })
}

// Lead returns the tuples that one relation leads to from a.
func (f *Forest) Lead(ctx context.Context, r Relation, a Node) (Node, error) {
	return f.run(ctx, func() Node { return f.product(r, a, whole) })
}

// Leading reports of each relation whether it leads anywhere from a.
func (f *Forest) Leading(ctx context.Context, of []Relation, a Node) (leads []bool, err error) {
	leads = make([]bool, len(of))
	if a == Empty {
		return leads, nil
	}
	err = f.guard(ctx, func() {
		layers := f.below(a)
		for i, r := range of {
			if r == Identity {
				leads[i] = true
			} else if r != Nothing {
				leads[i] = slices.ContainsFunc(layers[f.list[r].level], func(n Node) bool { return f.product(r, n, whole) != Empty })
			}
		}
	})
	return leads, err
}

func (f *Forest) image(s *System, n, c Node) Node {
	if n <= whole || c == Empty || f.Level(n) < s.lowest {
		return Empty
	}
	o := s.number + opImage
	if r, ok := f.find(o, uint32(n), uint32(c), 0); ok {
		return r
	}
	level := f.Level(n)
	children := f.take(level)
	for i := range children {
		children[i] = f.image(s, f.Child(n, i), f.Child(c, i))
	}
	for i, list := range f.jointly(s, level) {
		for _, j := range list {
			f.labour(1)
			a, within := f.Child(n, i), f.Child(c, int(j.to))
			switch {
			case j.rest == nil:
				a = f.product(j.next, a, within)
			case j.idle:
				a = f.union(f.intersect(a, within), f.image(j.rest, a, within))
			default:
				a = f.image(j.rest, a, within)
			}
			children[j.to] = f.union(children[j.to], a)
		}
	}
	return f.remember(o, uint32(n), uint32(c), 0, f.give(level, children))
}

// product returns the image of n under one relation, within c.
func (f *Forest) product(r Relation, n, c Node) Node {
	switch {
	case n == Empty || c == Empty || r == Nothing:
		return Empty
	case r == Identity:
		return f.intersect(n, c)
	}
	if m, ok := f.find(opProduct, uint32(r), uint32(n), uint32(c)); ok {
		return m
	}
	level := f.Level(n)
	children := f.take(level)
	if rel := &f.list[r]; rel.level < level {
		for i := range children {
			children[i] = f.product(r, f.Child(n, i), f.Child(c, i))
		}
	} else {
		for i, p := range rel.pairs {
			f.labour(1)
			m := f.product(rel.below(i), f.Child(n, int(p.From)), f.Child(c, int(p.To)))
			children[p.To] = f.union(children[p.To], m)
		}
	}
	return f.remember(opProduct, uint32(r), uint32(n), uint32(c), f.give(level, children))
}

// TrimDead removes from a the tuples without a successor in it, in at most so many rounds. done reports that every remaining tuple has a
// successor among them. before is the system of the inverse relations. Each round examines only predecessors of what the last one removed.
func (f *Forest) TrimDead(ctx context.Context, before *System, a Node, rounds int) (x Node, done bool, err error) {
	x, err = f.run(ctx, func() Node {
		x := f.image(before, a, a)
		out := f.minus(a, x)
		for ; out != Empty && rounds > 1; rounds-- {
			f.Stats.Iterations++
			doubtful := f.image(before, out, x)
			out = f.minus(doubtful, f.image(before, x, doubtful))
			x = f.minus(x, out)
		}
		done = out == Empty
		return x
	})
	return x, done, err
}
