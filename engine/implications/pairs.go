// Package implications finds invariants of two literals: what every reachable marking of a one-safe net says of two places, such as that one
// is marked only where the other is, that both never are, or that one of them always is; and of one place, that it never changes.
//
// It computes the greatest set of clauses of two literals that hold initially and that no firing breaks, given all of them. It starts with all
// clauses that hold initially, and removes those that a firing breaks (C. Flanagan, K. R. M. Leino, 2001, Houdini, an annotation assistant for
// ESC/Java, on greatest sets of candidates; for pairs of places that are marked together A. Kovalyov, 1992, Concurrency relations and the
// safety problem for Petri nets). It builds no states. It does not find every such clause that is true.
package implications

import (
	"context"
	"errors"

	"github.com/redlinehq/redline/engine/petri"
)

// A Literal says that a place is marked, or that it is not.
type Literal int

// Marked returns the literal that place p is marked.
func Marked(p int) Literal { return Literal(2 * p) }

// Unmarked returns the literal that place p is not marked.
func Unmarked(p int) Literal { return Literal(2*p + 1) }

// not returns the opposite literal.
func (l Literal) not() Literal { return l ^ 1 }

// Facts are the implications between literals of a net.
type Facts struct {
	net  *petri.Net
	rows []set // by literal, what it implies
	safe bool  // the net is assumed to be one-safe
}

// ErrTooLarge says that the net has too many places, or that removing clauses took too many steps.
var ErrTooLarge = errors.New("too many pairs of places")

const (
	maxPlaces = 4000        // 8 MB
	maxWork   = 500_000_000 // words and bits looked at, about a second
)

// Of returns the facts of a net, which it assumes to be one-safe. The error is ErrTooLarge or the context's cause.
func Of(ctx context.Context, n *petri.Net) (*Facts, error) {
	f := &Facts{net: n, safe: true}
	return f, f.find(ctx)
}

// OneSafe reports whether implications prove that a net is one-safe: a transition that can fire finds its outputs unmarked. False proves
// nothing. The error is ErrTooLarge or the context's cause.
func OneSafe(ctx context.Context, n *petri.Net) (bool, error) {
	f := &Facts{net: n}
	if err := f.find(ctx); err != nil {
		return false, err
	}
	for t := range n.Transitions {
		if len(n.Transitions[t].Moves) > 0 {
			return false, nil
		}
		known, can := f.when(t)
		for _, p := range n.Transitions[t].Out {
			if can && !known.has(Unmarked(p)) {
				return false, nil
			}
		}
	}
	return true, nil
}

// Implies reports whether the facts show that b holds in every reachable marking in which a does.
func (f *Facts) Implies(a, b Literal) bool { return f.rows[a].has(b) }

// Always reports whether the facts show that the literal holds in every reachable marking.
func (f *Facts) Always(l Literal) bool { return f.rows[l.not()].has(l) }

// Dead reports whether the facts show that transition t can never fire.
func (f *Facts) Dead(t int) bool {
	_, can := f.when(t)
	return !can
}

// find removes broken clauses until none is left.
func (f *Facts) find(ctx context.Context) error {
	if len(f.net.Places) > maxPlaces {
		return ErrTooLarge
	}
	f.begin()
	s := newElimination(f)
	for work := 0; len(s.queue) > 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if work > maxWork {
			return ErrTooLarge
		}
		work += s.strike(s.next())
	}
	return nil
}

// begin assumes all clauses that the initial marking satisfies: a implies b unless a holds there and b does not.
func (f *Facts) begin() {
	size := 2 * len(f.net.Places)
	all, holds := newSet(size), newSet(size)
	for l := range Literal(size) {
		all.add(l)
	}
	for p := range f.net.Places {
		holds.add(Unmarked(p))
	}
	for _, p := range f.net.Initial {
		holds.remove(Unmarked(p))
		holds.add(Marked(p))
	}
	f.rows = make([]set, size)
	for l := range Literal(size) {
		f.rows[l] = all.clone()
		if holds.has(l) {
			copy(f.rows[l], holds)
		}
	}
}

// when returns what is known where transition t can fire. can is false if t never can.
func (f *Facts) when(t int) (known set, can bool) {
	known = newSet(len(f.rows))
	for _, l := range f.needs(t) {
		known.join(f.rows[l])
	}
	for _, l := range f.needs(t) {
		if known.has(l.not()) {
			return nil, false
		}
	}
	return known, !known.contradicts()
}

// needs returns the literals that must hold where t fires.
func (f *Facts) needs(t int) (list []Literal) {
	of := &f.net.Transitions[t]
	for _, places := range [][]int{of.In, of.Read} {
		for _, p := range places {
			list = append(list, Marked(p))
		}
	}
	if f.safe {
		for _, p := range of.Out {
			list = append(list, Unmarked(p))
		}
	}
	return list
}

// after changes known from what holds before t to what holds after it, and returns the literals that may have become false.
func (f *Facts) after(t int, known set) (broken []Literal) {
	of := &f.net.Transitions[t]
	put := func(l Literal) {
		known.remove(l.not())
		known.add(l)
		broken = append(broken, l.not())
	}
	for _, p := range of.In {
		put(Unmarked(p))
	}
	for _, places := range [][]int{of.Out, of.Marks} {
		for _, p := range places {
			put(Marked(p))
		}
	}
	for _, v := range of.Moves {
		if v.Stays() {
			continue
		}
		for _, p := range []int{v.From, v.To} {
			known.remove(Marked(p))
			known.remove(Unmarked(p))
			broken = append(broken, Marked(p), Unmarked(p))
		}
	}
	return broken
}
