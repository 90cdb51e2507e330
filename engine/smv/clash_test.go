package smv_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/smv"
)

// TestMovesThatClash: of random nets whose transitions move tokens beside what they consume, the text finds a second token where firing does.
func TestMovesThatClash(t *testing.T) {
	safe := map[bool]int{}
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
					if v.To != v.From {
						list = append(list, v)
					}
				}
			}
			lists = append(lists, list)
		}
		for i := range 3 {
			moves := rapid.SampledFrom(lists).Draw(t, "list")
			n.Transitions = append(n.Transitions, petri.Transition{Name: fmt.Sprintf("n.t%d", i), Event: -1, Moves: moves, Read: []int{place.Draw(t, "read")}, Moving: len(moves) > 0})
		}
		var b bytes.Buffer
		if err := smv.Write(&b, &smv.Model{Net: n, Rule: petri.One}); err != nil {
			t.Fatal(err)
		}
		verdicts, _, _ := rederived(t, b.String(), 1000)
		want := !clashes(n)
		if verdicts["one-safe"] != want {
			t.Fatalf("one-safe: %v, want %v\n%s", verdicts["one-safe"], want, b.String())
		}
		safe[want]++
	})
	if safe[true] < 5 || safe[false] < 5 {
		t.Errorf("drawn: %v", safe)
	}
}

// clashes reports whether some firing puts a second token on a place, by firing whatever can fire.
func clashes(n *petri.Net) bool {
	seen, next := map[string]bool{}, []petri.Marking{petri.Marking(n.Initial)}
	for len(next) > 0 {
		m := next[0]
		if next = next[1:]; seen[fmt.Sprint(m)] {
			continue
		}
		seen[fmt.Sprint(m)] = true
		for t := range n.Transitions {
			if !n.Fireable(m, t) {
				continue
			}
			after, contact := n.Fire(m, []int{t})
			if contact >= 0 {
				return true
			}
			next = append(next, after)
		}
	}
	return false
}
