package local

import "github.com/redlinehq/redline/engine/space"

// distance returns an estimate of how much of the marking must change until a node has the wanted value. It is 0 where the node has that
// value. It looks at each atom alone, and counts a temporal operator as its goal.
func (x *search) distance(n *node, want bool, s int) int {
	switch n.kind {
	case always:
		return far(want)
	case place:
		return far(space.Has(x.walk.Words(s), n.place) == want)
	case atMost:
		return x.excess(n, want, s)
	case dead:
		return far(!want)
	case not:
		return x.distance(n.parts[0], !want, s)
	case iff:
		return x.change(n, want, s)
	case next, weak:
		return x.distance(n.parts[0], want, s)
	case until:
		return x.distance(n.parts[1], want, s)
	}
	return x.distances(n, want, s)
}

func far(has bool) int {
	if has {
		return 0
	}
	return 1
}

// distances returns the sum of the parts' distances if all must have the value, otherwise the least of them.
func (x *search) distances(n *node, want bool, s int) int {
	sum, least := 0, farthest
	for _, p := range n.parts {
		d := x.distance(p, want, s)
		sum, least = min(sum+d, farthest), min(least, d)
	}
	if (n.kind == and) == want {
		return sum
	}
	return least
}

// change returns the least distance of a part of an iff from its other value, or 0 if the iff has the wanted value or temporal operators.
func (x *search) change(n *node, want bool, s int) int {
	a, b := n.parts[0], n.parts[1]
	if n.height > 0 || x.holds(n, s) == want {
		return 0
	}
	return min(x.distance(a, !x.holds(a, s), s), x.distance(b, !x.holds(b, s), s))
}

// excess returns by how much a sum must change.
func (x *search) excess(n *node, want bool, s int) int {
	m, sum := x.walk.Words(s), 0
	for _, w := range n.sum.Weights {
		if space.Has(m, w.Place) {
			sum += w.By
		}
	}
	if want {
		return min(farthest, max(0, sum-n.sum.Most))
	}
	return min(farthest, max(0, n.sum.Most+1-sum))
}
