package engine

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/delta"
)

// How many sequences are shown each way: of what everybody sees, and of what one party does.
const (
	sequencesOfAll  = 5
	sequencesOfView = 3
)

// difference says what the amendment changes, verdicts apart. It may take as long, and keep as much
// besides the state models, as the check of one version.
func (v *versions) difference(ctx context.Context) *Difference {
	ctx, cancel := v.budget.within(ctx)
	defer cancel()
	x := sightsOf(v.base.draft, v.head.draft, v.names)
	all := x.chosen(v.budget.Observe)
	d := &Difference{Views: x.views()}
	for i := range d.Views {
		d.Views[i].Called = v.called(d.Views[i].Party)
	}
	d.All.Observed = x.observed(all)
	c, reason := v.compared(ctx, x)
	switch {
	case sameNet(v.base.draft, v.head.draft):
		d.each(func(b *Behaviour) { b.Relation = delta.Same })
	case c == nil:
		d.each(func(b *Behaviour) { b.Reason = reason })
		d.States.Unknown = reason
	default:
		c.fill(ctx, d, all)
	}
	d.Exposure = v.exposure(ctx)
	return d
}

// each goes through what is observed of the difference.
func (d *Difference) each(do func(b *Behaviour)) {
	do(&d.All)
	for i := range d.Views {
		do(&d.Views[i].Behaviour)
	}
}

// comparison is two state models, joined.
type comparison struct {
	*versions
	*lexicon
	sides [2]*modelled
	pair  *delta.Pair
}

// compared joins the state models; it says why where it can't, or need not.
func (v *versions) compared(ctx context.Context, x *sights) (*comparison, string) {
	for _, side := range []struct {
		name string
		version
	}{{"base", v.base}, {"head", v.head}} {
		if side.model == nil {
			return nil, fmt.Sprintf("there is no complete state model of %s: %s", side.name, side.why)
		}
	}
	if sameNet(v.base.draft, v.head.draft) {
		return nil, ""
	}
	c := &comparison{versions: v, lexicon: &lexicon{sights: x, labels: [][]int{nil}, at: map[string]uint32{}}}
	if err := c.join(ctx); err != nil {
		return nil, v.budget.reason(err)
	}
	return c, ""
}

func (c *comparison) join(ctx context.Context) (err error) {
	size := int64(0)
	for _, m := range []*checked{c.base.model, c.head.model} {
		size += 8 * (int64(m.graph.Arcs()) + int64(m.graph.Len()))
	}
	if limit := int64(c.budget.Memory); limit > 0 && size > limit {
		return &delta.LimitError{Bytes: limit}
	}
	for side, m := range []*checked{c.base.model, c.head.model} {
		if c.sides[side], err = c.model(ctx, m, side); err != nil {
			return err
		}
	}
	c.sort(c.sides[0].system, c.sides[1].system)
	c.pair, err = delta.Join(ctx, c.sides[0].system, c.sides[1].system, c.limits())
	return err
}

// comparingSteps ends a search through sets of states that would take minutes; two versions of 200,000 states need
// some four million.
const comparingSteps = 30_000_000

func (c *comparison) limits() delta.Limits {
	return delta.Limits{Bytes: int64(c.budget.Memory), Steps: comparingSteps}
}

// fill says what everybody and what each party sees, side by side.
func (c *comparison) fill(ctx context.Context, d *Difference, all observer) {
	var group errgroup.Group
	group.SetLimit(max(c.budget.Jobs, 1))
	group.Go(func() error { c.behave(ctx, &d.All, all, sequencesOfAll); return nil })
	for i := range d.Views {
		view := &d.Views[i]
		group.Go(func() error { c.behave(ctx, &view.Behaviour, c.party(view.Party), sequencesOfView); return nil })
	}
	group.Go(func() error { d.States = c.states(ctx, c.names); return nil })
	group.Go(func() error { d.Picture = c.picture(ctx); return nil })
	_ = group.Wait() // what was compared carries its own reason
}

// behave compares what one observer sees.
func (c *comparison) behave(ctx context.Context, b *Behaviour, o observer, k int) {
	g := c.language(o)
	answer, err := c.pair.Compare(ctx, g.relabel, k, c.limits())
	b.Relation = answer.Relation
	if err != nil && b.Relation == delta.Unknown {
		b.Reason = c.budget.reason(err)
	}
	b.MoreThan = answer.LeftOut
	if err := c.confirming(o, g).all(b, answer); err != nil {
		*b = Behaviour{Observed: b.Observed, Reason: "the difference found does not replay, which is a defect of redline: " + err.Error()}
	}
}
