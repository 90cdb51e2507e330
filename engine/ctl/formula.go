package ctl

import "iter"

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

// Equal reports whether a and b are the same tree: operators and names. Where they stand in their
// texts, and to which places their names were resolved, does not matter.
func Equal(a, b *Formula) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Op == b.Op && a.Name == b.Name && Equal(a.Left, b.Left) && Equal(a.Right, b.Right)
}

// Atoms yields the atoms of f in source order, each occurrence for itself, so that a caller can
// resolve its Name to a Place.
func (f *Formula) Atoms() iter.Seq[*Formula] {
	return func(yield func(*Formula) bool) { f.atoms(yield) }
}

func (f *Formula) atoms(yield func(*Formula) bool) bool {
	switch {
	case f == nil:
		return true
	case f.Op == Atom:
		return yield(f)
	}
	return f.Left.atoms(yield) && f.Right.atoms(yield)
}

// temporal counts the temporal operators of f.
func (f *Formula) temporal() int {
	if f == nil {
		return 0
	}
	n := f.Left.temporal() + f.Right.temporal()
	if f.Op >= EX {
		n++
	}
	return n
}
