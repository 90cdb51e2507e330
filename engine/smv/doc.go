// Package smv writes nets and formulas in the language of NuSMV (R. Cavada and others, NuSMV 2.6 User Manual, chapter 2), so that another
// model checker can decide what redline has decided.
//
// # The model
//
// A state is a marking: each place is a Boolean variable. What fires is the input variable step, one value for each transition; a constraint
// TRANS says of each value when it may be taken, and ASSIGN what becomes of each place. So each firing is one arc of NuSMV's
// transition relation, and each arc one firing, but for what follows.
//
// NuSMV wants every state to have a successor (section 2.3.7), and redline's paths are maximal: they are infinite or end in a dead end. So there is
// one more value, stay, which may be taken where dead holds: where no transition can fire. It leads back to the same state.
//
// # Why verdicts are the same
//
// Let M be redline's state model, and M' NuSMV's: M with a loop at each dead end. Infinite paths of M' are the maximal paths of M, those that end in a dead end
// continued by repeating it for ever. By induction on a formula f and its translation f', M, s |= f if and only if M', s |= f':
//
//   - A place is its variable, and Boolean operators are themselves.
//   - EX p: where s is no dead end, its successors in M and M' are the same. In a dead end EX p is false; so it becomes !dead & EX p'. AX p is true there, and
//     becomes dead | AX p'.
//   - p U q on a maximal path depends only on the first state with q and on those before it. If a path ends, repeating its last state adds neither a first state with q
//     nor one before it without p. So EU, AU, EF, AF, EG and AG are themselves: at a dead end AF p holds where p does, and EG p where p does.
//   - NuSMV has no W. p W q fails on a path if and only if some state has neither p nor q, and none up to it has q. So A[p W q] becomes
//     !E[!q U !p & !q]; and E[p W q], which is E[p U q] or EG p, becomes E[p U q | EG p]: the latter is a path with p up to a state from which
//     a path has p for ever, which together are a path with p for ever.
//
// Under an assumption of progress a path counts if each party assumed to act, from some point on always able to, acts again and again. It is FAIRNESS of
// acted | !able: acted is a variable that remembers whether the step before was an act. It splits states, but M' with it and M' without are bisimilar in
// all that formulas name. Steps that stay in a dead end are fair, since there nobody is able. Every finite path goes on to a fair one, so EX and EU mean the
// same on fair paths (E. Clarke, O. Grumberg, D. Peled, 1999, Model Checking, section 6.3). FAIRNESS is one for all specifications of a file: so
// formulas with different assumptions are written in different files.
//
// That the net is one-safe is a specification, too: one-safe. Where it fails, the variables of a place hold one token of two, and no other
// specification says anything about the net.
package smv
