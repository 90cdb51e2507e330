package verify

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A stateModel is what the checks ask of a state model, besides formulas. S are sets of its states: states one by one,
// or decision diagrams. Each is the other's oracle.
type stateModel[S any] interface {
	id() string                                                             // told apart from other models, while these are about
	size(ctx context.Context) (symbolic.Size, error)                        // without what formulas alone need, as count
	stored() int                                                            // states, with what formulas alone need
	sets() ctl.Algebra[S]                                                   // all paths count
	Labels(acts [][]int, memory finding.Bytes) *ctl.Checker[S]              // those count on which the actors make progress; 0: no limit
	stopping(acts [][]int, memory finding.Bytes) *ctl.Checker[S]            // likewise, and those count that stop where no actor can act
	count(ctx context.Context, set S) (*big.Int, error)                     // states
	survey(ctx context.Context) (survey, error)                             //
	firing(ctx context.Context, groups [][]int) ([]S, error)                // by group, the states in which one of its transitions can fire
	back(ctx context.Context, by func([]int) bool, within, to S) (S, error) // E[within U to] along the steps that by is true of
	nearest(ctx context.Context, set S) (petri.Marking, error)              // a state of a set that no state of it is nearer than
	Between(from, to petri.Marking) []int                                   // a step, first in order
}

// A survey says which places are ever marked and which transitions ever fire.
type survey struct{ marked, fired []bool }

// Checked is a draft with its complete state model.
type Checked[S any] struct {
	*compile.Draft
	Model  stateModel[S]
	Memory finding.Bytes // Budget.Memory
}

// Listed is a draft with its states one by one.
type Listed struct {
	*Checked[space.Set]
	Graph *space.Graph
}

func Listing(d *compile.Draft, g *space.Graph, memory finding.Bytes) *Listed {
	return &Listed{&Checked[space.Set]{d, listModel{g, d.Net, len(d.AllPlaces)}, memory}, g}
}

// A listModel is a state model of states one by one.
type listModel struct {
	*space.Graph
	net  *petri.Net
	seen int // places: those from here on are history
}

func (g listModel) id() string { return fmt.Sprintf("%p", g.Graph) }

func (g listModel) size(ctx context.Context) (symbolic.Size, error) {
	return symbolic.SizeOf(ctx, g.Graph, g.seen, nil)
}

func (g listModel) stored() int { return g.Len() }

func (g listModel) sets() ctl.Algebra[space.Set] { return g.Sets() }

func (g listModel) count(ctx context.Context, set space.Set) (*big.Int, error) {
	size, err := symbolic.SizeOf(ctx, g.Graph, g.seen, set)
	return size.States, err
}

func (g listModel) Labels(acts [][]int, memory finding.Bytes) *ctl.Checker[space.Set] {
	return g.limited(g.unlimited(acts), memory)
}

func (g listModel) stopping(acts [][]int, memory finding.Bytes) *ctl.Checker[space.Set] {
	return g.limited(g.fair(g.Fair(acts).Stopping()), memory)
}

func (g listModel) limited(checker *ctl.Checker[space.Set], memory finding.Bytes) *ctl.Checker[space.Set] {
	if memory > 0 {
		set := finding.Bytes(g.Len()/64+1) * 8
		checker.Limit(int(max(1, memory/set)))
	}
	return checker
}

func (g listModel) unlimited(acts [][]int) *ctl.Checker[space.Set] {
	if len(acts) == 0 {
		return ctl.New(g.Sets())
	}
	return g.fair(g.Fair(acts))
}

func (g listModel) fair(fair space.Fair) *ctl.Checker[space.Set] {
	return ctl.NewFair(fair, func(ctx context.Context, from, inside space.Set) (ctl.Run, space.Set, error) {
		path, err := fair.Endless(ctx, from, inside)
		if err != nil {
			return ctl.Run{}, nil, err
		}
		return g.runOf(path), g.endOf(path), nil
	})
}

// runOf tells a path by markings.
func (g listModel) runOf(path space.Path) ctl.Run {
	run := ctl.Run{Steps: path.Steps, Loop: path.Loop, Dead: path.Loop < 0}
	for _, s := range path.States {
		run.Markings = append(run.Markings, g.Marking(s))
	}
	return run
}

// endOf is the state where a path's loop begins, or where it ends, alone.
func (g listModel) endOf(path space.Path) space.Set {
	end := path.States[len(path.States)-1]
	if path.Loop >= 0 {
		end = path.States[path.Loop]
	}
	return g.Sets().One(end)
}

// survey stops as soon as it has seen everything.
func (g listModel) survey(ctx context.Context) (survey, error) {
	s := survey{make([]bool, len(g.net.Places)), make([]bool, len(g.net.Transitions))}
	left := len(s.marked) + len(s.fired)
	see := func(list []bool, i int) {
		if !list[i] {
			list[i] = true
			left--
		}
	}
	for state := 0; state < g.Len() && left > 0; state++ {
		if state%1024 == 0 && ctx.Err() != nil {
			return s, context.Cause(ctx)
		}
		for _, p := range g.Marking(state) {
			see(s.marked, p)
		}
		for _, step := range g.Steps(state) {
			for _, t := range step {
				see(s.fired, t)
			}
		}
	}
	return s, nil
}

// firing takes one pass over the arcs for all groups.
func (g listModel) firing(ctx context.Context, groups [][]int) ([]space.Set, error) {
	sets := make([]space.Set, len(groups))
	in := make([][]int, len(g.net.Transitions)) // by transition, its groups
	for i, group := range groups {
		sets[i] = g.none()
		for _, t := range group {
			in[t] = append(in[t], i)
		}
	}
	for state := range g.Len() {
		if state%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for _, step := range g.Steps(state) {
			for _, t := range step {
				for _, i := range in[t] {
					add(sets[i], state)
				}
			}
		}
	}
	return sets, nil
}

func (g listModel) none() space.Set { return make(space.Set, (g.Len()+63)/64) }

// Contains reports whether a set has state s.
func Contains(set space.Set, s int) bool { return set[s/64]>>(s%64)&1 != 0 }

func add(set space.Set, s int) { set[s/64] |= 1 << (s % 64) }

// back looks at the arcs within once, and then at each of those it keeps.
func (g listModel) back(ctx context.Context, by func([]int) bool, within, to space.Set) (space.Set, error) {
	into, err := g.arcsInto(ctx, by, within)
	if err != nil {
		return nil, err
	}
	reached := slices.Clone(to)
	var work []int
	for s := range g.Len() {
		if Contains(to, s) {
			work = append(work, s)
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, from := range into[s] {
			if !Contains(reached, from) {
				add(reached, from)
				work = append(work, from)
			}
		}
	}
	return reached, nil
}

// arcsInto lists by target the sources of the arcs from states of a set.
func (g listModel) arcsInto(ctx context.Context, by func([]int) bool, within space.Set) (map[int][]int, error) {
	into := map[int][]int{}
	for state := range g.Len() {
		if state%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !Contains(within, state) {
			continue
		}
		succ := g.Succ(state)
		for i, step := range g.Steps(state) {
			if by(step) {
				into[int(succ[i])] = append(into[int(succ[i])], state)
			}
		}
	}
	return into, nil
}

// nearest is the first: states are numbered in order of distance.
func (g listModel) nearest(_ context.Context, set space.Set) (petri.Marking, error) {
	_, m := g.Sets().Pick(set)
	return m, nil
}

func (g listModel) Between(from, to petri.Marking) []int {
	s, _ := g.Find(from)
	t, _ := g.Find(to)
	for i, next := range g.Succ(s) {
		if int(next) == t {
			return g.Steps(s)[i]
		}
	}
	panic("engine: no step between consecutive markings of a run")
}
