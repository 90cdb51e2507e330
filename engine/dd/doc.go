// Package dd is a kernel of multi-valued decision diagrams: sets of tuples of small numbers, and relations on tuples that change few of
// their components. It knows nothing of nets.
//
// A Forest has the diagrams of one list of variables. Nodes are hash-consed, so equal sets are the same node and comparing them is comparing
// numbers. Results of operations are kept in a cache of bounded size. Nodes are never freed: they live as long as the Forest. They are
// stored in pages, so that growing copies nothing. A limit ends an operation that needs too many.
//
// A relation is a diagram of pairs of values, one level for each variable that it touches, and the identity everywhere else. Mostly it is a
// chain: the same happens below whatever happens above. So a transition that touches two variables costs two nodes, whatever the number of
// variables. Reachable sets are computed by saturation, lowest variables first, optionally within a constraint.
//
// Sources: R. Bryant (1986), Graph-based algorithms for Boolean function manipulation; T. Kam, T. Villa, R. Brayton, A.
// Sangiovanni-Vincentelli (1998), Multi-valued decision diagrams; A. Miner, G. Ciardo (1999), Efficient reachability set generation and
// storage using decision diagrams; G. Ciardo, G. Luettgen, R. Siminiceanu (2001), Saturation: an efficient iteration strategy for symbolic
// state-space generation; Y. Zhao, G. Ciardo (2009), Symbolic CTL model checking of asynchronous systems using constrained saturation.
package dd
