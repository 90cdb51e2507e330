package space

import (
	"context"
	"slices"
)

// A Path is a run as states: States[i] -Steps[i]-> States[i+1]. If Loop is not negative, the last step leads back to States[Loop]. Otherwise
// the path ends in a dead end, or where a stopping path may end.
type Path struct {
	States []int
	Steps  [][]int
	Loop   int
}

// Endless returns a fair maximal path within inside from the lowest state of from. The path goes to the nearest dead end, or to the nearest
// fair component and around it, whichever takes fewer arcs; a dead end wins at equal length. inside must be a result of Always that contains
// from. The loop goes from one nearest state or step that closes an open actor to the next, and back to its start, so it is short but not
// always the shortest. The error is the context's cause, wrapped, or a *LimitError.
func (f Fair) Endless(ctx context.Context, from, inside Set) (Path, error) {
	start := f.lowest(from)
	dead, err := f.ends(ctx, inside)
	if err != nil {
		return Path{}, err
	}
	stop, ends, err := f.g.walk(ctx, start, walk{within: inside, at: func(s int) bool { return Has(dead, s) }})
	if err != nil {
		return Path{}, err
	}
	parts, err := f.fairUnion(ctx, inside)
	if err != nil {
		return Path{}, err
	}
	stem, goes, err := f.g.walk(ctx, start, walk{within: inside, at: func(s int) bool { return Has(parts, s) }})
	if err != nil {
		return Path{}, err
	}
	if !goes || ends && len(stop.steps) <= len(stem.steps) {
		return Path{States: append([]int{start}, stop.states...), Steps: stop.steps, Loop: -1}, nil
	}
	lasso, err := f.lasso(ctx, start, stem, inside)
	if err == nil && ends && len(stop.steps) <= len(lasso.Steps) {
		return Path{States: append([]int{start}, stop.states...), Steps: stop.steps, Loop: -1}, nil
	}
	return lasso, err
}

func (f Fair) lowest(a Set) int {
	for s := range a.Each() {
		return s
	}
	panic("space: no state to start from")
}

func (f Fair) fairUnion(ctx context.Context, a Set) (Set, error) {
	union := f.None()
	err := f.fairParts(ctx, a, func(part []uint32) {
		for _, s := range part {
			Add(union, int(s))
		}
	})
	return union, err
}

// lasso extends a stem that ends in a fair component by a loop around that component.
func (f Fair) lasso(ctx context.Context, start int, stem trail, inside Set) (Path, error) {
	states := append([]int{start}, stem.states...)
	turn := states[len(states)-1]
	part, err := f.partOf(ctx, turn, inside)
	if err != nil {
		return Path{}, err
	}
	round, err := f.round(ctx, turn, part)
	if err != nil {
		return Path{}, err
	}
	return Path{
		States: append(states, round.states[:len(round.states)-1]...),
		Steps:  append(stem.steps, round.steps...),
		Loop:   len(states) - 1,
	}, nil
}

// partOf returns the strongly connected component of state s within a.
func (f Fair) partOf(ctx context.Context, s int, a Set) (Set, error) {
	set := f.None()
	err := f.g.Components(ctx, a, a, func(part []uint32, inside func(t uint32) bool) error {
		if !inside(uint32(s)) {
			return nil
		}
		for _, t := range part {
			Add(set, int(t))
		}
		return nil
	})
	return set, err
}

// round returns a trail within a fair component from turn back to turn that closes every actor.
func (f Fair) round(ctx context.Context, turn int, part Set) (trail, error) {
	open := f.allOpen()
	f.closeAt(open, turn)
	var whole trail
	for at := turn; open.any(); {
		leg, _, err := f.g.walk(ctx, at, walk{
			within: part,
			at:     func(s int) bool { return f.closeAt(slices.Clone(open), s) },
			along:  func(s int, step []int) bool { return f.closeAlong(slices.Clone(open), s, step) },
		})
		if err != nil {
			return whole, err
		}
		for i, step := range leg.steps {
			f.closeAlong(open, at, step)
			at = leg.states[i]
			f.closeAt(open, at)
		}
		whole = whole.append(leg)
	}
	at := turn
	if n := len(whole.states); n > 0 {
		if at = whole.states[n-1]; at == turn {
			return whole, nil
		}
	}
	home, _, err := f.g.walk(ctx, at, walk{within: part, at: func(s int) bool { return s == turn }, leave: true})
	return whole.append(home), err
}

// A trail is the part of a path after its first state: steps[i] leads to states[i].
type trail struct {
	states []int
	steps  [][]int
}

func (t trail) append(u trail) trail {
	return trail{append(t.states, u.states...), append(t.steps, u.steps...)}
}

// A walk describes the goal of a search within a set: a state, or a step. leave requires at least one arc.
type walk struct {
	within Set
	at     func(s int) bool
	along  func(s int, step []int) bool // nil: no step is a goal
	leave  bool
}

// walk returns a shortest trail from a state to the goal of w, found breadth first, and reports whether there is one.
func (g *Graph) walk(ctx context.Context, from int, w walk) (trail, bool, error) {
	if !w.leave && w.at(from) {
		return trail{}, true, nil
	}
	came := map[uint32]arc{}
	queue := []uint32{uint32(from)}
	for i := 0; i < len(queue); i++ {
		if err := now(ctx, i); err != nil {
			return trail{}, false, err
		}
		s := queue[i]
		var steps [][]int
		if w.along != nil {
			steps = g.Steps(int(s))
		}
		for j, t := range g.Succ(int(s)) {
			if !Has(w.within, int(t)) {
				continue
			}
			if w.at(int(t)) || w.along != nil && w.along(int(s), steps[j]) {
				return g.retrace(from, came, arc{s, j}), true, nil
			}
			if _, seen := came[t]; !seen && int(t) != from {
				came[t] = arc{s, j}
				queue = append(queue, t)
			}
		}
	}
	return trail{}, false, nil
}

// An arc is arc number n of those that leave state from.
type arc struct {
	from uint32
	n    int
}

// retrace returns the trail of a search, followed back from its last arc.
func (g *Graph) retrace(from int, came map[uint32]arc, last arc) trail {
	var t trail
	for a := last; ; a = came[a.from] {
		t.states = append(t.states, int(g.Succ(int(a.from))[a.n]))
		t.steps = append(t.steps, g.Steps(int(a.from))[a.n])
		if int(a.from) == from {
			break
		}
	}
	slices.Reverse(t.states)
	slices.Reverse(t.steps)
	return t
}
