package ctl_test

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
)

// A graph of at most 64 states is an algebra whose sets are words. State 0 is initial; place p is
// marked in the states of marked[p]. A state's marking is its number alone.
type graph struct {
	succ   [][]int
	marked []uint64
	work   int   // calls of Pre and Post
	last   int   // the call that fails; 0: none
	failed error // of what returns no error

	cancel func() // called by the last call, in the place of failing: then no call looks at the context
}

func (g *graph) All() uint64     { return 1<<len(g.succ) - 1 }
func (g *graph) Initial() uint64 { return 1 }
func (g *graph) Count(sum *ctl.Sum) (at uint64) {
	for s := range g.succ {
		if sum.Holds(func(place int) bool { return g.marked[place]>>s&1 == 1 }) {
			at |= 1 << s
		}
	}
	return at
}

func (g *graph) None() uint64                 { return 0 }
func (g *graph) Union(a, b uint64) uint64     { return a | b }
func (g *graph) Intersect(a, b uint64) uint64 { return halt.Must(a&b, g.failed) }
func (g *graph) Minus(a, b uint64) uint64     { return halt.Must(a&^b, g.failed) }
func (g *graph) Equal(a, b uint64) bool       { return a == b }

func (g *graph) Where(place int) uint64 { return halt.Must(g.marked[place], g.failed) }

func (g *graph) Dead() (dead uint64) {
	for s, after := range g.succ {
		if len(after) == 0 {
			dead |= 1 << s
		}
	}
	return dead
}

func (g *graph) Pre(ctx context.Context, a uint64) (before uint64, err error) {
	for s, after := range g.succ {
		for _, t := range after {
			before |= a >> t & 1 << s
		}
	}
	return before, g.count(ctx)
}

func (g *graph) Post(ctx context.Context, a uint64) (all uint64, err error) {
	for s, after := range g.succ {
		for _, t := range after {
			all |= a >> s & 1 << t
		}
	}
	return all, g.count(ctx)
}

var errSpent = errors.New("the budget is spent")

func (g *graph) count(ctx context.Context) error {
	g.work++
	if g.cancel != nil {
		if g.work == g.last {
			g.cancel()
		}
		return nil
	}
	if g.last > 0 && g.work == g.last {
		return errSpent
	}
	return context.Cause(ctx)
}

func (g *graph) Until(ctx context.Context, a, b uint64) (uint64, error) {
	for {
		before, err := g.Pre(ctx, b)
		if next := b | a&before; err != nil || next == b {
			return b, err
		} else {
			b = next
		}
	}
}

func (g *graph) Always(ctx context.Context, a uint64) (uint64, error) {
	for {
		before, err := g.Pre(ctx, a)
		if next := a & (before | g.Dead()); err != nil || next == a {
			return a, err
		} else {
			a = next
		}
	}
}

func (g *graph) Pick(a uint64) (uint64, petri.Marking) {
	if a == 0 {
		panic("pick from an empty set")
	}
	s := bits.TrailingZeros64(a)
	return 1 << s, petri.Marking{s}
}

func (g *graph) Next(from, goal uint64) (uint64, petri.Marking) {
	for _, t := range g.succ[bits.TrailingZeros64(from)] {
		if goal>>t&1 == 1 {
			return 1 << t, petri.Marking{t}
		}
	}
	panic("no arc into a set")
}

func (g *graph) naive() naive.Graph {
	return naive.Graph{Succ: g.succ, Holds: func(s, p int) bool { return g.marked[p]>>s&1 == 1 }}
}

// step names the arc: transition 100 s + t leads from s to t.
func (g *graph) step(from, to petri.Marking) []int {
	if !slices.Contains(g.succ[from[0]], to[0]) {
		panic("no such arc")
	}
	return []int{100*from[0] + to[0]}
}

var names = []string{"p", "q", "party.r-1"}

// graphs have up to max states, all reachable from the first; few arcs, so dead ends are likely.
func graphs(max int) *rapid.Generator[*graph] {
	return rapid.Custom(func(t *rapid.T) *graph {
		n := rapid.IntRange(1, max).Draw(t, "states")
		g := &graph{succ: make([][]int, n)}
		for s := 1; s < n; s++ {
			before := rapid.IntRange(0, s-1).Draw(t, "reached from")
			g.succ[before] = append(g.succ[before], s)
		}
		for range rapid.IntRange(0, n).Draw(t, "arcs") {
			s, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			if !slices.Contains(g.succ[s], to) {
				g.succ[s] = append(g.succ[s], to)
			}
		}
		for range names {
			g.marked = append(g.marked, rapid.Uint64().Draw(t, "marked")&g.All())
		}
		return g
	})
}

// formulas are trees of all operators up to a depth.
func formulas(depth int) *rapid.Generator[*ctl.Formula] {
	return rapid.Custom(func(t *rapid.T) *ctl.Formula {
		op := rapid.IntRange(int(ctl.True), int(ctl.AW)).Draw(t, "operator")
		if depth == 0 {
			op = rapid.SampledFrom([]int{0, 1, 2, 2, 2, 2}).Draw(t, "leaf")
		}
		if ctl.Op(op) == ctl.ForAll || ctl.Op(op) == ctl.ForSome {
			op = int(ctl.Not) // a model knows no instances: see quantified
		}
		f := &ctl.Formula{Op: ctl.Op(op)}
		if f.Op == ctl.Atom {
			f.Place = rapid.IntRange(0, len(names)-1).Draw(t, "place")
			f.Name = names[f.Place]
		}
		if f.Op >= ctl.Not {
			f.Left = formulas(depth-1).Draw(t, "left")
		}
		if f.Op >= ctl.And && f.Op <= ctl.Iff || f.Op >= ctl.EU {
			f.Right = formulas(depth-1).Draw(t, "right")
		}
		return f
	})
}

// must parses and resolves a formula over names.
func must(f *ctl.Formula, err error) *ctl.Formula {
	if err != nil {
		panic(err)
	}
	for a := range f.Atoms() {
		if a.Place = slices.Index(names, a.Name); a.Place < 0 {
			panic("no place " + a.Name)
		}
	}
	return f
}

func bools(set uint64, n int) []bool {
	b := make([]bool, n)
	for s := range b {
		b[s] = set>>s&1 == 1
	}
	return b
}
