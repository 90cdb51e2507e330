package ctl

import (
	"context"

	"github.com/redlinehq/redline/engine/petri"
)

// An Algebra is the Boolean algebra of sets of reachable states of one state model, with operators along its arcs. Sat, witnesses and
// vacuity are written once over it; each instance is the other's oracle.
//
// An operation that returns no error may end the computation at one, such as a limit; see package halt.
//
// Paths are maximal: infinite, or ending in a dead end. Dead ends get no self-loop.
type Algebra[S any] interface {
	None() S
	All() S
	Initial() S        // the initial state alone
	Dead() S           // the states without a successor
	Where(place int) S // the states whose marking holds the place
	Count(sum *Sum) S  // the states in which the sum is at most its bound

	Union(a, b S) S
	Intersect(a, b S) S
	Minus(a, b S) S
	Equal(a, b S) bool

	Pre(ctx context.Context, a S) (S, error)      // states with a successor in a
	Post(ctx context.Context, a S) (S, error)     // successors of the states in a
	Until(ctx context.Context, a, b S) (S, error) // E[a U b], a least fixpoint
	Always(ctx context.Context, a S) (S, error)   // EG a, a greatest fixpoint over maximal paths

	// Pick returns the first state of a non-empty set in the model's order, as a set and as a marking.
	Pick(a S) (S, petri.Marking)

	// Next takes the first step from a single state into goal, by the order of the net's transitions, and returns where it leads. There must be one.
	Next(from, goal S) (S, petri.Marking)
}
