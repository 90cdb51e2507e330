package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Coding is a net over variables, each a set of places of which at most one is marked in any reachable marking. Decision diagrams of several
// nets side by side are made from Codings. Transitions fire one at a time.
type Coding struct {
	Firings []Firing // what transitions do, in order; one for each way the moves of a transition can go
	e       *encoding
}

// A Firing is what a transition does in one of the ways its moves can go. It is fireable in that way if each variable it touches has a value
// that is the From of a pair, and leads to the To of that pair. A value is the From of at most one pair.
type Firing struct {
	Transition int
	Locals     []VariableLocal // in order of variables
}

// A VariableLocal is what a firing does to one variable.
type VariableLocal struct {
	Variable int
	Pairs    []dd.Pair
}

// Code returns the variables and firings of a net. The error is the context's cause, or ErrNotSymbolic: a transition can go more than maxFirings
// ways, or moves lead from one variable to another.
func Code(ctx context.Context, n *petri.Net) (c *Coding, err error) {
	defer space.Caught(&err)
	return (&Coding{e: newEncoding(&space.WorkBudget{Ctx: ctx}, n)}).coded()
}

func (c *Coding) coded() (*Coding, error) {
	for t := range c.e.net.Transitions {
		some, err := c.e.ways(t, purpose{some: c.e.net.Transitions[t].Moving})
		if err != nil {
			return nil, err
		}
		c.Firings = append(c.Firings, some...)
	}
	return c, nil
}

// maxFirings bounds the ways in which the moves of one transition can go.
const maxFirings = 4096

// ways returns a transition as firings, each of which changes the variables independently. The error is ErrNotSymbolic.
func (e *encoding) ways(t int, as purpose) ([]Firing, error) {
	d, ok := e.firing(t)
	switch {
	case !ok:
		return nil, nil
	case d.moves == nil:
		return []Firing{{t, d.locals}}, nil
	case slices.ContainsFunc(e.net.Transitions[t].Moves, func(v petri.Move) bool { return e.of[v.From] != e.of[v.To] }):
		return nil, ErrNotSymbolic // those who use codings look for contacts at arcs only
	}
	w := &unfolding{level: make([]int, len(e.vars)), transition: t}
	for v := range w.level {
		w.level[v] = len(e.vars) - v // variables in order
	}
	r, ok := e.compile(&w.all, w.level, d.moves, as)
	if !ok || !w.unfold(r, nil) {
		return nil, ErrNotSymbolic
	}
	return w.list, nil
}

// An unfolding writes a relation as a union of relations that change each variable independently.
type unfolding struct {
	all        dd.Relations
	level      []int // by variable
	transition int
	list       []Firing
}

// unfold adds the firings of a relation below what others do above. It reports whether they are few enough.
func (w *unfolding) unfold(r dd.Relation, above []VariableLocal) bool {
	if r == dd.Nothing {
		return true
	}
	if r == dd.Identity {
		w.list = append(w.list, Firing{w.transition, slices.Clone(above)})
		return len(w.list) <= maxFirings
	}
	level, pairs, nexts := w.all.Top(r)
	variable := slices.Index(w.level, level)
	for i, next := range nexts {
		if slices.Index(nexts, next) < i {
			continue
		}
		var same []dd.Pair
		for k, p := range pairs {
			if nexts[k] == next {
				same = append(same, p)
			}
		}
		if !w.unfold(next, append(above, VariableLocal{variable, same})) {
			return false
		}
	}
	return true
}

// Split returns the net over smaller variables: places of one variable stay together if they have the same class. class is by place. The error
// is ErrNotSymbolic or the context's cause.
func (c *Coding) Split(ctx context.Context, class []int) (split *Coding, err error) {
	defer space.Caught(&err)
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
	return (&Coding{e: e}).coded()
}

// Still returns firings that change nothing. Each is possible only where no transition that must move something is fireable, and in each such
// state one of them is. If the net has no such transition, it returns one firing that touches nothing. The error is ErrNotSymbolic or the
// context's cause.
func (c *Coding) Still(ctx context.Context) (list []Firing, err error) {
	defer space.Caught(&err)
	moving := -1
	for t := range c.e.net.Transitions {
		if tr := &c.e.net.Transitions[t]; tr.Moving {
			if moving >= 0 || len(tr.In)+len(tr.Read) > 0 {
				return nil, ErrNotSymbolic
			}
			moving = t
		}
	}
	if moving < 0 {
		return []Firing{{Transition: -1}}, nil
	}
	e := *c.e // several goroutines use a coding, but a WorkBudget is for one
	e.budget = &space.WorkBudget{Ctx: ctx}
	return e.ways(moving, purpose{none: true, test: true})
}

// Variables returns the number of variables.
func (c *Coding) Variables() int { return len(c.e.vars) }

// Size returns the number of values of variable v.
func (c *Coding) Size(v int) int { return c.e.vars[v].size() }

// Places returns the places of variable v, by value. If the variable has one more value, it means that none of them is marked.
func (c *Coding) Places(v int) []int { return c.e.vars[v].places }

// Unsure reports whether variable v is a single place that only the rule of contact keeps from being marked twice.
func (c *Coding) Unsure(v int) bool { return c.e.vars[v].alone }

// At returns the variable of a place, and its value where the place is marked.
func (c *Coding) At(place int) (variable, value int) { return c.e.of[place], c.e.at[place] }

// Initial returns the value of variable v in the initial marking.
func (c *Coding) Initial(v int) int { return c.e.vars[v].value(c.e.net.Initial) }

// Orders returns candidates for an order of variables, bottom first. touched has the variables that each transition touches. The error is the
// context's cause.
func Orders(ctx context.Context, variables int, touched [][]int) (list [][]int, err error) {
	defer space.Caught(&err)
	return orders(&space.WorkBudget{Ctx: ctx}, variables, touched), nil
}

// Turning returns, by firing, whether a path may take the firing infinitely often. False is certain, true is not. sizes has the number of values
// of each variable, firings what each firing does. Projected to one variable, an endless path stays from some point on in a strongly connected
// component of the graph of its values, so a firing that always leaves a component is taken finitely often. Such firings are removed until none is
// left to remove. The error is the context's cause.
func Turning(ctx context.Context, sizes []int, firings [][]VariableLocal) ([]bool, error) {
	alive := make([]bool, len(firings))
	for i := range alive {
		alive[i] = true
	}
	for changed := true; changed; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		changed = false
		parts := partsOf(sizes, firings, alive)
		for i, locals := range firings {
			leaves := func(l VariableLocal) bool {
				return !slices.ContainsFunc(l.Pairs, func(p dd.Pair) bool { return parts[l.Variable][p.From] == parts[l.Variable][p.To] })
			}
			if alive[i] && slices.ContainsFunc(locals, leaves) {
				alive[i], changed = false, true
			}
		}
	}
	return alive, nil
}

// partsOf returns, by variable and value, the number of the value's strongly connected component under the firings that are alive.
func partsOf(sizes []int, firings [][]VariableLocal, alive []bool) [][]int {
	next := make([][][]int, len(sizes))
	for v, size := range sizes {
		next[v] = make([][]int, size)
	}
	for i, locals := range firings {
		if !alive[i] {
			continue
		}
		for _, l := range locals {
			for _, p := range l.Pairs {
				next[l.Variable][p.From] = append(next[l.Variable][p.From], int(p.To))
			}
		}
	}
	parts := make([][]int, len(sizes))
	for v := range parts {
		parts[v] = connected(next[v])
	}
	return parts
}
