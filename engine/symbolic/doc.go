// Package symbolic builds the state model of a one-safe net as decision diagrams, and the algebra of sets of states over them. It answers what
// package space answers, for models that are too large to list.
//
// Places of which exactly one is marked share one variable. The reachable markings are computed by saturation, one transition at a time (G.
// Ciardo, G. Lüttgen, R. Siminiceanu, 2001, Saturation: an efficient iteration strategy for symbolic state-space generation). The
// moves of one transition are one relation, however many ways they can go.
package symbolic
