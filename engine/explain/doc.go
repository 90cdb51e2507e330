// Package explain replays what the checkers found and puts it into data that sentences can be made of: runs with the firings and
// changes of each step, why a run breaks a formula, and what a formula claims, in the contract's own words. It shares no code with what finds
// runs: the replayer fires with package petri and reads a run's obligation directly.
package explain
