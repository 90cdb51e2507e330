// Package delta says how two versions differ.
//
//	Compare     the behaviour of two labelled transition systems: same, more, less, both, or otherwise
//	Changes     the elements of two contracts: added, removed, renamed, rewired
//
// The story of a comparison of behaviour, file by file:
//
//	system.go, pair.go  what is compared, and the answer
//	compare.go          both systems joined and reduced (Join), then seen by somebody (Compare)
//	refine.go           bisimilarity, strong or branching, by signatures (signatures.go) of the states of blocks (partition.go)
//	view.go             what an observer can't tell apart, made one; collapse.go silent steps that lead around
//	search.go           words that the other side refuses, through sets of its states (sets.go)
//	choice.go           where choices differ after the same words
//	run.go              a word as a run of its own side
//	meter.go            limits
//
// And of a comparison of texts:
//
//	inventory.go        what a drafter wrote to get a contract, told back from what it was compiled to; with inventory_parties.go,
//	                    counting.go, inventory_events.go, inventory_claims.go, inventory_formulas.go
//	value.go            text in which names are names
//	pairing.go          what is one thing in both: by name; colours.go by structure
//	changes.go          added, removed, renamed, rewired; terms.go in which words; fingerprint.go
//	names.go            names of one side on the other; phrases.go in the text of formulas
//
// The theory, and where it is used:
//
//   - B. Weisfeiler, A. Lehman (1968), A reduction of a graph to a canonical form and an algebra arising during this reduction;
//     colour refinement, on both contracts at once: colours.go.
//   - R. van Glabbeek, W. Weijland (1996), Branching time and abstraction in bisimulation semantics; R. van Glabbeek, B. Luttik,
//     N. Trčka (2009), Branching bisimilarity with explicit divergence; R. De Nicola, F. Vaandrager (1995), Three logics for branching
//     bisimulation. What is the same where something is silent, and which formulas it preserves: compare.go.
//   - J. Jacobs, T. Wißmann (2023), Fast coalgebraic bisimilarity minimization; S. Blom, S. Orzan (2005), Distributed branching bisimulation
//     reduction of state spaces; A. Valmari, P. Lehtinen (2008), Efficient minimization of DFAs with partial transition
//     functions: refine.go, partition.go.
//   - R. Tarjan (1972), Depth-first search and linear graph algorithms: collapse.go.
//   - M. De Wulf, L. Doyen, T. Henzinger, J.-F. Raskin (2006), Antichains: a new algorithm for checking universality of finite automata:
//     search.go.
//
// It knows nothing of budgets in the user's words, of reports or of where the versions come from.
package delta
