// Package structure settles what it can of a formula by the structure of the net alone, before any state is built.
//
// The state equation says that a marking that is reached is the initial one and a sum of effects of transitions. A state predicate for
// which this has no solution, as a linear programme over the places' tokens and how often each effect happens, holds in no
// reachable marking. Nothing is believed because a programme says so: what it says comes with a certificate, which is checked in exact numbers.
//
// Read it in this order: effects.go (the state equation), tableau.go, pivot.go, sums.go (the linear programme), certificate.go
// (what is proved), reasons.go (in which markings), trap.go (what it adds), search.go and assume.go (predicates, by cases), samples.go (what need not be tried),
// simplify.go and fold.go (formulas).
package structure
