package dd

import (
	"context"
	"math/big"
)

// A Session is a forest in use by one computation. Its operations return no errors: the first that fails ends the computation, so nothing is
// concluded from a result that is missing. Caught returns the error where the computation began.
type Session struct {
	*Forest
	ctx context.Context
}

// With returns the forest for a computation that ends with ctx.
func (f *Forest) With(ctx context.Context) Session { return Session{f, ctx} }

// A stop is the panic value that ends a computation.
type stop struct{ err error }

// Must returns v, or ends the computation if there is an error.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(stop{err})
	}
	return v
}

// End ends the computation with an error.
func End(err error) { panic(stop{err}) }

// Caught puts in *err the error that ended a computation, if one did. It must be deferred.
func Caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case stop:
		*err = r.err
	default:
		panic(r)
	}
}

// Union returns the tuples of any of some sets of one level.
func (s Session) Union(sets ...Node) (all Node) {
	for _, set := range sets {
		all = Must(s.Forest.Union(s.ctx, all, set))
	}
	return all
}

// Intersect returns the tuples of both of two sets of one level.
func (s Session) Intersect(a, b Node) Node { return Must(s.Forest.Intersect(s.ctx, a, b)) }

// Minus returns the tuples of a that are not in b, of the same level.
func (s Session) Minus(a, b Node) Node { return Must(s.Forest.Minus(s.ctx, a, b)) }

// Image returns the tuples of c that a system leads to from a in one step.
func (s Session) Image(by *System, a, c Node) Node { return Must(s.Forest.Image(s.ctx, by, a, c)) }

// Lead returns the tuples that one relation leads to from a.
func (s Session) Lead(r Relation, a Node) Node { return Must(s.Forest.Lead(s.ctx, r, a)) }

// Reach returns what a system leads to from a in any number of steps.
func (s Session) Reach(by *System, a Node) Node { return Must(s.Forest.Reach(s.ctx, by, a)) }

// ReachWithin returns what a system leads to from a by steps within c.
func (s Session) ReachWithin(by *System, a, c Node) Node {
	return Must(s.Forest.ReachWithin(s.ctx, by, a, c))
}

// Forget returns the tuples that equal some tuple of a set up to equivalent values; see Forest.Forget.
func (s Session) Forget(a Node, one [][]int) Node { return Must(s.Forest.Forget(s.ctx, a, one)) }

// Cardinality returns the number of tuples of a set.
func (s Session) Cardinality(a Node) *big.Int { return Must(s.Forest.Cardinality(s.ctx, a)) }

// Support returns, by level and value, whether some tuple of a set has the value there.
func (s Session) Support(a Node) [][]bool { return Must(s.Forest.Support(s.ctx, a)) }

// Tuple returns the set of one tuple; see Forest.Tuple.
func (s Session) Tuple(values []int) Node { return Must(s.Forest.Tuple(values)) }

// Join returns the relation that does in one step what two relations do, which share no level.
func (s Session) Join(a, b Relation) Relation { return Must(s.Forest.Join(s.ctx, a, b)) }

// Disagreement returns the identity on the tuples from which two relations lead to different ones.
func (s Session) Disagreement(a, b Relation) Relation {
	return Must(s.Forest.Disagreement(s.ctx, a, b))
}

// TrimDead removes from a, in some rounds, the tuples without a successor in it; see Forest.TrimDead.
func (s Session) TrimDead(before *System, a Node, rounds int) (Node, bool) {
	x, done, err := s.Forest.TrimDead(s.ctx, before, a, rounds)
	return Must(x, err), done
}
