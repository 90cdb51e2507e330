package space_test

import (
	"context"
	"errors"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"pgregory.net/rapid"
)

func TestReachCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		want := naively(n, petri.One)
		x, err := space.Reach(context.Background(), n, space.Limits{})
		if errors.Is(err, space.ErrNotSymbolic) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if transition, _, err := x.Contact(context.Background()); err != nil || (transition >= 0) != (want.contact != nil) {
			t.Fatalf("contact of transition %d, %v; expected %v", transition, err, want.contact)
		}
		if want.contact != nil {
			return
		}
		if x.Count().Int64() != int64(len(want.marks)) {
			t.Fatalf("%v markings, expected %d: %+v", x.Count(), len(want.marks), n)
		}
	})
}

func TestSymbolicFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		g, err := space.Explore(context.Background(), n, petri.One, space.Limits{})
		if err != nil {
			return
		}
		x, err := space.Reach(context.Background(), n, space.Limits{})
		if err != nil {
			return
		}
		explicit, symbolic := ctl.New[space.Set](g.Sets()), ctl.New[dd.Node](x.Sets(context.Background()))
		for range 5 {
			f := anyFormula(t, len(n.Places), 4)
			a, err := explicit.Sat(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			b, err := symbolic.Sat(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			if x.CountOf(b).Int64() != int64(a.Len()) {
				t.Fatalf("%s: %v states, expected %d, %+v", f.CTL(), x.CountOf(b), a.Len(), n)
			}
		}
	})
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
