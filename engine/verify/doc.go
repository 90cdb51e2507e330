// Package verify decides the requirements of a contract, runs the checks that apply to every contract, and shows a run for each violation.
// The checks are written once, over an interface to state models; explicit states and decision diagrams both implement it. A portfolio of
// methods first tries what needs no complete state model. A requirement that no method decides within its limits is unknown.
package verify
