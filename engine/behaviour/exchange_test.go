package behaviour

import (
	"testing"

	"github.com/redlinehq/redline/engine/petri"
)

// TestExchanges: two parties of two states that may be exchanged, and not if either does anything that the other doesn't.
func TestExchanges(t *testing.T) {
	place, transitions := func(p int) int { return []int{2, 3, 0, 1, 4}[p] }, []int{1, 0, 2}
	for name, c := range map[string]struct {
		change func(n *petri.Net)
		want   bool
	}{
		"alike":         {func(*petri.Net) {}, true},
		"output":        {func(n *petri.Net) { n.Transitions[0].Out = []int{4} }, false},
		"input":         {func(n *petri.Net) { n.Transitions[1].In = nil }, false},
		"read":          {func(n *petri.Net) { n.Transitions[2].Read = []int{1} }, false},
		"history":       {func(n *petri.Net) { n.Transitions[1].Marks = []int{4} }, false},
		"move":          {func(n *petri.Net) { n.Transitions[2].Moves = n.Transitions[2].Moves[:1] }, false},
		"order of both": {func(n *petri.Net) { n.Transitions[2].Moves[2].If = []int{1} }, false},
		"moving":        {func(n *petri.Net) { n.Transitions[0].Moving = true }, false},
		"start":         {func(n *petri.Net) { n.Initial = []int{0, 3} }, false},
	} {
		n := &petri.Net{Places: make([]petri.Place, 5), Initial: []int{0, 2}, Transitions: []petri.Transition{
			{In: []int{0}, Out: []int{1}}, {In: []int{2}, Out: []int{3}},
			{Read: []int{4}, Moving: true, Moves: []petri.Move{{From: 1, To: 0, If: []int{2}}, {From: 3, To: 2, If: []int{0}}, {From: 4, To: 4, If: []int{0, 2}}}},
		}}
		c.change(n)
		if got := exchanges(n, place, transitions); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	n := &petri.Net{Places: make([]petri.Place, 5), Transitions: make([]petri.Transition, 3)}
	if exchanges(n, place, []int{1, 1, 2}) || exchanges(n, func(int) int { return 0 }, transitions) {
		t.Error("what is no permutation is no exchange")
	}
}
