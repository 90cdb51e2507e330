package workflow

import (
	"context"
	"math/big"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// Symbolic checks a net without moves on decision diagrams. ends is nil for a net that is not a workflow net. Only the limit of
// memory applies. An error is a *dd.LimitError or the context's cause, wrapped.
func Symbolic(ctx context.Context, n *petri.Net, ends *Ends, limits space.Limits) (r *Report, err error) {
	r = &Report{}
	defer halt.Caught(&err)
	x := halt.Must(symbolic.Reach(ctx, n, limits))
	d := &diagrams{x.Sets(ctx), x, n}
	m := &model[dd.Node]{net: n, algebra: d, report: r, count: x.Cardinality, final: d.final}
	if unsafe := d.survey(ctx, r); unsafe != dd.Empty {
		m.add(ctx, Contact, unsafe)
		return r, nil
	}
	r.Safe, r.Surveyed = true, true
	r.States = halt.Must(x.Cardinality(ctx, d.All()))
	m.completion(ctx, ends)
	return r, nil
}

// diagrams is the state model of a net as decision diagrams.
type diagrams struct {
	symbolic.Diagrams
	x   *symbolic.Model
	net *petri.Net
}

// survey finds which transitions fire and which places are marked, and counts the arcs. It returns the states in which a transition is enabled and
// would put a second token on a place. If there are none, the reachable states are complete. Otherwise they are correct only up to the
// nearest of these states, and the report is left unchanged.
func (d *diagrams) survey(ctx context.Context, r *Report) (unsafe dd.Node) {
	arcs := new(big.Int)
	var unfired, unmarked []int
	for t := range d.net.Transitions {
		able := d.Fireable(t)
		if able == dd.Empty {
			unfired = append(unfired, t)
		}
		arcs.Add(arcs, halt.Must(d.x.Cardinality(ctx, able)))
		for _, p := range d.net.Transitions[t].Out {
			unsafe = d.Union(unsafe, d.Intersect(able, d.Where(p)))
		}
	}
	for p := range d.net.Places {
		if d.Where(p) == dd.Empty {
			unmarked = append(unmarked, p)
		}
	}
	if unsafe == dd.Empty {
		r.Arcs, r.Unfired, r.Unmarked = arcs, unfired, unmarked
	}
	return unsafe
}

// final returns the states in which only sinks are marked, as for explicit states.
func (d *diagrams) final(_ context.Context, sinks []int) dd.Node {
	var others []ctl.Weight
	for p := range d.net.Places {
		if !petri.Marking(sinks).Has(p) {
			others = append(others, ctl.Weight{Place: p, By: 1})
		}
	}
	return d.Count(&ctl.Sum{Weights: others, Most: 0})
}
