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
func (f FairDiagrams) Endless(ctx context.Context, from, inside dd.Node) (run ctl.Run, end dd.Node, err error) {
	end, err = f.fairly(ctx, func(f FairDiagrams) (end dd.Node) {
		run, end = f.hunt(from, inside).search()
		return end
	})
	return run, end, err
}

// search looks for the end of the path layer by layer.
func (h *hunt) search() (ctl.Run, dd.Node) {
	for h.tried < candidates && h.next != dd.Empty {
		if dead := h.Intersect(h.next, h.dead); dead != dd.Empty {
			return h.stop(dead)
		}
		if part := h.part(); part != dd.Empty {
			return h.lasso(part)
		}
		h.spread()
	}
	return h.descend()
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

func (f FairDiagrams) hunt(from, inside dd.Node) *hunt {
	dead, hull := f.Intersect(inside, f.ends()), f.recurrent(inside)
	if !f.x.idle {
		hull, _ = f.forest().TrimDead(f.x.after, hull, 8) // a state without predecessor is in no component
	}
	return &hunt{FairDiagrams: f, frontier: newFrontier(f.Diagrams, from, inside), dead: dead, hull: hull}
}

// stop returns the path to a dead end.
func (h *hunt) stop(dead dd.Node) (ctl.Run, dd.Node) {
	t := h.back(dead)
	return ctl.Run{Markings: t.markings, Steps: t.steps, Loop: -1, Dead: true}, t.at
}

// part returns a fair component with a state of the layer. If it returns the empty set, the layer has no state in the hull, or candidates
// states were tried.
func (h *hunt) part() dd.Node {
	for h.tried < candidates {
		some := h.Intersect(h.next, h.hull)
		if some == dd.Empty {
			break
		}
		h.tried++
		part, fair := h.try(some)
		if fair {
			return part
		}
		h.hull = h.Minus(h.hull, part)
	}
	return dd.Empty
}

// try sets turn to a state of some. It returns the strongly connected component of that state in the hull, and whether it is fair.
func (h *hunt) try(some dd.Node) (part dd.Node, fair bool) {
	h.turn, _ = h.Pick(some)
	ahead := h.forest().ReachWithin(h.x.after, h.turn, h.hull)
	part = h.forest().ReachWithin(h.x.before, h.turn, ahead)
	return part, h.isFair(part)
}

// isFair reports whether a strongly connected component has an arc of its own, and each actor acts or is unable to act in it.
func (f FairDiagrams) isFair(part dd.Node) bool {
	if f.Intersect(f.after(part), part) == dd.Empty {
		return false
	}
	all := func(*firing) bool { return true }
	for k := range f.actors {
		if f.well(k, part, all) == dd.Empty {
			return false
		}
	}
	return true
}

// descend finds a fair component without regard to distance. From a state of the hull it goes to one that is reachable, and never back (E.
// Clarke, O. Grumberg, K. McMillan, X. Zhao, 1995, Efficient generation of counterexamples and witnesses in symbolic model checking).
func (h *hunt) descend() (ctl.Run, dd.Node) {
	for h.turn = h.layers[0]; ; {
		ahead := h.forest().ReachWithin(h.x.after, h.turn, h.frontier.within)
		part, fair := h.try(h.Intersect(ahead, h.hull))
		if fair {
			return h.nearest(part)
		}
		h.hull = h.Minus(h.hull, part)
	}
}

// nearest returns the lasso whose loop begins at the nearest state of a fair component, or the path to a dead end if that is nearer.
func (h *hunt) nearest(part dd.Node) (ctl.Run, dd.Node) {
	for h.frontier = newFrontier(h.Diagrams, h.layers[0], h.frontier.within); ; h.spread() {
		if dead := h.Intersect(h.next, h.dead); dead != dd.Empty {
			return h.stop(dead)
		}
		if found := h.Intersect(h.next, part); found != dd.Empty {
			h.turn, _ = h.Pick(found)
			return h.lasso(part)
		}
	}
}

// lasso returns the path to turn, which is in the layer, and around its component, or the path to a dead end if that takes no more arcs.
func (h *hunt) lasso(part dd.Node) (ctl.Run, dd.Node) {
	turn := h.turn
	stem, round := h.back(turn), h.round(turn, part)
	for h.dead != dd.Empty && h.next != dd.Empty && len(h.layers) <= len(stem.steps)+len(round.steps) {
		h.spread()
		if dead := h.Intersect(h.next, h.dead); dead != dd.Empty {
			return h.stop(dead)
		}
	}
	last := len(round.markings) - 1
	return ctl.Run{
		Markings: append(stem.markings, round.markings[1:last]...),
		Steps:    append(stem.steps, round.steps...),
		Loop:     len(stem.markings) - 1,
	}, turn
}

// round returns a track within a fair component from turn back to turn that closes every actor.
func (f FairDiagrams) round(turn, part dd.Node) track {
	_, m := f.Pick(turn)
	whole := track{at: turn, markings: []petri.Marking{m}}
	open := make([]int, 0, len(f.actors))
	for k := range f.actors {
		open = append(open, k)
	}
	for open = f.still(open, whole); len(open) > 0; open = f.still(open, whole) {
		whole = whole.append(f.leg(whole.at, part, open))
	}
	if whole.at == turn && len(whole.steps) > 0 {
		return whole
	}
	return whole.append(f.home(whole.at, part, turn))
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
func (f FairDiagrams) leg(at, part dd.Node, open []int) track {
	for w := newFrontier(f.Diagrams, at, part); ; {
		for _, k := range open {
			if t := f.acting(&w, part, &f.actors[k]); t.steps != nil {
				return t
			}
		}
		w.spread()
		for _, k := range open {
			if unable := f.Minus(w.next, f.Able(k)); unable != dd.Empty {
				return w.back(unable)
			}
		}
	}
}

// acting returns a track to the last layer of a frontier and along an arc by which an actor acts. The track has no steps if there is none.
func (f FairDiagrams) acting(w *frontier, part dd.Node, k *actor) track {
	for i := range k.acts {
		a := &k.acts[i]
		from := f.forest().Image(f.x.forest.System([]dd.Relation{a.back}), part, w.next)
		if from == dd.Empty {
			continue
		}
		t := w.back(from)
		at, m := f.Pick(f.forest().Image(f.x.forest.System([]dd.Relation{a.forth}), t.at, part))
		return t.append(track{at: at, markings: []petri.Marking{nil, m}, steps: [][]int{{a.transition}}})
	}
	return track{}
}

// home returns a shortest track within a component from at to turn, of one step at least.
func (f FairDiagrams) home(at, part, turn dd.Node) track {
	w := newFrontier(f.Diagrams, at, part)
	w.seen = dd.Empty
	for w.spread(); f.Intersect(w.next, turn) == dd.Empty; w.spread() {
	}
	return w.back(turn)
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
