package space

import (
	"context"
	"math/bits"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// Fair is the algebra of a graph on which only fair paths count, ctl.Algebra[Set]. Each actor is assumed to make progress: a path is fair when
// it ends in a dead end, or when every actor infinitely often acts or is unable to act. This is weak fairness, one condition for each actor
// (D. Lehmann, A. Pnueli, J. Stavi, 1981, Impartiality, justice and fairness: the ethics of concurrent termination, "justice").
//
// Only EG depends on whole paths, so only Always differs from Sets. Every finite path can be extended to a fair one: let the actors take
// turns, and each act in its turn if it can. Then each infinitely often acts or is unable to. So reachability and successors are the same on
// fair paths (K. Apt, N. Francez, S. Katz, 1988, Appraising fairness in languages for distributed programming, "feasibility").
type Fair struct {
	Sets
	acts  [][]uint64 // by actor: its transitions, a bit set
	stops bool       // a path may also stop for good where no actor can act
	bar   bar        // of each transition, the firings that are no act
}

// Stopping returns the algebra in which a path may also stop for good in any state. Such a path is fair where no actor can act. A firing that
// moves a token to a place of barred[t], where t is the transition, is not one that an actor can be expected to do: it is no act.
func (f Fair) Stopping(barred [][]int) Fair {
	f.stops, f.bar = true, barred
	return f
}

// A bar has, by transition, the places to which only firings that are no act move a token. It may be nil.
type bar [][]int

// acts reports whether firing transition t in state s changes something and is not barred.
func (g *Graph) acts(b bar, s, t int) bool {
	if b == nil || len(b[t]) == 0 {
		return g.changes(s, t)
	}
	return Acts(g.Net, g.Marking(s), t, b[t])
}

// Acts reports whether firing transition t in the marking m, in which it is fireable, changes something and moves no token to a barred place.
func Acts(n *petri.Net, m petri.Marking, t int, barred []int) bool {
	enters := func(v petri.Move) bool { return slices.Contains(barred, v.To) }
	return Changes(n, m, t) && (len(barred) == 0 || !slices.ContainsFunc(n.Moved(m, t), enters))
}

// ends returns the states of a in which a fair path may end.
func (f Fair) ends(ctx context.Context, a Set) (Set, error) {
	if !f.stops {
		return f.Intersect(a, f.Dead()), nil
	}
	ends, fireable := f.None(), make([]uint64, (len(f.g.Net.Transitions)+63)/64)
	for s := range a.Each() {
		if err := now(ctx, s); err != nil {
			return nil, err
		}
		clear(fireable)
		f.g.firer.fireable(f.g.Marks.At(s), fireable)
		idle := true
		for k := range f.acts {
			idle = idle && !f.canAct(k, s, fireable)
		}
		if idle {
			Add(ends, s)
		}
	}
	return ends, stopped(ctx)
}

// Fair returns the algebra in which each actor k is assumed to make progress by the transitions acts[k], where they change something.
func (g *Graph) Fair(acts [][]int) Fair {
	f := Fair{Sets: g.Sets()}
	for _, list := range acts {
		set := make([]uint64, (len(g.Net.Transitions)+63)/64)
		for _, t := range list {
			Add(set, t)
		}
		f.acts = append(f.acts, set)
	}
	return f
}

// Always returns EG a on fair paths: the states from which some path within a reaches a dead end or a fair strongly connected component of a.
// A component is fair when each actor is unable to act in some state of it, or acts along some arc of it. A path that visits all of such a
// component for ever is fair, and the states that a fair path visits for ever lie in one (E. Emerson, C.-L. Lei, 1987, Modalities for model
// checking: branching time logic strikes back, section 4). Cost: the arcs of a, fired again.
func (f Fair) Always(ctx context.Context, a Set) (Set, error) {
	goal, err := f.ends(ctx, a)
	if err != nil {
		return nil, err
	}
	err = f.fairParts(ctx, a, func(part []uint32) {
		for _, s := range part {
			Add(goal, int(s))
		}
	})
	if err != nil {
		return nil, err
	}
	return f.Until(ctx, a, goal)
}

// fairParts visits the fair strongly connected components of a.
func (f Fair) fairParts(ctx context.Context, a Set, visit func(part []uint32)) error {
	return f.g.Components(ctx, a, a, func(part []uint32, inside func(t uint32) bool) error {
		fair, err := f.isFair(ctx, part, inside)
		if fair {
			visit(part)
		}
		return err
	})
}

// isFair reports whether a strongly connected component has an arc of its own, and each actor acts or is unable to act in it.
func (f Fair) isFair(ctx context.Context, part []uint32, inside func(t uint32) bool) (bool, error) {
	if len(part) == 1 && !slices.Contains(f.g.Succ(int(part[0])), part[0]) {
		return false, nil
	}
	open := f.allOpen()
	for i, s := range part {
		if err := now(ctx, i); err != nil {
			return false, err
		}
		if f.closeAt(open, int(s)); !open.any() {
			return true, nil
		}
		steps := f.g.Steps(int(s))
		for i, t := range f.g.Succ(int(s)) {
			if inside(t) {
				f.closeAlong(open, int(s), steps[i])
			}
		}
	}
	return !open.any(), nil
}

// open holds, by actor, whether the actor has neither acted nor been unable to act so far.
type open []bool

func (f Fair) allOpen() open {
	all := make(open, len(f.acts))
	for k := range all {
		all[k] = true
	}
	return all
}

func (o open) any() bool { return slices.Contains(o, true) }

// closeAt closes the actors that cannot act in state s, and reports whether it closed any.
func (f Fair) closeAt(o open, s int) bool {
	if !o.any() {
		return false
	}
	fireable := make([]uint64, (len(f.g.Net.Transitions)+63)/64)
	f.g.firer.fireable(f.g.Marks.At(s), fireable)
	some := false
	for k := range o {
		if o[k] && !f.canAct(k, s, fireable) {
			o[k], some = false, true
		}
	}
	return some
}

func (f Fair) canAct(k, s int, fireable []uint64) bool {
	for i, w := range f.acts[k] {
		for w &= fireable[i]; w != 0; w &= w - 1 {
			if f.g.acts(f.bar, s, i*64+bits.TrailingZeros64(w)) {
				return true
			}
		}
	}
	return false
}

func (g *Graph) changes(s, t int) bool {
	of := &g.Net.Transitions[t]
	return len(of.In)+len(of.Out) > 0 || len(of.Moves) > 0 && Changes(g.Net, g.Marking(s), t)
}

// Changes reports whether transition t changes the marking m, in which it is fireable. It does if it has arcs of its own; otherwise one of its
// moves must apply.
func Changes(n *petri.Net, m petri.Marking, t int) bool {
	of := &n.Transitions[t]
	return len(of.In)+len(of.Out) > 0 || len(of.Moves) > 0 && len(n.Moved(m, t)) > 0
}

// closeAlong closes the actors that act in a step from state s, and reports whether it closed any.
func (f Fair) closeAlong(o open, s int, step []int) bool {
	some := false
	for k := range o {
		if o[k] && slices.ContainsFunc(step, func(t int) bool { return Has(f.acts[k], t) && f.g.acts(f.bar, s, t) }) {
			o[k], some = false, true
		}
	}
	return some
}
