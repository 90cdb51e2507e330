package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Coding is a net over variables, each a set of places of which at most one is marked in any reachable marking. Decision diagrams of several
// nets side by side are made from Codings. Transitions fire one at a time.
type Coding struct {
	Firings []Firing // of the transitions that can ever fire, in order
	e       *encoding
}

// A Firing is what a transition does to the variables.
type Firing struct {
	Transition int   // -1: none fires
	Touched    []int // the variables that it changes or depends on, sorted
	does       firing
	as         purpose
}

// A variableLocal is what a firing does to one variable.
type variableLocal struct {
	variable int
	pairs    []dd.Pair
}

// Code returns the variables and firings of a net. The error is the context's cause.
func Code(ctx context.Context, n *petri.Net) (c *Coding, err error) {
	defer halt.Caught(&err)
	return (&Coding{e: newEncoding(&space.WorkBudget{Ctx: ctx}, n)}).coded(), nil
}

func (c *Coding) coded() *Coding {
	for _, d := range c.e.firings() {
		c.Firings = append(c.Firings, Firing{d.transition, d.touched, d, purpose{some: c.e.net.Transitions[d.transition].Moving}})
	}
	return c
}

// Near returns the sets of variables that an order should keep together.
func (c *Coding) Near() (sets [][]int) {
	list := make([]firing, len(c.Firings))
	for i := range list {
		list[i] = c.Firings[i].does
	}
	return touches(list)
}

// within returns the encoding for one goroutine: several may use a coding, but a WorkBudget is for one.
func (c *Coding) within(ctx context.Context) *encoding {
	e := *c.e
	e.budget = &space.WorkBudget{Ctx: ctx}
	return &e
}

// Relation adds the relation of a firing to a store. level is by variable. The error is ErrNotSymbolic, if that takes too many steps, or the
// context's cause.
func (c *Coding) Relation(ctx context.Context, all *dd.Relations, level []int, d *Firing) (r dd.Relation, err error) {
	defer halt.Caught(&err)
	r, ok := c.within(ctx).relation(all, level, &d.does, d.as)
	if !ok {
		return dd.Nothing, ErrNotSymbolic
	}
	return r, nil
}

// Contact adds the identity on the markings in which a transition is enabled and marks a place that stays marked otherwise. It is Nothing if the
// net's structure rules that out. The errors are those of Relation.
func (c *Coding) Contact(ctx context.Context, all *dd.Relations, level []int, t int) (r dd.Relation, err error) {
	defer halt.Caught(&err)
	e, of := c.within(ctx), &c.e.net.Transitions[t]
	if !e.unsure(t) {
		return dd.Nothing, nil
	}
	p, ok := e.program(of)
	if !ok {
		return dd.Nothing, nil
	}
	if r, ok = e.compile(all, level, p, purpose{some: of.Moving, test: true, clash: true}); !ok {
		return dd.Nothing, ErrNotSymbolic
	}
	return r, nil
}

// Split returns the net over smaller variables: places of one variable stay together if they have the same class. class is by place. The error
// is the context's cause.
func (c *Coding) Split(ctx context.Context, class []int) (split *Coding, err error) {
	defer halt.Caught(&err)
	e := &encoding{budget: &space.WorkBudget{Ctx: ctx}, net: c.e.net, of: make([]int, len(c.e.of)), at: make([]int, len(c.e.at))}
	for i := range c.e.vars {
		v := &c.e.vars[i]
		var classes []int
		parts := map[int][]int{}
		for _, p := range v.places {
			if parts[class[p]] == nil {
				classes = append(classes, class[p])
			}
			parts[class[p]] = append(parts[class[p]], p)
		}
		for _, k := range classes {
			e.vars = append(e.vars, variable{places: parts[k], none: v.none || len(classes) > 1, alone: v.alone})
		}
	}
	for i := range e.vars {
		for value, p := range e.vars[i].places {
			e.of[p], e.at[p] = i, value
		}
	}
	return (&Coding{e: e}).coded(), nil
}

// Still returns a firing that changes nothing. It is possible where the transition that must move something finds what it reads, and has nothing
// to move; everywhere, if the net has no such transition. The error is ErrNotSymbolic, if it has several or one that takes tokens, or the
// context's cause.
func (c *Coding) Still(ctx context.Context) (still Firing, err error) {
	defer halt.Caught(&err)
	still.Transition = -1
	for t := range c.e.net.Transitions {
		tr := &c.e.net.Transitions[t]
		if !tr.Moving {
			continue
		}
		if still.does.moves != nil || len(tr.In) > 0 {
			return still, ErrNotSymbolic
		}
		still.does, _ = c.within(ctx).firing(t)
		still.Touched, still.as = still.does.touched, purpose{none: true, test: true}
	}
	return still, nil
}

// Variables returns the number of variables.
func (c *Coding) Variables() int { return len(c.e.vars) }

// Size returns the number of values of variable v.
func (c *Coding) Size(v int) int { return c.e.vars[v].size() }

// Places returns the places of variable v, by value. If the variable has one more value, it means that none of them is marked.
func (c *Coding) Places(v int) []int { return c.e.vars[v].places }

// At returns the variable of a place, and its value where the place is marked.
func (c *Coding) At(place int) (variable, value int) { return c.e.of[place], c.e.at[place] }

// Initial returns the value of variable v in the initial marking.
func (c *Coding) Initial(v int) int { return c.e.vars[v].value(c.e.net.Initial) }

// Orders returns candidates for an order of variables, bottom first. touched has the variables that each transition touches. The error is the
// context's cause.
func Orders(ctx context.Context, variables int, touched [][]int) (list [][]int, err error) {
	defer halt.Caught(&err)
	return orders(&space.WorkBudget{Ctx: ctx}, variables, touched), nil
}

// Turning returns, of each relation over variables of so many values by level, the part that a path may take infinitely often. What it leaves out
// is certain, what it keeps is not. Projected to one variable, an endless path stays from some point on in a strongly connected component of the
// graph of its values, so what always leaves a component is taken finitely often. Such parts are removed until none is left to remove. The
// error is the context's cause.
func Turning(ctx context.Context, all *dd.Relations, sizes []int, list []dd.Relation) ([]dd.Relation, error) {
	left := slices.Clone(list)
	for changed := true; changed; {
		changed = false
		parts := partsOf(all, sizes, left)
		stays := func(level int, p dd.Pair) bool { return parts[level][p.From] == parts[level][p.To] }
		for i, r := range left {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			left[i] = all.Restrict(r, stays)
			changed = changed || left[i] != r
		}
	}
	return left, nil
}

// partsOf returns, by level and value, the number of the value's strongly connected component under relations.
func partsOf(all *dd.Relations, sizes []int, list []dd.Relation) [][]int {
	next := make([][][]int, len(sizes))
	for level, size := range sizes {
		next[level] = make([][]int, size)
	}
	for _, r := range list {
		all.Visit(r, func(level int, p dd.Pair) {
			next[level][p.From] = append(next[level][p.From], int(p.To))
		})
	}
	parts := make([][]int, len(sizes))
	for level := range parts {
		parts[level] = connected(next[level])
	}
	return parts
}
