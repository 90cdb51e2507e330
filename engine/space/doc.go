// Package space builds the state model of a one-safe net state by state: the graph of its reachable markings, with arcs both ways, and the
// algebra of sets of states that package ctl labels with.
//
// States are numbered breadth first from the initial one, which is 0. The successors of a state come in the lexicographic order of the
// transitions fired. The numbering depends only on the net and the rule. Package symbolic is the second instance of the same algebra, and each
// is the other's oracle.
package space
