package dd

import (
	"context"
	"slices"
)

// Union returns the tuples of either of two sets of one level.
func (f *Forest) Union(ctx context.Context, a, b Node) (Node, error) {
	return f.run(ctx, func() Node { return f.union(a, b) })
}

// Intersect returns the tuples of both of two sets of one level.
func (f *Forest) Intersect(ctx context.Context, a, b Node) (Node, error) {
	return f.run(ctx, func() Node { return f.intersect(a, b) })
}

// Minus returns the tuples of a that are not in b, two sets of one level.
func (f *Forest) Minus(ctx context.Context, a, b Node) (Node, error) {
	return f.run(ctx, func() Node { return f.minus(a, b) })
}

func (f *Forest) union(a, b Node) Node {
	switch {
	case a == b || b == Empty:
		return a
	case a == Empty:
		return b
	case a > b:
		a, b = b, a
	}
	return f.apply(opUnion, a, b, f.union)
}

func (f *Forest) intersect(a, b Node) Node {
	switch {
	case a == b || b == whole:
		return a
	case a == whole:
		return b
	case a == Empty || b == Empty:
		return Empty
	case a > b:
		a, b = b, a
	}
	return f.apply(opIntersect, a, b, f.intersect)
}

func (f *Forest) minus(a, b Node) Node {
	switch {
	case a == b || a == Empty:
		return Empty
	case b == Empty:
		return a
	}
	return f.apply(opMinus, a, b, f.minus)
}

// apply applies an operation to each pair of children (Bryant 1986).
func (f *Forest) apply(o op, a, b Node, each func(a, b Node) Node) Node {
	if n, ok := f.find(o, uint32(a), uint32(b), 0); ok {
		return n
	}
	level := f.Level(a)
	if a <= whole {
		level = f.Level(b)
	}
	children := f.take(level)
	for i := range children {
		children[i] = each(f.Child(a, i), f.Child(b, i))
	}
	return f.remember(o, uint32(a), uint32(b), 0, f.give(level, children))
}

// Tuple returns the set of one tuple, in which values[i] is the value of level i+1.
func (f *Forest) Tuple(values []int) (Node, error) {
	return f.run(context.Background(), func() Node {
		n := Unit
		for i, v := range values {
			children := f.take(i + 1)
			children[v] = n
			n = f.give(i+1, children)
		}
		return n
	})
}

// Every returns the set of all tuples of the top level.
func (f *Forest) Every(ctx context.Context) (Node, error) {
	return f.run(ctx, func() Node {
		n := Unit
		for level := 1; level <= f.Levels(); level++ {
			children := f.take(level)
			for v := range children {
				children[v] = n
			}
			n = f.give(level, children)
		}
		return n
	})
}

// Select returns the tuples of a set of the top level whose value at a level is one with keep[value].
func (f *Forest) Select(ctx context.Context, a Node, level int, keep []bool) (Node, error) {
	test := Local{Level: level}
	for v, kept := range keep {
		if kept {
			test.Pairs = append(test.Pairs, Pair{uint16(v), uint16(v)})
		}
	}
	return f.Lead(ctx, f.Chain([]Local{test}), a)
}

// entry is the approximate size of a map entry, in bytes.
const entry = 48

// AtMost returns the tuples of a set of the top level whose weights add up to at most most. weights is by level and value.
func (f *Forest) AtMost(ctx context.Context, a Node, weights [][]int, most int) (Node, error) {
	least, greatest := make([]int, len(f.sizes)), make([]int, len(f.sizes))
	for l := 1; l < len(f.sizes); l++ {
		least[l], greatest[l] = least[l-1]+slices.Min(weights[l]), greatest[l-1]+slices.Max(weights[l])
	}
	known := map[[2]int]Node{}
	defer func() { f.known -= int64(len(known)) * entry }()
	var build func(level, left int) Node
	build = func(level, left int) Node {
		switch {
		case greatest[level] <= left:
			return whole
		case least[level] > left:
			return Empty
		}
		if n, ok := known[[2]int{level, left}]; ok {
			return n
		}
		children := f.take(level)
		for v := range children {
			children[v] = build(level-1, left-weights[level][v])
		}
		n := f.give(level, children)
		known[[2]int{level, left}] = n
		f.known += entry
		return n
	}
	return f.run(ctx, func() Node { return f.intersect(a, build(f.Levels(), most)) })
}

// Has reports whether a set of the top level has the tuple in which values[i] is the value of level i+1.
func (f *Forest) Has(a Node, values []int) bool {
	for level := len(values); a != Empty && level > 0; level-- {
		a = f.Child(a, values[level-1])
	}
	return a != Empty
}

// First returns the least tuple of a non-empty set, compared from the top level downwards.
func (f *Forest) First(a Node) []int {
	values := make([]int, f.Level(a))
	for a > whole {
		for v := range f.sizes[f.Level(a)] {
			if c := f.Child(a, v); c != Empty {
				values[f.Level(a)-1], a = v, c
				break
			}
		}
	}
	return values
}
