package space

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
)

// A Symbolic is the state model of a net as decision diagrams. It may be used by one goroutine at a time.
type Symbolic struct {
	*encoding
	forest        *dd.Forest
	deeds         []deed
	forth, back   []dd.Relation // by deed, what it does, and its inverse; 0 where it touches nothing
	level         []int         // by variable
	after, before *dd.System
	initial       dd.Node
	reach, dead   dd.Node
	deadKnown     bool
	idle          bool // some transition touches nothing, and so can always fire
}

// ErrNotSymbolic says that a net has transitions whose moves go too many ways, or lead from one variable to another.
var ErrNotSymbolic = errors.New("the net has moves that decision diagrams are not made for")

// Reach computes the reachable markings by saturation, one transition firing at a time.
func Reach(ctx context.Context, n *petri.Net, limits Limits) (*Symbolic, error) {
	e := newEncoding(n)
	deeds, err := e.deeds()
	if err != nil {
		return nil, err
	}
	x := e.best(deeds, limits)
	return x, x.explore(ctx)
}

// best arranges the variables in the candidate order that is to make firing cheapest.
func (e *encoding) best(deeds []deed, limits Limits) *Symbolic {
	var best []int
	least := 0
	for _, order := range orders(len(e.vars), touches(deeds)) {
		x := &Symbolic{encoding: e, deeds: deeds, level: levels(order)}
		if cost := x.cost(); best == nil || cost < least {
			best, least = order, cost
		}
	}
	return e.arrange(best, deeds, limits)
}

// cost is what an order of the variables makes the relations cost, both ways.
func (x *Symbolic) cost() int {
	var all dd.Relations
	for i := range x.deeds {
		x.relations(&all, &x.deeds[i])
	}
	return all.Cost()
}

// levels by variable, of an order, bottom first.
func levels(order []int) []int {
	level := inverse(order)
	for v := range level {
		level[v]++
	}
	return level
}

func touches(deeds []deed) [][]int {
	touched := make([][]int, len(deeds))
	for i, d := range deeds {
		for v := range d.locals {
			touched[i] = append(touched[i], v)
		}
		slices.Sort(touched[i])
	}
	return touched
}

// arrange makes the forest and the relations of an order of the variables.
func (e *encoding) arrange(order []int, deeds []deed, limits Limits) *Symbolic {
	x := &Symbolic{encoding: e, deeds: deeds, level: levels(order)}
	sizes := make([]int, len(e.vars))
	for i, v := range order {
		sizes[i] = e.vars[v].size()
	}
	x.forest = dd.New(sizes, dd.Limits{Bytes: limits.Bytes})
	x.relate()
	return x
}

func (x *Symbolic) explore(ctx context.Context) (err error) {
	values := make([]int, len(x.vars))
	for i := range x.vars {
		values[x.level[i]-1] = x.vars[i].value(x.net.Initial)
	}
	if x.initial, err = x.forest.Tuple(values); err != nil {
		return err
	}
	x.reach, err = x.forest.Reach(ctx, x.after, x.initial)
	return err
}

func (x *Symbolic) relate() {
	x.forth, x.back = make([]dd.Relation, len(x.deeds)), make([]dd.Relation, len(x.deeds))
	var after, before []dd.Relation
	for i := range x.deeds {
		if len(x.deeds[i].locals) == 0 {
			x.idle = true
			continue
		}
		x.forth[i], x.back[i] = x.relations(&x.forest.Relations, &x.deeds[i])
		after, before = append(after, x.forth[i]), append(before, x.back[i])
	}
	x.after, x.before = x.forest.System(after), x.forest.System(before)
}

// relations of a deed among others: what it does, and its inverse.
func (x *Symbolic) relations(all *dd.Relations, d *deed) (forth, back dd.Relation) {
	var there, again []dd.Local
	for v, pairs := range d.locals {
		there = append(there, dd.Local{Level: x.level[v], Pairs: pairs})
	}
	slices.SortFunc(there, func(a, b dd.Local) int { return a.Level - b.Level })
	for _, l := range there {
		again = append(again, dd.Local{Level: l.Level, Pairs: turned(l.Pairs)})
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

// Count is the number of reachable markings.
func (x *Symbolic) Count() *big.Int { return x.forest.Count(x.reach) }

// Stats of the diagrams.
func (x *Symbolic) Stats() dd.Stats { return x.forest.Stats }

// CountOf is the number of states of a set.
func (x *Symbolic) CountOf(set dd.Node) *big.Int { return x.forest.Count(set) }

// Shape says how many variables, values and nodes there are.
func (x *Symbolic) Shape() string {
	values := 0
	for i := range x.vars {
		values += x.vars[i].size()
	}
	return fmt.Sprintf("%d variables, %d values, %d nodes", len(x.vars), values, x.forest.Nodes(x.reach))
}

// Bytes is the memory that the diagrams take.
func (x *Symbolic) Bytes() int64 { return x.forest.Bytes() }
