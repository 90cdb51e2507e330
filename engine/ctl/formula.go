package ctl

// Op is the outermost operator of a formula.
type Op uint8

const (
	True Op = iota
	False
	Atom // a place is marked
	Not  // Left
	And  // Left, Right; likewise below
	Or
	Implies
	Iff
	EX // some immediate successor
	AX // all immediate successors
	EF // some reachable state, this one included
	AF // on every maximal path some state
	EG // on some maximal path all states
	AG // every reachable state, this one included
	EU // E[Left U Right]
	AU // A[Left U Right]
	EW // E[Left W Right]: Right need not come
	AW // A[Left W Right]
)

// A Formula of CTL. Unary operators use Left. Both notations parse to the same trees.
type Formula struct {
	Op          Op
	Name        string // of an Atom, as written: party.place
	Place       int    // of an Atom, once resolved: index in the net
	Left, Right *Formula
	From, To    int // byte offsets in the source text
}
