package engine

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A sweep says where what norms wait for can happen. Cost: one pass over all firings, and three sets for each norm.
type sweep[S any] struct {
	enabled map[*hclspec.Norm]S // where some event that fulfils it, or that it permits, can happen
	byOwn   map[*hclspec.Norm]S // where its bearer takes part in one
}

func (c *checked[S]) sweepNorms(ctx context.Context) (*sweep[S], error) {
	norms := c.Spec.Norms
	groups := make([][]int, 2*len(norms))
	for i, n := range norms {
		for t := range c.Net.Transitions {
			tr := &c.Net.Transitions[t]
			if tr.Event < 0 || !slices.Contains(n.Acts, c.events[tr.Event]) {
				continue
			}
			groups[2*i] = append(groups[2*i], t)
			if c.takesPart(tr, n.Bearer) {
				groups[2*i+1] = append(groups[2*i+1], t)
			}
		}
	}
	sets, err := c.model.firing(ctx, groups)
	if err != nil {
		return nil, err
	}
	s := &sweep[S]{map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}}
	for i, n := range norms {
		s.enabled[n], s.byOwn[n] = sets[2*i], sets[2*i+1]
	}
	return s, nil
}

func (c *checked[S]) takesPart(t *petri.Transition, who *hclspec.Party) bool {
	return slices.ContainsFunc(t.Parts, func(p petri.Part) bool { return !c.part(p).Passive && c.parties[p.Net].Person() == who.Person() })
}

// alone reports whether nobody but a bearer acts in a step. A net is nobody, and so is time.
func (c *checked[S]) alone(bearer *hclspec.Party) func(step []int) bool {
	return func(step []int) bool {
		for _, t := range step {
			for _, p := range c.Net.Transitions[t].Parts {
				if c.acting(p) && c.parties[p.Net].Person() != bearer.Person() {
					return false
				}
			}
		}
		return true
	}
}

// fulfilment finds, within the states in which an obligation is owed, those from which its fulfilment
// can be brought about while it is owed: by anybody; and without a step of any party but the bearer,
// up to an event in which the bearer takes part.
func (c *checked[S]) fulfilment(ctx context.Context, s *sweep[S], n *hclspec.Norm, owed S) (can, own S, err error) {
	x := c.model.sets()
	can, err = x.Until(ctx, owed, x.Intersect(owed, s.enabled[n]))
	if err != nil {
		return can, own, err
	}
	own, err = c.model.back(ctx, c.alone(n.Bearer), owed, x.Intersect(owed, s.byOwn[n]))
	return can, own, err
}
