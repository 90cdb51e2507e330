package symbolic

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"sync/atomic"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Model is the state model of a net as decision diagrams. It is for one goroutine at a time.
type Model struct {
	ID uint64 // unique among all models of this process, including discarded ones
	*encoding
	forest        *dd.Forest
	firings       []firing
	forth, back   []dd.Relation // by firing, its relation and the inverse; 0 if it touches nothing
	level         []int         // by variable
	touching      [][]int       // by variable, the firings that touch it
	after, before *dd.System
	initial       dd.Node
	reach, dead   dd.Node
	deadKnown     bool
	idle          bool // some transition touches nothing, and so can always fire
}

// ErrNotSymbolic reports a net with transitions whose moves go too many ways, or lead from one variable to another.
var ErrNotSymbolic = errors.New("the net has moves that decision diagrams are not made for")

// Reach returns the model of the reachable markings, computed by saturation, one transition firing at a time. Its errors are ErrNotSymbolic, a
// *dd.LimitError, or the context's cause. It obeys the limits of bytes and of work, and no others.
func Reach(ctx context.Context, n *petri.Net, limits space.Limits) (*Model, error) {
	x, err := prepare(&space.WorkBudget{Ctx: ctx, Limit: limits.Bytes, Work: limits.Work}, n, len(n.Transitions))
	if err != nil {
		return nil, err
	}
	return x, x.explore(ctx)
}

// prepare encodes the net, and arranges its variables in the cheapest candidate order. The transitions with numbers from choosing on do not
// affect the cost of an order: what they produce goes next to what they read.
func prepare(t *space.WorkBudget, n *petri.Net, choosing int) (x *Model, err error) {
	defer space.Caught(&err)
	e := newEncoding(t, n)
	firings, err := e.firings()
	if err != nil {
		return nil, err
	}
	var best []int
	least := 0
	firing := firings[:choosers(firings, choosing)]
	for _, order := range orders(t, len(e.vars), touches(firing)) {
		order = e.beside(order, firings[len(firing):])
		x := &Model{encoding: e, firings: firings, level: levels(order)}
		if cost := x.cost(); best == nil || cost < least {
			best, least = order, cost
		}
	}
	return e.arrange(best, firings), nil
}

// cost returns the cost of the relations, in both directions, under the model's order of variables.
func (x *Model) cost() int {
	var all dd.Relations
	for i := range x.firings {
		x.relations(&all, &x.firings[i])
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

func touches(firings []firing) [][]int {
	touched := make([][]int, len(firings))
	for i, d := range firings {
		for _, l := range d.locals {
			touched[i] = append(touched[i], l.Variable)
		}
	}
	return touched
}

// models counts the models made so far, for Model.ID.
var models atomic.Uint64

// arrange returns a model with the forest and relations for an order of the variables. The forest gets the rest of the memory limit.
func (e *encoding) arrange(order []int, firings []firing) *Model {
	x := &Model{ID: models.Add(1), encoding: e, firings: firings, level: levels(order), touching: make([][]int, len(e.vars))}
	sizes := make([]int, len(e.vars))
	for i, v := range order {
		sizes[i] = e.vars[v].size()
	}
	for i := range firings {
		for _, l := range firings[i].locals {
			x.touching[l.Variable] = append(x.touching[l.Variable], i)
		}
	}
	limits := dd.Limits{Work: e.budget.Work}
	if e.budget.Limit > 0 {
		limits.Bytes = max(1, e.budget.Limit-e.budget.Used)
	}
	x.forest = dd.New(sizes, limits)
	x.relate()
	return x
}

func (x *Model) explore(ctx context.Context) (err error) {
	if err = x.begin(); err != nil {
		return err
	}
	x.reach, err = x.forest.Reach(ctx, x.after, x.initial)
	return err
}

// begin sets the initial state.
func (x *Model) begin() (err error) {
	x.initial, err = x.state(x.net.Initial)
	return err
}

// state returns the set of the state with marking m.
func (x *Model) state(m petri.Marking) (dd.Node, error) {
	values := make([]int, len(x.vars))
	for i := range x.vars {
		values[x.level[i]-1] = x.vars[i].value(m)
	}
	return x.forest.Tuple(values)
}

func (x *Model) relate() {
	x.forth, x.back = make([]dd.Relation, len(x.firings)), make([]dd.Relation, len(x.firings))
	var after, before []dd.Relation
	for i := range x.firings {
		if len(x.firings[i].locals) == 0 {
			x.idle = true
			continue
		}
		x.forth[i], x.back[i] = x.relations(&x.forest.Relations, &x.firings[i])
		after, before = append(after, x.forth[i]), append(before, x.back[i])
	}
	x.after, x.before = x.forest.System(after), x.forest.System(before)
}

// relations adds the relation of a firing and its inverse to all, and returns both.
func (x *Model) relations(all *dd.Relations, d *firing) (forth, back dd.Relation) {
	x.budget.By(8 * len(d.locals))
	there, again := make([]dd.Local, len(d.locals)), make([]dd.Local, len(d.locals))
	for i, l := range d.locals {
		there[i] = dd.Local{Level: x.level[l.Variable], Pairs: l.Pairs}
	}
	slices.SortFunc(there, func(a, b dd.Local) int { return a.Level - b.Level })
	for i, l := range there {
		again[i] = dd.Local{Level: l.Level, Pairs: turned(l.Pairs)}
	}
	return all.Chain(there), all.Chain(again)
}

func turned(pairs []dd.Pair) []dd.Pair {
	list := make([]dd.Pair, len(pairs))
	for i, p := range pairs {
		list[i] = dd.Pair{From: p.To, To: p.From}
	}
	return list
}

// Cardinality returns the number of states of a set. For a net with n places the number has up to n bits.
func (x *Model) Cardinality(ctx context.Context, set dd.Node) (*big.Int, error) {
	return x.forest.Cardinality(ctx, set)
}

// Bytes returns the memory of the diagrams and of what they are made from, in bytes.
func (x *Model) Bytes() int64 { return x.budget.Used + x.forest.Bytes() }
