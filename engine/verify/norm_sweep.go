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
	enabled map[*hclspec.Norm]S // where an event can happen that fulfils it or that it permits; of several that it takes, the last
	byOwn   map[*hclspec.Norm]S // where its bearer takes part in such an event
	starts  map[*hclspec.Norm]S // where an event can happen that begins it, or would if it could begin
	missed  map[*hclspec.Norm]S // where an event can happen that would begin it if there were room for one more
}

// sweepNorms makes the sweep of all norms.
func (c *Checked[S]) sweepNorms(ctx context.Context) (*sweep[S], error) {
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
	sets, err := c.Model.firing(ctx, groups)
	if err != nil {
		return nil, err
	}
	s := &sweep[S]{map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}}
	at, next := 0, acts
	for _, n := range norms {
		of := 2 * max(1, len(n.Needs))
		if s.enabled[n], s.byOwn[n], err = c.lastActs(ctx, n, sets[at:at+of]); err != nil {
			return nil, err
		}
		at += of
		for _, of := range []struct {
			sets   map[*hclspec.Norm]S
			starts []hclspec.Start
		}{{s.starts, n.Starts}, {s.missed, n.Missed}} {
			if of.sets[n], err = c.beginning(ctx, of.starts, sets[next:next+len(of.starts)]); err != nil {
				return nil, err
			}
			next += len(of.starts)
		}
	}
	return s, nil
}

// actGroups returns the transitions of a norm's acts, and those in which its bearer takes part; of each act by itself if it takes all of them.
func (c *Checked[S]) actGroups(n *hclspec.Norm) [][]int {
	groups := make([][]int, 2*max(1, len(n.Needs)))
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
		groups[2*i] = append(groups[2*i], t)
		if takesPart(c.Draft, tr, n.Bearer) {
			groups[2*i+1] = append(groups[2*i+1], t)
		}
	}
	return groups
}

// lastActs joins the states in which a norm's acts can happen. Of acts that it takes all of, each is restricted to where the others have
// happened.
func (c *Checked[S]) lastActs(ctx context.Context, n *hclspec.Norm, acts []S) (can, own S, err error) {
	x := c.Model.sets()
	can, own = x.Minus(x.All(), x.All()), x.Minus(x.All(), x.All())
	for i := 0; i < len(acts); i += 2 {
		others := x.All()
		for j, p := range n.Needs {
			if j == i/2 {
				continue
			}
			done, err := c.unbounded().Sat(ctx, at(c.Draft, n, p))
			if err != nil {
				return can, own, err
			}
			others = x.Intersect(others, done)
		}
		can, own = x.Union(can, x.Intersect(acts[i], others)), x.Union(own, x.Intersect(acts[i+1], others))
	}
	return can, own, x.Err()
}

// beginning joins the states in which the events of some starts can happen, each restricted to the start's conditions.
func (c *Checked[S]) beginning(ctx context.Context, starts []hclspec.Start, events []S) (S, error) {
	x := c.Model.sets()
	joined := x.Minus(x.All(), x.All())
	for i, set := range events {
		for _, p := range starts[i].While {
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

// unaided returns a predicate: the bearer of a norm acts alone in a step, or takes part in one of several acts that it takes.
func (c *Checked[S]) unaided(n *hclspec.Norm) func(step []int) bool {
	alone := c.alone(n.Bearer)
	return func(step []int) bool {
		return alone(step) || n.Needs != nil && !slices.ContainsFunc(step, func(t int) bool {
			tr := &c.Net.Transitions[t]
			return tr.Event < 0 || !slices.Contains(n.Acts, c.Events[tr.Event]) || !takesPart(c.Draft, tr, n.Bearer)
		})
	}
}

// fulfilment returns, among the states in which an obligation binds, those from which it can be fulfilled while it does. Can allows steps of
// all parties. Own allows no step of any party but the bearer, up to an event in which the bearer takes part. Of several that it takes, it
// takes part in each.
func (c *Checked[S]) fulfilment(ctx context.Context, s *sweep[S], n *hclspec.Norm, binding S) (can, own S, err error) {
	x := c.Model.sets()
	done := x.Minus(binding, binding) // all that the bearer has to do is done, and time has to pass
	for _, p := range n.Lead {
		running, err := c.unbounded().Sat(ctx, c.Marked(c.PlacesAt()[p]))
		if err != nil {
			return can, own, err
		}
		done = x.Union(done, running)
	}
	can, err = x.Until(ctx, binding, x.Intersect(binding, x.Union(done, s.enabled[n])))
	if err != nil {
		return can, own, err
	}
	own, err = c.Model.back(ctx, c.unaided(n), binding, x.Intersect(binding, x.Union(done, s.byOwn[n])))
	return can, own, err
}
