package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// candidates bounds the number of states tried as the start of a loop, in the search for a shortest stem.
const candidates = 1 << 10

// Endless returns a fair maximal path within inside from the single state from, and its last state, or the state where its loop begins. It has
// the form that ctl.Endless asks for. The path goes to the nearest dead end, or to the nearest fair component and around it, whichever takes
// fewer arcs; a dead end wins at equal length. inside must be a result of Always that contains from. The loop goes from one nearest state or
// step that closes an open actor to the next, and back to its start, so it is short but not always the shortest. The stem may not be the
// shortest either if more than 1024 states on the way had to be tried.
func (f FairDiagrams) Endless(ctx context.Context, from, inside dd.Node) (ctl.Run, dd.Node, error) {
	h, err := f.hunt(ctx, from, inside)
	if err != nil {
		return ctl.Run{}, dd.Empty, err
	}
	for h.tried < candidates && h.next != dd.Empty {
		if dead := f.Intersect(h.next, h.dead); dead != dd.Empty {
			return h.stop(ctx, dead)
		}
		part, err := h.part(ctx)
		if err != nil {
			return ctl.Run{}, dd.Empty, err
		}
		if part != dd.Empty {
			return h.lasso(ctx, part)
		}
		if err := h.spread(ctx); err != nil {
			return ctl.Run{}, dd.Empty, err
		}
	}
	return h.descend(ctx)
}

// A hunt is a breadth-first search for the end of an endless path.
type hunt struct {
	FairDiagrams
	frontier
	dead  dd.Node // dead ends within inside
	hull  dd.Node // states that may be in a fair component, or between two
	turn  dd.Node // the state tried last
	tried int
}

func (f FairDiagrams) hunt(ctx context.Context, from, inside dd.Node) (*hunt, error) {
	ends, err := f.ends(ctx)
	if err != nil {
		return nil, err
	}
	hull, err := f.recurrent(ctx, inside)
	if err == nil && !f.x.idle {
		hull, _, err = f.x.forest.TrimDead(ctx, f.x.after, hull, 8) // a state without predecessor is in no component
	}
	h := &hunt{FairDiagrams: f, frontier: newFrontier(f.Diagrams, from, inside), dead: f.Intersect(inside, ends), hull: hull}
	return h, h.ok(err)
}

// ok returns err or, if it is nil, the first error of an operation that returns none.
func (s Diagrams) ok(err error) error {
	if err != nil {
		return err
	}
	return *s.err
}

// stop returns the path to a dead end.
func (h *hunt) stop(ctx context.Context, dead dd.Node) (ctl.Run, dd.Node, error) {
	t, err := h.back(ctx, dead)
	return ctl.Run{Markings: t.markings, Steps: t.steps, Loop: -1, Dead: true}, t.at, err
}

// part returns a fair component with a state of the layer. If it returns the empty set, the layer has no state in the hull, or candidates
// states were tried.
func (h *hunt) part(ctx context.Context) (dd.Node, error) {
	for h.tried < candidates {
		some := h.Intersect(h.next, h.hull)
		if err := h.ok(nil); err != nil || some == dd.Empty {
			return dd.Empty, err
		}
		h.tried++
		part, fair, err := h.try(ctx, some)
		if err != nil || fair {
			return part, err
		}
		h.hull = h.Minus(h.hull, part)
	}
	return dd.Empty, nil
}

// try sets turn to a state of some. It returns the strongly connected component of that state in the hull, and whether it is fair.
func (h *hunt) try(ctx context.Context, some dd.Node) (dd.Node, bool, error) {
	h.turn, _ = h.Pick(some)
	part, err := h.around(ctx, h.turn)
	if err != nil {
		return dd.Empty, false, err
	}
	fair, err := h.isFair(ctx, part)
	return part, fair, err
}

// around returns the strongly connected component of a state in the hull.
func (h *hunt) around(ctx context.Context, at dd.Node) (dd.Node, error) {
	ahead, err := h.x.forest.ReachWithin(ctx, h.x.after, at, h.hull)
	if err != nil {
		return dd.Empty, err
	}
	return h.x.forest.ReachWithin(ctx, h.x.before, at, ahead)
}

// isFair reports whether a strongly connected component has an arc of its own, and each actor acts or is unable to act in it.
func (f FairDiagrams) isFair(ctx context.Context, part dd.Node) (bool, error) {
	after, err := f.Post(ctx, part)
	if err != nil || f.Intersect(after, part) == dd.Empty {
		return false, f.ok(err)
	}
	all := func(*firing) bool { return true }
	for k := range f.actors {
		if well, err := f.well(ctx, k, part, all); err != nil || well == dd.Empty {
			return false, err
		}
	}
	return true, nil
}

// descend finds a fair component without regard to distance. From a state of the hull it goes to one that is reachable, and never back (E.
// Clarke, O. Grumberg, K. McMillan, X. Zhao, 1995, Efficient generation of counterexamples and witnesses in symbolic model checking).
func (h *hunt) descend(ctx context.Context) (ctl.Run, dd.Node, error) {
	for h.turn = h.layers[0]; ; {
		ahead, err := h.x.forest.ReachWithin(ctx, h.x.after, h.turn, h.within)
		some := h.Intersect(ahead, h.hull)
		if err := h.ok(err); err != nil {
			return ctl.Run{}, dd.Empty, err
		}
		part, fair, err := h.try(ctx, some)
		if err != nil {
			return ctl.Run{}, dd.Empty, err
		}
		if fair {
			return h.nearest(ctx, part)
		}
		h.hull = h.Minus(h.hull, part)
	}
}

// nearest returns the lasso whose loop begins at the nearest state of a fair component, or the path to a dead end if that is nearer.
func (h *hunt) nearest(ctx context.Context, part dd.Node) (ctl.Run, dd.Node, error) {
	for h.frontier = newFrontier(h.Diagrams, h.layers[0], h.within); ; {
		if dead := h.Intersect(h.next, h.dead); dead != dd.Empty {
			return h.stop(ctx, dead)
		}
		if found := h.Intersect(h.next, part); found != dd.Empty {
			h.turn, _ = h.Pick(found)
			return h.lasso(ctx, part)
		}
		if err := h.spread(ctx); err != nil {
			return ctl.Run{}, dd.Empty, err
		}
	}
}

// lasso returns the path to turn, which is in the layer, and around its component, or the path to a dead end if that takes no more arcs.
func (h *hunt) lasso(ctx context.Context, part dd.Node) (ctl.Run, dd.Node, error) {
	turn := h.turn
	stem, err := h.back(ctx, turn)
	if err != nil {
		return ctl.Run{}, dd.Empty, err
	}
	round, err := h.round(ctx, turn, part)
	if err != nil {
		return ctl.Run{}, dd.Empty, err
	}
	for h.dead != dd.Empty && h.next != dd.Empty && len(h.layers) <= len(stem.steps)+len(round.steps) {
		if err := h.spread(ctx); err != nil {
			return ctl.Run{}, dd.Empty, err
		}
		if dead := h.Intersect(h.next, h.dead); dead != dd.Empty {
			return h.stop(ctx, dead)
		}
	}
	last := len(round.markings) - 1
	return ctl.Run{
		Markings: append(stem.markings, round.markings[1:last]...),
		Steps:    append(stem.steps, round.steps...),
		Loop:     len(stem.markings) - 1,
	}, turn, h.ok(nil)
}

// round returns a track within a fair component from turn back to turn that closes every actor.
func (f FairDiagrams) round(ctx context.Context, turn, part dd.Node) (track, error) {
	_, m := f.Pick(turn)
	whole := track{at: turn, markings: []petri.Marking{m}}
	open := make([]int, 0, len(f.actors))
	for k := range f.actors {
		open = append(open, k)
	}
	for open = f.still(open, whole); len(open) > 0; open = f.still(open, whole) {
		leg, err := f.leg(ctx, whole.at, part, open)
		if err != nil {
			return track{}, err
		}
		whole = whole.append(leg)
	}
	if whole.at == turn && len(whole.steps) > 0 {
		return whole, f.ok(nil)
	}
	home, err := f.home(ctx, whole.at, part, turn)
	return whole.append(home), err
}

// still returns the actors that are still open after a track: they could act in all of its states, and did not.
func (f FairDiagrams) still(open []int, t track) []int {
	return slices.DeleteFunc(open, func(k int) bool {
		for i, m := range t.markings {
			if !f.can(k, m) || i < len(t.steps) && f.does(k, m, t.steps[i][0]) {
				return true
			}
		}
		return false
	})
}

// leg returns a shortest track within a component to a state where an open actor cannot act, or along an arc by which it acts.
func (f FairDiagrams) leg(ctx context.Context, at, part dd.Node, open []int) (track, error) {
	for w := newFrontier(f.Diagrams, at, part); ; {
		for _, k := range open {
			t, err := f.acting(ctx, &w, part, &f.actors[k])
			if err != nil || t.steps != nil {
				return t, err
			}
		}
		if err := w.spread(ctx); err != nil {
			return track{}, err
		}
		for _, k := range open {
			if unable := f.Minus(w.next, f.Able(k)); unable != dd.Empty {
				return w.back(ctx, unable)
			}
		}
	}
}

// acting returns a track to the last layer of a frontier and along an arc by which an actor acts. The track has no steps if there is none.
func (f FairDiagrams) acting(ctx context.Context, w *frontier, part dd.Node, k *actor) (track, error) {
	for i := range k.acts {
		a := &k.acts[i]
		from, err := f.x.forest.Image(ctx, f.x.forest.System([]dd.Relation{a.back}), part, w.next)
		if err != nil || from == dd.Empty {
			if err != nil {
				return track{}, err
			}
			continue
		}
		t, err := w.back(ctx, from)
		if err != nil {
			return track{}, err
		}
		to, err := f.x.forest.Image(ctx, f.x.forest.System([]dd.Relation{a.forth}), t.at, part)
		if err != nil {
			return track{}, err
		}
		at, m := f.Pick(to)
		arc := track{at: at, markings: []petri.Marking{nil, m}, steps: [][]int{{a.transition}}}
		return t.append(arc), f.ok(nil)
	}
	return track{}, nil
}

// home returns a shortest track within a component from at to turn, of one step at least.
func (f FairDiagrams) home(ctx context.Context, at, part, turn dd.Node) (track, error) {
	w := newFrontier(f.Diagrams, at, part)
	w.seen = dd.Empty
	for {
		if err := w.spread(ctx); err != nil {
			return track{}, err
		}
		if f.Intersect(w.next, turn) != dd.Empty {
			return w.back(ctx, turn)
		}
	}
}

// can reports whether an actor can act in a marking: whether able has it.
func (f FairDiagrams) can(k int, m petri.Marking) bool {
	return slices.ContainsFunc(f.actors[k].acts, func(a firing) bool {
		return f.x.net.Fireable(m, a.transition) && space.Acts(f.x.net, m, a.transition, f.bars(a.transition))
	})
}

// does reports whether a transition, fired in a marking, is an act of an actor.
func (f FairDiagrams) does(k int, m petri.Marking, t int) bool {
	return slices.ContainsFunc(f.actors[k].acts, func(a firing) bool { return a.transition == t }) && space.Acts(f.x.net, m, t, f.bars(t))
}
