package zone

import (
	"context"
	"errors"
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// errOther says that a formula is not for this package.
var errOther = errors.New("zone: the formula is another")

// Decide decides a formula in the initial state of a one-safe net, one transition firing at a time, and explains it as ctl.Explain does. Clocks are the places that say how many
// ticks are left, fewest first. Value evaluates a predicate in a marking. The result ok is false if neither a chain nor the labels of sets show the formula or its negation, it asks for a clock's
// value, or the net's clocks are not regular. The error is a *space.LimitError for the number of sets of one chain, or the context's cause.
func Decide(ctx context.Context, n *petri.Net, clocks [][]int, f *ctl.Formula, value func(petri.Marking, *ctl.Formula) bool, lim space.Limits) (holds bool, e *ctl.Evidence, ok bool, err error) {
	if len(clocks) == 0 {
		return false, nil, false, nil
	}
	x, ok := regular(n, clocks)
	if !ok {
		return false, nil, false, nil
	}
	by := evaluator{x, value, lim, map[asked]bool{}}
	holds, err = by.Holds(ctx, f, n.Initial)
	if err == nil {
		e, err = ctl.Explain(ctx, f, petri.Marking(n.Initial), by)
	}
	if errors.Is(err, errOther) {
		return false, nil, false, nil
	}
	return holds, e, err == nil, err
}

// An evaluator decides formulas in markings of a net, each by a search of its own.
type evaluator struct {
	*timed
	value  func(petri.Marking, *ctl.Formula) bool
	limits space.Limits
	known  map[asked]bool // a verdict is decided first, and then explained
}

type asked struct {
	formula *ctl.Formula
	at      string // marking
}

func (v evaluator) Marking(m petri.Marking) petri.Marking { return m }

func (v evaluator) Holds(ctx context.Context, f *ctl.Formula, m petri.Marking) (bool, error) {
	part := func(f *ctl.Formula, when bool) (bool, error) {
		holds, err := v.Holds(ctx, f, m)
		return holds == when, err
	}
	either := func(f *ctl.Formula, when bool, g *ctl.Formula, other bool) (bool, error) {
		if so, err := part(f, when); so || err != nil {
			return so, err
		}
		return part(g, other)
	}
	switch {
	case !f.Temporal():
		return v.value(m, f), nil
	case f.Op == ctl.Atom:
		return v.Holds(ctx, f.Means, m)
	case f.Op == ctl.Not:
		return part(f.Left, false)
	case f.Op == ctl.Or:
		return either(f.Left, true, f.Right, true)
	case f.Op == ctl.Implies:
		return either(f.Left, false, f.Right, true)
	case f.Op == ctl.And:
		so, err := either(f.Left, false, f.Right, false)
		return !so, err
	}
	key := asked{f, fmt.Sprint(m)}
	holds, known := v.known[key]
	if known {
		return holds, nil
	}
	holds, err := v.searched(ctx, f, m)
	if err == nil {
		v.known[key] = holds
	}
	return holds, err
}

// searched decides a formula with a temporal operator outside.
func (v evaluator) searched(ctx context.Context, f *ctl.Formula, m petri.Marking) (bool, error) {
	for _, value := range []bool{true, false} {
		if c, ok := shown(f, value); ok {
			_, found, err := v.search(ctx, f, c, m)
			return found == value, err
		}
	}
	holds, _, err := v.nested(ctx, f, m)
	return holds, err
}

func (v evaluator) Witness(ctx context.Context, f *ctl.Formula, m petri.Marking) (ctl.Run, petri.Marking, error) {
	var run ctl.Run
	var found bool
	var err error
	if c, ok := shown(f, true); ok {
		run, found, err = v.search(ctx, f, c, m)
	} else {
		found, run, err = v.nested(ctx, f, m)
	}
	if err == nil && !found {
		err = errOther
	}
	if err != nil {
		return run, nil, err
	}
	if run.Loop >= 0 {
		return run, run.Markings[run.Loop], nil
	}
	return run, run.Markings[len(run.Markings)-1], nil
}
