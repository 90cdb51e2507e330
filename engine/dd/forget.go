package dd

import "context"

// forget returns the tuples that equal some tuple of a set up to equivalent values. Values of a level are equivalent if one, by level and
// value, has the same number for them.
func (f *Forest) forget(ctx context.Context, a Node, one [][]int) (Node, error) {
	known := map[Node]Node{}
	var forget func(n Node) Node
	forget = func(n Node) Node {
		if n <= whole {
			return n
		}
		if m, ok := known[n]; ok {
			return m
		}
		level := f.Level(n)
		children := f.take(level)
		for i := range children {
			children[i] = forget(f.Child(n, i))
		}
		f.merge(children, one[level])
		known[n] = f.give(level, children)
		return known[n]
	}
	return f.run(ctx, func() Node { return forget(a) })
}

// merge replaces the children of equivalent values by their union.
func (f *Forest) merge(children []Node, one []int) {
	all := map[int]Node{}
	for i, c := range children {
		all[one[i]] = f.union(all[one[i]], c)
	}
	for i := range children {
		children[i] = all[one[i]]
	}
}
