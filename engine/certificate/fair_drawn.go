package certificate

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
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
func (x crowd) core(ctx context.Context, in dd.Node) dd.Node {
	ends := x.Intersect(in, x.Dead())
	stops := halt.Must(x.Until(ctx, in, ends))
	return x.Union(ends, halt.Must(x.Recurrent(ctx, x.Minus(in, stops))))
}

// turns returns the states of a core that some of its states lead to, and from all of which each actor's turn can be reached. From a single
// state it takes a lasso, so that the proof is a run.
func (x crowd) turns(ctx context.Context, core, some dd.Node) (whole dd.Node, rings [][]dd.Node) {
	if one, _ := x.Pick(some); one == some {
		whole = x.lasso(ctx, core, some)
	} else {
		whole = halt.Must(x.Ahead(ctx, core, some))
	}
	rings = make([][]dd.Node, x.actors)
	for k := range rings {
		rings[k] = x.approach(ctx, k, whole)
	}
	return whole, rings
}

// lasso returns the states of a fair path.
func (x crowd) lasso(ctx context.Context, core, from dd.Node) (whole dd.Node) {
	run, _, err := x.Endless(ctx, from, core)
	for _, m := range halt.Must(run, err).Markings {
		whole = x.Union(whole, x.State(m))
	}
	return whole
}

// approach sorts the states of a set that have a successor in it by their distance from an actor's turn.
func (x crowd) approach(ctx context.Context, actor int, in dd.Node) (rings []dd.Node) {
	ring := x.turn(ctx, actor, in)
	for rest := in; ring != dd.Empty; {
		if len(rings) == maxDrawn {
			halt.End(none("somebody's turn may take more than %d steps to come", maxDrawn))
		}
		rings, rest = append(rings, ring), x.Minus(rest, ring)
		ring = x.Intersect(halt.Must(x.Pre(ctx, ring)), rest)
	}
	return rings
}

// turn returns the states of a set in which an actor can't act, or acts and stays in the set.
func (x crowd) turn(ctx context.Context, actor int, in dd.Node) dd.Node {
	idle := x.Minus(x.Intersect(in, halt.Must(x.Pre(ctx, in))), x.Able(actor))
	return x.Union(idle, halt.Must(x.Acting(ctx, actor, in, in)))
}

// waits repeatedly removes the states that have to leave the rest at once, then those that have to leave it in the end for an actor, for
// each actor in turns, until nothing is left. It always finds some: all arcs of a bottom strongly connected component of the rest stay in it
// or leave the rest. If none stays, all leave at once; otherwise some actor can act everywhere in it and never does within it, or it would
// be fair. Cost: constrained saturation, once for each ring, and at worst in vain once for each actor between two of them.
func (x crowd) waits(ctx context.Context, in dd.Node) (rings []ring[dd.Node]) {
	vain := 0 // turns since something was removed
	for turn := 0; in != dd.Empty; turn++ {
		actor := turn%(x.actors+1) - 1
		switch part := x.leaving(ctx, actor, in); {
		case len(rings) == maxDrawn:
			halt.End(none("something may take more than %d steps to come", maxDrawn))
		case part != dd.Empty:
			rings, in, vain = append(rings, ring[dd.Node]{part, actor}), x.Minus(in, part), 0
		case vain == x.actors:
			halt.End(errFalse)
		default:
			vain++
		}
	}
	return rings
}

// leaving returns, for actor -1, the states that have to leave a set at once. For any other actor it returns the largest part in which the
// actor can act everywhere and leaves the set by acting, while everything else leaves the set or stays in the part.
func (x crowd) leaving(ctx context.Context, actor int, in dd.Node) dd.Node {
	if actor < 0 {
		return x.Minus(in, halt.Must(x.Pre(ctx, in)))
	}
	part := x.Minus(x.Intersect(in, x.Able(actor)), halt.Must(x.Acting(ctx, actor, in, in)))
	if part == dd.Empty {
		return part
	}
	return x.Minus(in, halt.Must(x.Until(ctx, in, x.Minus(in, part))))
}
