package symbolic_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/internal/draws"
	plain "github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// TestManyNets: plainly by the definitions, one by one and by diagrams there are the same contacts, states and dead ends, and the same
// formulas hold in them, however deep they nest.
func TestManyNets(t *testing.T) {
	nets := 100 // for each of rapid's checks, of which there are a hundred
	if draws.All() {
		nets = 200
	}
	rapid.Check(t, func(t *rapid.T) {
		for range nets {
			n := testnets.AnyNet(t)
			want := testnets.Naively(n, petri.One)
			g, err := space.Explore(context.Background(), n, petri.One, space.Limits{})
			var contact *space.ContactError
			if errors.As(err, &contact) != (want.Contact != nil) || err != nil && contact == nil {
				t.Fatalf("%v, expected contact %v", err, want.Contact)
			}
			x, err := symbolic.Reach(context.Background(), n, space.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if contact == nil {
				sameAsNaive(t, n, want, g)
			}
			sameByDiagrams(t, n, want, x)
		}
	})
}

// sameAsNaive compares states one by one, and leaves in want the states that a formula holds in.
func sameAsNaive(t *rapid.T, n *petri.Net, want *testnets.Naive, g *space.Graph) {
	if g.Len() != len(want.Marks) {
		t.Fatalf("%d states, expected %d", g.Len(), len(want.Marks))
	}
	want.Asked = anyFormula(t, len(n.Places), rapid.IntRange(1, 7).Draw(t, "depth"))
	want.Holds = plain.Sat(plain.Graph{Succ: want.Succ, Holds: func(s, place int) bool { return want.Marks[s].Has(place) }}, want.Asked)
	sat, err := ctl.New(g.Sets()).Sat(context.Background(), want.Asked)
	if err != nil || !slices.Equal(sat, testnets.Set(want.Holds)) {
		t.Fatalf("%s holds in %b, expected %v, %v; %+v", want.Asked.CTL(), sat, want.Holds, err, n)
	}
}

func sameByDiagrams(t *rapid.T, n *petri.Net, want *testnets.Naive, x *symbolic.Model) {
	transition, in, err := x.Contact(context.Background())
	if err != nil || (transition >= 0) != (want.Contact != nil) {
		t.Fatalf("contact of transition %d, %v; expected %v", transition, err, want.Contact)
	}
	if want.Contact != nil {
		shortestContact(t, n, want, x, transition, in)
		return
	}
	dead := 0
	for _, succ := range want.Succ {
		if len(succ) == 0 {
			dead++
		}
	}
	s := x.Sets(context.Background())
	if x.Count().Int64() != int64(len(want.Marks)) || x.CountOf(s.Dead()).Int64() != int64(dead) {
		t.Fatalf("%v states, %v dead, expected %d and %d: %+v", x.Count(), x.CountOf(s.Dead()), len(want.Marks), dead, n)
	}
	sat, err := ctl.New[dd.Node](s).Sat(context.Background(), want.Asked)
	if err != nil {
		t.Fatal(err)
	}
	for left := sat; left != dd.Empty; {
		one, m := s.Pick(left)
		left = s.Minus(left, one)
		if at := slices.IndexFunc(want.Marks, func(k petri.Marking) bool { return slices.Equal(k, m) }); at < 0 || !want.Holds[at] {
			t.Fatalf("%s holds in %v, and should not; %+v", want.Asked.CTL(), m, n)
		}
	}
	holds := len(slices.DeleteFunc(slices.Clone(want.Holds), func(h bool) bool { return !h }))
	if x.CountOf(sat).Int64() != int64(holds) {
		t.Fatalf("%s holds in %v states, expected %d; %+v", want.Asked.CTL(), x.CountOf(sat), holds, n)
	}
}

// TestRunsAgree: what shows a value is the same run on listed states and on diagrams, of all that are as short the first by the order of transitions.
func TestRunsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := testnets.AnyNet(t)
		g, err := space.Explore(context.Background(), n, petri.One, space.Limits{})
		if err != nil {
			t.Skip(err)
		}
		x, err := symbolic.Reach(context.Background(), n, space.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f := anyFormula(t, len(n.Places), rapid.IntRange(1, 4).Draw(t, "depth"))
		listed, err := ctl.New(g.Sets()).Explain(context.Background(), f, g.Between)
		if err != nil {
			t.Fatal(err)
		}
		step := func(from, to petri.Marking) []int { return []int{n.MustFindTransition(from, to)} }
		drawn, err := ctl.New(x.Sets(context.Background())).Explain(context.Background(), f, step)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(listed, drawn) {
			t.Fatalf("%s: %v on listed states, %v on diagrams; %+v", f.CTL(), listed, drawn, n)
		}
	})
}

// shortestContact checks that the run to a contact can be fired up to its last step.
func shortestContact(t *rapid.T, n *petri.Net, want *testnets.Naive, x *symbolic.Model, transition int, in dd.Node) {
	markings, steps, err := x.Sets(context.Background()).RunTo(context.Background(), in)
	if err != nil || !slices.Equal(markings[0], n.Initial) || len(steps) < len(want.Contact)-1 {
		t.Fatalf("contact after %v, %v; %d steps expected", steps, err, len(want.Contact)-1)
	}
	for i, step := range steps {
		if after, place := n.Fire(markings[i], step); !n.IsStep(markings[i], petri.One, step) || place >= 0 || !slices.Equal(after, markings[i+1]) {
			t.Fatalf("%v does not lead from %v to %v", step, markings[i], markings[i+1])
		}
	}
	last := markings[len(markings)-1]
	if _, place := n.Fire(last, []int{transition}); place < 0 || !n.IsStep(last, petri.One, []int{transition}) {
		t.Fatalf("%d makes no contact in %v", transition, last)
	}
}

func anyFormula(t *rapid.T, places, depth int) *ctl.Formula {
	ops := []ctl.Op{ctl.Atom}
	if depth > 0 {
		ops = []ctl.Op{ctl.Atom, ctl.Not, ctl.And, ctl.Or, ctl.EX, ctl.AX, ctl.EF, ctl.AF, ctl.EG, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW}
	}
	f := &ctl.Formula{Op: rapid.SampledFrom(ops).Draw(t, "op")}
	switch f.Op {
	case ctl.Atom:
		f.Place = rapid.IntRange(0, places-1).Draw(t, "place")
		f.Name = "p"
	case ctl.And, ctl.Or, ctl.EU, ctl.AU, ctl.EW, ctl.AW:
		f.Left, f.Right = anyFormula(t, places, depth-1), anyFormula(t, places, depth-1)
	default:
		f.Left = anyFormula(t, places, depth-1)
	}
	return f
}
