package symbolic

import (
	"context"
	"math/big"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Variable is what the laws of variables are about.
type Variable struct {
	Places      []int
	None, Alone bool
}

// Variables of a net.
func Variables(n *petri.Net) (list []Variable) {
	for _, v := range variables(&space.WorkBudget{Ctx: context.Background()}, n) {
		list = append(list, Variable{v.places, v.none, v.alone})
	}
	return list
}

// ReachIn is Reach with the variables in an order of the caller's.
func ReachIn(ctx context.Context, n *petri.Net, order func(variables int) []int) (*Model, error) {
	e := newEncoding(&space.WorkBudget{Ctx: ctx}, n)
	x, err := e.arrange(order(len(e.vars)), e.firings())
	if err != nil {
		return nil, err
	}
	return x, x.explore(ctx)
}

// Descend is Endless without a thought of how near.
func (f FairDiagrams) Descend(ctx context.Context, from, inside dd.Node) (run ctl.Run, end dd.Node, err error) {
	end, err = f.fairly(ctx, func(f FairDiagrams) (end dd.Node) {
		run, end = f.hunt(from, inside).descend()
		return end
	})
	return run, end, err
}

// Count is the number of reachable markings.
func (x *Model) Count() *big.Int { return x.CountOf(x.reach) }

// CountOf is the number of states of a set.
func (x *Model) CountOf(set dd.Node) *big.Int {
	n, err := x.Cardinality(context.Background(), set)
	if err != nil {
		panic(err)
	}
	return n
}
