// Package symmetry finds instances that a net cannot tell apart: exchanging their indices, as those of purchaser[0] and purchaser[3], in the
// names of all places maps the net onto itself. Names only suggest an exchange. It counts once the arcs of each transition it touches, and
// the initial marking, have been mapped and found again.
//
// An exchange is an automorphism of the graph of reachable states that keeps the initial state. So a formula and its image have the same
// value there (E. A. Emerson, A. P. Sistla 1996, Symmetry and model checking; E. Clarke, R. Enders, T. Filkorn, S. Jha 1996, Exploiting
// symmetry in temporal logic model checking), also on fair paths if the exchange maps the sets of transitions that fairness is about onto
// each other. Of what is required for each of n instances, one has to be labelled. No quotient of the states is built.
package symmetry
