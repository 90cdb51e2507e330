package dd

import (
	"context"
	"math/big"
	mathbits "math/bits"
	"slices"
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

// Select is the tuples of a set of the top level in which the variable of a level has one of the values that keep
// says, by value.
func (f *Forest) Select(ctx context.Context, a Node, level int, keep []bool) (Node, error) {
	test := Local{Level: level}
	for v, kept := range keep {
		if kept {
			test.Pairs = append(test.Pairs, Pair{uint16(v), uint16(v)})
		}
	}
	return f.Lead(ctx, f.Chain([]Local{test}), a)
}

// AtMost is the tuples of a set of the top level whose values' weights, by level and value, add up to at most a number.
func (f *Forest) AtMost(ctx context.Context, a Node, weights [][]int, most int) (Node, error) {
	least, greatest := make([]int, len(f.sizes)), make([]int, len(f.sizes))
	for l := 1; l < len(f.sizes); l++ {
		least[l], greatest[l] = least[l-1]+slices.Min(weights[l]), greatest[l-1]+slices.Max(weights[l])
	}
	known := map[[2]int]Node{}
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
		return n
	}
	return f.run(ctx, func() Node { return f.intersect(a, build(f.Levels(), most)) })
}

// Count is the number of tuples of a set. Cost: one addition of numbers as long as the result may be
// for each arc of the diagram.
func (f *Forest) Count(a Node) *big.Int {
	nodes := f.below(a)
	bits := 1
	for _, size := range f.sizes[1:] {
		bits += mathbits.Len(uint(size))
	}
	words := bits/64 + 1
	sums := make([]uint64, (len(nodes)+1)*words) // the last is Unit's
	sums[len(nodes)*words] = 1
	slot := make(map[Node]int, len(nodes)+1)
	slot[Unit] = len(nodes)
	for i, n := range nodes {
		slot[n] = i
		sum := sums[i*words : (i+1)*words]
		for v := range f.sizes[f.store[n]] {
			if c := f.child(n, v); c != Empty {
				add(sum, sums[slot[c]*words:][:words])
			}
		}
	}
	if a == Empty {
		return new(big.Int)
	}
	return number(sums[slot[a]*words:][:words])
}

func add(sum, more []uint64) {
	carry := uint64(0)
	for i := range sum {
		sum[i], carry = mathbits.Add64(sum[i], more[i], carry)
	}
}

func number(words []uint64) *big.Int {
	n := new(big.Int)
	for _, w := range slices.Backward(words) {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(w))
	}
	return n
}

// below lists the nodes of a diagram, children before parents: a node is made after its children.
func (f *Forest) below(a Node) []Node {
	if a <= whole {
		return nil
	}
	list, seen := []Node{a}, map[Node]bool{a: true}
	for i := 0; i < len(list); i++ {
		for v := range f.sizes[f.store[list[i]]] {
			if c := f.child(list[i], v); c > whole && !seen[c] {
				seen[c] = true
				list = append(list, c)
			}
		}
	}
	slices.Sort(list)
	return list
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
func (f *Forest) Nodes(a Node) int { return len(f.below(a)) }

// Support says, by level and value, whether some tuple of a set has the value there.
func (f *Forest) Support(a Node) [][]bool {
	values := make([][]bool, len(f.sizes))
	for l, size := range f.sizes {
		values[l] = make([]bool, size)
	}
	for _, n := range f.below(a) {
		level := f.store[n]
		for v := range values[level] {
			values[level][v] = values[level][v] || f.child(n, v) != Empty
		}
	}
	return values
}
