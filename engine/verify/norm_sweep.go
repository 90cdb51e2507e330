package verify

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A sweep holds the states in which events of norms can happen. Cost: one pass over all firings, and a set for each norm and each way in
// which it can begin.
type sweep[S any] struct {
	enabled map[*hclspec.Norm]S // where an event can happen that fulfils it or that it permits
	byOwn   map[*hclspec.Norm]S // where its bearer takes part in such an event
	starts  map[*hclspec.Norm]S // where an event can happen that begins it, or would if it could begin
}

// sweepNorms makes the sweep of all norms.
func (c *Checked[S]) sweepNorms(ctx context.Context) (*sweep[S], error) {
	norms := c.Spec.Norms
	groups := make([][]int, 2*len(norms))
	for _, n := range norms {
		for _, start := range n.Starts {
			groups = append(groups, c.transitionsOf(start.Event))
		}
	}
	for i, n := range norms {
		for t := range c.Net.Transitions {
			tr := &c.Net.Transitions[t]
			if tr.Event < 0 || !slices.Contains(n.Acts, c.Events[tr.Event]) {
				continue
			}
			groups[2*i] = append(groups[2*i], t)
			if takesPart(c.Draft, tr, n.Bearer) {
				groups[2*i+1] = append(groups[2*i+1], t)
			}
		}
	}
	sets, err := c.Model.firing(ctx, groups)
	if err != nil {
		return nil, err
	}
	s := &sweep[S]{map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}}
	next := 2 * len(norms)
	for i, n := range norms {
		s.enabled[n], s.byOwn[n] = sets[2*i], sets[2*i+1]
		if s.starts[n], err = c.beginning(ctx, n, sets[next:next+len(n.Starts)]); err != nil {
			return nil, err
		}
		next += len(n.Starts)
	}
	return s, nil
}

// beginning joins the states in which the events of a norm's starts can happen, each restricted to the start's conditions.
func (c *Checked[S]) beginning(ctx context.Context, n *hclspec.Norm, events []S) (S, error) {
	x := c.Model.sets()
	joined := x.Minus(x.All(), x.All())
	for i, set := range events {
		for _, p := range n.Starts[i].While {
			while, err := c.unbounded().Sat(ctx, c.Marked(c.PlacesAt()[p]))
			if err != nil {
				return joined, err
			}
			set = x.Intersect(set, while)
		}
		joined = x.Union(joined, set)
	}
	return joined, x.Err()
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

// takesPart reports whether a party takes part in a transition, in whichever role.
func takesPart(d *compile.Draft, t *petri.Transition, who *hclspec.Party) bool {
	return slices.ContainsFunc(t.Parts, func(p petri.Part) bool { return !d.Part(p).Passive && d.Parties[p.Net].Person() == who.Person() })
}

// partakes reports whether a party takes part in some way of an event.
func partakes(d *compile.Draft, e *hclspec.Event, who *hclspec.Party) bool {
	return slices.ContainsFunc(d.Net.Transitions, func(t petri.Transition) bool {
		return t.Event >= 0 && d.Events[t.Event] == e && takesPart(d, &t, who)
	})
}

// alone returns a predicate: no party but the bearer acts in a step. Nets and time do not act, nor does any party in what happens by itself.
func (c *Checked[S]) alone(bearer *hclspec.Party) func(step []int) bool {
	return func(step []int) bool {
		for _, t := range step {
			if e := explain.Event(c.Draft, t); e != nil && e.Due != nil {
				continue
			}
			for _, p := range c.Net.Transitions[t].Parts {
				if acting(c.Draft, p) && c.Parties[p.Net].Person() != bearer.Person() {
					return false
				}
			}
		}
		return true
	}
}

// fulfilment returns, among the states in which an obligation binds, those from which it can be fulfilled while it does. Can allows steps of
// all parties. Own allows no step of any party but the bearer, up to an event in which the bearer takes part.
func (c *Checked[S]) fulfilment(ctx context.Context, s *sweep[S], n *hclspec.Norm, binding S) (can, own S, err error) {
	x := c.Model.sets()
	can, err = x.Until(ctx, binding, x.Intersect(binding, s.enabled[n]))
	if err != nil {
		return can, own, err
	}
	own, err = c.Model.back(ctx, c.alone(n.Bearer), binding, x.Intersect(binding, s.byOwn[n]))
	return can, own, err
}
