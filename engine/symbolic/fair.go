package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
)

// FairDiagrams is the algebra of diagrams on which only fair paths count, ctl.Algebra[dd.Node]. space.Fair defines fairness, and explains why
// only Always differs.
type FairDiagrams struct {
	Diagrams
	actors []actor
	barred [][]int  // by transition, places: see Stopping
	stops  *dd.Node // states where a path may stop, Empty until computed: see Stopping; nil: dead ends only
	err    error    // of Fair; it ends whatever depends on the actors
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
func (f FairDiagrams) ends() dd.Node {
	switch {
	case f.stops == nil:
		return f.Dead()
	case *f.stops != dd.Empty:
		return *f.stops
	}
	busy, slow := f.tests()
	idle := f.Minus(f.x.reach, f.forest().Image(f.x.forest.System(busy), f.x.reach, f.x.reach))
	for _, k := range slow {
		idle = f.Minus(idle, f.Able(k))
	}
	*f.stops = idle
	return idle
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
	f.sound()
	if a := &f.actors[k]; a.able == nil {
		all := dd.Empty
		for _, t := range a.transitions {
			can := halt.Must(f.x.changing(f.ctx, t))
			for _, p := range f.bars(t) {
				can = f.Minus(can, f.entering(a, t, p))
			}
			all = f.Union(all, can)
		}
		all = halt.Must(f.x.marked(f.ctx, all, a.only))
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
	return f.forest().Image(f.x.forest.System(back), f.Where(place), f.Minus(f.x.reach, f.Where(place)))
}

// Fair returns the algebra in which each actor k is assumed to make progress by the transitions acts[k], where they change something.
// Operations without a context of their own use ctx. An error of Fair itself is that of whatever depends on the actors.
func (x *Model) Fair(ctx context.Context, acts [][]int) FairDiagrams {
	f := FairDiagrams{Diagrams: x.Sets(ctx), actors: make([]actor, len(acts))}
	x.budget.Ctx = ctx
	for k, list := range acts {
		for _, t := range list {
			if f.err = f.enter(&f.actors[k], t); f.err != nil {
				return f
			}
		}
	}
	return f
}

// enter adds transition t to those by which an actor acts.
func (f FairDiagrams) enter(k *actor, t int) (err error) {
	defer halt.Caught(&err)
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

// fairly runs a computation that errors end.
func (f FairDiagrams) fairly(ctx context.Context, compute func(FairDiagrams) dd.Node) (set dd.Node, err error) {
	defer halt.Caught(&err)
	f.sound()
	f.Diagrams = f.x.Sets(ctx)
	return compute(f), nil
}

// sound ends the computation if Fair has failed.
func (f FairDiagrams) sound() {
	if f.err != nil {
		halt.End(f.err)
	}
}

// Always returns EG a on fair paths: E[a U (dead ends in a, or a part of a in which fair paths go on)]. A state of a from which no path in a
// leads to a dead end has no successor in a from which one does. So the part is sought among those states.
func (f FairDiagrams) Always(ctx context.Context, a dd.Node) (dd.Node, error) {
	return f.fairly(ctx, func(f FairDiagrams) dd.Node {
		stop := halt.Must(f.Until(ctx, a, f.Intersect(a, f.ends())))
		rest := f.Minus(a, stop)
		return f.Union(stop, halt.Must(f.Until(ctx, rest, f.recurrent(rest))))
	})
}

// regions is the number of regions from which on a set is not split any more. The last split is whole, so it may exceed this by the number of
// values of one variable.
const regions = 256

// recurrent returns a part of a in which every state has a successor and, for each actor, a path to a state where the actor cannot act or
// acts, along firings that may be taken infinitely often. From each of its states a path visits such states in turn for ever. It contains all
// states that a fair path in a visits for ever (E. Emerson, C.-L. Lei, 1986, Efficient model checking in fragments of the propositional
// mu-calculus).
func (f FairDiagrams) recurrent(a dd.Node) dd.Node {
	left := regions
	return f.inside(a, &left)
}

// inside computes recurrent. It splits the set into regions where removing states step by step is slow, while *left is positive.
func (f FairDiagrams) inside(a dd.Node, left *int) dd.Node {
	for rounds := 1; ; rounds *= 2 {
		part, done := f.narrow(a, rounds)
		if part == dd.Empty || done && part == a {
			return part
		}
		if !done && *left > 0 {
			if v, keep := f.turning(part).apart(); keep != nil {
				return f.split(part, v, keep, left)
			}
		}
		a = part
	}
}

// split returns the union of what is recurrent in each region. A region has the values of a variable that are in one component.
func (f FairDiagrams) split(a dd.Node, variable int, keep [][]bool, left *int) (all dd.Node) {
	*left -= len(keep)
	for _, values := range keep {
		region := halt.Must(f.x.forest.Select(f.ctx, a, f.x.level[variable], values))
		all = f.Union(all, f.inside(region, left))
	}
	return all
}

// narrow removes from a, for some rounds, the states without a successor, then those without a path to a state where an actor cannot act or
// acts. It reports whether the rounds sufficed for all states that are left to have a successor. The two alternate (K. Fisler, R. Fraer, G.
// Kamhi, M. Vardi, Z. Yang, 2001, Is there a best symbolic cycle-detection algorithm?).
func (f FairDiagrams) narrow(a dd.Node, rounds int) (dd.Node, bool) {
	t := f.turning(a)
	before, done := f.x.forest.System(t.list()), true
	if !f.x.idle {
		a, done = f.forest().TrimDead(before, a, rounds)
	}
	if !done && f.stops != nil { // there may be many actors, so finish removing states without successor first
		return a, false
	}
	for k := range f.actors {
		if a == dd.Empty {
			break
		}
		a = f.forest().ReachWithin(before, f.well(k, a, t.has), a)
	}
	return a, done
}

// well returns the states of a in which an actor is unable to act, or acts by a firing that counts and stays in a.
func (f FairDiagrams) well(k int, a dd.Node, counts func(d *firing) bool) dd.Node {
	unable := f.Minus(a, f.Able(k))
	if unable == a {
		return unable
	}
	return f.Union(unable, f.into(&f.actors[k], a, a, counts))
}

// into returns the states of from in which an actor acts by a firing that counts and leads into to.
func (f FairDiagrams) into(k *actor, from, to dd.Node, counts func(d *firing) bool) dd.Node {
	var back []dd.Relation
	for i := range k.acts {
		if counts(&k.acts[i]) {
			back = append(back, k.acts[i].back)
		}
	}
	return f.forest().Image(f.x.forest.System(back), to, from)
}

// Recurrent returns a part of a that contains all states that fair paths in a visit for ever. From each of its states a fair path stays in it
// for ever. Its errors are those of the forest.
func (f FairDiagrams) Recurrent(ctx context.Context, a dd.Node) (dd.Node, error) {
	return f.fairly(ctx, func(f FairDiagrams) dd.Node { return f.recurrent(a) })
}

// Acting returns the states of from in which actor k acts by a step that leads into to.
func (f FairDiagrams) Acting(ctx context.Context, k int, from, to dd.Node) (dd.Node, error) {
	return f.fairly(ctx, func(f FairDiagrams) dd.Node {
		return f.into(&f.actors[k], from, to, func(*firing) bool { return true })
	})
}
