package symbolic

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"sync/atomic"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Model is the state model of a net as decision diagrams. It is for one goroutine at a time.
type Model struct {
	ID uint64 // unique among all models of this process, including discarded ones
	*encoding
	forest        *dd.Forest
	firings       []firing
	tests         map[testKey]dd.Relation // see test
	level         []int                   // by variable
	touching      [][]int                 // by variable, the firings that touch it
	after, before *dd.System
	initial       dd.Node
	reach, dead   dd.Node
	deadKnown     bool
	idle          bool // some transition can always fire and changes nothing
}

// ErrNotSymbolic reports a net with a transition of too many moves that depend on each other.
var ErrNotSymbolic = errors.New("the net has moves that decision diagrams are not made for")

// Reach returns the model of the reachable markings, computed by saturation, one transition firing at a time. Its errors are ErrNotSymbolic, a
// *dd.LimitError, or the context's cause. It obeys the limits of bytes, of work and of reach, and no others.
func Reach(ctx context.Context, n *petri.Net, limits space.Limits) (*Model, error) {
	x, err := prepare(&space.WorkBudget{Ctx: ctx, Limit: limits.Bytes, Work: cmp.Or(limits.Reach, limits.Work)}, n, len(n.Transitions))
	if err != nil {
		return nil, err
	}
	err = x.explore(ctx)
	x.forest.SetWorkLimit(limits.Work)
	return x, err
}

// prepare encodes the net, and arranges its variables in the cheapest candidate order. The transitions with numbers from choosing on do not
// affect the cost of an order: what they produce goes next to what they read.
func prepare(t *space.WorkBudget, n *petri.Net, choosing int) (x *Model, err error) {
	defer halt.Caught(&err)
	e := newEncoding(t, n)
	firings := e.firings()
	first := choosers(firings, choosing)
	var best []int
	least := math.MaxInt
	for _, order := range orders(t, len(e.vars), touches(firings[:first])) {
		order = e.beside(order, firings[first:])
		x := &Model{encoding: e, firings: firings, level: levels(order)}
		if cost := x.cost(); cost < least {
			best, least = order, cost
		}
	}
	if best == nil {
		return nil, ErrNotSymbolic
	}
	return e.arrange(best, firings)
}

// cost returns the cost of the relations, in both directions, under the model's order of variables, or the greatest number if one of them
// takes too many steps.
func (x *Model) cost() int {
	var all dd.Relations
	for i := range x.firings {
		d := x.firings[i]
		if !x.relations(&all, &d, purpose{some: x.net.Transitions[d.transition].Moving}) {
			return math.MaxInt
		}
	}
	return all.Cost()
}

// levels returns the level of each variable in an order, bottom first.
func levels(order []int) []int {
	level := inverse(order)
	for v := range level {
		level[v]++
	}
	return level
}

// touches returns the sets of variables that an order should keep together.
func touches(firings []firing) (sets [][]int) {
	for i := range firings {
		if d := &firings[i]; d.moves != nil {
			sets = append(sets, d.moves.near()...)
		} else {
			sets = append(sets, d.touched)
		}
	}
	return sets
}

// models counts the models made so far, for Model.ID.
var models atomic.Uint64

// arrange returns a model with the forest and relations for an order of the variables. The forest gets the rest of the memory limit. The error
// is ErrNotSymbolic.
func (e *encoding) arrange(order []int, firings []firing) (*Model, error) {
	x := &Model{ID: models.Add(1), encoding: e, firings: firings, level: levels(order), touching: make([][]int, len(e.vars))}
	sizes := make([]int, len(e.vars))
	for i, v := range order {
		sizes[i] = e.vars[v].size()
	}
	for i := range firings {
		for _, v := range firings[i].touched {
			x.touching[v] = append(x.touching[v], i)
		}
	}
	limits := dd.Limits{Work: e.budget.Work}
	if e.budget.Limit > 0 {
		limits.Bytes = max(1, e.budget.Limit-e.budget.Used)
	}
	x.forest, x.tests = dd.New(sizes, limits), map[testKey]dd.Relation{}
	for i := range x.firings {
		if d := &x.firings[i]; !x.relations(&x.forest.Relations, d, purpose{some: x.net.Transitions[d.transition].Moving}) {
			return nil, ErrNotSymbolic
		}
	}
	x.relate()
	return x, nil
}

func (x *Model) explore(ctx context.Context) (err error) {
	defer halt.Caught(&err)
	x.begin()
	x.reach = x.forest.With(ctx).Reach(x.after, x.initial)
	return nil
}

// begin sets the initial state.
func (x *Model) begin() { x.initial = halt.Must(x.state(x.net.Initial)) }

// state returns the set of the state with marking m.
func (x *Model) state(m petri.Marking) (dd.Node, error) { return x.forest.Tuple(x.values(m)) }

// values returns the value of each level in a marking.
func (x *Model) values(m petri.Marking) []int {
	values := make([]int, len(x.vars))
	for i := range x.vars {
		values[x.level[i]-1] = x.vars[i].value(m)
	}
	return values
}

// relate unites the relations of all firings.
func (x *Model) relate() {
	var after, before []dd.Relation
	for i := range x.firings {
		d := &x.firings[i]
		x.idle = x.idle || d.forth == dd.Identity
		after, before = append(after, d.forth), append(before, d.back)
	}
	x.after, x.before = x.forest.System(after), x.forest.System(before)
}

// relations adds the relation of a firing and its inverse to all. It reports whether they are small enough.
func (x *Model) relations(all *dd.Relations, d *firing, as purpose) (ok bool) {
	d.forth, ok = x.relation(all, x.level, d, as)
	d.back = all.Inverse(d.forth)
	return ok
}

// relation adds the relation of a firing to all. It reports whether it is small enough.
func (e *encoding) relation(all *dd.Relations, level []int, d *firing, as purpose) (r dd.Relation, ok bool) {
	if d.moves != nil {
		return e.compile(all, level, d.moves, as)
	}
	e.budget.By(8 * len(d.locals))
	there := make([]dd.Local, len(d.locals))
	for i, l := range d.locals {
		there[i] = dd.Local{Level: level[l.variable], Pairs: l.pairs}
	}
	slices.SortFunc(there, func(a, b dd.Local) int { return a.Level - b.Level })
	return all.Chain(there), true
}

// Cardinality returns the number of states of a set. For a net with n places the number has up to n bits.
func (x *Model) Cardinality(ctx context.Context, set dd.Node) (*big.Int, error) {
	return x.forest.Cardinality(ctx, set)
}

// Bytes returns the memory of the diagrams and of what they are made from, in bytes.
func (x *Model) Bytes() int64 { return x.budget.Used + x.forest.Bytes() }
