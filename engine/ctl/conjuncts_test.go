package ctl_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

// TestConjunctionsAgreeWithNaive: however many operands there are, of whatever kind, and however they nest.
func TestConjunctionsAgreeWithNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphs(8).Draw(t, "graph")
		f := conjunction(t, len(g.marked), rapid.IntRange(1, 8).Draw(t, "operands"))
		if rapid.Bool().Draw(t, "below") {
			f = &ctl.Formula{Op: ctl.EX, Left: f}
		}
		sat, err := ctl.New(g).Sat(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := bools(sat, len(g.succ)), naive.Sat(g.naive(), f); !slices.Equal(got, want) {
			t.Fatalf("%s\ngot  %v\nwant %v", f.CTL(), got, want)
		}
	})
}

func conjunction(t *rapid.T, places, n int) *ctl.Formula {
	if n > 1 {
		left := rapid.IntRange(1, n-1).Draw(t, "left")
		return &ctl.Formula{Op: ctl.And, Left: conjunction(t, places, left), Right: conjunction(t, places, n-left)}
	}
	place := rapid.IntRange(0, places-1)
	atom := &ctl.Formula{Op: ctl.Atom, Name: "p", Place: place.Draw(t, "place")}
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return &ctl.Formula{Op: ctl.EF, Left: atom}
	case 1:
		return &ctl.Formula{Op: ctl.Not, Left: atom}
	case 2, 3, 4:
		var weights []ctl.Weight
		for range 3 {
			weights = append(weights, ctl.Weight{Place: place.Draw(t, "of"), By: rapid.IntRange(-2, 2).Draw(t, "by")})
		}
		return ctl.AtMost(weights, rapid.IntRange(-3, 1).Draw(t, "most"))
	case 5:
		return &ctl.Formula{Op: ctl.Atom, Name: "m", Means: conjunction(t, places, 2)}
	}
	return atom
}
