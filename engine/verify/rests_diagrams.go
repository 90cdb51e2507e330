package verify

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/rests"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// Decision diagrams represent the states together with every set of members, or of norms. Each member has an extra place, which is marked
// initially if the member is in the set and never changes. So a formula is labelled once for all sets.

// A choice is a draft's states as decision diagrams, with every set of members or norms.
type choice struct {
	x       *symbolic.Model
	initial dd.Node
	chosen  []int // by member or norm: its extra place
	err     error
}

// choose adds a place for each member or norm to a net, and computes its diagrams for every initial marking of these places. Near lists
// places that belong to each member or norm, which determine the order of variables.
func choose(ctx context.Context, d *compile.Draft, near [][]int, b finding.Budget) *choice {
	net, c := *d.Net, &choice{}
	net.Places, net.Transitions = slices.Clone(net.Places), slices.Clone(net.Transitions)
	for _, places := range near {
		c.chosen = append(c.chosen, len(net.Places))
		net.Transitions = append(net.Transitions, petri.Transition{Read: places, Out: []int{len(net.Places)}, Event: -1})
		net.Places = append(net.Places, petri.Place{})
	}
	c.x, c.initial, c.err = symbolic.ReachEach(ctx, &net, len(d.Net.Transitions), space.Limits{Bytes: int64(b.Memory), Work: cmp.Or(b.Patience, Patience)})
	return c
}

// nearMembers returns, for each member, the initially marked places of its nets.
func nearMembers(d *compile.Draft, a *arena) [][]int {
	near := make([][]int, a.Members)
	for i, name := range a.members {
		for _, p := range d.Net.Initial {
			if p < len(d.AllPlaces) && d.Owners[p].Person() == name {
				near[i] = append(near[i], p)
			}
		}
	}
	return near
}

// nearNorms returns, for each norm, the initially marked places of its net.
func nearNorms(d *compile.Draft, a *arena) [][]int {
	near := make([][]int, len(a.norms))
	for i, n := range a.norms {
		for _, p := range d.Net.Initial {
			if p < len(d.AllPlaces) && d.AllPlaces[p].Name != "" && d.Owners[p] == n.Net {
				near[i] = append(near[i], p)
			}
		}
	}
	return near
}

// drawn decides all sets at once on decision diagrams.
func (q *restQuestion[S]) drawn(ctx context.Context, norms bool) (restsAnswer, error) {
	c := q.choices.of(norms, func() *choice {
		if norms {
			return choose(ctx, q.Checked.Draft, nearNorms(q.Checked.Draft, q.arena), q.budget)
		}
		return choose(ctx, q.Checked.Draft, nearMembers(q.Checked.Draft, q.arena), q.budget)
	})
	if c.err != nil {
		return restsAnswer{}, c.err
	}
	formula, some := q.formula, (*ctl.Formula)(nil)
	switch {
	case norms:
		over := c.kept(q.Draft, q.arena)
		formula, some = overKept(formula, over), &ctl.Formula{Op: ctl.EG, Left: over}
	case q.ideal:
		some = q.IdealRun()
	}
	checker := ctl.New[dd.Node](c.fair(ctx, q.arena, norms))
	functions := rests.NewFunctions(len(c.chosen))
	keeps, err := q.keeps(functions, formula, norms, func(f *ctl.Formula) (rests.Function, error) { return c.function(ctx, functions, checker, f) })
	if err != nil {
		return restsAnswer{}, err
	}
	idle := rests.False
	if some != nil {
		if idle, err = c.function(ctx, functions, checker, &ctl.Formula{Op: ctl.Not, Left: some}); err != nil {
			return restsAnswer{}, err
		}
	}
	return q.least(functions, keeps, idle)
}

// kept returns the formula: no norm in the set is breached.
func (c *choice) kept(d *compile.Draft, a *arena) *ctl.Formula {
	var breached []*ctl.Formula
	for i, p := range a.Breach {
		breached = append(breached, &ctl.Formula{Op: ctl.And, Left: &ctl.Formula{Op: ctl.Atom, Place: c.chosen[i]}, Right: d.Marked(p)})
	}
	return &ctl.Formula{Op: ctl.Not, Left: compile.Join(ctl.Or, breached)}
}

// fair returns the algebra of runs that may stop and are fair to each event in which only members of the set take part. For norms they are
// fair to all events.
func (c *choice) fair(ctx context.Context, a *arena, norms bool) symbolic.FairDiagrams {
	fair := c.x.Fair(ctx, a.acts).Stopping(a.Barred)
	for e, who := range a.Who {
		if norms {
			break
		}
		var chosen []int
		for _, m := range who {
			chosen = append(chosen, c.chosen[m])
		}
		fair.Only(e, chosen)
	}
	return fair
}

// function returns the function of the sets for which a formula holds in the initial state.
func (c *choice) function(ctx context.Context, f *rests.Functions, checker *ctl.Checker[dd.Node], formula *ctl.Formula) (made rests.Function, err error) {
	defer halt.Caught(&err)
	set := halt.Must(checker.Sat(ctx, formula))
	at := map[int]int{}
	for i, p := range c.chosen {
		at[p] = i
	}
	levels, known := c.x.Levels(), map[dd.Node]rests.Function{dd.Empty: rests.False, dd.Unit: f.True}
	var of func(n dd.Node) rests.Function
	of = func(n dd.Node) rests.Function {
		if made, ok := known[n]; ok || f.Err() != nil {
			return made
		}
		level, children := c.x.Children(n)
		i, chooses := at[levels[level-1][0]]
		some := rests.False
		for value, child := range children {
			v := of(child)
			if chooses && value == 0 { // larger sets keep at least as much
				v = f.Where(v, i)
			}
			some = f.Or(some, v)
		}
		known[n] = some
		return some
	}
	made = of(c.x.Sets(ctx).Intersect(set, c.initial))
	return made, f.Err()
}

// choices caches the diagrams for the next requirement: of members, and of norms.
type choices [2]*choice

// of returns the diagrams of members or norms, and computes them on first use.
func (c *choices) of(norms bool, find func() *choice) *choice {
	at := &c[ZeroOrOne(norms)]
	if *at == nil {
		*at = find()
	}
	return *at
}
