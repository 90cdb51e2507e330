package ctl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
)

// A path is a path through the state model.
type path[S any] struct {
	markings []petri.Marking
	loop     int     // the last marking's successor is markings[loop]; -1: no loop
	end      S       // the state of markings[loop], or of the last marking if there is no loop
	dead     bool    // the last marking has no successor, which matters for the claim
	fired    [][]int // transitions along it, if it matters which; nil: any that lead along it
}

// steps returns the number of arcs, that of the loop's return included.
func (p path[S]) steps() int {
	if p.loop >= 0 {
		return len(p.markings)
	}
	return len(p.markings) - 1
}

// witness returns a run from the single state from that shows f, of form EX, EF, EG, EU or EW,
// which must hold there.
func (c *Checker[S]) witness(ctx context.Context, f *Formula, from S) path[S] {
	left := c.sat(ctx, f.Left)
	switch f.Op {
	case EX:
		return c.successor(from, left)
	case EF:
		return c.shortest(ctx, from, c.algebra.All(), left, 0)
	case EG:
		return c.endlessIn(ctx, f.Left, from)
	}
	if f.Op == EU {
		return c.shortest(ctx, from, left, c.sat(ctx, f.Right), 0)
	}
	return c.shorter(ctx, f, from)
}

// shorter returns the shorter of the two runs that can show E[p W q] in from: one to q, or an
// endless one in p. If they are equally long, it returns the one to q.
func (c *Checker[S]) shorter(ctx context.Context, f *Formula, from S) path[S] {
	until := &Formula{Op: EU, Left: f.Left, Right: f.Right}
	ends, goes := c.holdsIn(ctx, until, from), c.holdsIn(ctx, &Formula{Op: EG, Left: f.Left}, from)
	if !goes {
		return c.witness(ctx, until, from)
	}
	endless := c.endlessIn(ctx, f.Left, from)
	if !ends {
		return endless
	}
	if finite := c.witness(ctx, until, from); finite.steps() <= endless.steps() {
		return finite
	}
	return endless
}

func (c *Checker[S]) endlessIn(ctx context.Context, f *Formula, from S) path[S] {
	return c.forever(ctx, from, c.sat(ctx, &Formula{Op: EG, Left: f}))
}

func (c *Checker[S]) successor(from, goal S) path[S] {
	_, here := c.algebra.Pick(from)
	end, there := c.algebra.Next(from, goal)
	return path[S]{markings: []petri.Marking{here, there}, end: end, loop: -1}
}

// shortest returns a path from a single state to one of goal, with as few arcs as possible but no fewer than least. Of several it takes the first by
// the order of steps; how states are numbered does not matter. All states before its end are in within. Such a path must exist.
func (c *Checker[S]) shortest(ctx context.Context, from, within, goal S, least int) path[S] {
	t := c.flood(ctx, from, within, goal, least)
	c.narrow(ctx, t, within)
	end, here := c.algebra.Pick(from)
	p := path[S]{markings: []petri.Marking{here}, end: end, loop: -1}
	c.trace(ctx, t, within, &p)
	return p
}

// A tide is a breadth-first search from a set of states: layer i holds the states first reached by
// i arcs. It keeps only every stride-th layer, to bound the memory for a model with a hundred thousand layers.
type tide[S any] struct {
	kept           []S // kept[j] is layer j*stride
	stride, length int
	goal           S // states of the last layer, which is layer length, that were looked for
}

const maxKept = 1 << 10

// flood searches from a set of states through states of within, until a layer after no fewer than least arcs meets goal.
func (c *Checker[S]) flood(ctx context.Context, from, within, goal S, least int) tide[S] {
	t, front, seen := tide[S]{stride: 1}, from, from
	if least > 0 {
		seen = c.none
	}
	for ; t.length < least || !c.meets(front, goal); t.length++ {
		t.keep(front)
		after := c.advance(ctx, front, within, seen)
		if c.empty(after) {
			panic(fmt.Sprintf("ctl: no path to a state that is reachable, after %d arcs", t.length))
		}
		front, seen = after, c.algebra.Union(seen, after)
	}
	t.goal = c.algebra.Intersect(front, goal)
	return t
}

// advance returns the successors of the states of layer in within, except those already seen.
func (c *Checker[S]) advance(ctx context.Context, layer, within, seen S) S {
	return c.algebra.Minus(c.post(ctx, c.algebra.Intersect(layer, within)), seen)
}

// post returns the successors of some states.
func (c *Checker[S]) post(ctx context.Context, set S) S {
	if ctx.Err() != nil {
		halt.End(context.Cause(ctx))
	}
	return halt.Must(c.algebra.Post(ctx, set))
}

func (t *tide[S]) keep(layer S) {
	if t.length%t.stride != 0 {
		return
	}
	if len(t.kept) == maxKept {
		for i := range maxKept / 2 {
			t.kept[i] = t.kept[2*i]
		}
		clear(t.kept[maxKept/2:])
		t.kept = t.kept[:maxKept/2]
		t.stride *= 2
	}
	t.kept = append(t.kept, layer)
}

// narrow leaves in each kept layer only the states through which a shortest path leads.
func (c *Checker[S]) narrow(ctx context.Context, t tide[S], within S) {
	to := t.goal
	for j, layer := range slices.Backward(t.kept) {
		if between := c.between(ctx, layer, to, within, min(t.stride, t.length-j*t.stride)); len(between) > 0 {
			to = between[0]
		}
		to = c.leading(ctx, layer, to, within)
		t.kept[j] = to
	}
}

// leading returns the states of a layer in within that lead to a set.
func (c *Checker[S]) leading(ctx context.Context, layer, to, within S) S {
	before := halt.Must(c.algebra.Pre(ctx, to))
	return c.algebra.Intersect(before, c.algebra.Intersect(layer, within))
}

// trace extends p from its only marking along narrow layers.
func (c *Checker[S]) trace(ctx context.Context, t tide[S], within S, p *path[S]) {
	for j, layer := range t.kept {
		to := t.goal
		if j+1 < len(t.kept) {
			to = t.kept[j+1]
		}
		for _, next := range append(c.between(ctx, layer, to, within, min(t.stride, t.length-j*t.stride)), to) {
			var m petri.Marking
			p.end, m = c.algebra.Next(p.end, next)
			p.markings = append(p.markings, m)
		}
	}
}

// between recomputes the n-1 layers between a kept one and the set to, n arcs from it, and leaves in them the states through which a path leads
// there. A recomputed layer may also have states of layers before the kept one. They drop out: through them to would be nearer.
func (c *Checker[S]) between(ctx context.Context, from, to, within S, n int) []S {
	all := []S{from}
	for seen := from; len(all) < n; {
		after := c.advance(ctx, all[len(all)-1], within, seen)
		seen = c.algebra.Union(seen, after)
		all = append(all, after)
	}
	all = all[1:]
	for i, layer := range slices.Backward(all) {
		to = c.leading(ctx, layer, to, within)
		all[i] = to
	}
	return all
}

// forever returns a run in inside that ends in a dead end or in a loop. inside must include from, a single state, and each of its states
// must be a dead end or have a successor in inside. The run has as few arcs as possible, the loop's return included, if lassoWork suffices
// to try all loops, which it does in a model of sixty states; otherwise it may be longer. Of equally short runs it prefers a dead end.
func (c *Checker[S]) forever(ctx context.Context, from, inside S) path[S] {
	if c.endless != nil {
		return c.fairForever(ctx, from, inside)
	}
	dead := c.algebra.Intersect(inside, c.algebra.Dead())
	stop, bound := path[S]{}, math.MaxInt
	if c.meets(from, c.until(ctx, inside, dead)) {
		stop = c.shortest(ctx, from, inside, dead, 0)
		stop.dead = true
		bound = stop.steps()
	}
	turns, found := c.turns(ctx, from, inside, bound)
	if !found {
		return stop
	}
	return c.lasso(ctx, from, inside, turns)
}
