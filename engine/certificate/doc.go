// Package certificate makes proofs of verdicts: sets of markings that a small checker can test by looking one step ahead. The code that
// finds the sets is large and need not be trusted. Package checker is small and accepts nothing that is false, whatever the source of a file.
//
// Two passes find a proof. The first labels a state model with subformulas, smallest first, and with ranks for eventualities. The
// second starts at the initial state and keeps only the needed part. Both work on explicit states and on diagrams. Without a state model,
// weighted sums of tokens that no transition raises may give a set that is small enough.
//
// # What a certificate is
//
// The claim "f holds" or "f does not hold" is in negation normal form (checker/claims.go), so its temporal parts have only the operators
// below. A certificate has a set L(c) of markings for each part c. For some operators the set is the union of rings L0, L1, ... The
// certificate states that c is true in each marking of L(c). L(c) need not have all markings in which c is true, nor all reachable ones. So
// both runs and invariants are certificates: a run to q proves E[p U q] with one marking in each ring, in the size of the run, not of the model.
//
// A Boolean combination is shown of a marking m if it is true when atoms are evaluated in m, and each temporal part c is true if m is in
// L(c). D is the part of a set, or of a ring, of which q is not shown. The conditions:
//
//	EX p      of each m in L, p is shown of some successor
//	AX p      of each m in L, p is shown of all successors
//	A[p W q]  of each m in D, p is shown, and all successors are in L
//	E[p W q]  of each m in D, p is shown, and some successor is in L, or there is none
//	E[p U q]  of each m in D of ring i, p is shown, and some successor is in ring i-1
//	A[p U q]  of each m in D of ring i, p is shown, m has a successor, and all of them are in rings before i
//	whole     the claim is shown of the initial marking
//
// Where a condition is on all successors, the checker refuses the certificate if a step would put a second token on a place. AG p is
// A[p W false], so its set is an inductive invariant. AF p is A[true U p], so its rings are a ranking that every step lowers. EF p is
// E[true U p], so its rings are a ranking that some step lowers (Z. Manna, A. Pnueli, 1995, Temporal verification of reactive systems: safety; K. Namjoshi, 2001, Certifying model
// checkers, whose proofs of the mu-calculus are the same: invariants for greatest fixpoints, ranks for least ones. That
// the sets are a winning strategy in the game of the formula is in C. Stirling, 1995, Local model checking games).
//
// # Assumptions of progress
//
// If parties are assumed to make progress, an infinite path counts only if each of them acts on it infinitely often, or infinitely often
// cannot act (space.Fair). Every finite path is the prefix of one that counts, so only operators about infinite paths differ. E[p W q] is E[p U q or round p], and
//
//	round p   p is shown of each m in L; and for each actor each m in L is a dead end or in a ring of that actor. In its ring 0 the actor can't
//	          act and some successor is in L, or some step in which it acts leads to L; in ring i some step leads to ring i-1. Rings are in L.
//	A[p U q]  a ring may be some actor's turn. Then in each m in D of ring i the actor can act; a step in which it does leads to rings
//	          before i, and any other to those or to ring i.
//
// The latter is the rule of just response (D. Lehmann, A. Pnueli, J. Stavi, 1981, Impartiality, justice and fairness: the ethics of concurrent
// termination; Manna, Pnueli, 1991, Completing the temporal picture).
//
// # Nothing false is accepted
//
// Let the conditions hold. By induction over claims, smallest first: c is true in every marking that it is shown of. For atoms and
// Boolean combinations that is so by definition, as there are no negations. Else let m be in L(c).
//
//   - EX, AX: a successor shown of p satisfies p.
//   - A[p W q]: follow any maximal path from m. As long as no marking on it satisfies q, each is in D, since what is in L and not in D is shown of q; so
//     it satisfies p, and the next is in L.
//   - E[p W q]: from a marking of D go to the successor in L, and so on. The path ends where q is shown, or in a dead end, or never; p is shown all the way.
//   - E[p U q]: likewise, but the number of the ring falls with each step, and ring 0 has no ring before it, so its D is empty: after at most i steps q is shown.
//   - A[p U q]: on every path the number of the ring falls as long as q is not shown, and the path can't end meanwhile. With actors: the number never
//     rises. If q is never shown it stays the same from some point on; then the ring is some actor's turn, who can act in every marking from there
//     on, and never does, since by that the number would fall. The path is endless and does not count.
//   - round p: from m in L go ring by ring to where the first actor acts, or can't; from there into L; then the same for the second, and so
//     on, in turns for ever, or until a dead end. All the way p is shown, and each actor has its turn again and again.
//
// The whole claim is shown of the initial marking, so it is true there. A verdict that is wrong claims something false: it has no certificate.
// The negations are pushed inwards by dualities that hold on maximal paths with dead ends (checker/claims.go), so "holds" and "violated"
// of one formula can't both have one.
//
// The trusted base: reading and composing the contract and resolving its formula (packages hclspec and engine), the net and its firing
// in the checker (checker/system.go, checker/listing.go), and the checker. Tests compare the checker with package naive, on
// certificates of true verdicts, on forged ones and on arbitrary sets.
//
// Verdicts are about contracts that put no two tokens on a place. That is the invariant AG true: a condition on all successors fails
// where a step would put a second token on a place. It has a certificate of its own, without a requirement's name, and the others rely on it.
//
// # Which verdicts have a certificate
//
// On a complete state model every true claim meets the conditions: L(c) is all states that satisfy c; rings are the states by
// their distance from q, and with progress by their strongly connected components (in a component without a dead end that no fair path stays in, some
// actor can always act, and leaves it by acting). Diagrams need no components (fair_drawn.go): the states from which fair paths continue for ever are a
// greatest fixpoint, and the ranks are built outwards from q, with the largest ring that the rule allows each actor in turn. The certificate keeps what is
// needed from the initial state on (show.go), and one successor of each state, so that an existential claim is shown by a run.
//
// Without a complete state model, the states on the run that shows a verdict are tried first (engine/verify/certify_run.go): they are enough where the
// claim is existential. Then all states, if they are few; else the structure of the net (engine/verify/certify_shape.go). Package structure proves
// with weights of places whose total no firing raises (J. Farkas, 1902) and with marked traps (F. Commoner, 1972). The markings in which those totals are
// at most the initial ones, and which mark those traps, are an inductive invariant L with a small diagram; L may have unreachable markings. If no place can
// be marked twice, no step from L makes a contact. Predicates that structure proves hold in all of L, so L is the set of AG of each of them, and of
// formulas made of those (bounded.go). Other claims are proved on L as on a state model: L has more states than are reachable, but whether a formula is
// true initially depends on the reachable ones alone, so a true claim has its sets in L. Labelling goes backwards from the states to avoid or to reach; an
// invariant is kept whole, since going forwards would compute the reachable states.
//
// A verdict has no certificate if structure does not prove it, or the diagrams on L grow too large; if transitions fire together and L itself does not
// show the claim; if it needs more than some thousand rings of large sets; and if making or checking it meets a limit. The result gives the reason.
//
// # The file
//
// Sets are zero-suppressed decision diagrams over places (S. Minato, 1993, Zero-suppressed BDDs for set manipulation in combinatorial
// problems), all in one store, so that rings share what they have in common. The checker does what it asks on these diagrams: the image of a transition
// goes place by place. Where transitions fire together it enumerates markings.
// A file is bound to the digest of the contract's meaning, the requirement's name and its canonical formula, and ends with a checksum.
package certificate
