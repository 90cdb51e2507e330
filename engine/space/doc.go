// Package space is the state model of a one-safe net, twice, and the algebras of its sets of states: the graph of the
// markings that it reaches, one by one, with its arcs both ways; and decision diagrams.
//
// Read it in this order: limits.go (what may run out), rows.go and index.go (how markings are
// kept and found again), firing.go and steps.go (what fires), explore.go (the graph is built),
// graph.go (what it tells), contact.go (why there is none), reverse.go and sets.go (looking
// along its arcs), components.go, fair.go and lasso.go (fair paths).
//
// Of diagrams: toil.go (what ends the preparations), one_token.go and variables.go (places that are one
// variable), relations.go (what transitions do to variables), order.go, symbolic.go (the model), enclose.go (one of more states),
// symbolic_contact.go, symbolic_sets.go and symbolic_fires.go (its sets), turning.go, symbolic_fair.go
// (EG, on all paths and on fair ones), symbolic_wave.go and symbolic_lasso.go (shortest runs),
// symbolic_stats.go; coding.go is for diagrams of two nets.
//
// In the graph states are numbered breadth first from the initial one, which is 0; the successors of a state
// come in the lexicographic order of the transitions fired. The numbering depends on nothing
// but the net and the rule.
package space
