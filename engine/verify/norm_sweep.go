package verify

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A sweep holds the states in which events of norms can happen. Cost: one pass over all firings, and a set for each norm and each way in
// which it can begin.
type sweep[S any] struct {
	enabled map[*hclspec.Norm]S // where an event can happen that fulfils it or that it permits; of several that it takes, the last
	byOwn   map[bearing]S       // where its bearers, or one of them, take part in such an event
	starts  map[*hclspec.Norm]S // where an event can happen that begins it, or would if it could begin
	missed  map[*hclspec.Norm]S // where an event can happen that would begin it if there were room for one more
}

// A bearing is the number of one of the tenures of a norm's bearers.
type bearing struct {
	norm *hclspec.Norm
	i    int
}

// sweepNorms makes the sweep of all norms.
func (c *Checked[S]) sweepNorms(ctx context.Context) *sweep[S] {
	norms := c.Spec.Norms
	var groups [][]int
	for _, n := range norms {
		groups = append(groups, c.actGroups(n)...)
	}
	acts := len(groups)
	for _, n := range norms {
		for _, start := range slices.Concat(n.Starts, n.Missed) {
			groups = append(groups, c.transitionsOf(start.Event))
		}
	}
	sets := c.Model.firing(ctx, groups)
	s := &sweep[S]{map[*hclspec.Norm]S{}, map[bearing]S{}, map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}}
	at, next := 0, acts
	for _, n := range norms {
		of := max(1, len(n.Needs))
		s.enabled[n] = c.lastActs(ctx, n, sets[at:at+of])
		for i := range n.Bearers {
			at += of
			s.byOwn[bearing{n, i}] = c.lastActs(ctx, n, sets[at:at+of])
		}
		at += of
		missed := next + len(n.Starts)
		s.starts[n] = c.beginning(ctx, n.Starts, sets[next:missed])
		next = missed + len(n.Missed)
		s.missed[n] = c.beginning(ctx, n.Missed, sets[missed:next])
	}
	return s
}

// actGroups returns the transitions of a norm's acts, and for each tenure of its bearers those in which one of them takes part; of each act by
// itself if it takes all of them.
func (c *Checked[S]) actGroups(n *hclspec.Norm) [][]int {
	of := max(1, len(n.Needs))
	groups := make([][]int, of*(1+len(n.Bearers)))
	for t := range c.Net.Transitions {
		tr := &c.Net.Transitions[t]
		if tr.Event < 0 {
			continue
		}
		i := slices.Index(n.Acts, c.Events[tr.Event])
		switch {
		case i < 0:
			continue
		case n.Needs == nil:
			i = 0
		}
		groups[i] = append(groups[i], t)
		for b, by := range n.Bearers {
			if c.TakesPart(tr, by) {
				groups[(b+1)*of+i] = append(groups[(b+1)*of+i], t)
			}
		}
	}
	return groups
}

// lastActs joins the states in which a norm's acts can happen. Of acts that it takes all of, each is restricted to where the others have
// happened.
func (c *Checked[S]) lastActs(ctx context.Context, n *hclspec.Norm, acts []S) (can S) {
	x := c.Model.sets()
	can = x.Minus(x.All(), x.All())
	for i := range acts {
		others := x.All()
		for j, p := range n.Needs {
			if j != i {
				others = x.Intersect(others, halt.Must(c.unbounded().Sat(ctx, at(c.Draft, n, p))))
			}
		}
		can = x.Union(can, x.Intersect(acts[i], others))
	}
	return can
}

// beginning joins the states in which the events of some starts can happen, each restricted to the start's conditions.
func (c *Checked[S]) beginning(ctx context.Context, starts []hclspec.Start, events []S) S {
	x := c.Model.sets()
	joined := x.Minus(x.All(), x.All())
	for i, set := range events {
		for _, p := range starts[i].While {
			set = x.Intersect(set, halt.Must(c.unbounded().Sat(ctx, c.Marked(c.PlacesAt()[p]))))
		}
		joined = x.Union(joined, set)
	}
	return joined
}

// transitionsOf returns the composed transitions of an event.
func (c *Checked[S]) transitionsOf(e *hclspec.Event) []int {
	var list []int
	for t := range c.Net.Transitions {
		if i := c.Net.Transitions[t].Event; i >= 0 && c.Events[i] == e {
			list = append(list, t)
		}
	}
	return list
}

// partakes reports whether one of some parties takes part in some way of an event.
func partakes(d *compile.Draft, e *hclspec.Event, who hclspec.Tenure) bool {
	return slices.ContainsFunc(d.Net.Transitions, func(t petri.Transition) bool {
		return t.Event >= 0 && d.Events[t.Event] == e && d.TakesPart(&t, who)
	})
}
