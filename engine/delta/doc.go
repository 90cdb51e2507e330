// Package delta compares the behaviour of two labelled transition systems: same, more, less, both, or otherwise.
//
// Both systems are joined and reduced by bisimulation, strong or branching. For each observer, what it cannot tell apart becomes one label. Then
// words that only one side has are searched through sets of states of the other side, and states after the same words whose choices differ.
//
// Sources:
//
//   - R. van Glabbeek, W. Weijland (1996), Branching time and abstraction in bisimulation semantics; R. van Glabbeek, B. Luttik,
//     N. Trčka (2009), Branching bisimilarity with explicit divergence; R. De Nicola, F. Vaandrager (1995), Three logics for branching
//     bisimulation. What is the same where something is silent, and which formulas it preserves: Compare.
//   - J. Jacobs, T. Wißmann (2023), Fast coalgebraic bisimilarity minimization; S. Blom, S. Orzan (2005), Distributed branching bisimulation
//     reduction of state spaces; A. Valmari, P. Lehtinen (2008), Efficient minimization of DFAs with partial transition
//     functions: refinement of blocks.
//   - R. Tarjan (1972), Depth-first search and linear graph algorithms: silent cycles.
//   - M. De Wulf, L. Doyen, T. Henzinger, J.-F. Raskin (2006), Antichains: a new algorithm for checking universality of finite automata:
//     the search for words.
//
// It knows nothing of contracts, budgets in the user's words, or reports.
package delta
