package dd

import "context"

// Forget is the tuples that differ from some tuple of a set, if at all, in the variables of the levels that gone says, by level.
func (f *Forest) Forget(ctx context.Context, a Node, gone []bool) (Node, error) {
	known := map[Node]Node{}
	var forget func(n Node) Node
	forget = func(n Node) Node {
		if n <= whole {
			return n
		}
		if m, ok := known[n]; ok {
			return m
		}
		level := f.level(n)
		children := f.take(level)
		for i := range children {
			children[i] = forget(f.child(n, i))
		}
		if gone[level] {
			all := Empty
			for _, c := range children {
				all = f.union(all, c)
			}
			for i := range children {
				children[i] = all
			}
		}
		known[n] = f.give(level, children)
		return known[n]
	}
	return f.run(ctx, func() Node { return forget(a) })
}
