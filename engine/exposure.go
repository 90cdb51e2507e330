package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// Exposure: a party has performed and has not been performed for. It is so while a place is marked of which
// the drafter says so (exposed = true); and while somebody owes it something, or has breached
// that and made no good, towards whom it has fulfilled an obligation of its own.

// exposes is what a place says of its party's exposure, as the digest has it.
func exposes(p *hclspec.Place) string {
	if !p.Exposed {
		return ""
	}
	return " exposed"
}

// exposure compares when each party is exposed, in order of their names.
func (v *versions) exposure(ctx context.Context) []Exposure {
	var sides [2]map[string]*ctl.Formula
	for side, d := range []*Draft{v.base.draft, v.head.draft} {
		sides[side] = d.exposed(v.names.of(side))
	}
	var list []Exposure
	for _, party := range sortedKeys(union(sides[0], sides[1]), natural) {
		e := Exposure{
			Party: party, Called: v.called(party),
			Base: v.base.model.exposed(ctx, sides[0][party]),
			Head: v.head.model.exposed(ctx, sides[1][party]),
		}
		if e.Base.some() || e.Head.some() {
			list = append(list, e)
		}
	}
	return list
}

func (e *Exposed) some() bool { return e != nil && e.States > 0 }

// exposed says when each party of a draft is exposed, by its name on head. Parties that never can be
// are left out.
func (d *Draft) exposed(n sideNaming) map[string]*ctl.Formula {
	ways := map[string][]*ctl.Formula{}
	for i, p := range d.places {
		if p.Exposed {
			ways[n.reader(d.owners[i])] = append(ways[n.reader(d.owners[i])], d.marked(i))
		}
	}
	for _, owed := range d.Spec.Norms {
		if owed.Kind != hclspec.Obligation || owed.Counterparty == nil {
			continue
		}
		for _, own := range d.Spec.Norms {
			if own.Kind == hclspec.Obligation && own.Bearer == owed.Counterparty && own.Counterparty == owed.Bearer {
				party := n.reader(owed.Counterparty)
				ways[party] = append(ways[party], join(ctl.And, []*ctl.Formula{d.outstanding(owed), d.stands(own, "fulfilled")}))
			}
		}
	}
	when := map[string]*ctl.Formula{}
	for party, list := range ways {
		when[party] = join(ctl.Or, list)
	}
	return when
}

// stands says that an obligation stands so: owed, fulfilled, breached.
func (d *Draft) stands(n *hclspec.Norm, so string) *ctl.Formula {
	place, ok := d.placeOf[n.Name+"."+so]
	if !ok {
		return &ctl.Formula{Op: ctl.False}
	}
	return d.marked(place)
}

// outstanding says that an obligation is owed, or was breached and its reparation neither given nor lifted.
func (d *Draft) outstanding(n *hclspec.Norm) *ctl.Formula {
	unrepaired := []*ctl.Formula{d.stands(n, "breached")}
	for seen := []*hclspec.Norm{n}; ; {
		r := d.reparation(seen[len(seen)-1])
		if r == nil || slices.Contains(seen, r) {
			break
		}
		seen = append(seen, r)
		for _, settled := range []string{"fulfilled", "lifted"} {
			unrepaired = append(unrepaired, &ctl.Formula{Op: ctl.Not, Left: d.stands(r, settled)})
		}
	}
	return join(ctl.Or, []*ctl.Formula{d.stands(n, "owed"), join(ctl.And, unrepaired)})
}

// reparation is what a breach of an obligation brings about; nil for nothing.
func (d *Draft) reparation(n *hclspec.Norm) *hclspec.Norm {
	at := slices.IndexFunc(n.Terms, func(t hclspec.Term) bool { return t.Word == "reparation" })
	if at < 0 {
		return nil
	}
	other := slices.IndexFunc(d.Spec.Norms, func(m *hclspec.Norm) bool { return m.Name == n.Terms[at].Value })
	if other < 0 {
		return nil
	}
	return d.Spec.Norms[other]
}

// exposed counts the states in which a formula holds, and finds where that begins and ends; nil where
// it can't.
func (c *listed) exposed(ctx context.Context, when *ctl.Formula) *Exposed {
	if c == nil || when == nil {
		return nil
	}
	checker := c.checker(nil)
	set, err := checker.Sat(ctx, when)
	if err != nil {
		return nil
	}
	passes := &ctl.Formula{Op: ctl.AF, Left: &ctl.Formula{Op: ctl.Not, Left: when}}
	ends, err := checker.Holds(ctx, &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Implies, Left: when, Right: passes}})
	if err != nil {
		return nil
	}
	e := &Exposed{Ends: ends}
	if c.turns(ctx, e, set, when) != nil {
		return nil
	}
	return e
}

// turns counts the states, those that differ in history once, and names what begins and ends the exposure.
func (c *listed) turns(ctx context.Context, e *Exposed, set space.Set, when *ctl.Formula) error {
	found := recall(ctx, c.commons, c.key("turns", c.unnamed, formKey(when)), func() turned { return c.turned(ctx, set, when) })
	e.States, e.Of = found.states, found.of
	for i, to := range []*[]string{&e.From, &e.To} {
		names := map[string]bool{}
		for t := range found.by[i] {
			names[cmp.Or(c.title(t), sideNaming{}.deed(c.Draft, t).name)] = true
		}
		*to = sortedKeys(names, natural)
	}
	return found.err
}

// turned is how often a party is exposed, and the transitions by which it comes to be, and ceases to.
type turned struct {
	states, of int
	by         [2]map[int]bool
	err        error
}

func (c *listed) turned(ctx context.Context, set space.Set, when *ctl.Formula) turned {
	e := turned{by: [2]map[int]bool{{}, {}}}
	in := func(s int) bool { return has(set, s) }
	had := map[string]bool{} // meanings, where history is remembered
	for s := range c.graph.Len() {
		if s%1024 == 0 && ctx.Err() != nil {
			return turned{err: context.Cause(ctx)}
		}
		if c.once(had, s) {
			e.of++
			e.states += truth(in(s))
		}
		for i, next := range c.graph.Succ(s) {
			if in(s) == in(int(next)) {
				continue
			}
			for _, t := range c.turning(c.graph.Marking(s), c.graph.Steps(s)[i], when) {
				e.by[truth(in(s))][t] = true
			}
		}
	}
	return e
}

// once reports whether a state is the first of those that differ in history alone.
func (c *listed) once(had map[string]bool, s int) bool {
	if len(c.history) == 0 {
		return true
	}
	key := markingKey(c.Present(c.graph.Marking(s)))
	first := !had[key]
	had[key] = true
	return first
}

// turning are the transitions of a step that alone would make the formula come true, or false; all of
// them where none would.
func (c *listed) turning(m petri.Marking, step []int, when *ctl.Formula) []int {
	r := &replayer{net: c.Net, rule: c.Rule}
	before, _ := r.value(m, when)
	var list []int
	for _, t := range step {
		after, _ := c.Net.Fire(m, []int{t})
		if now, _ := r.value(after, when); now != before {
			list = append(list, t)
		}
	}
	if list == nil {
		return step
	}
	return list
}
