package space_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	plain "github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"pgregory.net/rapid"
)

// nets is how many random nets TestManyNets looks at for each of rapid's checks, of which there are a hundred.
const nets = 200

// TestManyNets: plainly by the definitions, one by one and by diagrams there are the same contacts, states and dead ends, and the same
// formulas hold in them, however deep they nest.
func TestManyNets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range nets {
			n := anyNet(t)
			want := naively(n, petri.One)
			g, err := space.Explore(context.Background(), n, petri.One, space.Limits{})
			var contact *space.ContactError
			if errors.As(err, &contact) != (want.contact != nil) || err != nil && contact == nil {
				t.Fatalf("%v, expected contact %v", err, want.contact)
			}
			x, err := space.Reach(context.Background(), n, space.Limits{})
			if err != nil && !errors.Is(err, space.ErrNotSymbolic) {
				t.Fatal(err)
			}
			if contact == nil {
				sameAsNaive(t, n, want, g)
			}
			if x != nil {
				sameByDiagrams(t, n, want, x)
			}
		}
	})
}

// sameAsNaive compares states one by one, and leaves in want the states that a formula holds in.
func sameAsNaive(t *rapid.T, n *petri.Net, want *naive, g *space.Graph) {
	if g.Len() != len(want.marks) {
		t.Fatalf("%d states, expected %d", g.Len(), len(want.marks))
	}
	want.asked = anyFormula(t, len(n.Places), rapid.IntRange(1, 7).Draw(t, "depth"))
	want.holds = plain.Sat(plain.Graph{Succ: want.succ, Holds: func(s, place int) bool { return want.marks[s].Has(place) }}, want.asked)
	sat, err := ctl.New(g.Sets()).Sat(context.Background(), want.asked)
	if err != nil || !slices.Equal(sat, set(want.holds)) {
		t.Fatalf("%s holds in %b, expected %v, %v; %+v", want.asked.CTL(), sat, want.holds, err, n)
	}
}

func sameByDiagrams(t *rapid.T, n *petri.Net, want *naive, x *space.Symbolic) {
	if transition, _, err := x.Contact(context.Background()); err != nil || (transition >= 0) != (want.contact != nil) {
		t.Fatalf("contact of transition %d, %v; expected %v", transition, err, want.contact)
	}
	if want.contact != nil {
		return
	}
	dead := 0
	for _, succ := range want.succ {
		if len(succ) == 0 {
			dead++
		}
	}
	s := x.Sets(context.Background())
	if x.Count().Int64() != int64(len(want.marks)) || x.CountOf(s.Dead()).Int64() != int64(dead) {
		t.Fatalf("%v states, %v dead, expected %d and %d: %+v", x.Count(), x.CountOf(s.Dead()), len(want.marks), dead, n)
	}
	sat, err := ctl.New[dd.Node](s).Sat(context.Background(), want.asked)
	if err != nil {
		t.Fatal(err)
	}
	for left := sat; left != dd.Empty; {
		one, m := s.Pick(left)
		left = s.Minus(left, one)
		if at := slices.IndexFunc(want.marks, func(k petri.Marking) bool { return slices.Equal(k, m) }); at < 0 || !want.holds[at] {
			t.Fatalf("%s holds in %v, and should not; %+v", want.asked.CTL(), m, n)
		}
	}
	holds := len(slices.DeleteFunc(slices.Clone(want.holds), func(h bool) bool { return !h }))
	if x.CountOf(sat).Int64() != int64(holds) {
		t.Fatalf("%s holds in %v states, expected %d; %+v", want.asked.CTL(), x.CountOf(sat), holds, n)
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
