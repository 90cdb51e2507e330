package space

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
)

// A Symbolic is the state model of a net as decision diagrams. It may be used by one goroutine at a time.
type Symbolic struct {
	*encoding
	forest        *dd.Forest
	level         []int // by variable
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
	x := &Symbolic{encoding: newEncoding(n)}
	deeds, err := x.deeds()
	if err != nil {
		return nil, err
	}
	x.arrange(deeds, limits)
	x.relate(deeds)
	values := make([]int, len(x.vars))
	for i := range x.vars {
		values[x.level[i]-1] = x.vars[i].value(n.Initial)
	}
	x.initial = x.forest.Tuple(values)
	if x.reach, err = x.forest.Reach(ctx, x.after, x.initial); err != nil {
		return nil, err
	}
	return x, nil
}

// arrange orders the variables.
func (x *Symbolic) arrange(deeds []deed, limits Limits) {
	touched := make([][]int, len(deeds))
	for i, d := range deeds {
		for v := range d.locals {
			touched[i] = append(touched[i], v)
		}
		slices.Sort(touched[i])
	}
	x.level = make([]int, len(x.vars))
	sizes := make([]int, len(x.vars))
	for i, v := range order(len(x.vars), touched) {
		x.level[v], sizes[i] = i+1, x.vars[v].size()
	}
	x.forest = dd.New(sizes, dd.Limits{Bytes: limits.Bytes})
}

func (x *Symbolic) relate(deeds []deed) {
	var after, before []dd.Relation
	for _, d := range deeds {
		var there, back []dd.Local
		for v, pairs := range d.locals {
			there = append(there, dd.Local{Level: x.level[v], Pairs: pairs})
			back = append(back, dd.Local{Level: x.level[v], Pairs: turned(pairs)})
		}
		if len(there) == 0 {
			x.idle = true
			continue
		}
		after, before = append(after, x.chain(there)), append(before, x.chain(back))
	}
	x.after, x.before = x.forest.System(after), x.forest.System(before)
}

func (x *Symbolic) chain(locals []dd.Local) dd.Relation {
	slices.SortFunc(locals, func(a, b dd.Local) int { return a.Level - b.Level })
	return x.forest.Chain(locals)
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
