package certificate

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A crowd shows progress on decision diagrams, by fixpoints: of E. Emerson, C.-L. Lei (1986), Efficient model checking in fragments of the
// propositional mu-calculus, where paths are fair for ever; of D. Park (1981), A predicate transformer for weak fair iteration, where none is.
type crowd struct {
	symbolic.FairDiagrams
	actors int
}

// core of a set: its dead ends, and where fair paths go on for ever, but not what leads to a dead end. That need not be looked at: paths
// to the core from there have one already. So nothing but dead ends leads to one within the core.
func (x crowd) core(ctx context.Context, in dd.Node) (dd.Node, error) {
	ends := x.Intersect(in, x.Dead())
	stops, err := x.Until(ctx, in, ends)
	if err != nil {
		return dd.Empty, err
	}
	around, err := x.Recurrent(ctx, x.Minus(in, stops))
	return x.Union(ends, around), err
}

// turns takes all that some states of a core lead to in it, from which everything leads to each actor's turn; of one state a lasso, so
// that what is shown is a run.
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

// lasso is the states of a fair path.
func (x crowd) lasso(ctx context.Context, core, from dd.Node) (whole dd.Node, err error) {
	run, _, err := x.Endless(ctx, from, core)
	for _, m := range run.Markings {
		whole = x.Union(whole, x.State(m))
	}
	return whole, err
}

// approach sorts the states of a set that have a successor there by their distance from an actor's turn.
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

// turn is where in a set an actor can't act, or acts, and the next state is of the set.
func (x crowd) turn(ctx context.Context, actor int, in dd.Node) (dd.Node, error) {
	idle, err := x.Pre(ctx, in)
	if err != nil {
		return dd.Empty, err
	}
	idle = x.Minus(x.Intersect(in, idle), x.Able(actor))
	acting, err := x.Acting(ctx, actor, in, in)
	return x.Union(idle, acting), err
}

// waits takes from the rest what must leave it at once, then what must leave it in the end for an actor; and so on for each actor, in
// turns, until nothing is left. There always is something to take: all arcs of a bottom strongly connected part of the rest stay in it or
// leave the rest. If none stays, all leave at once; else some actor can act everywhere in it and never does within it, or it were fair.
// Cost: constrained saturation, once for each ring, and in vain once for each actor between two of them at worst.
func (x crowd) waits(ctx context.Context, in dd.Node) (rings []ring[dd.Node], err error) {
	vain := 0 // turns since something was taken
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

// leaving is what must leave a set at once, for actor -1; else its largest part in which the actor can act everywhere and leaves the set by
// it, and whatever else happens leaves the set or stays in the part: what leads, within the set, to nothing that is otherwise.
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
