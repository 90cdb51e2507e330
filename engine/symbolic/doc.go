// Package symbolic builds the state model of a one-safe net as decision diagrams, and the algebra of sets of states over them. It answers what
// package space answers, for models that are too large to list.
//
// Places of which exactly one is marked share one variable. The reachable markings are computed by saturation, one transition at a time (G.
// Ciardo, G. Lüttgen, R. Siminiceanu, 2001, Saturation: an efficient iteration strategy for symbolic state-space generation). A net with moves
// that go too many ways, or from one variable to another, is refused with ErrNotSymbolic.
package symbolic
