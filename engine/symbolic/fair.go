package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
)

// FairDiagrams is the algebra of diagrams on which only fair paths count, ctl.Algebra[dd.Node]. space.Fair defines fairness, and explains why
// only Always differs.
type FairDiagrams struct {
	Diagrams
	actors []actor
	barred [][]int  // by transition, places: see Stopping
	stops  *dd.Node // states where a path may stop, Empty until computed: see Stopping; nil: dead ends only
}

// Stopping returns the algebra in which a path may also stop for good in any state. Such a path is fair where no actor can act. A firing that
// moves a token to a place of barred[t], where t is the transition, is no act.
func (f FairDiagrams) Stopping(barred [][]int) FairDiagrams {
	f.stops, f.barred = new(dd.Node), barred
	return f
}

// bars returns the places to which only firings of a transition that are no act move a token.
func (f FairDiagrams) bars(t int) []int {
	if f.barred == nil {
		return nil
	}
	return f.barred[t]
}

// ends returns the states in which a fair path may end.
func (f FairDiagrams) ends(ctx context.Context) (dd.Node, error) {
	switch {
	case f.stops == nil:
		return f.x.ends(ctx)
	case *f.stops != dd.Empty:
		return *f.stops, *f.err
	}
	busy, slow := f.tests()
	some, err := f.x.forest.Image(ctx, f.x.forest.System(busy), f.x.reach, f.x.reach)
	if err != nil {
		return dd.Empty, err
	}
	idle := f.Minus(f.x.reach, some)
	for _, k := range slow {
		idle = f.Minus(idle, f.Able(k))
	}
	*f.stops = idle
	return idle, *f.err
}

// tests returns identities on the states in which an actor can act, one for each transition, so that all are tried at once. It also returns the
// actors of which they are not all.
func (f FairDiagrams) tests() (list []dd.Relation, slow []int) {
	for k := range f.actors {
		var own []dd.Relation
		for _, t := range f.actors[k].transitions {
			tr := &f.x.net.Transitions[t]
			test, ok := f.x.needs(tr.In, tr.Read, f.actors[k].only)
			if len(tr.In) == 0 || tr.Moving || len(f.bars(t)) > 0 {
				slow = append(slow, k)
				break
			}
			if ok {
				own = append(own, test)
			}
		}
		list = append(list, own...)
	}
	return list, slow
}

// An actor is assumed to make progress.
type actor struct {
	transitions []int
	acts        []firing // that change something
	only        []int    // places: where one is not marked, it is not assumed to act
	able        *dd.Node // states in which it can act; nil until computed
}

// Able returns the states in which actor k can act.
func (f FairDiagrams) Able(k int) dd.Node {
	if a := &f.actors[k]; a.able == nil {
		all := dd.Empty
		for _, t := range a.transitions {
			can := f.settle(f.x.changing(f.ctx, t))
			for _, p := range f.bars(t) {
				can = f.Minus(can, f.entering(a, t, p))
			}
			all = f.Union(all, can)
		}
		all = f.settle(f.x.marked(f.ctx, all, a.only))
		if *f.err != nil {
			return dd.Empty
		}
		a.able = &all
	}
	return *f.actors[k].able
}

// entering returns the states in which an actor's transition moves a token to a place.
func (f FairDiagrams) entering(a *actor, t, place int) dd.Node {
	var back []dd.Relation
	for i := range a.acts {
		if a.acts[i].transition == t {
			back = append(back, a.acts[i].back)
		}
	}
	return f.settle(f.x.forest.Image(f.ctx, f.x.forest.System(back), f.Where(place), f.Minus(f.x.reach, f.Where(place))))
}

// Fair returns the algebra in which each actor k is assumed to make progress by the transitions acts[k], where they change something.
// Operations without a context of their own use ctx. Err returns the first error, also one of Fair itself.
func (x *Model) Fair(ctx context.Context, acts [][]int) FairDiagrams {
	f := FairDiagrams{Diagrams: x.Sets(ctx), actors: make([]actor, len(acts))}
	x.budget.Ctx = ctx
	for k, list := range acts {
		for _, t := range list {
			if err := f.enter(&f.actors[k], t); err != nil {
				f.settle(dd.Empty, err)
				return f
			}
		}
	}
	return f
}

// enter adds transition t to those by which an actor acts.
func (f FairDiagrams) enter(k *actor, t int) (err error) {
	defer dd.Caught(&err)
	k.transitions = append(k.transitions, t)
	of := &f.x.net.Transitions[t]
	d, ok := f.x.firing(t)
	changes := len(of.In)+len(of.Out) > 0
	if !ok || !changes && d.moves == nil {
		return nil
	}
	if !f.x.relations(&f.x.forest.Relations, &d, purpose{some: of.Moving || !changes}) {
		return ErrNotSymbolic
	}
	k.acts = append(k.acts, d)
	return nil
}

// Always returns EG a over maximal paths.
func (s Diagrams) Always(ctx context.Context, a dd.Node) (dd.Node, error) {
	return FairDiagrams{Diagrams: s}.Always(ctx, a)
}

// Always returns EG a on fair paths: E[a U (dead ends in a, or a part of a in which fair paths go on)]. A state of a from which no path in a
// leads to a dead end has no successor in a from which one does. So the part is sought among those states.
func (f FairDiagrams) Always(ctx context.Context, a dd.Node) (dd.Node, error) {
	if *f.err != nil {
		return dd.Empty, *f.err
	}
	ends, err := f.ends(ctx)
	if err != nil {
		return dd.Empty, err
	}
	stop, err := f.Until(ctx, a, f.Intersect(a, ends))
	if err != nil {
		return dd.Empty, err
	}
	rest := f.Minus(a, stop)
	around, err := f.recurrent(ctx, rest)
	if err != nil {
		return dd.Empty, err
	}
	if around, err = f.Until(ctx, rest, around); err != nil {
		return dd.Empty, err
	}
	return f.Union(stop, around), *f.err
}

// regions is the number of regions from which on a set is not split any more. The last split is whole, so it may exceed this by the number of
// values of one variable.
const regions = 256

// recurrent returns a part of a in which every state has a successor and, for each actor, a path to a state where the actor cannot act or
// acts, along firings that may be taken infinitely often. From each of its states a path visits such states in turn for ever. It contains all
// states that a fair path in a visits for ever (E. Emerson, C.-L. Lei, 1986, Efficient model checking in fragments of the propositional
// mu-calculus).
func (f FairDiagrams) recurrent(ctx context.Context, a dd.Node) (dd.Node, error) {
	left := regions
	return f.inside(ctx, a, &left)
}

// inside computes recurrent. It splits the set into regions where removing states step by step is slow, while *left is positive.
func (f FairDiagrams) inside(ctx context.Context, a dd.Node, left *int) (dd.Node, error) {
	for rounds := 1; ; rounds *= 2 {
		part, done, err := f.narrow(ctx, a, rounds)
		if err != nil || part == dd.Empty || done && part == a {
			return part, err
		}
		if !done && *left > 0 {
			t, err := f.x.turning(ctx, part)
			if err != nil {
				return dd.Empty, err
			}
			if v, keep := t.apart(); keep != nil {
				return f.split(ctx, part, v, keep, left)
			}
		}
		a = part
	}
}

// split returns the union of what is recurrent in each region. A region has the values of a variable that are in one component.
func (f FairDiagrams) split(ctx context.Context, a dd.Node, variable int, keep [][]bool, left *int) (dd.Node, error) {
	*left -= len(keep)
	all := dd.Empty
	for _, values := range keep {
		region, err := f.x.forest.Select(ctx, a, f.x.level[variable], values)
		if err != nil {
			return dd.Empty, err
		}
		if region, err = f.inside(ctx, region, left); err != nil {
			return dd.Empty, err
		}
		all = f.Union(all, region)
	}
	return all, *f.err
}

// narrow removes from a, for some rounds, the states without a successor, then those without a path to a state where an actor cannot act or
// acts. It reports whether the rounds sufficed for all states that are left to have a successor. The two alternate (K. Fisler, R. Fraer, G.
// Kamhi, M. Vardi, Z. Yang, 2001, Is there a best symbolic cycle-detection algorithm?).
func (f FairDiagrams) narrow(ctx context.Context, a dd.Node, rounds int) (dd.Node, bool, error) {
	t, err := f.x.turning(ctx, a)
	if err != nil {
		return dd.Empty, false, err
	}
	before, done := f.x.forest.System(t.list()), true
	if !f.x.idle {
		if a, done, err = f.x.forest.TrimDead(ctx, before, a, rounds); err != nil {
			return dd.Empty, false, err
		}
	}
	if !done && f.stops != nil { // there may be many actors, so finish removing states without successor first
		return a, false, nil
	}
	for k := range f.actors {
		if a == dd.Empty {
			break
		}
		goal, err := f.well(ctx, k, a, t.has)
		if err != nil {
			return dd.Empty, false, err
		}
		if a, err = f.x.forest.ReachWithin(ctx, before, goal, a); err != nil {
			return dd.Empty, false, err
		}
	}
	return a, done, nil
}

// well returns the states of a in which an actor is unable to act, or acts by a firing that counts and stays in a.
func (f FairDiagrams) well(ctx context.Context, k int, a dd.Node, counts func(d *firing) bool) (dd.Node, error) {
	unable := f.Minus(a, f.Able(k))
	if *f.err != nil || unable == a {
		return unable, *f.err
	}
	acting, err := f.into(ctx, &f.actors[k], a, a, counts)
	if err != nil {
		return dd.Empty, err
	}
	return f.x.forest.Union(ctx, unable, acting)
}

// into returns the states of from in which an actor acts by a firing that counts and leads into to.
func (f FairDiagrams) into(ctx context.Context, k *actor, from, to dd.Node, counts func(d *firing) bool) (dd.Node, error) {
	var back []dd.Relation
	for i := range k.acts {
		if counts(&k.acts[i]) {
			back = append(back, k.acts[i].back)
		}
	}
	return f.x.forest.Image(ctx, f.x.forest.System(back), to, from)
}

// Recurrent returns a part of a that contains all states that fair paths in a visit for ever. From each of its states a fair path stays in it
// for ever. Its errors are those of the forest.
func (f FairDiagrams) Recurrent(ctx context.Context, a dd.Node) (dd.Node, error) {
	if *f.err != nil {
		return dd.Empty, *f.err
	}
	return f.recurrent(ctx, a)
}

// Acting returns the states of from in which actor k acts by a step that leads into to.
func (f FairDiagrams) Acting(ctx context.Context, k int, from, to dd.Node) (dd.Node, error) {
	if *f.err != nil {
		return dd.Empty, *f.err
	}
	return f.into(ctx, &f.actors[k], from, to, func(*firing) bool { return true })
}
