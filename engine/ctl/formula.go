package ctl

import "iter"

// Op is the outermost operator of a formula.
type Op uint8

const (
	True Op = iota
	False
	Atom // a place is marked, or what Means says
	Not  // Left
	And  // Left, Right; likewise below
	Or
	Implies
	Iff
	ForAll  // Left, for every instance of a party; Expand removes it
	ForSome // Left, for some instance; likewise
	EX      // some immediate successor
	AX      // all immediate successors
	EF      // some reachable state, this one included
	AF      // on every maximal path some state
	EG      // on some maximal path all states
	AG      // every reachable state, this one included
	EU      // E[Left U Right]
	AU      // A[Left U Right]
	EW      // E[Left W Right]: Right need not come
	AW      // A[Left W Right]
)

// A Formula is a formula of CTL. Unary operators and quantifiers use Left. Both notations parse to the same trees.
//
// An Atom is a name (party.place, purchaser[0].place), a call (happened(e)) or a comparison (seller.paid + buyer.paid >= 2). Resolving it sets Place, or
// the formula Means, which is then labelled instead.
type Formula struct {
	Op          Op
	Name        string      // of an Atom, its canonical text; of a quantifier, its variable
	Call        *Call       // of an Atom that is a call
	Compare     *Comparison // of an Atom that is a comparison
	Range       Ref         // of a quantifier, the party whose instances it ranges over
	Place       int         // of an Atom, once resolved: index in the net
	Means       *Formula    // of an Atom, once resolved, that is not one place
	Sum         *Sum        // of an Atom that counts tokens
	Left, Right *Formula
	Role        string // of an operand of a pattern and its parts: the operand's attribute, such as follows; else empty
	From, To    int    // byte offsets in the source text

	amount *Amount // while it is read: it is this number, neither true nor false
}

// A Ref is a name within a formula, with its byte offsets.
type Ref struct {
	Name     string
	From, To int
}

// A Call is a function of events: happened(e), enabled(e), before(e1, e2).
type Call struct {
	Function string
	Args     []Ref
}

// Equal reports whether a and b are the same tree: operators, names and ranges. It ignores offsets and resolved places.
func Equal(a, b *Formula) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Op == b.Op && a.Name == b.Name && a.Range.Name == b.Range.Name && Equal(a.Left, b.Left) && Equal(a.Right, b.Right)
}

// Shift adds a number to all offsets of f, for text that is part of a longer text.
func (f *Formula) Shift(by int) {
	if f == nil {
		return
	}
	f.From, f.To = f.From+by, f.To+by
	f.Range.shift(by)
	if f.Call != nil {
		for i := range f.Call.Args {
			f.Call.Args[i].shift(by)
		}
	}
	if f.Compare != nil {
		f.Compare = f.Compare.mapped(func(r Ref) Ref { r.shift(by); return r })
	}
	f.Left.Shift(by)
	f.Right.Shift(by)
}

func (r *Ref) shift(by int) { r.From, r.To = r.From+by, r.To+by }

// Atoms yields the atoms of f in source order, each occurrence separately, so that a caller can resolve it. It does not enter what resolved
// atoms mean.
func (f *Formula) Atoms() iter.Seq[*Formula] {
	return func(yield func(*Formula) bool) {
		f.walk(func(g *Formula) bool { return g.Op != Atom || yield(g) })
	}
}

// parts yields f and all its parts, each before its own parts, in source order.
func (f *Formula) parts() iter.Seq[*Formula] {
	return func(yield func(*Formula) bool) { f.walk(yield) }
}

func (f *Formula) walk(yield func(*Formula) bool) bool {
	return f == nil || yield(f) && f.Left.walk(yield) && f.Right.walk(yield)
}

// Temporal reports whether f has a temporal operator, in what its atoms mean, too.
func (f *Formula) Temporal() bool { return f.temporal() > 0 }

// temporal counts the temporal operators of f.
func (f *Formula) temporal() int {
	if f == nil {
		return 0
	}
	n := f.Left.temporal() + f.Right.temporal() + f.Means.temporal()
	if f.Op >= EX {
		n++
	}
	return n
}
