package draw

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/finding"
)

// TestLifelinesCrossLeast: no order of the parties has fewer crossings, counted anew, and an order that is as good as any stays.
func TestLifelinesCrossLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []string{"a", "b", "c", "d", "e"}[:rapid.IntRange(1, 5).Draw(t, "parties")]
		var run []finding.Firing
		for range rapid.IntRange(0, 8).Draw(t, "firings") {
			run = append(run, finding.Firing{Parties: rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, min(3, len(all)), rapid.ID[string]).Draw(t, "who"), Event: "x"})
		}
		for i := range run {
			if len(run[i].Parties) == 0 {
				run[i] = finding.Firing{Event: "tick", Parties: all[:1]}
			}
		}
		got := uncrossed(all, run)
		if sorted := slices.Sorted(slices.Values(got)); !slices.Equal(sorted, all) {
			t.Fatalf("%v of %v", got, all)
		}
		fewest := crossed(got, run)
		if !slices.Equal(got, all) && crossed(all, run) == fewest {
			t.Fatalf("%v, where %v is as good", got, all)
		}
		for _, order := range orders(all) {
			if n := crossed(order, run); n < fewest {
				t.Fatalf("%v crosses %d, and %v only %d", got, fewest, order, n)
			}
		}
	})
}

// crossed counts crossings lifeline by lifeline: a message crosses one that is not its own and has some of its own on both sides.
func crossed(order []string, run []finding.Firing) int {
	n := 0
	for _, f := range run {
		for i, p := range order {
			own := func(q string) bool { return slices.Contains(f.Parties, q) }
			if !own(p) && slices.ContainsFunc(order[:i], own) && slices.ContainsFunc(order[i:], own) {
				n++
			}
		}
	}
	return n
}

// orders returns all orders of a list.
func orders(all []string) [][]string {
	if len(all) == 0 {
		return [][]string{nil}
	}
	var list [][]string
	for _, rest := range orders(all[1:]) {
		for i := range len(rest) + 1 {
			list = append(list, slices.Insert(slices.Clone(rest), i, all[0]))
		}
	}
	return list
}
