package symbolic_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// machines is a net of parties that are in one state each, whose places are in any order and whose events happen together.
func machines(t *rapid.T) *petri.Net {
	n := &petri.Net{Name: "machines"}
	size := make([]int, rapid.IntRange(1, 4).Draw(t, "parties"))
	var first []int
	for i := range size {
		size[i] = rapid.IntRange(1, 5).Draw(t, "states")
		first = append(first, len(n.Places))
		n.Initial = append(n.Initial, len(n.Places))
		n.Places = append(n.Places, make([]petri.Place, size[i])...)
	}
	shuffled := rapid.Permutation(slices.Collect(seq2(len(n.Places)))).Draw(t, "order")
	at := func(i, state int) int { return shuffled[first[i]+state] }
	for i := range n.Initial {
		n.Initial[i] = shuffled[n.Initial[i]]
	}
	slices.Sort(n.Initial)
	for range rapid.IntRange(1, 12).Draw(t, "transitions") {
		tr := petri.Transition{Event: -1}
		for i := range size {
			from, to := rapid.IntRange(0, size[i]-1).Draw(t, "from"), rapid.IntRange(0, size[i]-1).Draw(t, "to")
			switch {
			case rapid.IntRange(0, 2).Draw(t, "part") > 0:
			case from == to:
				tr.Read = append(tr.Read, at(i, from))
			default:
				tr.In, tr.Out = append(tr.In, at(i, from)), append(tr.Out, at(i, to))
			}
		}
		for _, list := range [][]int{tr.In, tr.Out, tr.Read} {
			slices.Sort(list)
		}
		n.Transitions = append(n.Transitions, tr)
	}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	return n
}

func seq2(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// TestVariables: they part the places; of one found as part of a component, one place at most is marked in any reachable marking, up
// to contact, and one is unless none may be.
func TestVariables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := testnets.AnyNet(t)
		if rapid.Bool().Draw(t, "of machines") {
			n = machines(t)
		}
		var all []int
		marks := testnets.Naively(n, petri.One).Marks
		for _, v := range symbolic.Variables(n) {
			all = append(all, v.Places...)
			if v.Alone && (len(v.Places) != 1 || !v.None) {
				t.Fatalf("a variable of no component is %+v", v)
			}
			for _, m := range marks {
				marked := 0
				for _, p := range v.Places {
					if m.Has(p) {
						marked++
					}
				}
				if marked > 1 || marked == 0 && !v.None {
					t.Fatalf("of %+v %d are marked in %v; %+v", v, marked, m, n)
				}
			}
		}
		if slices.Sort(all); !slices.Equal(all, slices.Collect(seq2(len(n.Places)))) {
			t.Fatalf("the variables have the places %v of %d", all, len(n.Places))
		}
	})
}

// TestMachinesAreFound: where every place is a party's, none that is ever marked is left alone.
func TestMachinesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := machines(t)
		marks := testnets.Naively(n, petri.One).Marks
		for _, v := range symbolic.Variables(n) {
			ever := func(m petri.Marking) bool { return m.Has(v.Places[0]) }
			if v.Alone && slices.ContainsFunc(marks, ever) {
				t.Fatalf("%v is left alone in %+v", v.Places, n)
			}
		}
	})
}

// TestOrders: candidates are permutations; and in any order the answers are the same.
func TestOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		variables := rapid.IntRange(1, 8).Draw(t, "variables")
		touched := rapid.SliceOf(rapid.SliceOfNDistinct(rapid.IntRange(0, variables-1), 0, variables, rapid.ID[int])).Draw(t, "touched")
		orders, err := symbolic.Orders(context.Background(), variables, touched)
		if err != nil {
			t.Fatal(err)
		}
		for i, order := range orders {
			if !slices.Equal(slices.Sorted(slices.Values(order)), slices.Collect(seq2(variables))) {
				t.Fatalf("candidate %d is %v", i, order)
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		n := testnets.AnyNet(t)
		x, err := symbolic.Reach(context.Background(), n, space.Limits{})
		y, err2 := symbolic.ReachIn(context.Background(), n, func(variables int) []int {
			return rapid.Permutation(slices.Collect(seq2(variables))).Draw(t, "order")
		})
		if err != nil || err2 != nil || x.Count().Cmp(y.Count()) != 0 {
			t.Fatalf("%v states or %v, %v, %v", x.Count(), y.Count(), err, err2)
		}
		f := anyFormula(t, len(n.Places), 3)
		if count(t, x, f) != count(t, y, f) {
			t.Fatalf("%s holds in as many states as the order has it", f.CTL())
		}
	})
}

func count(t *rapid.T, x *symbolic.Model, f *ctl.Formula) int64 {
	set, err := ctl.New[dd.Node](x.Sets(context.Background())).Sat(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return x.CountOf(set).Int64()
}
