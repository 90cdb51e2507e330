package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// candidates bounds how many states are tried as the place where a loop begins, for the sake of a shortest stem.
const candidates = 1 << 10

// Endless is a ctl.Endless: a fair maximal path in inside from the single state from, to the nearest dead end, or to the nearest
// fair part and round it, whichever takes fewer arcs, a dead end at equal length. Inside must be an Always that holds from. The
// loop goes on to whatever next closes an open actor, and home in the end, so it is short but not always the shortest; nor is the
// stem where more than a thousand states on the way had to be tried.
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

// A hunt looks for where a path without end can end up, breadth first.
type hunt struct {
	FairDiagrams
	frontier
	dead  dd.Node // dead ends inside
	hull  dd.Node // what may be a fair part, or between two
	turn  dd.Node // the state of the last part that was found
	tried int
}

func (f FairDiagrams) hunt(ctx context.Context, from, inside dd.Node) (*hunt, error) {
	ends, err := f.ends(ctx)
	if err != nil {
		return nil, err
	}
	hull, err := f.recurrent(ctx, inside)
	if err == nil && !f.x.idle {
		hull, _, err = f.x.forest.Stay(ctx, f.x.after, hull, 8) // what has no predecessor is in no part
	}
	h := &hunt{FairDiagrams: f, frontier: newFrontier(f.Diagrams, from, inside), dead: f.Intersect(inside, ends), hull: hull}
	return h, h.ok(err)
}

// ok is an error, or else the first of an operation that returned none.
func (s Diagrams) ok(err error) error {
	if err != nil {
		return err
	}
	return *s.err
}

// stop is the path to a dead end.
func (h *hunt) stop(ctx context.Context, dead dd.Node) (ctl.Run, dd.Node, error) {
	t, err := h.back(ctx, dead)
	return ctl.Run{Markings: t.markings, Steps: t.steps, Loop: -1, Dead: true}, t.at, err
}

// part is a fair part with a state of the layer, or empty: then none of its states is in the hull any more.
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

// try makes a state of some its turn. It returns the strongly connected part of the hull around it, and whether that is fair.
func (h *hunt) try(ctx context.Context, some dd.Node) (dd.Node, bool, error) {
	h.turn, _ = h.Pick(some)
	part, err := h.around(ctx, h.turn)
	if err != nil {
		return dd.Empty, false, err
	}
	fair, err := h.isFair(ctx, part)
	return part, fair, err
}

// around is the strongly connected part of the hull around a state.
func (h *hunt) around(ctx context.Context, at dd.Node) (dd.Node, error) {
	ahead, err := h.x.forest.ReachWithin(ctx, h.x.after, at, h.hull)
	if err != nil {
		return dd.Empty, err
	}
	return h.x.forest.ReachWithin(ctx, h.x.before, at, ahead)
}

// isFair reports whether a strongly connected part has an arc of its own, and each actor is unable to act in it or acts in it.
func (f FairDiagrams) isFair(ctx context.Context, part dd.Node) (bool, error) {
	after, err := f.Post(ctx, part)
	if err != nil || f.Intersect(after, part) == dd.Empty {
		return false, f.ok(err)
	}
	all := func(*firing) bool { return true }
	for k := range f.actors {
		if well, err := f.well(ctx, &f.actors[k], part, all); err != nil || well == dd.Empty {
			return false, err
		}
	}
	return true, nil
}

// descend looks for a fair part without a thought of how far away it is: from a state of the hull to one of those that it leads
// to, and never back (E. Clarke, O. Grumberg, K. McMillan, X. Zhao, 1995, Efficient generation of counterexamples and witnesses in
// symbolic model checking).
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

// nearest is the lasso whose loop begins where a fair part is nearest, unless a dead end is nearer.
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

// lasso goes to the turn, which is in the layer, and round its part; unless a dead end is as near.
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

// round is a trail from a state back to it, in a fair part, that closes every actor.
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

// still lists the actors that are open yet after a trail: they could act everywhere on it, and didn't.
func (f FairDiagrams) still(open []int, t track) []int {
	return slices.DeleteFunc(open, func(k int) bool {
		for i, m := range t.markings {
			if !f.actors[k].can(f.x.net, m) || i < len(t.steps) && f.actors[k].does(f.x.net, m, t.steps[i][0]) {
				return true
			}
		}
		return false
	})
}

// leg is a shortest trail in a part to where an open actor can't act, or along an arc by which it acts.
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
			if unable := f.Minus(w.next, f.actors[k].able); unable != dd.Empty {
				return w.back(ctx, unable)
			}
		}
	}
}

// acting is a trail to the layer of a wave and along an arc by which an actor acts; without steps where there is none.
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

// home is a shortest trail in a part from a state to another, or round to itself.
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

// can reports whether an actor can act in a marking.
func (k *actor) can(n *petri.Net, m petri.Marking) bool {
	return slices.ContainsFunc(k.acts, func(a act) bool { return n.Fireable(m, a.transition) && space.Changes(n, m, a.transition) })
}

// does reports whether an actor acts by a transition in a marking.
func (k *actor) does(n *petri.Net, m petri.Marking, t int) bool {
	return slices.ContainsFunc(k.acts, func(a act) bool { return a.transition == t }) && space.Changes(n, m, t)
}
