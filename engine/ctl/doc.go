// Package ctl is computation tree logic over state models of one-safe nets. It decides whether a requirement holds, finds runs that show
// why, and finds the parts of a requirement that make no difference.
//
//	Formula     a tree; an atom says that a place is marked, or has a meaning that the caller sets
//	Parse       reads standard CTL, ParseTable1 the paper's notation; both print
//	Expand      replaces quantifiers by formulas for each instance of a party
//	Pattern     a requirement on paths in few words; Formula translates it
//	Algebra     sets of states: the operations that a state model must have
//	Checker     labels a state model: Sat, Holds
//	Explain     a tree of runs: Evidence
//	Vacuous     parts of a formula that make no difference: Vacuity
//
// Paths are maximal: infinite, or ending in a dead end. So in a dead end AX p holds and EX p does
// not, AF p holds where p does, and so does EG p.
//
//	Table 1   standard    in a state
//	E p       EX p        some immediate successor satisfies p
//	A p       AX p        all immediate successors do
//	F p       EF p        some reachable state does, this one included
//	G p       AG p        all of them do
//	p Eu q    E[p W q]    on some maximal path p holds until q, or for ever
//	p Au q    A[p W q]    on all maximal paths
//	p EU q    E[p U q]    on some path p holds until q, and q comes
//	p AU q    A[p U q]    on every maximal path
//
// One word can mean two things: EF is one operator of standard CTL, and E F two of Table 1, which
// is EX EF. So the caller chooses the notation.
package ctl
