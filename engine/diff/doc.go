// Package diff compares the elements of two contracts: what was added, removed, renamed or rewired, and in which attributes.
//
// An inventory reads back from a compiled contract what its drafter wrote. Elements of both sides are paired by name first, then by structure: colour
// refinement on both contracts at once (B. Weisfeiler, A. Lehman (1968), A reduction of a graph to a canonical form and an algebra arising
// during this reduction). Names of one side are then written as those of the other, also inside formulas, so that a renamed element is one change.
package diff
