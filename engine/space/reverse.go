package space

import (
	"context"
	"fmt"
)

// A reverse holds the arcs backwards: the predecessors of state s are pred[first[s]:first[s+1]], ascending.
type reverse struct {
	first []uint32
	pred  []uint32
}

func (r *reverse) of(s int) []uint32 { return r.pred[r.first[s]:r.first[s+1]] }

// reversed returns the arcs backwards, and builds them on first use. Its error is a *LimitError when they do not fit into the rest of the
// graph's memory, or the context's cause, wrapped. After an error a later call tries again.
func (g *Graph) reversed(ctx context.Context) (*reverse, error) {
	g.Reversing.Lock()
	defer g.Reversing.Unlock()
	if g.back != nil {
		return g.back, nil
	}
	size := 4 * int64(g.Len()+1+g.Arcs())
	if err := g.Budget.Claim(size); err != nil {
		err.(*LimitError).Explored = g.Len()
		return nil, err
	}
	back, err := g.turn(ctx)
	if err != nil {
		g.Budget.Release(size)
		return nil, err
	}
	g.back = back
	return back, nil
}

// turn sorts the arcs by target: it counts them, sums the counts to offsets, and fills each range downwards.
func (g *Graph) turn(ctx context.Context) (*reverse, error) {
	r := &reverse{first: make([]uint32, g.Len()+1), pred: make([]uint32, g.Arcs())}
	for _, page := range g.succ.pages {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		for _, t := range page {
			r.first[t]++
		}
	}
	for s := range g.Len() {
		r.first[s+1] += r.first[s]
	}
	for s := g.Len() - 1; s >= 0; s-- {
		if err := now(ctx, s); err != nil {
			return nil, err
		}
		for _, t := range g.Succ(s) {
			r.first[t]--
			r.pred[r.first[t]] = uint32(s)
		}
	}
	return r, nil
}

// now calls stopped every 4096 calls; i is the number of the call.
func now(ctx context.Context, i int) error {
	if i&4095 != 0 {
		return nil
	}
	return stopped(ctx)
}

// stopped returns the context's cause, wrapped, once the context has ended.
func stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("looking along the arcs of the state model: %w", context.Cause(ctx))
}
