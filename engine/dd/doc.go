// Package dd is a kernel of multi-valued decision diagrams: sets of tuples of small numbers, and relations on
// tuples that touch few of their places. It knows nothing of nets.
//
//	Forest      the diagrams of one list of variables: hash-consed nodes, limits; pages.go, cache.go
//	sets.go     union, intersection, difference, picking
//	count.go    counting, and what else looks at all nodes of a diagram
//	relation.go relations as chains of local steps, identity everywhere else
//	saturate.go what relations lead to, by saturation, within a constraint or not
//	image.go    one step of all relations
//
// Sources: R. Bryant (1986), Graph-based algorithms for Boolean function manipulation; T. Kam, T. Villa, R. Brayton,
// A. Sangiovanni-Vincentelli (1998), Multi-valued decision diagrams; G. Ciardo, G. Luettgen, R. Siminiceanu (2001),
// Saturation: an efficient iteration strategy for symbolic state-space generation; Y. Zhao, G. Ciardo (2009), Symbolic
// CTL model checking of asynchronous systems using constrained saturation.
package dd
