// Package rests decides on whom a promise rests: for which sets S of members (parties, nets, time) it is kept even if all others wait.
//
// A run may stop for good in any state. It is S-fair if each event happens that from some point on is always possible, changes something,
// and involves only members of S. A firing by which one of those that take part breaches a norm of its own does not count, nor on ideal runs one
// that breaches any: nobody is expected to do it. A transition without an event counts as an event of its own. That is weak fairness for each event
// (Lehmann, Pnueli, Stavi 1981, "justice"). An event happens when one of its transitions changes something. A larger S admits fewer runs.
// So the sets S for which every S-fair run keeps a promise are closed upwards, and their minimal elements describe all of them. The
// question is asked only of promises in which every eventuality concerns all runs, and which require of some run only that something can be
// reached (see Normal).
//
// On a listed state model all sets are decided at once (listed). A run that stays in a strongly connected component for ever, or stops
// there, can take part in as many events as the component has. So only the events that press in it (space.Pressing) make such a run unfair,
// and the members of those events give a monotone function of S. The model is labelled with such functions in place of truth values (M.
// Chechik, B. Devereux, S. Easterbrook, A. Gurfinkel, 2003, Multi-valued symbolic model-checking). That takes one pass for each operator
// that says what comes. On decision diagrams each member has an extra variable, constant along every run, which says whether it is in S
// (symbolic.ReachEach). So the formula is labelled once, and the sets for which it holds initially are one diagram.
//
// If no set keeps the promise, the same is asked of norms: for which sets of obligations and prohibitions is the promise kept on all runs
// that are fair to every event and breach none of these norms? A breach is permanent, so a run breaches a norm if the component where it
// ends has the breach.
package rests
