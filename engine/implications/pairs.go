// Package implications finds what every reachable marking of a one-safe net says of two places: that one is marked only where
// the other is, that both never are, that one of them always is; and of one place: that it never changes.
//
// These are the clauses of two literals that hold initially and that no firing breaks, given all of them: the greatest such set,
// found by starting with all that hold initially and striking out (C. Flanagan, K. R. M. Leino, 2001, Houdini, an annotation
// assistant for ESC/Java, on greatest sets of candidates; for pairs of places that are marked together A. Kovalyov, 1992,
// Concurrency relations and the safety problem for Petri nets). No state is built. Not every such clause that is true is found.
package implications

import (
	"context"
	"errors"

	"github.com/redlinehq/redline/engine/petri"
)

// A Literal says that a place is marked, or that it is not.
type Literal int

// Marked says that place p is marked.
func Marked(p int) Literal { return Literal(2 * p) }

// Unmarked says that place p is not.
func Unmarked(p int) Literal { return Literal(2*p + 1) }

// Not is the opposite.
func (l Literal) Not() Literal { return l ^ 1 }

// Facts is what follows from what.
type Facts struct {
	net  *petri.Net
	rows []set // by literal, what it implies
	safe bool  // that no transition puts a second token on a place is taken for granted
}

// ErrTooLarge says that the net has too many places, or that striking out took too many steps.
var ErrTooLarge = errors.New("too many pairs of places")

const (
	maxPlaces = 4000        // 8 MB
	maxWork   = 500_000_000 // words and bits looked at, a second
)

// Of finds the facts of a one-safe net; that it is one-safe is taken for granted. The error is ErrTooLarge or the context's cause.
func Of(ctx context.Context, n *petri.Net) (*Facts, error) {
	f := &Facts{net: n, safe: true}
	return f, f.find(ctx)
}

// OneSafe reports whether pairs show that a net is one-safe: that a transition, where it can be fired, finds its outputs
// unmarked. False means nothing.
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

// Implies reports whether b holds in every reachable marking in which a does.
func (f *Facts) Implies(a, b Literal) bool { return f.rows[a].has(b) }

// Always reports whether the literal holds in every reachable marking.
func (f *Facts) Always(l Literal) bool { return f.rows[l.Not()].has(l) }

// Dead reports whether the facts tell that transition t can never be fired.
func (f *Facts) Dead(t int) bool {
	_, can := f.when(t)
	return !can
}

// find strikes out until nothing more can be.
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

// begin supposes all that the initial marking satisfies: a implies b unless a holds there and b does not.
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

// when is what is known where transition t can be fired; can is false where it never can.
func (f *Facts) when(t int) (known set, can bool) {
	known = newSet(len(f.rows))
	for _, l := range f.needs(t) {
		known.join(f.rows[l])
	}
	for _, l := range f.needs(t) {
		if known.has(l.Not()) {
			return nil, false
		}
	}
	return known, !known.contradicts()
}

// needs is what must hold where t is fired.
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

// after turns what is known before t into what is known after it, and lists what may have become false.
func (f *Facts) after(t int, known set) (broken []Literal) {
	of := &f.net.Transitions[t]
	put := func(l Literal) {
		known.remove(l.Not())
		known.add(l)
		broken = append(broken, l.Not())
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
		for _, p := range []int{v.From, v.To} {
			known.remove(Marked(p))
			known.remove(Unmarked(p))
			broken = append(broken, Marked(p), Unmarked(p))
		}
	}
	return broken
}
