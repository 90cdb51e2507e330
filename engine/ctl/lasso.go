package ctl

import (
	"context"
	"math"
)

// lassoWork limits the search for the shortest lasso, in calls of Post.
const lassoWork = 1 << 12

// A hunt searches for the states where the loop of a shortest lasso can begin: those with the least sum of the distance from the start and the
// shortest loop, and of these the nearest. Cost: a breadth-first search for each state nearer than the best lasso so far.
type hunt[S any] struct {
	*Checker[S]
	inside S
	bound  int // only a lasso with fewer arcs is of interest
	work   int // calls of Post left
	best   S
	found  bool
}

// turns returns the states where the loop of a shortest lasso in inside can begin, if there is a lasso with fewer than bound arcs. If the work runs
// out before one is found and bound is MaxInt, it takes the first lasso it meets.
func (c *Checker[S]) turns(ctx context.Context, from, inside S, bound int) (S, bool, error) {
	h := &hunt[S]{Checker: c, inside: inside, bound: bound, work: lassoWork}
	layer, seen := from, from
	for depth := 0; depth+1 < h.bound && h.work > 0 && !c.empty(layer); depth++ {
		if err := h.try(ctx, layer, depth); err != nil {
			return c.none, false, err
		}
		after, err := h.post(ctx, layer)
		if err != nil {
			return c.none, false, err
		}
		layer = c.algebra.Minus(after, seen)
		seen = c.algebra.Union(seen, layer)
	}
	if !h.found && bound == math.MaxInt {
		return c.wander(ctx, from, inside)
	}
	return h.best, h.found, nil
}

// try measures the loops through each state of a layer.
func (h *hunt[S]) try(ctx context.Context, layer S, depth int) error {
	most, found := h.bound-depth-1, h.none
	for !h.empty(layer) && most > 0 && h.work > 0 {
		at, _ := h.algebra.Pick(layer)
		layer = h.algebra.Minus(layer, at)
		length, err := h.loop(ctx, at, most)
		if err != nil {
			return err
		}
		if length > 0 && length < most {
			most, found = length, h.none
		}
		if length > 0 {
			found = h.algebra.Union(found, at)
		}
	}
	if !h.empty(found) {
		h.best, h.bound, h.found = found, depth+most, true
	}
	return nil
}

// loop returns the length of the shortest loop through the state at, or 0 if there is none, or only with more than limit arcs, or if the
// work runs out.
func (h *hunt[S]) loop(ctx context.Context, at S, limit int) (int, error) {
	layer, seen := at, h.none
	for length := 1; length <= limit && h.work > 0 && !h.empty(layer); length++ {
		after, err := h.post(ctx, layer)
		if err != nil {
			return 0, err
		}
		if h.meets(after, at) {
			return length, nil
		}
		layer = h.algebra.Minus(after, seen)
		seen = h.algebra.Union(seen, layer)
	}
	return 0, nil
}

func (h *hunt[S]) post(ctx context.Context, layer S) (S, error) {
	if ctx.Err() != nil {
		return h.none, context.Cause(ctx)
	}
	h.work--
	after, err := h.algebra.Post(ctx, layer)
	if err != nil {
		return h.none, err
	}
	return h.algebra.Intersect(after, h.inside), nil
}

// wander repeatedly takes the first step inside, and returns the first state that it meets twice. There must be no dead end on its way.
func (c *Checker[S]) wander(ctx context.Context, from, inside S) (S, bool, error) {
	at, seen := from, from
	for {
		if ctx.Err() != nil {
			return c.none, false, context.Cause(ctx)
		}
		at, _ = c.algebra.Next(at, inside)
		if err := c.algebra.Err(); err != nil {
			return c.none, false, err
		}
		if c.meets(at, seen) {
			return at, true, nil
		}
		seen = c.algebra.Union(seen, at)
	}
}

// lasso returns the shortest path from from to one of turns and the shortest loop through that one.
func (c *Checker[S]) lasso(ctx context.Context, from, inside, turns S) (path[S], error) {
	p, err := c.shortest(ctx, from, inside, turns, 0)
	if err != nil {
		return p, err
	}
	back, err := c.shortest(ctx, p.end, inside, p.end, 1)
	if err != nil {
		return p, err
	}
	p.loop = len(p.markings) - 1
	p.markings = append(p.markings, back.markings[1:len(back.markings)-1]...)
	return p, nil
}
