package workflow

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Explicit checks a net on its explicit states. ends is nil for a net that is not a workflow net. An error is a
// *space.LimitError or the context's cause, wrapped.
func Explicit(ctx context.Context, n *petri.Net, ends *Ends, limits space.Limits) (r *Report, err error) {
	r = &Report{}
	defer halt.Caught(&err)
	g, err := space.Explore(ctx, n, petri.One, limits)
	var contact *space.ContactError
	if errors.As(err, &contact) {
		r.Findings, err = clashed(n, contact)
		return r, err
	}
	if err != nil {
		return r, err
	}
	r.Safe, r.States, r.Arcs = true, big.NewInt(int64(g.Len())), big.NewInt(int64(g.Arcs()))
	r.survey(ctx, n, g)
	m := &model[space.Set]{
		net: n, algebra: g.Sets(), report: r,
		count: func(_ context.Context, s space.Set) (*big.Int, error) { return big.NewInt(int64(s.Len())), nil },
		final: func(ctx context.Context, sinks []int) space.Set { return final(ctx, g, sinks) },
	}
	m.completion(ctx, ends)
	return r, nil
}

// clashed returns the finding of a contact.
func clashed(n *petri.Net, c *space.ContactError) ([]Finding, error) {
	f := Finding{Kind: Contact, Run: ctl.Run{Markings: c.Markings, Steps: c.Steps, Loop: -1}, Place: c.Place}
	return []Finding{f}, replay(n, &f)
}

// survey finds which transitions fire and which places are marked. It stops once it has seen all.
func (r *Report) survey(ctx context.Context, n *petri.Net, g *space.Graph) {
	fired, marked := newSeen(len(n.Transitions)), newSeen(len(n.Places))
	for s := 0; s < g.Len() && fired.left+marked.left > 0; s++ {
		if s%1024 == 0 && ctx.Err() != nil {
			halt.End(context.Cause(ctx))
		}
		for _, p := range g.Marking(s) {
			marked.see(p)
		}
		for _, step := range g.Steps(s) {
			fired.see(step[0])
		}
	}
	r.Unfired, r.Unmarked, r.Surveyed = fired.unseen(), marked.unseen(), true
}

// seen records which of some items were met.
type seen struct {
	met  []bool
	left int
}

func newSeen(n int) *seen { return &seen{make([]bool, n), n} }

func (x *seen) see(i int) {
	if !x.met[i] {
		x.met[i] = true
		x.left--
	}
}

func (x *seen) unseen() []int {
	var list []int
	for i, met := range x.met {
		if !met {
			list = append(list, i)
		}
	}
	return list
}

// final returns the states in which only sinks are marked. In a workflow net at least one is, since every transition produces
// something. They are dead ends, since nothing consumes a sink and every transition consumes something. So only dead ends are examined.
func final(ctx context.Context, g *space.Graph, sinks []int) space.Set {
	set := make(space.Set, (g.Len()+63)/64)
	for s := range g.Len() {
		if s%4096 == 0 && ctx.Err() != nil {
			halt.End(context.Cause(ctx))
		}
		if len(g.Succ(s)) > 0 {
			continue
		}
		if only(g.Marking(s), sinks) {
			space.Add(set, s)
		}
	}
	return set
}

// only reports whether no place is marked except some.
func only(m petri.Marking, places []int) bool {
	return !slices.ContainsFunc(m, func(p int) bool { return !petri.Marking(places).Has(p) })
}
