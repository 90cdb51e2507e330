package symbolic_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// TestEnclosedStates: the states that enclose those which are reachable have the initial one among them, and every firing without contact leads to such again;
// within a sum are those in which it is at most so much.
func TestEnclosedStates(t *testing.T) {
	draws.SkipForRaces(t)
	fewer, left := 0, 0
	for range 10 {
		rapid.Check(t, func(t *rapid.T) {
			n := testnets.AnyNet(t)
			x, err := symbolic.Enclose(context.Background(), n, space.Limits{})
			if len(n.Places) > 9 {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			all := listed(t, x)
			if len(all) < 1<<len(n.Places) {
				fewer++
			}
			in := func(m petri.Marking) bool {
				return slices.ContainsFunc(all, func(o petri.Marking) bool { return slices.Equal(o, m) })
			}
			if !in(n.Initial) {
				t.Fatalf("the initial state is not in %v", all)
			}
			for _, m := range all {
				for _, step := range n.Steps(m, petri.One) {
					if after, contact := n.Fire(m, step); contact < 0 && !in(after) {
						t.Fatalf("%v leads from %v to %v, which is outside of %v", step, m, after, all)
					}
				}
			}
			sum := ctl.AtMost([]ctl.Weight{{Place: 0, By: 1}, {Place: len(n.Places) - 1, By: -1}}, 0).Sum
			if sum == nil {
				return
			}
			y, err := x.Within(context.Background(), []*ctl.Sum{sum})
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(slices.Clone(all), func(m petri.Marking) bool { return !sum.Holds(m.Has) })
			if have := listed(t, y); len(have) != len(want) || !slices.EqualFunc(have, want, slices.Equal[petri.Marking]) {
				t.Fatalf("have %v, want %v", have, want)
			}
			left++
		})
	}
	if fewer < 100 || left < 100 {
		t.Errorf("%d nets with components, %d sums: too few to tell", fewer, left)
	}
}

// listed picks the states of a model one by one.
func listed(t *rapid.T, x *symbolic.Model) (all []petri.Marking) {
	sets := x.Sets(context.Background())
	rest := sets.All()
	for x.CountOf(rest).Sign() > 0 {
		one, m := sets.Pick(rest)
		rest, all = sets.Minus(rest, one), append(all, m)
	}
	return all
}
