// Package ways decides whether a formula is violated in a way that another state model does not have.
//
// A way is a run of one model, called head, up to where it violates the formula; if something has to come and does not, the way is the
// whole run. The other model, called base, follows the run. It has to take each step that it has too; all other steps are hidden from it.
// The way is base's if base takes all these steps up to where it can no longer keep the formula itself. Otherwise the way is new.
//
// Both models are followed in one graph of pairs of states. The formula is evaluated on it from the outside in, as a claim that its path
// operators make about all runs: A[left U right], A[left W right] and AX, with EF, EG, EU, EW and EX where they are negated. For a pair,
// and a claim that head's state violates:
//
//   - If base can no longer keep the claim, the way is base's. (No run of base from there keeps it: read every A of the claim as E.)
//   - If base did not follow, the way is new.
//   - If base has no such operand of && or ||, it cannot lose what the claim keeps: every way is new, even by steps that are apart (below).
//   - A claim that no run shows, or that one state shows (no path operator, EF and EG), has a new way if it is true in base's state.
//   - c && d has the new ways of either. c || d has one if both are violated, one of them in a new way.
//   - AX c has one if a step leads to a state that violates c, and the step is hidden from base or the way of c after it is new.
//   - A[c W d] has one if a run without d leads to a state that violates c and d, c in a new way; or to a state that violates the claim after base
//     came to d, or did not follow.
//   - A[c U d] has the same ways, and those of runs without d that end, or go on for ever while base does not move any more. On runs on which parties
//     make progress, base also does not follow if it would have to wait against the same assumption.
//
// Where runs may stop for good (a promise that rests on somebody), stopping is a last step that both take: a run of head that stops is new where base may not
// stop, and base follows hidden steps for ever by stopping.
//
// Steps of nets that only head has, and that share no step with others, are apart. They are hidden, and a run that from some point on takes
// only such steps is no way, unless head allows nothing else there: the rest of the contract does not end on it, it is left waiting. So
// what is added beside a contract adds no way.
//
// Of the wanted ways, NewViolation returns one that has no other within it: no other way takes only some of its steps, in their order.
//
// The right part d of A[c U d] or A[c W d] is not analysed further: it is true in a state or not.
package ways
