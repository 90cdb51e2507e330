// Package product compares two large nets exactly, on decision diagrams, without going through their states one by one: what can
// be observed of them, and which markings they reach.
//
//	New           two nets over variables, of which corresponding ones lie side by side
//	Compare       how the behaviour of head stands to that of base, for one observer
//	States        which markings, by what they mean, one of them reaches alone; and whether both are free of contact
//
// A comparison of behaviour takes these steps. What an observer sees of each side becomes labels. The product is the set of pairs of states that both sides can be in after the same
// has been observed. In each pair it is asked what either side can do next, and from that follows the relation; where nothing follows, or something is hidden, a smaller
// relation is tried. For a difference, the shortest sequences that the other side refuses are sought and lifted to runs of their own side.
//
// To compare states, the markings of both sides are put into one forest and grouped by what they mean.
//
// What is proved, and from what. Let W be the pairs of states, one a side, that can be reached while the same is
// observed. If in each pair both sides can do the same next, hidden steps being free, and the same of them can go on hidden for ever, then
// W is a branching bisimulation with explicit divergence (R. van Glabbeek, B. Luttik, N. Trčka 2009): what one side does next, the other
// can do after hidden steps, and all pairs on the way were reached while the same was observed, so they are in W. If a side is
// determinate (R. Milner 1989, Communication and Concurrency, chapter 11; J. Engelfriet 1985, Determinacy -> (observation equivalence =
// trace equivalence)), that is, if all states it can be in after the same was observed can do the same next, then what one of them can't
// do, it refuses; so a pair of W in which it can't do what the other side can is a difference. Where a side is not determinate, a smaller
// relation than W may still be a bisimulation, or a simulation, which rules differences out. Everything else is unknown, with the reason.
package product
