package ctl

import (
	"context"
	"math"

	"github.com/redlinehq/redline/engine/halt"
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
func (c *Checker[S]) turns(ctx context.Context, from, inside S, bound int) (S, bool) {
	h := &hunt[S]{Checker: c, inside: inside, bound: bound, work: lassoWork}
	layer, seen := from, from
	for depth := 0; depth+1 < h.bound && h.work > 0 && !c.empty(layer); depth++ {
		h.try(ctx, layer, depth)
		layer = c.algebra.Minus(h.post(ctx, layer), seen)
		seen = c.algebra.Union(seen, layer)
	}
	if !h.found && bound == math.MaxInt {
		return c.wander(ctx, from, inside)
	}
	return h.best, h.found
}

// try measures the loops through each state of a layer.
func (h *hunt[S]) try(ctx context.Context, layer S, depth int) {
	most, found := h.bound-depth-1, h.none
	for !h.empty(layer) && most > 0 && h.work > 0 {
		at, _ := h.algebra.Pick(layer)
		layer = h.algebra.Minus(layer, at)
		length := h.loop(ctx, at, most)
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
}

// loop returns the length of the shortest loop through the state at, or 0 if there is none, or only with more than limit arcs, or if the
// work runs out.
func (h *hunt[S]) loop(ctx context.Context, at S, limit int) int {
	layer, seen := at, h.none
	for length := 1; length <= limit && h.work > 0 && !h.empty(layer); length++ {
		after := h.post(ctx, layer)
		if h.meets(after, at) {
			return length
		}
		layer = h.algebra.Minus(after, seen)
		seen = h.algebra.Union(seen, layer)
	}
	return 0
}

func (h *hunt[S]) post(ctx context.Context, layer S) S {
	h.work--
	return h.algebra.Intersect(h.Checker.post(ctx, layer), h.inside)
}

// wander repeatedly takes the first step inside, and returns the first state that it meets twice. There must be no dead end on its way.
func (c *Checker[S]) wander(ctx context.Context, from, inside S) (S, bool) {
	at, seen := from, from
	for {
		if ctx.Err() != nil {
			halt.End(context.Cause(ctx))
		}
		at, _ = c.algebra.Next(at, inside)
		if c.meets(at, seen) {
			return at, true
		}
		seen = c.algebra.Union(seen, at)
	}
}

// lasso returns the shortest path from from to one of turns and the shortest loop through that one.
func (c *Checker[S]) lasso(ctx context.Context, from, inside, turns S) path[S] {
	p := c.shortest(ctx, from, inside, turns, 0)
	back := c.shortest(ctx, p.end, inside, p.end, 1)
	p.loop = len(p.markings) - 1
	p.markings = append(p.markings, back.markings[1:len(back.markings)-1]...)
	return p
}
