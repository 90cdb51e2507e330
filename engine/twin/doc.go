// Package twin compares two large nets exactly, on decision diagrams, without going through their states one by one: what can
// be observed of them, and which markings they reach.
//
//	New           two nets over variables, which of these correspond (align.go), contacts ruled out (states.go)
//	Compare       how the behaviour of head stands to that of base, for one observer
//	States        which markings, as far as both nets have the places, one of them reaches alone
//
// The story of a comparison, file by file:
//
//	acts.go       what an observer sees of each side
//	product.go    the pairs of states that both sides can be in after the same has been observed
//	enabled.go    what either side can do in them
//	compare.go    what follows for the relation; when nothing follows, match.go and unknown
//	words.go      the shortest sequences that the other side refuses
//	lift.go       a sequence as a run of its own side
//
// What is proved, and from what. Let W be the pairs of states, one a side, that can be reached while the same is
// observed. If in each pair both sides can do the same next, hidden steps being free, and the same of them can go on hidden for ever, then
// W is a branching bisimulation with explicit divergence: the sides are the same. If a side is determinate (R. Milner 1989,
// Communication and Concurrency, chapter 11; J. Engelfriet 1985, Determinacy -> (observation equivalence = trace equivalence)), that is, if all states it
// can be in after the same was observed can do the same next, then what one of them can't do, it refuses; so a pair of W in which
// sides that are determinate can do different things is a difference, and none can hide. Where a side is not determinate, a smaller
// relation than W may still be a bisimulation, or a simulation (match.go). Everything else is unknown.
package twin
