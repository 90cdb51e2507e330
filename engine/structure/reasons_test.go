package structure

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
)

// inside lists all markings, reachable or not, in which all sums are at most what they may be.
func inside(n *petri.Net, sums []*ctl.Sum) (list []petri.Marking) {
	for all := range 1 << len(n.Places) {
		has := func(p int) bool { return all>>p&1 == 1 }
		if slices.ContainsFunc(sums, func(s *ctl.Sum) bool { return !s.Holds(has) }) {
			continue
		}
		m := petri.Marking{}
		for p := range n.Places {
			if has(p) {
				m = append(m, p)
			}
		}
		list = append(list, m)
	}
	return list
}

func contains(list []petri.Marking, m petri.Marking) bool {
	return slices.ContainsFunc(list, func(o petri.Marking) bool { return slices.Equal(o, m) })
}

// TestReasonsAreInductive: the markings within what proofs rest on have the initial one among them, and whatever fires in them leads to such
// again; where a net is proved one-safe, none of that is a contact; and what was simplified to true holds in each.
func TestReasonsAreInductive(t *testing.T) {
	safe, held := 0, 0
	check(t, 1, func(t *rapid.T) {
		n, rule := anyNet(t), rapid.SampledFrom([]petri.Rule{petri.One, petri.All}).Draw(t, "rule")
		x := New(n)
		x.samples = &samples{places: make([]bits, len(n.Places))}
		proved, err := x.OneSafe(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		sums := x.Reasons()
		closed(t, n, rule, inside(n, sums), proved)
		if !proved {
			return
		}
		safe++
		for range 3 {
			f := anyPredicate(t, len(n.Places), 3)
			if len(x.trapped) > 0 && rapid.Bool().Draw(t, "trap") {
				f = is1(ctl.Not, emptied(x.trapped[0]))
			}
			g, err := x.Simplify(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			all := inside(n, slices.Concat(sums, x.Reasons()))
			closed(t, n, rule, all, true)
			if g.Op != ctl.True {
				continue
			}
			held++
			graph := naive.Graph{Succ: make([][]int, len(all)), Holds: func(s, p int) bool { return all[s].Has(p) }}
			for s, m := range all {
				if len(n.Steps(m, rule)) > 0 {
					graph.Succ[s] = []int{s} // predicates ask only whether there is a successor
				}
			}
			if s := slices.Index(naive.Sat(graph, f), false); s >= 0 {
				t.Fatalf("%s was proved by %v, which %v satisfies", f.CTL(), sums, all[s])
			}
		}
	})
	if safe < 500 || held < 500 {
		t.Errorf("%d one-safe, %d hold: too few to tell", safe, held)
	}
}

// emptied is that no place of a trap is marked.
func emptied(trap []int) *ctl.Formula {
	var weights []ctl.Weight
	for _, p := range trap {
		weights = append(weights, ctl.Weight{Place: p, By: 1})
	}
	return ctl.AtMost(weights, 0)
}

func closed(t *rapid.T, n *petri.Net, rule petri.Rule, all []petri.Marking, safe bool) {
	if !contains(all, n.Initial) {
		t.Fatalf("the initial marking is not in %v", all)
	}
	for _, m := range all {
		for _, step := range n.Steps(m, rule) {
			after, place := n.Fire(m, step)
			if place >= 0 && safe {
				t.Fatalf("%v in %v makes a contact on %d", step, m, place)
			}
			if place < 0 && !contains(all, after) {
				t.Fatalf("%v leads from %v to %v, which is outside\n%+v", step, m, after, n)
			}
		}
	}
}
