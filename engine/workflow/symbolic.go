package workflow

import (
	"context"
	"math/big"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// Symbolic checks a net without moves over decision diagrams; ends is nil for one that is no workflow net. Of the limits it is
// memory that counts. Its errors are a *dd.LimitError or the context's cause, wrapped.
func Symbolic(ctx context.Context, n *petri.Net, ends *Ends, limits space.Limits) (*Report, error) {
	r := &Report{}
	x, err := symbolic.Reach(ctx, n, limits)
	if err != nil {
		return r, err
	}
	d := &diagrams{x.Sets(ctx), x, n}
	m := &model[dd.Node]{net: n, algebra: d, report: r, count: x.Cardinality, final: d.final}
	unsafe, err := d.survey(ctx, r)
	if err != nil {
		return r, err
	}
	if unsafe != dd.Empty {
		return r, m.add(ctx, Contact, unsafe)
	}
	r.Safe, r.Surveyed = true, true
	if r.States, err = x.Cardinality(ctx, d.All()); err != nil {
		return r, err
	}
	err = m.completion(ctx, ends)
	r.Completed = err == nil
	return r, err
}

// diagrams are the sets of states of a net.
type diagrams struct {
	symbolic.Diagrams
	x   *symbolic.Model
	net *petri.Net
}

// survey sees what fires and what is marked, and counts the arcs. It returns the states in which a transition is fireable and
// would put a second token on a place. Where there are none, all that can be reached was; else what was reached is right up
// to the first of them, and the report is left alone.
func (d *diagrams) survey(ctx context.Context, r *Report) (unsafe dd.Node, err error) {
	arcs := new(big.Int)
	var unfired, unmarked []int
	for t := range d.net.Transitions {
		able := d.Fireable(t)
		if able == dd.Empty {
			unfired = append(unfired, t)
		}
		more, err := d.x.Cardinality(ctx, able)
		if err != nil {
			return dd.Empty, err
		}
		arcs.Add(arcs, more)
		for _, p := range d.net.Transitions[t].Out {
			unsafe = d.Union(unsafe, d.Intersect(able, d.Where(p)))
		}
		if err := d.ended(ctx); err != nil {
			return dd.Empty, err
		}
	}
	for p := range d.net.Places {
		if d.Where(p) == dd.Empty {
			unmarked = append(unmarked, p)
		}
		if err := d.ended(ctx); err != nil {
			return dd.Empty, err
		}
	}
	if unsafe == dd.Empty {
		r.Arcs, r.Unfired, r.Unmarked = arcs, unfired, unmarked
	}
	return unsafe, nil
}

// ended is why nothing that was computed means anything.
func (d *diagrams) ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return d.Err()
}

// final is the states in which only sinks are marked; see the other.
func (d *diagrams) final(_ context.Context, sinks []int) (dd.Node, error) {
	var others []ctl.Weight
	for p := range d.net.Places {
		if !petri.Marking(sinks).Has(p) {
			others = append(others, ctl.Weight{Place: p, By: 1})
		}
	}
	return d.Count(&ctl.Sum{Weights: others, Most: 0}), d.Err()
}
