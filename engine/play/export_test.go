package play

import "github.com/redlinehq/redline/engine/petri"

// StepsOf are the steps that can be chosen in a marking.
func StepsOf(n *petri.Net, r petri.Rule, m petri.Marking) [][]int {
	return findChoices(n, r, m, func(int, int) bool { return false }).steps
}
