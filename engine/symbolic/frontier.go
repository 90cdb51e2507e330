package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
)

// A frontier is the state of a breadth-first search within a set.
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
func (w *frontier) spread(ctx context.Context) error {
	if w.next == dd.Empty {
		panic("space: looking for what can't be reached")
	}
	after, err := w.s.Post(ctx, w.next)
	w.next = w.s.Minus(w.s.Intersect(after, w.within), w.seen)
	w.seen = w.s.Union(w.seen, w.next)
	w.layers = append(w.layers, w.next)
	return w.s.ok(err)
}

// RunTo returns the markings and steps of a shortest run from the initial state to one of a set, which must be reachable. The errors are those of
// the forest.
func (s Diagrams) RunTo(ctx context.Context, goal dd.Node) (markings []petri.Marking, steps [][]int, err error) {
	w := newFrontier(s, s.Initial(), s.All())
	for s.Intersect(w.next, goal) == dd.Empty {
		if err := s.ok(nil); err != nil {
			return nil, nil, err
		}
		if err := w.spread(ctx); err != nil {
			return nil, nil, err
		}
	}
	t, err := w.back(ctx, goal)
	return t.markings, t.steps, err
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

// back returns a track from the start of the search to a state of the last layer that is in goal.
func (w *frontier) back(ctx context.Context, goal dd.Node) (track, error) {
	goal = w.s.Intersect(w.next, goal)
	if err := w.s.ok(nil); err != nil {
		return track{}, err
	}
	at, m := w.s.Pick(goal)
	t := track{at: at, markings: []petri.Marking{m}, steps: [][]int{}}
	for _, layer := range slices.Backward(w.layers[:len(w.layers)-1]) {
		before, err := w.s.Pre(ctx, at)
		before = w.s.Intersect(before, layer)
		if err := w.s.ok(err); err != nil {
			return track{}, err
		}
		at, m = w.s.Pick(before)
		t.steps = append(t.steps, []int{w.s.x.net.MustFindTransition(m, t.markings[len(t.markings)-1])})
		t.markings = append(t.markings, m)
	}
	slices.Reverse(t.markings)
	slices.Reverse(t.steps)
	return t, w.s.ok(nil)
}
