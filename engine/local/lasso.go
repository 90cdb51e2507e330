package local

import (
	"math"
	"slices"
)

// lassoWork bounds the search for the shortest lasso, in states visited.
const lassoWork = 1 << 16

// weakPath returns a path that shows E[a W b] in a state: through states labelled with it to one that satisfies b, to a dead end, or into a
// loop. It returns the shortest path found, the first in this order among equals.
func (x *search) weakPath(n, b *node, s int) (path, error) {
	if x.eval(b, s) == yes {
		return path{states: []int{s}, loop: -1}, nil
	}
	inside := func(to int) bool { return n.kind == always || x.label(n, to) == yes }
	if n.kind == always { // E[true W b]: any maximal path will do
		return x.wander(s, inside)
	}
	h := &hunt{search: x, inside: inside, work: lassoWork}
	stop, steps := h.stop(b, s)
	if x.err != nil {
		return path{}, x.err
	}
	turn, found := h.turn(s, steps)
	switch {
	case x.err != nil:
		return path{}, x.err
	case found:
		return turn, nil
	case steps < math.MaxInt:
		return stop, nil
	}
	return x.wander(s, inside)
}

// A hunt is a search for short paths within a set of states.
type hunt struct {
	*search
	inside func(s int) bool
	work   int // states that may still be visited
}

// stop returns the shortest path to a state that satisfies b or is a dead end, and its number of steps.
func (h *hunt) stop(b *node, s int) (path, int) {
	tree := h.newTree(s)
	defer tree.close()
	for i := 0; i < len(tree.states) && h.pulse(); i++ {
		at := tree.states[i]
		ends := h.eval(b, at) == yes
		succ, err := h.walk.Succ(h.ctx, at)
		if dead := err == nil && len(succ) == 0; ends || dead {
			p := path{states: tree.way(i), loop: -1, dead: !ends}
			return p, p.steps()
		}
		for _, to := range succ {
			if h.inside(int(to)) {
				tree.add(int(to), i)
			}
		}
	}
	return path{}, math.MaxInt
}

// turn returns the shortest lasso of fewer steps than bound.
func (h *hunt) turn(s, bound int) (best path, found bool) {
	tree := h.newTree(s)
	defer tree.close()
	for i := 0; i < len(tree.states) && h.work > 0 && h.pulse(); i++ {
		depth := tree.depth[i]
		if depth+1 >= bound {
			break
		}
		if loop, there := h.loop(tree.states[i], bound-depth-1); there {
			best, found = path{states: append(tree.way(i), loop...), loop: depth}, true
			bound = best.steps()
		}
		succ, _ := h.walk.Succ(h.ctx, tree.states[i])
		for _, to := range succ {
			if h.inside(int(to)) {
				tree.add(int(to), i)
			}
		}
	}
	return best, found
}

// loop returns the states between s and its next occurrence on a shortest loop of at most so many arcs, and reports whether there is one.
func (h *hunt) loop(s, most int) (between []int, there bool) {
	tree := h.newTree(s)
	defer tree.close()
	for i := 0; i < len(tree.states) && h.work > 0 && h.pulse(); i++ {
		h.work--
		if tree.depth[i]+1 > most {
			break
		}
		succ, _ := h.walk.Succ(h.ctx, tree.states[i])
		if slices.Contains(succ, uint32(s)) {
			return tree.way(i)[1:], true
		}
		for _, to := range succ {
			if h.inside(int(to)) {
				tree.add(int(to), i)
			}
		}
	}
	return nil, false
}

// wander returns the path through the first successor inside each time, up to a dead end or a state met before.
func (x *search) wander(s int, inside func(s int) bool) (path, error) {
	p, met := path{states: []int{s}, loop: -1}, map[int]int{s: 0}
	for x.pulse() {
		succ, err := x.walk.Succ(x.ctx, p.end())
		if err != nil {
			return p, err
		}
		if len(succ) == 0 {
			p.dead = true
			return p, nil
		}
		i := slices.IndexFunc(succ, func(to uint32) bool { return inside(int(to)) })
		if i < 0 {
			return p, errLost
		}
		to := int(succ[i])
		if at, again := met[to]; again {
			p.loop = at
			return p, nil
		}
		met[to] = len(p.states)
		p.states = append(p.states, to)
	}
	return p, x.err
}
