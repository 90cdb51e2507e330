package smv_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/smv"
)

// TestMovesThatClash: of random nets whose transitions move tokens beside what they consume, or let them stay, the text finds a second token where firing does, and
// where there is none, a dead end.
func TestMovesThatClash(t *testing.T) {
	safe, ending := map[bool]int{}, map[bool]int{}
	ends := smv.Spec{ID: "ends", Formula: &ctl.Formula{Op: ctl.EF, Left: &ctl.Formula{Op: ctl.AX, Left: &ctl.Formula{Op: ctl.False}}}}
	rapid.Check(t, func(t *rapid.T) {
		n := &petri.Net{Name: "n"}
		for i := range 5 {
			n.Places = append(n.Places, petri.Place{Net: "n", Name: fmt.Sprintf("p%d", i)})
		}
		place := rapid.IntRange(0, 4)
		n.Initial = slices.Sorted(slices.Values(rapid.SliceOfNDistinct(place, 1, 3, rapid.ID[int]).Draw(t, "initial")))
		var lists [][]petri.Move
		for range 2 {
			var list []petri.Move
			for _, from := range slices.Sorted(slices.Values(rapid.SliceOfNDistinct(place, 1, 4, rapid.ID[int]).Draw(t, "from"))) {
				for range rapid.IntRange(1, 2).Draw(t, "moves") {
					v := petri.Move{From: from, To: place.Draw(t, "to")}
					if rapid.Bool().Draw(t, "if") {
						v.If = []int{place.Draw(t, "place")}
					}
					list = append(list, v)
				}
			}
			lists = append(lists, list)
		}
		for i := range 3 {
			moves := rapid.SampledFrom(lists).Draw(t, "list")
			n.Transitions = append(n.Transitions, petri.Transition{Name: fmt.Sprintf("n.t%d", i), Event: -1, Moves: moves, Read: []int{place.Draw(t, "read")}, Moving: len(moves) > 0 && rapid.IntRange(0, 3).Draw(t, "moving") > 0})
		}
		var b bytes.Buffer
		if err := smv.Write(&b, &smv.Model{Net: n, Rule: petri.One, Specs: []smv.Spec{ends}}); err != nil {
			t.Fatal(err)
		}
		verdicts, _, _ := rederived(t, b.String(), 1000)
		clash, end := clashes(n)
		want := !clash
		if verdicts["one-safe"] != want {
			t.Fatalf("one-safe: %v, want %v\n%s", verdicts["one-safe"], want, b.String())
		}
		if safe[want]++; clash {
			return
		}
		if verdicts["ends"] != end {
			t.Fatalf("a dead end: %v, want %v\n%s", verdicts["ends"], end, b.String())
		}
		ending[end]++
	})
	if safe[true] < 5 || safe[false] < 5 || ending[true] < 5 || ending[false] < 5 {
		t.Errorf("drawn: %v, of them ending %v", safe, ending)
	}
}

// clashes reports whether some firing puts a second token on a place, by firing whatever can fire; and if not, whether there is a dead end.
func clashes(n *petri.Net) (clash, end bool) {
	seen, next := map[string]bool{}, []petri.Marking{petri.Marking(n.Initial)}
	for len(next) > 0 {
		m := next[0]
		if next = next[1:]; seen[fmt.Sprint(m)] {
			continue
		}
		seen[fmt.Sprint(m)] = true
		dead := true
		for t := range n.Transitions {
			if !n.Fireable(m, t) {
				continue
			}
			after, contact := n.Fire(m, []int{t})
			if contact >= 0 {
				return true, false
			}
			next, dead = append(next, after), false
		}
		end = end || dead
	}
	return false, end
}
