package compile_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// TestMovesSomething: the formula for what moves something holds in the markings in which package petri fires a transition that must.
func TestMovesSomething(t *testing.T) {
	const places = 5
	moving := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.IntRange(0, places-1)
		tr := petri.Transition{Moving: true}
		for range rapid.IntRange(0, 6).Draw(t, "moves") {
			tr.Moves = append(tr.Moves, petri.Move{If: rapid.SliceOfN(place, 0, 2).Draw(t, "if"), From: place.Draw(t, "from"), To: place.Draw(t, "to")})
		}
		slices.SortStableFunc(tr.Moves, func(a, b petri.Move) int { return a.From - b.From })
		d := &compile.Draft{Net: &petri.Net{Places: make([]petri.Place, places), Transitions: []petri.Transition{tr}}}
		f := d.Moves(&tr)
		for set := range 1 << places {
			var m petri.Marking
			for p := range places {
				if set>>p&1 == 1 {
					m = append(m, p)
				}
			}
			want := d.Net.Fireable(m, 0)
			if testkit.Value(f, m) != want {
				t.Fatalf("in %v of %+v: %t, %s", m, tr.Moves, want, f.CTL())
			}
			moving[want]++
		}
	})
	if moving[true] < 100 || moving[false] < 100 {
		t.Errorf("%v", moving)
	}
}
