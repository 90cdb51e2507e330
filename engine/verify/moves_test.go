package verify

import (
	"testing"

	"github.com/redlinehq/redline/engine/petri"
)

// TestMovesOf: moves and their conditions are counted, since diagrams go through each of them for every order of variables.
func TestMovesOf(t *testing.T) {
	n := &petri.Net{Transitions: []petri.Transition{{In: []int{0}}, {Moves: []petri.Move{{From: 0, To: 1}, {If: []int{3, 4}, From: 1, To: 2}}}, {Moves: []petri.Move{{If: []int{3}}}}}}
	if got := movesOf(n); got != 6 {
		t.Errorf("%d, expected 6", got)
	}
}
