// Package local decides formulas of CTL in the initial state of a net on the fly. It visits only states that the answer needs, as far as it
// can know these in advance. It is for answers that lie near the initial state, in state models of any size.
//
// To evaluate a formula in a state, it evaluates the parts in the states that this leads to. A least fixpoint is searched alternately breadth
// first and best first, a greatest one depth first. Values are stored by formula and state. Each search may visit a bounded number of states.
// Beyond that the part is open, the third value of Kleene's logic. Other parts may decide the whole; if none does, another round may visit
// more. So a distant part does not hide a near one.
//
// Formulas are written with few operators, so that there are only two searches: for E[p U q] and E[p W q]. Stubborn sets omit transitions
// whose order makes no difference (A. Valmari 1991), and a distance to the goal directs the search. The result of a search is kept as a path
// or a lasso, the run that is shown.
package local
