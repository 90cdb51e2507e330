// Package space is the explicit state model: the graph of the markings that a one-safe net
// reaches, with its arcs both ways, and the algebra of its sets of states.
//
// Read it in this order: limits.go (what may run out), rows.go and index.go (how markings are
// kept and found again), firing.go and steps.go (what fires), explore.go (the graph is built),
// graph.go (what it tells), contact.go (why there is none), reverse.go and sets.go (looking
// along its arcs).
//
// States are numbered breadth first from the initial one, which is 0; the successors of a state
// come in the lexicographic order of the transitions fired. The numbering depends on nothing
// but the net and the rule.
package space
