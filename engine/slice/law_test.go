package slice_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/slice"
	"github.com/redlinehq/redline/engine/space"
)

// TestSlicesAgreeWithDefinitions: any formula without X has the value in its slice that a naive interpreter finds in all states, on contracts with norms
// and clocks that overlap, and the run that shows it is one of the contract.
func TestSlicesAgreeWithDefinitions(t *testing.T) {
	draws.SkipForRaces(t)
	verdicts, smaller, stays := map[bool]int{}, 0, 0
	many(t, func(t *rapid.T) {
		text := testkit.DrawAnyTimed(t, 4)
		d := testkit.DraftOf(t, text)
		if d.Spec == nil {
			t.Fatal(text)
		}
		g, safe := testkit.ExploreNaively(d)
		if !safe || len(g.Succ) > 3000 {
			t.Skip("contact, or too large for the naive interpreter")
		}
		for range 5 {
			f := testkit.DrawOver(t, d, testkit.Lasting, true, rapid.IntRange(1, 4).Draw(t, "depth"))
			x, holds := agrees(t, d.Net, d.ClockPlaces(), g, f)
			verdicts[holds]++
			if testkit.HasStays(d) {
				stays++
			}
			if x.Len() < len(g.Succ)/2 {
				smaller++
			}
		}
	})
	if verdicts[true] < 50 || verdicts[false] < 50 || smaller < 50 || stays < 10 {
		t.Errorf("%v verdicts, %d of nets with stays, %d slices of less than half the states", verdicts, stays, smaller)
	}
}

// TestSlicesOfNetsAgreeWithDefinitions: the same of any net in which transitions move tokens, some of them nothing else.
func TestSlicesOfNetsAgreeWithDefinitions(t *testing.T) {
	draws.SkipForRaces(t)
	verdicts := map[bool]int{}
	many(t, func(t *rapid.T) {
		n := testnets.AnyNet(t)
		for range rapid.IntRange(0, 2).Draw(t, "silent") {
			n.Transitions = append(n.Transitions, petri.Transition{Event: -1})
		}
		testnets.Watch(t, n)
		for range min(rapid.IntRange(0, 3).Draw(t, "twins"), 3*len(n.Transitions)) { // each reads places of its own
			x := n.Transitions[rapid.IntRange(0, len(n.Transitions)-1).Draw(t, "twin")]
			x.Read = nil
			for p := range n.Places {
				if !slices.Contains(x.In, p) && !slices.Contains(x.Out, p) && rapid.IntRange(0, 4).Draw(t, "reads") == 0 {
					x.Read = append(x.Read, p)
				}
			}
			n.Transitions = append(n.Transitions, x)
		}
		d := &compile.Draft{Net: n}
		g, safe := testkit.ExploreNaively(d)
		if n.Sane() != nil || !safe || len(g.Succ) > 500 {
			t.Skip("contact, or too large for the naive interpreter")
		}
		group := make([]int, rapid.IntRange(0, len(n.Places)).Draw(t, "group"))
		for i := range group {
			group[i] = i
		}
		for range 5 {
			_, holds := agrees(t, n, [][]int{group}, g, testkit.DrawOver(t, d, testkit.Lasting, true, rapid.IntRange(1, 4).Draw(t, "depth")))
			verdicts[holds]++
		}
	})
	if verdicts[true] < 50 || verdicts[false] < 50 {
		t.Error(verdicts)
	}
}

// many tries a law with many random inputs, a hundred where not all are wanted.
func many(t *testing.T, law func(t *rapid.T)) {
	rounds := 1
	if draws.All() {
		rounds = 30
	}
	for range rounds {
		rapid.Check(t, law)
	}
}

// agrees asks a formula of its slice and of all states, replays the run that shows the verdict, and returns slice and verdict.
func agrees(t interface{ Fatalf(string, ...any) }, n *petri.Net, groups [][]int, all naive.Graph, f *ctl.Formula) (*space.Graph, bool) {
	g, ok, err := slice.Explore(context.Background(), n, groups, f, space.Limits{})
	if !ok || err != nil {
		t.Fatalf("%s: %t %v", f.CTL(), ok, err)
	}
	checker := ctl.New(g.Sets())
	holds, err := checker.Holds(context.Background(), f)
	if err != nil || holds != naive.Sat(all, f)[0] {
		t.Fatalf("%s: %t in the slice, %v\n%+v", f.CTL(), holds, err, n)
	}
	e, err := checker.Explain(context.Background(), f, g.Between)
	if err == nil && e != nil {
		if e, err = slice.Lift(n, e); err == nil {
			err = explain.Replay(n, petri.One, explain.Runs{}, e)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v: %+v\n%+v", f.CTL(), err, e, n)
	}
	return g, holds
}
