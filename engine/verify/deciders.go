package verify

import (
	"context"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/local"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
)

// A decider is a method that decides one formula without a complete state model. It leaves what it can't decide open: the zero nearby. Methods
// that build a state model are behind stateModel.
type decider interface {
	decide(ctx context.Context, q *question) nearby
}

// deciders are asked in this order, cheapest first, and the first verdict counts. BenchmarkDeciders leaves them out one by one.
var deciders = []decider{structural{}, onTheFly{}, reducedNet{}}

// A question is a formula about a draft, with the limits for its answer.
type question struct {
	*compile.Draft
	budget  finding.Budget
	net     *structure.Net // of the draft, shared by its formulas
	formula *ctl.Formula
	simple  *ctl.Formula // the formula simplified by structure, with the same value in all reachable states
}

// nearest asks the deciders. A formula that does not hold gets a run.
func nearest(ctx context.Context, q *question) nearby {
	q.simple = q.formula
	for _, method := range deciders {
		if n := method.decide(ctx, q); n.engine != "" || ctx.Err() != nil {
			return n
		}
	}
	return nearby{}
}

// structural decides what follows from the net's structure alone (package structure), and simplifies the formula for the methods after it.
type structural struct{}

func (structural) decide(ctx context.Context, q *question) nearby {
	simple, err := q.net.Simplify(ctx, q.formula)
	if err != nil {
		return nearby{}
	}
	q.simple = simple
	if simple.Op == ctl.True {
		return nearby{engine: finding.Structural, holds: true}
	}
	return nearby{}
}

// onTheFly searches only the states that the answer needs (package local).
type onTheFly struct{}

func (onTheFly) decide(ctx context.Context, q *question) nearby {
	a, err := local.Decide(ctx, q.Net, q.Rule, q.formula, space.Limits{States: q.budget.States, Bytes: int64(q.budget.Memory)})
	if err != nil || a.Why != nil {
		return nearby{}
	}
	return nearby{finding.Local, a.Holds, a.Evidence}
}
