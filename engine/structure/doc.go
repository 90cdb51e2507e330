// Package structure settles what it can of a formula by the structure of the net alone, before any state is built.
//
// The state equation says that a marking that is reached is the initial one and a sum of effects of transitions. A state predicate for
// which this has no solution, as a linear programme over the places' tokens and how often each effect happens, holds in no reachable
// marking. Nothing is believed because a programme says so: what it says comes with a certificate, which is checked in exact numbers.
//
// The argument has five steps. Transitions are summed up as effects on places. A linear programme over effects says that a predicate has no
// solution. Its dual solution is a certificate: weights of places whose total nothing raises. Marked traps that a solution empties are
// added as further rows, and a predicate with choices is decided case by case. What is settled simplifies the formula from its atoms up. A
// short random walk is made first: a predicate that differs between its markings needs no programme.
package structure
