package certificate

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A crowd proves progress on decision diagrams, by fixpoints: those of E. Emerson, C.-L. Lei (1986), Efficient model checking in fragments
// of the propositional mu-calculus, for infinite fair paths; those of D. Park (1981), A predicate transformer for weak fair iteration, where
// there are none.
type crowd struct {
	symbolic.FairDiagrams
	actors int
}

// core returns the dead ends of a set and the states with an infinite fair path, except those that lead to a dead end. These may be left
// out: paths to the core from there exist already. So only dead ends lead to one within the core.
func (x crowd) core(ctx context.Context, in dd.Node) (dd.Node, error) {
	ends := x.Intersect(in, x.Dead())
	stops, err := x.Until(ctx, in, ends)
	if err != nil {
		return dd.Empty, err
	}
	around, err := x.Recurrent(ctx, x.Minus(in, stops))
	return x.Union(ends, around), err
}

// turns returns the states of a core that some of its states lead to, and from all of which each actor's turn can be reached. From a single
// state it takes a lasso, so that the proof is a run.
func (x crowd) turns(ctx context.Context, core, some dd.Node) (whole dd.Node, rings [][]dd.Node, err error) {
	if one, _ := x.Pick(some); one == some {
		whole, err = x.lasso(ctx, core, some)
	} else {
		whole, err = x.Ahead(ctx, core, some)
	}
	if err != nil {
		return whole, nil, err
	}
	rings = make([][]dd.Node, x.actors)
	for k := range rings {
		if rings[k], err = x.approach(ctx, k, whole); err != nil {
			return whole, nil, err
		}
	}
	return whole, rings, x.Err()
}

// lasso returns the states of a fair path.
func (x crowd) lasso(ctx context.Context, core, from dd.Node) (whole dd.Node, err error) {
	run, _, err := x.Endless(ctx, from, core)
	for _, m := range run.Markings {
		whole = x.Union(whole, x.State(m))
	}
	return whole, err
}

// approach sorts the states of a set that have a successor in it by their distance from an actor's turn.
func (x crowd) approach(ctx context.Context, actor int, in dd.Node) (rings []dd.Node, err error) {
	ring, err := x.turn(ctx, actor, in)
	for rest := in; err == nil && ring != dd.Empty; {
		if len(rings) == maxDrawn {
			return nil, none("somebody's turn may take more than %d steps to come", maxDrawn)
		}
		rings, rest = append(rings, ring), x.Minus(rest, ring)
		ring, err = x.Pre(ctx, ring)
		ring = x.Intersect(ring, rest)
	}
	return rings, err
}

// turn returns the states of a set in which an actor can't act, or acts and stays in the set.
func (x crowd) turn(ctx context.Context, actor int, in dd.Node) (dd.Node, error) {
	idle, err := x.Pre(ctx, in)
	if err != nil {
		return dd.Empty, err
	}
	idle = x.Minus(x.Intersect(in, idle), x.Able(actor))
	acting, err := x.Acting(ctx, actor, in, in)
	return x.Union(idle, acting), err
}

// waits repeatedly removes the states that have to leave the rest at once, then those that have to leave it in the end for an actor, for
// each actor in turns, until nothing is left. It always finds some: all arcs of a bottom strongly connected component of the rest stay in it
// or leave the rest. If none stays, all leave at once; otherwise some actor can act everywhere in it and never does within it, or it would
// be fair. Cost: constrained saturation, once for each ring, and at worst in vain once for each actor between two of them.
func (x crowd) waits(ctx context.Context, in dd.Node) (rings []ring[dd.Node], err error) {
	vain := 0 // turns since something was removed
	for turn := 0; in != dd.Empty; turn++ {
		actor := turn%(x.actors+1) - 1
		part, err := x.leaving(ctx, actor, in)
		switch {
		case err != nil:
			return nil, err
		case len(rings) == maxDrawn:
			return nil, none("something may take more than %d steps to come", maxDrawn)
		case part != dd.Empty:
			rings, in, vain = append(rings, ring[dd.Node]{part, actor}), x.Minus(in, part), 0
		case vain == x.actors:
			return nil, errFalse
		default:
			vain++
		}
	}
	return rings, x.Err()
}

// leaving returns, for actor -1, the states that have to leave a set at once. For any other actor it returns the largest part in which the
// actor can act everywhere and leaves the set by acting, while everything else leaves the set or stays in the part.
func (x crowd) leaving(ctx context.Context, actor int, in dd.Node) (dd.Node, error) {
	if actor < 0 {
		inside, err := x.Pre(ctx, in)
		return x.Minus(in, inside), err
	}
	acting, err := x.Acting(ctx, actor, in, in)
	if err != nil {
		return dd.Empty, err
	}
	part := x.Minus(x.Intersect(in, x.Able(actor)), acting)
	if part == dd.Empty {
		return dd.Empty, x.Err()
	}
	others, err := x.Until(ctx, in, x.Minus(in, part))
	return x.Minus(in, others), err
}
