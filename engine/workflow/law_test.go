package workflow_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/workflow"
)

type method func(context.Context, *petri.Net, *workflow.Ends, space.Limits) (*workflow.Report, error)

var methods = map[string]method{"explicit": workflow.Explicit, "symbolic": workflow.Symbolic}

// TestAsNaive: both methods find what the naive check finds, as often and as near, and sound is what is sound by definition.
func TestAsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		var ends *workflow.Ends
		if e, lacks := workflow.Recognize(n); lacks == nil {
			ends = &e
			if len(n.Initial) == 0 {
				n.Initial = []int{e.Source}
			}
		}
		x := naively(n)
		for name, check := range methods {
			r, err := check(context.Background(), n, ends, space.Limits{})
			if err != nil {
				t.Fatal(name, err)
			}
			if x.contact >= 0 {
				clashes(t, n, r, x.contact)
			} else {
				agrees(t, name, n, r, x, ends)
			}
			if ends != nil {
				if sound := sound(r); sound != x.sound(ends) {
					t.Fatalf("%s: sound %t, by definition %t", name, sound, x.sound(ends))
				}
			}
		}
	})
}

func sound(r *workflow.Report) bool {
	return r.Safe && r.Surveyed && r.Completed && len(r.Findings)+len(r.Unfired) == 0
}

// clashes wants one finding: a contact, as near as can be.
func clashes(t *rapid.T, n *petri.Net, r *workflow.Report, steps int) {
	if r.Safe || r.States != nil || len(r.Findings) != 1 || r.Findings[0].Kind != workflow.Contact {
		t.Fatalf("a net with a contact: %+v", r)
	}
	f := &r.Findings[0]
	if len(f.Run.Steps) != steps+1 {
		t.Fatalf("the nearest contact is %d steps away, not %d", steps, len(f.Run.Steps)-1)
	}
	at := n.Initial
	for i, step := range f.Run.Steps {
		after, place := n.Fire(at, step)
		if !slices.Equal(at, f.Run.Markings[i]) || place >= 0 != (i == steps) || place >= 0 && place != f.Place {
			t.Fatalf("the run does not lead to a contact on %d: %+v", f.Place, f.Run)
		}
		at = after
	}
}

func agrees(t *rapid.T, name string, n *petri.Net, r *workflow.Report, x *naive, ends *workflow.Ends) {
	dead := 0
	for _, succ := range x.succ {
		if len(succ) == 0 {
			dead++
		}
	}
	have := fmt.Sprint(r.Safe, r.Surveyed, r.Completed, r.States, r.Arcs, r.DeadEnds, r.Unfired, r.Unmarked)
	want := fmt.Sprint(true, true, true, len(x.marks), x.arcs(), dead, unfired(x), x.unmarked(n))
	if have != want {
		t.Fatalf("%s: %s, naively %s", name, have, want)
	}
	var list []told
	for _, f := range r.Findings {
		list = append(list, told{f.Kind, int(f.States.Int64()), len(f.Run.Steps)})
		end := f.Run.Markings[len(f.Run.Steps)]
		s := slices.IndexFunc(x.marks, func(m petri.Marking) bool { return slices.Equal(m, end) })
		if !slices.Contains(x.kinds(s, ends), f.Kind) {
			t.Fatalf("%s: a run to %v, which is not of kind %d", name, end, f.Kind)
		}
	}
	if want := x.findings(ends); !slices.Equal(list, want) {
		t.Fatalf("%s: findings %v, naively %v", name, list, want)
	}
}

func unfired(x *naive) (list []int) {
	for i, fired := range x.fired {
		if !fired {
			list = append(list, i)
		}
	}
	return list
}

// TestRecognizeAsNaive: a net is a workflow net by definition, if an arc from its sink back to its source would connect
// all of it strongly; with several sinks, an arc from each.
func TestRecognizeAsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		ends, lacks := workflow.Recognize(n)
		edges := map[[2]string]bool{}
		for _, tr := range n.Transitions {
			for _, p := range slices.Concat(tr.In, tr.Read) {
				edges[[2]string{n.Places[p].Name, tr.Name}] = true
			}
			for _, p := range slices.Concat(tr.Out, tr.Read) {
				edges[[2]string{tr.Name, n.Places[p].Name}] = true
			}
		}
		var sources, sinks, nodes []string
		for _, p := range n.Places {
			nodes = append(nodes, p.Name)
			into, from := false, false
			for e := range edges {
				into, from = into || e[1] == p.Name, from || e[0] == p.Name
			}
			if !into {
				sources = append(sources, p.Name)
			}
			if !from {
				sinks = append(sinks, p.Name)
			}
		}
		for _, tr := range n.Transitions {
			nodes = append(nodes, tr.Name)
		}
		is := len(sources) == 1 && len(sinks) > 0
		if is {
			for _, sink := range sinks {
				edges[[2]string{sink, sources[0]}] = true
			}
			is = connected(nodes, edges) && (len(n.Initial) == 0 || slices.Equal(n.Initial, []int{slices.Index(nodes, sources[0])}))
		}
		if is != (lacks == nil) {
			t.Fatalf("a workflow net: %t, found lacking: %v", is, lacks)
		}
		if is && (n.Places[ends.Source].Name != sources[0] || len(ends.Sinks) != len(sinks)) {
			t.Fatalf("ends %v, not %v to %v", ends, sources, sinks)
		}
	})
}

// connected is the transitive closure (S. Warshall, 1962, A theorem on Boolean matrices), looked at.
func connected(nodes []string, edges map[[2]string]bool) bool {
	for _, k := range nodes {
		for _, i := range nodes {
			for _, j := range nodes {
				if edges[[2]string{i, k}] && edges[[2]string{k, j}] {
					edges[[2]string{i, j}] = true
				}
			}
		}
	}
	for _, i := range nodes {
		for _, j := range nodes {
			if i != j && !edges[[2]string{i, j}] {
				return false
			}
		}
	}
	return true
}

// TestNetsMeetEverything: the laws would mean little on nets that are all sound, or none.
func TestNetsMeetEverything(t *testing.T) {
	met := map[string]int{}
	gen := rapid.Custom(anyNet)
	for seed := range 500 {
		n := gen.Example(seed)
		ends, lacks := workflow.Recognize(n)
		for _, l := range lacks {
			met[fmt.Sprint("flaw ", l.Flaw)]++
		}
		if lacks != nil {
			continue
		}
		met[fmt.Sprint("sinks ", min(len(ends.Sinks), 2))]++
		n.Initial = []int{ends.Source}
		r, err := workflow.Explicit(context.Background(), n, &ends, space.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			met[fmt.Sprint("kind ", f.Kind)]++
		}
		met[fmt.Sprint("sound ", sound(r))]++
		if len(r.Unfired) > 0 {
			met["dead transitions"]++
		}
	}
	for _, what := range []string{"flaw 0", "flaw 1", "flaw 2", "flaw 3", "flaw 4", "sinks 1", "sinks 2", "kind 0", "kind 1", "kind 2", "kind 3",
		"sound true", "sound false", "dead transitions"} {
		if met[what] < 5 {
			t.Errorf("%s: only %d times; of all %v", what, met[what], met)
		}
	}
}
