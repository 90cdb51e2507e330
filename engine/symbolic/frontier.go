package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
)

// A frontier is the state of a breadth-first search within a set. Errors end the search.
type frontier struct {
	s            Diagrams
	within, seen dd.Node
	layers       []dd.Node // states first met, by number of arcs
	next         dd.Node   // the last layer
}

func newFrontier(s Diagrams, from, within dd.Node) frontier {
	return frontier{s, within, from, []dd.Node{from}, from}
}

// spread adds the next layer. It panics if the last one is empty.
func (w *frontier) spread() {
	if w.next == dd.Empty {
		panic("space: looking for what can't be reached")
	}
	w.next = w.s.Minus(w.s.Intersect(w.s.after(w.next), w.within), w.seen)
	w.seen = w.s.Union(w.seen, w.next)
	w.layers = append(w.layers, w.next)
}

// after returns the successors of the states in a.
func (s Diagrams) after(a dd.Node) dd.Node { return halt.Must(s.Post(s.ctx, a)) }

// RunTo returns the markings and steps of a shortest run from the initial state to one of a set, which must be reachable. The errors are those of
// the forest.
func (s Diagrams) RunTo(ctx context.Context, goal dd.Node) (markings []petri.Marking, steps [][]int, err error) {
	defer halt.Caught(&err)
	w := newFrontier(s.x.Sets(ctx), s.Initial(), s.All())
	for w.s.Intersect(w.next, goal) == dd.Empty {
		w.spread()
	}
	t := w.back(goal)
	return t.markings, t.steps, nil
}

// A track is a run, with the state of its last marking as a set.
type track struct {
	at       dd.Node
	markings []petri.Marking
	steps    [][]int
}

// append returns t continued by u, which begins where t ends.
func (t track) append(u track) track {
	return track{u.at, append(t.markings, u.markings[1:]...), append(t.steps, u.steps...)}
}

// back returns a track from the start of the search, a single state, to a state of the last layer that is in goal: of these the first by the
// order of transitions.
func (w *frontier) back(goal dd.Node) track {
	ways := slices.Clone(w.layers) // in each layer the states that lead to goal
	last := len(ways) - 1
	ways[last] = w.s.Intersect(w.next, goal)
	for i := last; i > 0; i-- {
		ways[i-1] = w.s.Intersect(halt.Must(w.s.Pre(w.s.ctx, ways[i])), ways[i-1])
	}
	_, m := w.s.Pick(ways[0])
	t := track{markings: []petri.Marking{m}, steps: [][]int{}}
	for _, way := range ways[1:] {
		fired, after := w.s.next(m, way)
		t.steps, t.markings, m = append(t.steps, []int{fired}), append(t.markings, after), after
	}
	t.at = w.s.State(m)
	return t
}
