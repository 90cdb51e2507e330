// Package verify decides what a contract requires and what is checked of every contract, and shows a run for each violation. The checks
// are written once, over the questions that they ask of a state model; states one by one and decision diagrams each answer them.
// A portfolio of methods answers first what needs no complete state model. What no method decides within its limits is unknown.
package verify
