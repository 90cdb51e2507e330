package dd

import (
	"context"
	"math/big"
)

// Union of two sets of one level.
func (f *Forest) Union(ctx context.Context, a, b Node) (Node, error) {
	return f.run(ctx, func() Node { return f.union(a, b) })
}

// Intersect two sets of one level.
func (f *Forest) Intersect(ctx context.Context, a, b Node) (Node, error) {
	return f.run(ctx, func() Node { return f.intersect(a, b) })
}

// Minus is a without b, two sets of one level.
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

// apply is Bryant's apply (1986): the operation on each pair of children.
func (f *Forest) apply(o op, a, b Node, each func(a, b Node) Node) Node {
	if n, ok := f.find(o, uint32(a), uint32(b), 0); ok {
		return n
	}
	f.pulse()
	level := int(f.store[a])
	if a <= whole {
		level = int(f.store[b])
	}
	children := f.take(level)
	for i := range children {
		children[i] = each(f.child(a, i), f.child(b, i))
	}
	return f.remember(o, uint32(a), uint32(b), 0, f.give(level, children))
}

// Tuple is the set of one tuple: values[i] is that of level i+1.
func (f *Forest) Tuple(values []int) Node {
	n := Unit
	for i, v := range values {
		children := f.take(i + 1)
		children[v] = n
		n = f.give(i+1, children)
	}
	return n
}

// Select is the tuples of a set of the top level in which the variable of a level has one of the values that keep
// says, by value.
func (f *Forest) Select(ctx context.Context, a Node, level int, keep []bool) (Node, error) {
	return f.run(ctx, func() Node { return f.intersect(a, f.where(level, keep)) })
}

// where is a constraint on one variable.
func (f *Forest) where(level int, keep []bool) Node {
	n := whole
	for l := level; l <= f.Levels(); l++ {
		children := f.take(l)
		for i := range children {
			if l > level || keep[i] {
				children[i] = n
			}
		}
		n = f.give(l, children)
	}
	return n
}

// Count is the number of tuples of a set. Cost: one addition for each arc of the diagram.
func (f *Forest) Count(a Node) *big.Int {
	known := map[Node]*big.Int{Empty: new(big.Int), Unit: big.NewInt(1)}
	var count func(n Node) *big.Int
	count = func(n Node) *big.Int {
		if c := known[n]; c != nil {
			return c
		}
		sum := new(big.Int)
		for i := range f.sizes[f.store[n]] {
			if c := f.child(n, i); c != Empty {
				sum.Add(sum, count(c))
			}
		}
		known[n] = sum
		return sum
	}
	return count(a)
}

// First is the least tuple of a set that is not empty, by the values from the top level downwards.
func (f *Forest) First(a Node) []int {
	values := make([]int, f.Level(a))
	for a > whole {
		for v := range f.sizes[f.store[a]] {
			if c := f.child(a, v); c != Empty {
				values[f.store[a]-1], a = v, c
				break
			}
		}
	}
	return values
}

// Nodes is how many nodes the diagram of a set has.
func (f *Forest) Nodes(a Node) int {
	seen := map[Node]bool{}
	var walk func(n Node)
	walk = func(n Node) {
		if n <= whole || seen[n] {
			return
		}
		seen[n] = true
		for i := range f.sizes[f.store[n]] {
			walk(f.child(n, i))
		}
	}
	walk(a)
	return len(seen)
}
