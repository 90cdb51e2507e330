package ctl

import (
	"context"
	"fmt"
	"math"

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
func (c *Checker[S]) witness(ctx context.Context, f *Formula, from S) (path[S], error) {
	left, err := c.Sat(ctx, f.Left)
	if err != nil {
		return path[S]{}, err
	}
	switch f.Op {
	case EX:
		return c.successor(ctx, from, left)
	case EF:
		return c.shortest(ctx, from, c.algebra.All(), left)
	case EG:
		return c.endlessIn(ctx, f.Left, from)
	}
	right, err := c.Sat(ctx, f.Right)
	if err != nil {
		return path[S]{}, err
	}
	if f.Op == EU {
		return c.shortest(ctx, from, left, right)
	}
	return c.shorter(ctx, f, from)
}

// shorter returns the shorter of the two runs that can show E[p W q] in from: one to q, or an
// endless one in p. If they are equally long, it returns the one to q.
func (c *Checker[S]) shorter(ctx context.Context, f *Formula, from S) (path[S], error) {
	until := &Formula{Op: EU, Left: f.Left, Right: f.Right}
	ends, err := c.holdsIn(ctx, until, from)
	if err != nil {
		return path[S]{}, err
	}
	goes, err := c.holdsIn(ctx, &Formula{Op: EG, Left: f.Left}, from)
	if err != nil {
		return path[S]{}, err
	}
	if !goes {
		return c.witness(ctx, until, from)
	}
	endless, err := c.endlessIn(ctx, f.Left, from)
	if err != nil || !ends {
		return endless, err
	}
	finite, err := c.witness(ctx, until, from)
	if err != nil || finite.steps() <= endless.steps() {
		return finite, err
	}
	return endless, nil
}

func (c *Checker[S]) endlessIn(ctx context.Context, f *Formula, from S) (path[S], error) {
	inside, err := c.Sat(ctx, &Formula{Op: EG, Left: f})
	if err != nil {
		return path[S]{}, err
	}
	return c.forever(ctx, from, inside)
}

func (c *Checker[S]) successor(ctx context.Context, from, goal S) (path[S], error) {
	after, err := c.algebra.Post(ctx, from)
	if err != nil {
		return path[S]{}, err
	}
	end, there := c.algebra.Pick(c.algebra.Intersect(after, goal))
	_, here := c.algebra.Pick(from)
	return path[S]{markings: []petri.Marking{here, there}, end: end, loop: -1}, nil
}

// shortest returns a path with as few arcs as possible from a state of from to one of goal. All states before its end are in within. Such a
// path must exist.
func (c *Checker[S]) shortest(ctx context.Context, from, within, goal S) (path[S], error) {
	t, err := c.flood(ctx, from, within, goal)
	if err != nil {
		return path[S]{}, err
	}
	end, there := c.algebra.Pick(c.algebra.Intersect(t.front, goal))
	p := path[S]{markings: make([]petri.Marking, t.length+1), end: end, loop: -1}
	p.markings[t.length] = there
	return p, c.trace(ctx, t, within, p)
}

// A tide is a breadth-first search from a set of states: layer i holds the states first reached by
// i arcs. It keeps only every stride-th layer, to bound the memory for a model with a hundred thousand layers.
type tide[S any] struct {
	kept           []S // kept[j] is layer j*stride
	stride, length int
	front          S // the last layer, which is layer length
}

const maxKept = 1 << 10

// flood searches from a set of states through states of within, until a layer meets goal.
func (c *Checker[S]) flood(ctx context.Context, from, within, goal S) (tide[S], error) {
	t := tide[S]{stride: 1, front: from}
	for seen := from; !c.meets(t.front, goal); {
		t.keep()
		after, err := c.advance(ctx, t.front, within, seen)
		if err != nil {
			return t, err
		}
		if c.empty(after) {
			panic(fmt.Sprintf("ctl: no path to a state that is reachable, after %d arcs", t.length))
		}
		t.front = after
		t.length++
		seen = c.algebra.Union(seen, after)
	}
	return t, nil
}

// advance returns the successors of the states of layer in within, except those already seen.
func (c *Checker[S]) advance(ctx context.Context, layer, within, seen S) (S, error) {
	if ctx.Err() != nil {
		return c.none, context.Cause(ctx)
	}
	after, err := c.algebra.Post(ctx, c.algebra.Intersect(layer, within))
	if err != nil {
		return c.none, err
	}
	return c.algebra.Minus(after, seen), c.algebra.Err()
}

func (t *tide[S]) keep() {
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
	t.kept = append(t.kept, t.front)
}

// trace sets the markings of p before its end. It walks the layers backwards.
func (c *Checker[S]) trace(ctx context.Context, t tide[S], within S, p path[S]) error {
	at := p.end
	for j := len(t.kept) - 1; j >= 0; j-- {
		first := j * t.stride
		layers, err := c.layers(ctx, t.kept[j], within, min(t.stride, t.length-first))
		if err != nil {
			return err
		}
		for i := len(layers) - 1; i >= 0; i-- {
			before, err := c.algebra.Pre(ctx, at)
			if err != nil {
				return err
			}
			at, p.markings[first+i] = c.algebra.Pick(c.algebra.Intersect(before, c.algebra.Intersect(layers[i], within)))
		}
	}
	return nil
}

// layers recomputes n layers from a kept one. Each may also hold states of layers before the kept one. The walk back may use these: it takes
// as many arcs either way.
func (c *Checker[S]) layers(ctx context.Context, from, within S, n int) ([]S, error) {
	all := []S{from}
	for seen := from; len(all) < n; {
		after, err := c.advance(ctx, all[len(all)-1], within, seen)
		if err != nil {
			return nil, err
		}
		seen = c.algebra.Union(seen, after)
		all = append(all, after)
	}
	return all, nil
}

// forever returns a run in inside that ends in a dead end or in a loop. inside must include from, a single state, and each of its states
// must be a dead end or have a successor in inside. The run has as few arcs as possible, the loop's return included, if lassoWork suffices
// to try all loops, which it does in a model of sixty states; otherwise it may be longer. Of equally short runs it prefers a dead end.
func (c *Checker[S]) forever(ctx context.Context, from, inside S) (path[S], error) {
	if c.endless != nil {
		return c.fairForever(ctx, from, inside)
	}
	dead := c.algebra.Intersect(inside, c.algebra.Dead())
	reach, err := c.algebra.Until(ctx, inside, dead)
	if err != nil {
		return path[S]{}, err
	}
	stop, bound := path[S]{}, math.MaxInt
	if c.meets(from, reach) {
		if stop, err = c.shortest(ctx, from, inside, dead); err != nil {
			return path[S]{}, err
		}
		stop.dead = true
		bound = stop.steps()
	}
	turn, found, err := c.turn(ctx, from, inside, bound)
	if err != nil || !found {
		return stop, err
	}
	return c.lasso(ctx, from, inside, turn)
}
