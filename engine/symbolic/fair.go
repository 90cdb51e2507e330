package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/space"
)

// FairDiagrams is the algebra of diagrams on which only fair paths count, ctl.Algebra[dd.Node]. What is fair, and why only
// Always differs, is said of Fair.
type FairDiagrams struct {
	Diagrams
	actors []actor
	stops  *dd.Node // where a path may stop: see Fair.Stopping; nil: nowhere but in dead ends; what it points to is Empty until it is known
}

// Stopping returns the algebra in which a path may also stop for good in any state. Such a path is fair where no actor can act.
func (f FairDiagrams) Stopping() FairDiagrams {
	f.stops = new(dd.Node)
	return f
}

// ends returns the states in which a fair path may end.
func (f FairDiagrams) ends(ctx context.Context) (dd.Node, error) {
	switch {
	case f.stops == nil:
		return f.x.ends(ctx)
	case *f.stops != dd.Empty:
		return *f.stops, *f.err
	}
	idle := f.x.reach
	for k := range f.actors {
		idle = f.Minus(idle, f.actors[k].able)
	}
	*f.stops = idle
	return idle, *f.err
}

// An actor of whom progress is assumed.
type actor struct {
	able dd.Node // where it can act
	acts []act
}

// An act is a deed that changes something, and its relations.
type act struct {
	firing
	forth, back dd.Relation
}

// Fair is the algebra in which actor k is assumed to make progress by the transitions acts[k], where they change something.
// Operations that are given no context end with this one. Where it fails, Err says so.
func (x *Model) Fair(ctx context.Context, acts [][]int) FairDiagrams {
	f := FairDiagrams{Diagrams: x.Sets(ctx), actors: make([]actor, len(acts))}
	x.toil.Ctx = ctx
	for k, list := range acts {
		for _, t := range list {
			if err := f.enter(ctx, &f.actors[k], t); err != nil {
				f.settle(dd.Empty, err)
				return f
			}
		}
	}
	return f
}

// enter makes a transition one by which an actor acts.
func (f FairDiagrams) enter(ctx context.Context, k *actor, t int) (err error) {
	defer space.Caught(&err)
	able, err := f.x.changing(ctx, t)
	if err != nil {
		return err
	}
	if k.able, err = f.x.forest.Union(ctx, k.able, able); err != nil {
		return err
	}
	deeds, err := f.x.changes(t)
	for _, d := range deeds {
		forth, back := f.x.relations(&f.x.forest.Relations, &d)
		k.acts = append(k.acts, act{d, forth, back})
	}
	return err
}

// changes lists what a transition does where it changes something: see Graph.changes.
func (e *encoding) changes(t int) ([]firing, error) {
	tr := e.net.Transitions[t]
	if len(tr.In)+len(tr.Out) == 0 {
		tr.Moving = true
	}
	return e.ways(t, &tr)
}

// Always is EG a over maximal paths.
func (s Diagrams) Always(ctx context.Context, a dd.Node) (dd.Node, error) {
	return FairDiagrams{Diagrams: s}.Always(ctx, a)
}

// Always is EG a on fair paths: E[a U (dead ends in a, or a part of a in which fair paths go on)]. From where no path in a leads to
// a dead end, none leads to where one does, so the part is looked for there.
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

// regions bounds into how many a set is split in all.
const regions = 256

// recurrent is a part of a in which every state has a successor and, for each actor, a path to where it can't act or acts, along
// deeds that turn. From any of its states a path visits such places in turn for ever; and all that a fair path visits for ever is
// in it (E. Emerson, C.-L. Lei, 1986, Efficient model checking in fragments of the propositional mu-calculus).
func (f FairDiagrams) recurrent(ctx context.Context, a dd.Node) (dd.Node, error) {
	left := regions
	return f.inside(ctx, a, &left)
}

// inside is recurrent, with so many regions left. Where taking states away one step after the other is slow, the set is split.
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

// split is the union of what is recurrent in each region, where a variable's values are in one part.
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

// narrow takes away from a what has no successor, for some rounds, and then what leads nowhere where an actor can't act or acts. It
// says whether all that is left by the rounds has a successor. By turns: K. Fisler, R. Fraer, G. Kamhi, M. Vardi, Z. Yang (2001), Is
// there a best symbolic cycle-detection algorithm?
func (f FairDiagrams) narrow(ctx context.Context, a dd.Node, rounds int) (dd.Node, bool, error) {
	t, err := f.x.turning(ctx, a)
	if err != nil {
		return dd.Empty, false, err
	}
	before, done := f.x.forest.System(t.list()), true
	if !f.x.idle {
		if a, done, err = f.x.forest.Stay(ctx, before, a, rounds); err != nil {
			return dd.Empty, false, err
		}
	}
	if !done && f.stops != nil { // there may be many actors: what has no successor goes first
		return a, false, nil
	}
	for k := range f.actors {
		if a == dd.Empty {
			break
		}
		goal, err := f.well(ctx, &f.actors[k], a, t.has)
		if err != nil {
			return dd.Empty, false, err
		}
		if a, err = f.x.forest.ReachWithin(ctx, before, goal, a); err != nil {
			return dd.Empty, false, err
		}
	}
	return a, done, nil
}

// well is where in a an actor is unable to act, or acts by a deed that counts and stays in a.
func (f FairDiagrams) well(ctx context.Context, k *actor, a dd.Node, counts func(d *firing) bool) (dd.Node, error) {
	unable, err := f.x.forest.Minus(ctx, a, k.able)
	if err != nil || unable == a {
		return unable, err
	}
	acting, err := f.into(ctx, k, a, a, counts)
	if err != nil {
		return dd.Empty, err
	}
	return f.x.forest.Union(ctx, unable, acting)
}

// into is where in a set an actor acts by a deed that counts and leads to another.
func (f FairDiagrams) into(ctx context.Context, k *actor, from, to dd.Node, counts func(d *firing) bool) (dd.Node, error) {
	var back []dd.Relation
	for i := range k.acts {
		if counts(&k.acts[i].firing) {
			back = append(back, k.acts[i].back)
		}
	}
	return f.x.forest.Image(ctx, f.x.forest.System(back), to, from)
}

// Recurrent is a part of a with all that fair paths in a visit for ever, from each state of which one goes on in it for ever.
func (f FairDiagrams) Recurrent(ctx context.Context, a dd.Node) (dd.Node, error) {
	if *f.err != nil {
		return dd.Empty, *f.err
	}
	return f.recurrent(ctx, a)
}

// Able is where actor k can act.
func (f FairDiagrams) Able(k int) dd.Node { return f.actors[k].able }

// Acting is where in a set actor k acts by a step that leads to another.
func (f FairDiagrams) Acting(ctx context.Context, k int, from, to dd.Node) (dd.Node, error) {
	if *f.err != nil {
		return dd.Empty, *f.err
	}
	return f.into(ctx, &f.actors[k], from, to, func(*firing) bool { return true })
}
