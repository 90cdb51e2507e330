package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Coding is a net over variables, each a set of places of which at most one is marked in any reachable marking: what
// decision diagrams of several nets side by side are made from. Transitions fire one at a time.
type Coding struct {
	Deeds []Deed // what transitions do, in order; a transition whose moves go several ways has several
	e     *encoding
}

// A Deed is what a transition does in one of the ways its moves can go: it is fireable that way where each variable it touches
// has a value that is some pair's From, and leads to the To. A value is From of one pair at most.
type Deed struct {
	Transition int
	Locals     []VariableLocal // in order of variables
}

// A VariableLocal is what a deed does to one variable.
type VariableLocal struct {
	Variable int
	Pairs    []dd.Pair
}

// Code finds the variables of a net. The error is ErrNotSymbolic or the context's cause.
func Code(ctx context.Context, n *petri.Net) (c *Coding, err error) {
	defer space.Caught(&err)
	return (&Coding{e: newEncoding(&space.WorkBudget{Ctx: ctx}, n)}).coded()
}

func (c *Coding) coded() (*Coding, error) {
	deeds, err := c.e.deeds()
	if err != nil {
		return nil, err
	}
	c.Deeds = public(deeds)
	return c, nil
}

func public(deeds []firing) []Deed {
	list := make([]Deed, len(deeds))
	for i, d := range deeds {
		list[i] = Deed{d.transition, d.locals}
	}
	return list
}

// Split codes the net over smaller variables: places of one variable stay together if they are of one class, by place.
func (c *Coding) Split(ctx context.Context, class []int) (split *Coding, err error) {
	defer space.Caught(&err)
	e := &encoding{toil: &space.WorkBudget{Ctx: ctx}, net: c.e.net, of: make([]int, len(c.e.of)), at: make([]int, len(c.e.at))}
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

// Still lists deeds that change nothing, each possible where no transition that must move something is fireable, and one of
// them wherever that is so; none touches nothing if the net has no such transition. The error is ErrNotSymbolic or the context's cause.
func (c *Coding) Still(ctx context.Context) (list []Deed, err error) {
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
		return []Deed{{Transition: -1}}, nil
	}
	bare := petri.Transition{Moves: c.e.net.Transitions[moving].Moves}
	e := *c.e // codings are for several goroutines, a toil is for one
	e.toil = &space.WorkBudget{Ctx: ctx}
	w := &wayfinder{e: &e, index: -1, t: &bare}
	w.still(map[int]int{}, e.asked(&bare))
	if w.tooMany {
		return nil, ErrNotSymbolic
	}
	return public(w.list), nil
}

// still makes the deeds in which nothing moves, one for each choice of the values that moves look at.
func (w *wayfinder) still(fixed map[int]int, left []int) {
	if len(left) == 0 {
		moving := w.movers(fixed)
		w.add(fixed, moving, len(moving))
		return
	}
	for value := range w.e.vars[left[0]].size() {
		if w.tooMany {
			return
		}
		fixed[left[0]] = value
		w.still(fixed, left[1:])
	}
	delete(fixed, left[0])
}

// Variables is how many there are.
func (c *Coding) Variables() int { return len(c.e.vars) }

// Size is the number of values of a variable.
func (c *Coding) Size(v int) int { return c.e.vars[v].size() }

// Places of a variable, by value. There may be one more value, which says that none of them is marked.
func (c *Coding) Places(v int) []int { return c.e.vars[v].places }

// Unsure reports whether nothing but the rule of contact keeps a variable's one place from being marked twice.
func (c *Coding) Unsure(v int) bool { return c.e.vars[v].alone }

// At is the variable of a place, and its value where the place is marked.
func (c *Coding) At(place int) (variable, value int) { return c.e.of[place], c.e.at[place] }

// Initial is the value of a variable in the initial marking.
func (c *Coding) Initial(v int) int { return c.e.vars[v].value(c.e.net.Initial) }

// Orders are candidates for an order of variables, bottom first, by which of them transitions touch together. The error is the
// context's cause.
func Orders(ctx context.Context, variables int, touched [][]int) (list [][]int, err error) {
	defer space.Caught(&err)
	return orders(&space.WorkBudget{Ctx: ctx}, variables, touched), nil
}

// Turning tells, of deeds by the variables of the given sizes that they touch, which may be taken again and again: seen from
// one variable, an endless path goes round in the graph of its values from some point on, so a deed that always leaves a strongly connected
// part of that graph can be taken but finitely often, and what is left is looked at again. The error is the context's cause.
func Turning(ctx context.Context, sizes []int, deeds [][]VariableLocal) ([]bool, error) {
	alive := make([]bool, len(deeds))
	for i := range alive {
		alive[i] = true
	}
	for changed := true; changed; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		changed = false
		parts := partsOf(sizes, deeds, alive)
		for i, locals := range deeds {
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

// partsOf numbers, by variable, the strongly connected parts of its values under the deeds that are alive.
func partsOf(sizes []int, deeds [][]VariableLocal, alive []bool) [][]int {
	next := make([][][]int, len(sizes))
	for v, size := range sizes {
		next[v] = make([][]int, size)
	}
	for i, locals := range deeds {
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
