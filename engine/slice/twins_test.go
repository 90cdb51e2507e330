package slice_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/slice"
)

// TestWaysAgreeWithDefinitions: of nets in which steps have several ways, each with conditions of its own that may be met for good or for a time, any formula has the value in
// its slice that a naive interpreter finds.
func TestWaysAgreeWithDefinitions(t *testing.T) {
	draws.SkipForRaces(t)
	verdicts, smaller := map[bool]int{}, 0
	many(t, func(t *rapid.T) {
		n := &petri.Net{Initial: []int{0}}
		const steps, flags = 3, 4 // places of steps, then two for each flag
		for p := range steps + 2*flags {
			n.Places = append(n.Places, petri.Place{Net: "n", Name: fmt.Sprint("p", p)})
		}
		on := func(flag int) int { return steps + 2*flag }
		add := func(from, to int, read ...int) {
			n.Transitions = append(n.Transitions, petri.Transition{Name: fmt.Sprint("t", len(n.Transitions)), Event: -1, In: []int{from}, Out: []int{to}, Read: read})
		}
		for f := range flags {
			n.Initial = append(n.Initial, on(f)+rapid.IntRange(0, 1).Draw(t, "marked"))
			for _, from := range []int{on(f), on(f) + 1} {
				if rapid.Bool().Draw(t, "changes") {
					add(from, 2*on(f)+1-from)
				}
			}
		}
		for s := range steps - 1 {
			for range rapid.IntRange(1, 4).Draw(t, "ways") {
				var read []int
				for f := range flags {
					if rapid.IntRange(0, 2).Draw(t, "reads") == 0 {
						read = append(read, on(f)+rapid.IntRange(0, 1).Draw(t, "which"))
					}
				}
				add(s, s+1, read...)
			}
		}
		d := &compile.Draft{Net: n}
		g, safe := testkit.ExploreNaively(d)
		if !safe {
			t.Fatal("contact")
		}
		for range 5 {
			x, holds := agrees(t, n, nil, g, testkit.DrawOver(t, d, testkit.Lasting, true, rapid.IntRange(1, 4).Draw(t, "depth")))
			verdicts[holds]++
			if x.Len() < len(g.Succ)/2 {
				smaller++
			}
		}
	})
	if verdicts[true] < 50 || verdicts[false] < 50 || smaller < 50 {
		t.Errorf("%v verdicts, %d slices of less than half the states", verdicts, smaller)
	}
}

// TestPredicates: a predicate depends on all the places in it, by whatever connective.
func TestPredicates(t *testing.T) {
	atom := func(p int) *ctl.Formula { return &ctl.Formula{Op: ctl.Atom, Place: p} }
	for _, op := range []ctl.Op{ctl.And, ctl.Or, ctl.Implies, ctl.Iff} {
		f := &ctl.Formula{Op: op, Left: atom(4), Right: &ctl.Formula{Op: ctl.Not, Left: atom(2)}}
		if places := slice.Places(f); !slices.Equal(places, []int{4, 2}) {
			t.Errorf("operator %d: %v", op, places)
		}
		if _, ok := slice.New(&petri.Net{Places: make([]petri.Place, 5)}, nil, &ctl.Formula{Op: op, Left: atom(4), Right: &ctl.Formula{Op: ctl.ForAll, Left: atom(2)}}); ok {
			t.Errorf("operator %d: instances are not written out", op)
		}
	}
}
