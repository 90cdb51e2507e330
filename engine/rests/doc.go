// Package rests decides on whom a promise rests: for which sets S of members (parties, nets, time) it is kept however the others wait.
//
// A run may stop for good in any state. It is S-fair if each event (a transition without an event: itself) happens that from some point
// on is always possible, changes something, and in which only members of S take part. That is weak fairness for each event (Lehmann,
// Pnueli, Stavi 1981, "justice"); what happens is that a transition of the event changes something. More members leave fewer runs. So
// the sets for which every S-fair run keeps a promise are closed upwards, and their least elements say it all. Only promises are asked
// in which what has to come has to come on all runs, and which ask of some run only that something can be reached (see Normal).
//
// On a listed state model all sets are asked at once (Listed). A run that stays in a strongly connected component for ever, or stops
// there, can take part in as many events as the component has; so only the events that press in it (space.Pressing) make such a run
// unfair, and whose they are is a monotone function of S. The model is labelled with such functions in place of truth values (M. Chechik,
// B. Devereux, S. Easterbrook, A. Gurfinkel, 2003, Multi-valued symbolic model-checking): that is one pass for each operator that says
// what comes. On decision diagrams each member has a variable besides those of the states, which says whether it is in S and which nothing
// changes (symbolic.ReachEach); so the formula is labelled once, and the sets for which it holds at first are one diagram.
//
// Where no set will do, the same is asked of norms: for which sets of obligations and prohibitions the promise is kept on all runs that are
// fair to everybody and breach none of these. A breach is remembered, so a run breaches a norm if the component where it ends has.
package rests
