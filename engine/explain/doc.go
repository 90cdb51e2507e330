// Package explain replays counterexamples and witnesses, and turns them into data for sentences: runs with the firings and changes of each
// step, the reason why a run violates a formula, and the claim of a formula in the contract's words. It shares no code with the engines
// that find runs: the replayer fires with package petri, and checks by itself what a run has to show.
package explain
