package verify

import (
	"context"
	"math/big"
	"slices"
	"sync"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
	"github.com/redlinehq/redline/engine/symmetry"
)

// A stateModel answers the checks' questions about a state model, besides formulas. S is a set of states: explicit states or decision
// diagrams. Each implementation is the other's oracle.
type stateModel[S any] interface {
	id() uint64                                                     // a number of its own, for memo keys
	size(ctx context.Context) (symbolic.Size, error)                // without history, as count
	stored() int                                                    // number of states, with history
	Labels(acts [][]int, memory finding.Bytes) *ctl.Checker[S]      // on paths on which the actors make progress; memory 0: no limit
	Stopping(on explain.Runs, memory finding.Bytes) *ctl.Checker[S] // likewise, and on paths that stop where no actor can act
	count(ctx context.Context, set S) (*big.Int, error)             // states
	Between(from, to petri.Marking) []int                           // the first step in order
	survey(ctx context.Context) (survey, error)                     // places ever marked, transitions ever fired

	// Within a computation that errors end; see package halt.
	sets() ctl.Algebra[S]                                           // the algebra of all paths
	firing(ctx context.Context, groups [][]int) []S                 // by group: the states in which one of its transitions can fire
	still(ctx context.Context, list []int, moved func(t int) S) []S // by transition without inputs and outputs: the states in which it can fire and moves nothing
	back(ctx context.Context, by func([]int) bool, within, to S) S  // E[within U to] along steps that satisfy by
	nearest(ctx context.Context, set S) petri.Marking               // a state of the set nearest to the initial one
}

// A survey records which places are ever marked and which transitions ever fire.
type survey struct{ marked, fired []bool }

// A Checked is a draft with its complete state model.
type Checked[S any] struct {
	*compile.Draft
	Model  stateModel[S]
	Memory finding.Bytes // Budget.Memory

	symmetryOnce sync.Once
	symmetryNet  *symmetry.Net // for all its labellings
}

// symmetries returns the draft's net, prepared for finding its exchanges.
func (c *Checked[S]) symmetries() *symmetry.Net {
	c.symmetryOnce.Do(func() { c.symmetryNet = symmetry.New(c.Net) })
	return c.symmetryNet
}

// A Listed is a draft with its explicit states.
type Listed struct {
	*Checked[space.Set]
	Graph *space.Graph
}

// Listing combines a draft and its explicit states.
func Listing(d *compile.Draft, g *space.Graph, memory finding.Bytes) *Listed {
	return &Listed{&Checked[space.Set]{Draft: d, Model: listModel{g, d.Net, len(d.AllPlaces)}, Memory: memory}, g}
}

// HoldsAt reports whether a formula holds in the state of a marking, on the runs that some terms leave. known is false if that state is not reachable, or if it
// takes too much work.
func (c *Listed) HoldsAt(ctx context.Context, f *ctl.Formula, t compile.Terms, m petri.Marking) (holds, known bool) {
	at, ok := c.Graph.Find(m)
	if !ok {
		return false, false
	}
	checker, _ := c.On(t)
	set, err := checker.Sat(ctx, f)
	return err == nil && space.Has(set, at), err == nil
}

// A listModel is a state model of explicit states.
type listModel struct {
	*space.Graph
	net  *petri.Net
	seen int // number of places before the history places
}

func (g listModel) id() uint64 { return g.ID }

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

func (g listModel) Stopping(on explain.Runs, memory finding.Bytes) *ctl.Checker[space.Set] {
	return g.limited(g.fair(g.Fair(on.Acts).Stopping(on.Barred)), memory)
}

// limited bounds the number of sets that a checker holds by the memory for them.
func (g listModel) limited(checker *ctl.Checker[space.Set], memory finding.Bytes) *ctl.Checker[space.Set] {
	if memory > 0 {
		set := finding.Bytes(g.Len()/64+1) * 8
		checker.LimitSets(int(max(1, memory/set)))
	}
	return checker
}

// unlimited returns a checker without a memory limit.
func (g listModel) unlimited(acts [][]int) *ctl.Checker[space.Set] {
	if len(acts) == 0 {
		return ctl.New(g.Sets())
	}
	return g.fair(g.Fair(acts))
}

// fair returns a checker on fair paths.
func (g listModel) fair(fair space.Fair) *ctl.Checker[space.Set] {
	return ctl.NewFair(fair, func(ctx context.Context, from, inside space.Set) (ctl.Run, space.Set, error) {
		path, err := fair.Endless(ctx, from, inside)
		if err != nil {
			return ctl.Run{}, nil, err
		}
		return g.runOf(path), g.endOf(path), nil
	})
}

// runOf converts a path to markings.
func (g listModel) runOf(path space.Path) ctl.Run {
	run := ctl.Run{Steps: path.Steps, Loop: path.Loop, Dead: path.Loop < 0}
	for _, s := range path.States {
		run.Markings = append(run.Markings, g.Marking(s))
	}
	return run
}

// endOf returns the state in which a path's loop begins, or else its last state, as a set.
func (g listModel) endOf(path space.Path) space.Set {
	end := path.States[len(path.States)-1]
	if path.Loop >= 0 {
		end = path.States[path.Loop]
	}
	return g.Sets().One(end)
}

// survey makes one pass over states and arcs, and stops once it has seen everything.
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

// firing makes one pass over the arcs for all groups.
func (g listModel) firing(ctx context.Context, groups [][]int) []space.Set {
	sets := make([]space.Set, len(groups))
	in := make([][]int, len(g.net.Transitions)) // by transition, its groups
	for i, group := range groups {
		sets[i] = g.Sets().None()
		for _, t := range group {
			in[t] = append(in[t], i)
		}
	}
	for state := range g.Len() {
		look(ctx, state)
		for _, step := range g.Steps(state) {
			for _, t := range step {
				for _, i := range in[t] {
					space.Add(sets[i], state)
				}
			}
		}
	}
	return sets
}

// look ends the computation if the context has ended. It looks at some states only.
func look(ctx context.Context, state int) {
	if state%1024 == 0 && ctx.Err() != nil {
		halt.End(context.Cause(ctx))
	}
}

// still makes one pass over the arcs where one transition fires at a time: one that moves nothing leads back. So nothing need be known of what moves where.
func (g listModel) still(ctx context.Context, list []int, moved func(t int) space.Set) []space.Set {
	if g.Rule() == petri.All {
		return withoutMoved(ctx, g, list, moved)
	}
	sets, at := make([]space.Set, len(list)), map[int]int{}
	for i, t := range list {
		sets[i], at[t] = g.Sets().None(), i
	}
	for state := range g.Len() {
		look(ctx, state)
		succ := g.Succ(state)
		if !slices.Contains(succ, uint32(state)) {
			continue
		}
		for k, step := range g.Steps(state) {
			if i, asked := at[step[0]]; asked && int(succ[k]) == state {
				space.Add(sets[i], state)
			}
		}
	}
	return sets
}

// withoutMoved returns for each of some transitions the states in which it can fire, without those in which it moves something.
func withoutMoved[S any](ctx context.Context, m stateModel[S], list []int, moved func(t int) S) []S {
	groups := make([][]int, len(list))
	for i, t := range list {
		groups[i] = []int{t}
	}
	all := m.firing(ctx, groups)
	for i := range all {
		all[i] = m.sets().Minus(all[i], moved(list[i]))
	}
	return all
}

// back makes one pass over the arcs from within, then visits each of those it keeps at most once.
func (g listModel) back(ctx context.Context, by func([]int) bool, within, to space.Set) space.Set {
	into := g.arcsInto(ctx, by, within)
	reached := slices.Clone(to)
	var work []int
	for s := range g.Len() {
		if space.Has(to, s) {
			work = append(work, s)
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, from := range into[s] {
			if !space.Has(reached, from) {
				space.Add(reached, from)
				work = append(work, from)
			}
		}
	}
	return reached
}

// arcsInto returns, by target, the sources of the arcs that leave a set by steps that satisfy by.
func (g listModel) arcsInto(ctx context.Context, by func([]int) bool, within space.Set) map[int][]int {
	into := map[int][]int{}
	for state := range g.Len() {
		look(ctx, state)
		if !space.Has(within, state) {
			continue
		}
		succ := g.Succ(state)
		for i, step := range g.Steps(state) {
			if by(step) {
				into[int(succ[i])] = append(into[int(succ[i])], state)
			}
		}
	}
	return into
}

// nearest returns the first state of the set. States are numbered in order of distance.
func (g listModel) nearest(_ context.Context, set space.Set) petri.Marking {
	_, m := g.Sets().Pick(set)
	return m
}
