// Package ways decides whether a violated formula is violated in a way that another state model does not have.
//
// A way is a run of one model, called head, up to where the formula is violated on it; of what has to come, and does not, all of the run.
// The other model, called base, follows the run: a step that base has, too, it has to take, any other step is hidden from it. The way is base's if
// base takes every such step up to where it can no longer keep the formula itself; otherwise it is new.
//
// Both go through one graph of pairs of states. On it the question is asked of the formula from the outside in. A formula is read as a claim that
// its path operators make of all runs: A[left U right], A[left W right] and AX, with EF, EG, EU, EW and EX where they are negated. Of a pair and a claim
// that head's state violates:
//
//   - base can no longer keep the claim: the way is base's. (No run of base from there keeps it: read every A of the claim as E.)
//   - base did not follow: the way is new.
//   - A claim that no run shows, or one state (no path operator, EF and EG): it is new if it is true in base's state.
//   - c && d: a new way of either. c || d: both are violated, one of them in a new way.
//   - AX c: a step to a state that violates c, which is hidden from base, or after which the way of c is new.
//   - A[c W d]: a run without d to a state that violates c and d, c in a new way, or d only on head; or to a state that violates the claim after
//     base came to d, or did not follow.
//   - A[c U d]: the same; or a run without d that ends, or goes on for ever, while base does not move any more. On runs on which parties
//     make progress, base does not follow either where it would have to wait against the same assumption.
//
// Steps of nets that only head has, and that have no part in any step together with others, are apart: they are hidden, and a run that from some point
// on takes only such steps is no way, unless nothing else is possible on head. On it the rest of the contract does not end, it is left waiting.
// So what is added beside a contract adds no way.
//
// Of the ways that are asked for, one is shown that has no other within it: none that takes some of its steps only, in their order.
//
// What d of A[c U d] or A[c W d] is itself made of is not looked into: it is true in a state or not.
package ways
