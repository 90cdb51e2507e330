package local

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A path is a path through states.
type path struct {
	states []int
	loop   int  // the last state is followed by states[loop]; -1: there is no loop
	dead   bool // the path shows that the last state has no successor
}

// end returns the state where the loop begins, or the last state.
func (p path) end() int {
	if p.loop >= 0 {
		return p.states[p.loop]
	}
	return p.states[len(p.states)-1]
}

// steps returns the number of arcs, including the loop's last.
func (p path) steps() int {
	if p.loop >= 0 {
		return len(p.states)
	}
	return len(p.states) - 1
}

// errLost says that a path which a search had found is no longer there, since a limit was met in between.
var errLost = errors.New("the run that shows the verdict could not be kept")

// path returns a path that shows a formula of form EX, EF, EG, EU or EW in state s, where it holds.
func (t *evaluator) path(f *ctl.Formula, s int) (path, error) {
	n, left := t.compiler.compile(f), t.compiler.compile(f.Left)
	switch f.Op {
	case ctl.EX:
		return t.nextPath(left, s)
	case ctl.EF:
		return t.untilPath(n, left, s)
	case ctl.EG:
		return t.weakPath(n, t.compiler.bottom(), s)
	case ctl.EU:
		return t.untilPath(n, t.compiler.compile(f.Right), s)
	}
	return t.weakPath(n, t.compiler.compile(f.Right), s)
}

// nextPath returns the step to the first successor that satisfies a node.
func (x *search) nextPath(n *node, s int) (path, error) {
	succ, err := x.walk.Succ(x.ctx, s)
	for _, to := range succ {
		if x.eval(n, int(to)) == yes {
			return path{states: []int{s, int(to)}, loop: -1}, nil
		}
	}
	if err == nil {
		err = errLost
	}
	return path{}, err
}

// shortWork bounds the states that the search for a shorter path may visit in any case.
const shortWork = 1 << 10

// untilPath returns a path to a state that satisfies b. It is the shortest one through states labelled to lead there. If the formula has no
// other temporal operators, it is the shortest of all, where finding that visits no more states than were met so far.
func (x *search) untilPath(n, b *node, s int) (path, error) {
	if x.eval(b, s) == yes {
		return path{states: []int{s}, loop: -1}, nil
	}
	labelled := func(to int) bool { return x.label(n, to) == yes }
	found, err := x.breadth(n, b, s, labelled, -1)
	if err != nil || b.height > 0 || n.parts[0].height > 0 {
		return found, err
	}
	through := func(to int) bool { return x.eval(n.parts[0], to) == yes }
	if shortest, err := x.breadth(n, b, s, through, max(shortWork, x.walk.Len())); err == nil {
		return shortest, nil
	}
	if x.err != nil || x.walk.Rule() == petri.All { // a maximal step less one transition is not maximal
		return found, x.err
	}
	return x.trim(found, b, through)
}

// trim removes steps without which the rest of a path still leads to b. It tries each step, the last first, and begins again after each
// removal.
func (x *search) trim(p path, b *node, through func(s int) bool) (path, error) {
	steps, err := x.steps(p)
	for i, work := len(steps)-1, trimWork; err == nil && i >= 0 && work > 0; i-- {
		rest := slices.Delete(slices.Clone(steps), i, i+1)
		work -= len(rest)
		if states := x.follow(p.states[0], rest, b, through); states != nil {
			steps, p.states = rest[:len(states)-1], states
			i = len(steps)
		}
		if !x.pulse() {
			return p, x.err
		}
	}
	return p, nil // an error only prevents a shorter path
}

// trimWork bounds the steps fired to shorten a path.
const trimWork = 1 << 16

// follow returns the states along steps up to the first that satisfies b, or nil if the steps cannot be fired or do not lead there.
func (x *search) follow(s int, steps [][]int, b *node, through func(s int) bool) []int {
	states := []int{s}
	for _, step := range steps {
		if !through(s) || !x.walk.CanFire(s, step) {
			return nil
		}
		var err error
		if s, err = x.walk.Fire(s, step); err != nil {
			return nil
		}
		if states = append(states, s); x.eval(b, s) == yes {
			return states
		}
	}
	return nil
}

// steps returns the steps along a path.
func (x *search) steps(p path) (list [][]int, err error) {
	arcs := p.states[1:]
	if p.loop >= 0 {
		arcs = append(arcs[:len(arcs):len(arcs)], p.states[p.loop])
	}
	for i, to := range arcs {
		step, err := x.walk.Step(x.ctx, p.states[i], to)
		if err != nil {
			return nil, err
		}
		list = append(list, step)
	}
	return list, nil
}

// breadth returns a path, found breadth first within some states, to the first state that satisfies b. It visits at most most states, or any
// number if most is -1.
func (x *search) breadth(n, b *node, s int, through func(s int) bool, most int) (path, error) {
	tree := x.newTree(s)
	defer tree.close()
	for i := 0; i < len(tree.states) && i != most; i++ {
		if !x.pulse() {
			return path{}, x.err
		}
		succ, err := x.successors(n, tree.states[i])
		for _, to := range succ {
			if x.eval(b, to) == yes {
				return path{states: append(tree.way(i), to), loop: -1}, nil
			}
			if through(to) {
				tree.add(to, i)
			}
		}
		if err != nil && most >= 0 {
			return path{}, err
		}
	}
	return path{}, errLost
}

// successors returns the successors that the search of a node looks at. An error means that some may be missing.
func (x *search) successors(n *node, s int) (list []int, err error) {
	if n.reduced {
		ts := x.stubborn.fireable(n.parts[1], s, x.walk.Words(s))
		for k := range ts {
			to, missing := x.walk.Fire(s, ts[k:k+1])
			if missing != nil {
				err = missing
				continue
			}
			list = append(list, to)
		}
		return list, err
	}
	succ, err := x.walk.Succ(x.ctx, s)
	for _, to := range succ {
		list = append(list, int(to))
	}
	return list, err
}

// A tree is a tree of shortest paths from a state.
type tree struct {
	states []int // in breadth-first order
	parent []int // indices
	depth  []int // arcs from the root
	known  map[int]bool
	walk   *space.Walk
}

// treeBytes is the approximate memory of a tree for each state.
const treeBytes = 64

func (x *search) newTree(root int) *tree {
	return &tree{walk: x.walk, states: []int{root}, parent: []int{-1}, depth: []int{0}, known: map[int]bool{root: true}}
}

// add adds a state that is new, if the limit of memory allows it.
func (t *tree) add(s, parent int) {
	if t.known[s] || t.walk.Claim(treeBytes) != nil {
		return
	}
	t.known[s] = true
	t.states, t.parent, t.depth = append(t.states, s), append(t.parent, parent), append(t.depth, t.depth[parent]+1)
}

func (t *tree) close() { _ = t.walk.Claim(-treeBytes * int64(len(t.states)-1)) } // never fails

// way returns the states from the root to the state with index i.
func (t *tree) way(i int) []int {
	list := make([]int, t.depth[i]+1)
	for ; i >= 0; i = t.parent[i] {
		list[t.depth[i]] = t.states[i]
	}
	return list
}
