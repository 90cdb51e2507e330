// Package local decides formulas of CTL in the initial state of a net on the fly: it goes to no more states than the answer
// needs, as far as it can tell which these are. It is for answers that lie near, in state models of any size.
//
// A formula is asked in a state, and its parts in the states that this leads to. A least fixpoint is searched for breadth first and best
// first by turns, a greatest one depth first. What is found out is kept, by formula and state. Each search may visit so many states;
// beyond that the part is open, the third value of Kleene's logic, and others may settle the whole; if none
// does, another round may visit more. So no part that is far away hides one that is near.
//
// Read it in this order: decide.go (what is asked), program.go (formulas in few operators), search.go (rounds), until.go and weak.go
// (the two searches), stubborn.go (fewer transitions), distance.go (where to look first), path.go and lasso.go (the run that shows it).
package local
