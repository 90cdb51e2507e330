// Package local decides formulas of CTL in the initial state of a net on the fly: it goes to no more states than the answer
// needs, as far as it can tell which these are. It is for answers that lie near in state models of any size.
//
// Read it in this order: program.go (formulas in few operators), search.go (rounds of growing effort), until.go and weak.go (the
// two searches), stubborn.go (fewer transitions), distance.go (where to look first).
package local
