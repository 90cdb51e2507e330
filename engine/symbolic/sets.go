package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
)

// Diagrams is the algebra of the sets of states of one Model, ctl.Algebra[dd.Node]. Like the Model, it is for one goroutine at a time.
type Diagrams struct {
	x   *Model
	ctx context.Context // for operations without a context of their own
}

// Sets returns the algebra of reachable states. Operations without a context of their own use ctx, since any of them may take long, and end the
// computation at an error; see package halt.
func (x *Model) Sets(ctx context.Context) Diagrams { return Diagrams{x, ctx} }

// forest returns the forest for a computation that errors end.
func (s Diagrams) forest() dd.Session { return s.x.forest.With(s.ctx) }

// None returns the empty set.
func (s Diagrams) None() dd.Node { return dd.Empty }

// All returns the set of all reachable states.
func (s Diagrams) All() dd.Node { return s.x.reach }

// Initial returns the set of the initial state.
func (s Diagrams) Initial() dd.Node { return s.x.initial }

// State returns the set of the state with marking m.
func (s Diagrams) State(m petri.Marking) dd.Node { return halt.Must(s.x.state(m)) }

// Ahead returns from, and all states reachable from it by steps that end in within.
func (s Diagrams) Ahead(ctx context.Context, within, from dd.Node) (dd.Node, error) {
	return s.x.forest.ReachWithin(ctx, s.x.after, from, within)
}

// Dead returns the dead ends: the states without successor.
func (s Diagrams) Dead() dd.Node { return halt.Must(s.x.ends(s.ctx)) }

// ends returns the states without a successor, and computes them on first use.
func (x *Model) ends(ctx context.Context) (dd.Node, error) {
	if x.deadKnown {
		return x.dead, nil
	}
	if x.idle {
		x.deadKnown = true
		return dd.Empty, nil
	}
	live, err := x.forest.Image(ctx, x.before, x.reach, x.reach)
	if err != nil {
		return dd.Empty, err
	}
	x.dead, err = x.forest.Minus(ctx, x.reach, live)
	x.deadKnown = err == nil
	return x.dead, err
}

// Where returns the states in which the place is marked.
func (s Diagrams) Where(place int) dd.Node {
	return halt.Must(s.x.marked(s.ctx, s.x.reach, []int{place}))
}

// Count returns the states in which the sum is at most its bound.
func (s Diagrams) Count(sum *ctl.Sum) dd.Node {
	x := s.x
	weights := make([][]int, len(x.vars)+1)
	for i := range x.vars {
		weights[x.level[i]] = make([]int, x.vars[i].size())
	}
	for _, w := range sum.Weights {
		weights[x.level[x.of[w.Place]]][x.at[w.Place]] = w.By
	}
	return halt.Must(x.forest.AtMost(s.ctx, x.reach, weights, sum.Most))
}

// Union returns the states in a or b.
func (s Diagrams) Union(a, b dd.Node) dd.Node { return halt.Must(s.x.forest.Union(s.ctx, a, b)) }

// Intersect returns the states in both a and b.
func (s Diagrams) Intersect(a, b dd.Node) dd.Node { return s.forest().Intersect(a, b) }

// Minus returns the states of a that are not in b.
func (s Diagrams) Minus(a, b dd.Node) dd.Node { return s.forest().Minus(a, b) }

// Equal reports whether a and b have the same states.
func (s Diagrams) Equal(a, b dd.Node) bool { return a == b }

// Pre returns the states with a successor in a.
func (s Diagrams) Pre(ctx context.Context, a dd.Node) (dd.Node, error) {
	return s.step(ctx, s.x.before, a)
}

// Post returns the successors of the states in a.
func (s Diagrams) Post(ctx context.Context, a dd.Node) (dd.Node, error) {
	return s.step(ctx, s.x.after, a)
}

func (s Diagrams) step(ctx context.Context, system *dd.System, a dd.Node) (dd.Node, error) {
	n, err := s.x.forest.Image(ctx, system, a, s.x.reach)
	if err == nil && s.x.idle {
		n, err = s.x.forest.Union(ctx, n, a)
	}
	return n, err
}

// Until returns E[a U b], by constrained saturation.
func (s Diagrams) Until(ctx context.Context, a, b dd.Node) (dd.Node, error) {
	return s.x.forest.ReachWithin(ctx, s.x.before, b, a)
}

// Pick returns the least state of a set by the order of the variables, alone, and its marking. The set must not be empty.
func (s Diagrams) Pick(a dd.Node) (dd.Node, petri.Marking) {
	values := s.x.forest.First(a)
	m := petri.Marking{}
	for i := range s.x.vars {
		if v := values[s.x.level[i]-1]; v < len(s.x.vars[i].places) {
			m = append(m, s.x.vars[i].places[v])
		}
	}
	slices.Sort(m)
	return s.forest().Tuple(values), m
}

// Next fires the first transition that leads from a single state into goal, and returns the state that it leads to, and its marking. There must be one.
func (s Diagrams) Next(from, goal dd.Node) (dd.Node, petri.Marking) {
	_, m := s.Pick(from)
	_, m = s.next(m, goal)
	return s.State(m), m
}

// next returns the first transition that leads from a marking into goal, and the marking after it. There must be one.
func (s Diagrams) next(m petri.Marking, goal dd.Node) (t int, after petri.Marking) {
	net := s.x.net
	for t := range net.Transitions {
		if !net.Fireable(m, t) {
			continue
		}
		if after, contact := net.Fire(m, []int{t}); contact < 0 && s.x.forest.Has(goal, s.x.values(after)) {
			return t, after
		}
	}
	panic("symbolic: no transition from a state of a run into its next set")
}
