package ctl

import "github.com/redlinehq/redline/engine/petri"

// Evidence explains why Formula has the value Holds in the first marking of its run: it is a witness if Holds, otherwise a counterexample.
// Nested formulas give a tree.
type Evidence struct {
	Formula *Formula
	Holds   bool
	Run     Run
	Next    []Because
}

// Because is the evidence for a subformula in one marking of the run above it: the last one, or the one where its loop begins.
type Because struct {
	At int // index into Run.Markings
	*Evidence
}

// A Run is a path through the state model: Markings[i] -Steps[i]-> Markings[i+1]. A run of one marking and no steps is evidence about that
// marking alone.
type Run struct {
	Markings []petri.Marking
	Steps    [][]int // transitions of the composed net fired together; one under petri.One
	Loop     int     // the last step leads back to Markings[Loop]; -1: no loop
	Dead     bool    // the run ends in a dead end, which matters for the claim
}
