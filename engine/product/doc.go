// Package product compares two large nets exactly, on decision diagrams, without visiting their states one by one: their observable
// behaviour, and the markings they reach.
//
//	New           prepares two nets over variables; corresponding ones lie side by side
//	Compare       returns the relation of head's behaviour to base's, for one observer
//	Lost          returns after which steps of head something can't come about any more that still can on base
//	States        returns which meanings of markings only one of them reaches, and checks that both are free of contact
//
// Compare takes these steps. The observations of each side become labels. The product is the set of pairs of states that both sides can be
// in after the same observations. For each pair it computes the labels that either side allows next, and from these the relation. If they
// decide nothing, or if something is hidden, it tries a smaller relation. For a difference, it finds the shortest sequences that the other
// side refuses, and lifts them to runs of their own side.
//
// CompareStates puts the markings of both sides into one forest and groups them by meaning.
//
// What is proved, and from what: Let W be the pairs of states, one a side, that can be reached by the same observations. If in each pair
// both sides allow the same labels next, hidden steps being free, and either both or neither can go on hidden for ever, then W is a
// branching bisimulation with explicit divergence (R. van Glabbeek, B. Luttik, N. Trčka 2009): what one side does next, the other can do
// after hidden steps, and all pairs on the way are in W, since they were reached by the same observations. A side is determinate (R. Milner
// 1989, Communication and Concurrency, chapter 11; J. Engelfriet 1985, Determinacy -> (observation equivalence = trace equivalence)) if all
// states that it can be in after the same observations allow the same labels next. It then refuses what one of them does not allow, so a
// pair of W in which it lacks a label of the other side is a difference. If a side is not determinate, a smaller relation than W may still
// be a bisimulation, or a simulation, which rules differences out. Otherwise sets of pairs are gone through, each reached by one sequence of
// observations, if these are few: what no state of a side in the set allows, it refuses. Everything else is unknown, with the reason.
package product
