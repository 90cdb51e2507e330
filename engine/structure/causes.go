package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// One mistake in a net keeps much from ever happening: what can't happen marks no places, and what needs these can't happen either. Causes traces
// that back. It looks at each place alone, not at which are marked together, so it says what else would have to be mended first, not that this is enough.

// A Node is a place or a transition of a net.
type Node struct {
	Transition bool
	Index      int
}

// mostDead bounds the places and transitions that are traced back. The work grows with its cube at worst.
const mostDead = 500

// DeadCauses returns for each place that is never marked, and each transition that never fires, a cause: without it, the one would not come even if all other
// causes did. A cause is its own. It needs nothing else that never comes; or nothing marks it; or it is of a circle of which each needs another, and of these a
// transition that needs the fewest. What any of several causes is enough for is its own cause, too. DeadCauses returns nil if there are more than 500 places and
// transitions of the kind. marked and fired are by place and transition.
func DeadCauses(n *petri.Net, marked, fired []bool) map[Node]Node {
	var dead []Node
	for p := range n.Places {
		if !marked[p] {
			dead = append(dead, Node{false, p})
		}
	}
	for t := range n.Transitions {
		if !fired[t] {
			dead = append(dead, Node{true, t})
		}
	}
	if len(dead) > mostDead {
		return nil
	}
	c := newCauses(n, dead, marked, fired)
	var roots []Node
	for _, v := range dead {
		if len(c.needs[v]) == 0 || c.could(v) {
			roots = append(roots, v)
		}
	}
	for c.free(roots, nil); len(c.freed) < len(dead); c.free(roots[len(roots)-1:], nil) {
		roots = append(roots, c.innermost(dead))
	}
	of := map[Node]Node{}
	for _, root := range roots {
		c.reset()
		c.free(roots, &root)
		for _, v := range dead {
			if _, known := of[v]; !known && !c.live(v) && !slices.Contains(roots, v) {
				of[v] = root
			}
		}
	}
	for _, v := range dead {
		if _, known := of[v]; !known {
			of[v] = v
		}
	}
	return of
}

// causes traces dead nodes back.
type causes struct {
	net    *petri.Net
	ways   map[int][]way   // by dead place, what would mark it
	needs  map[Node][]Node // by dead node, the dead nodes of which it needs all or some
	needed map[Node][]Node // the reverse
	alive  [2][]bool       // places and transitions that are live, or count as that
	freed  []Node          // those that count as live
}

// A way marks a place: a transition fires while some places are marked.
type way struct {
	transition int
	places     []int
}

func newCauses(n *petri.Net, dead []Node, marked, fired []bool) *causes {
	c := &causes{n, map[int][]way{}, map[Node][]Node{}, map[Node][]Node{}, [2][]bool{slices.Clone(marked), slices.Clone(fired)}, nil}
	for t, tr := range n.Transitions {
		for _, p := range slices.Concat(tr.Out, tr.Marks) {
			c.add(p, way{t, nil})
		}
		for _, v := range tr.Moves {
			if !v.Stays() {
				c.add(v.To, way{t, append(slices.Clone(v.If), v.From)})
			}
		}
	}
	for _, v := range dead {
		if v.Transition {
			c.needs[v] = c.dead(c.places(v.Index))
		} else {
			for _, w := range c.ways[v.Index] {
				c.needs[v] = append(c.needs[v], c.dead(w.places)...)
				if t := (Node{true, w.transition}); !c.live(t) {
					c.needs[v] = append(c.needs[v], t)
				}
			}
		}
		for _, w := range c.needs[v] {
			c.needed[w] = append(c.needed[w], v)
		}
	}
	return c
}

// add notes what would mark a place, if that is never marked.
func (c *causes) add(place int, w way) {
	if !c.live(Node{false, place}) {
		c.ways[place] = append(c.ways[place], w)
	}
}

// places lists what a transition needs. Of one that fires only where some move applies, what all its moves need counts, unless one could apply.
func (c *causes) places(transition int) []int {
	t := &c.net.Transitions[transition]
	all := slices.Concat(t.In, t.Read)
	if t.Moving && !c.moves(t) {
		for _, v := range t.Moves {
			if !v.Stays() {
				all = append(append(all, v.If...), v.From)
			}
		}
	}
	return all
}

// moves reports whether some move of a transition could apply.
func (c *causes) moves(t *petri.Transition) bool {
	return slices.ContainsFunc(t.Moves, func(v petri.Move) bool { return !v.Stays() && c.live(Node{false, v.From}) && len(c.dead(v.If)) == 0 })
}

// live reports whether a node is not dead, or counts as live.
func (c *causes) live(v Node) bool { return *c.at(v) }

// at returns where it is noted whether a node is live.
func (c *causes) at(v Node) *bool {
	if v.Transition {
		return &c.alive[1][v.Index]
	}
	return &c.alive[0][v.Index]
}

// reset undoes free.
func (c *causes) reset() {
	for _, v := range c.freed {
		*c.at(v) = false
	}
	c.freed = c.freed[:0]
}

// dead returns which places are not live.
func (c *causes) dead(places []int) (list []Node) {
	for _, p := range places {
		if v := (Node{false, p}); !c.live(v) {
			list = append(list, v)
		}
	}
	return list
}

// could reports whether nothing that a node needs is dead, each taken alone.
func (c *causes) could(v Node) bool {
	if v.Transition {
		t := &c.net.Transitions[v.Index]
		return len(c.dead(t.In)) == 0 && len(c.dead(t.Read)) == 0 && (!t.Moving || c.moves(t))
	}
	return slices.ContainsFunc(c.ways[v.Index], func(w way) bool { return c.live(Node{true, w.transition}) && len(c.dead(w.places)) == 0 })
}

// free lets roots, but for one, count as live, and all that could come with them.
func (c *causes) free(roots []Node, but *Node) {
	var queue []Node
	add := func(v Node) {
		if (but == nil || v != *but) && !c.live(v) {
			*c.at(v) = true
			c.freed, queue = append(c.freed, v), append(queue, v)
		}
	}
	for _, v := range roots {
		add(v)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, w := range c.needed[queue[0]] {
			if !c.live(w) && c.could(w) {
				add(w)
			}
		}
	}
}

// innermost returns a node that needs no other circle than its own: of those from which the fewest are come to, a transition that needs the fewest.
func (c *causes) innermost(dead []Node) Node {
	rank := func(v Node) []int {
		kind := 1
		if v.Transition {
			kind = 0
		}
		open := slices.DeleteFunc(slices.Clone(c.needs[v]), c.live)
		return []int{c.reach(v), kind, len(open)}
	}
	var best Node
	var lowest []int
	for _, v := range dead {
		if c.live(v) {
			continue
		}
		if r := rank(v); lowest == nil || slices.Compare(r, lowest) < 0 {
			best, lowest = v, r
		}
	}
	return best
}

// reach counts the nodes that are not live and on which one depends.
func (c *causes) reach(from Node) int {
	seen := map[Node]bool{from: true}
	for queue := []Node{from}; len(queue) > 0; queue = queue[1:] {
		for _, w := range c.needs[queue[0]] {
			if !seen[w] && !c.live(w) {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return len(seen)
}
