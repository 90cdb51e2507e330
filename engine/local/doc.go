// Package local decides formulas of CTL in the initial state of a net on the fly: it goes to no more states than the answer needs, as far
// as it can tell which these are. It is for answers that lie near, in state models of any size.
//
// A formula is asked in a state, and its parts in the states that this leads to. A least fixpoint is searched for breadth first and best
// first by turns, a greatest one depth first. What is found out is kept, by formula and state. Each search may visit so many states; beyond
// that the part is open, the third value of Kleene's logic, and others may settle the whole; if none does, another round may visit more. So
// no part that is far away hides one that is near.
//
// Formulas are written with few operators, so that there are two searches only: for E[p U q] and E[p W q]. Stubborn sets leave out
// transitions whose order makes no difference (A. Valmari 1991), and a distance to the goal says where to look first. What a search finds
// is kept as a path or a lasso, the run that is shown.
package local
