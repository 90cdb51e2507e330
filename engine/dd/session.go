package dd

import (
	"context"
	"math/big"

	"github.com/redlinehq/redline/engine/halt"
)

// A Session is a forest in use by one computation. Its operations return no errors: the first that fails ends the computation, so nothing is
// concluded from a result that is missing; see package halt.
type Session struct {
	*Forest
	ctx context.Context
}

// With returns the forest for a computation that ends with ctx.
func (f *Forest) With(ctx context.Context) Session { return Session{f, ctx} }

// Union returns the tuples of any of some sets of one level.
func (s Session) Union(sets ...Node) (all Node) {
	for _, set := range sets {
		all = halt.Must(s.Forest.Union(s.ctx, all, set))
	}
	return all
}

// Intersect returns the tuples of both of two sets of one level.
func (s Session) Intersect(a, b Node) Node { return halt.Must(s.Forest.Intersect(s.ctx, a, b)) }

// Minus returns the tuples of a that are not in b, of the same level.
func (s Session) Minus(a, b Node) Node { return halt.Must(s.Forest.Minus(s.ctx, a, b)) }

// Image returns the tuples of c that a system leads to from a in one step.
func (s Session) Image(by *System, a, c Node) Node { return halt.Must(s.Forest.Image(s.ctx, by, a, c)) }

// Lead returns the tuples that one relation leads to from a.
func (s Session) Lead(r Relation, a Node) Node { return halt.Must(s.Forest.Lead(s.ctx, r, a)) }

// Reach returns what a system leads to from a in any number of steps.
func (s Session) Reach(by *System, a Node) Node { return halt.Must(s.Forest.Reach(s.ctx, by, a)) }

// ReachWithin returns what a system leads to from a by steps within c.
func (s Session) ReachWithin(by *System, a, c Node) Node {
	return halt.Must(s.Forest.ReachWithin(s.ctx, by, a, c))
}

// Forget returns the tuples that equal some tuple of a set up to equivalent values; see Forest.forget.
func (s Session) Forget(a Node, one [][]int) Node { return halt.Must(s.Forest.forget(s.ctx, a, one)) }

// Cardinality returns the number of tuples of a set.
func (s Session) Cardinality(a Node) *big.Int { return halt.Must(s.Forest.Cardinality(s.ctx, a)) }

// Support returns, by level and value, whether some tuple of a set has the value there.
func (s Session) Support(a Node) [][]bool { return halt.Must(s.Forest.Support(s.ctx, a)) }

// Tuple returns the set of one tuple; see Forest.Tuple.
func (s Session) Tuple(values []int) Node { return halt.Must(s.Forest.Tuple(values)) }

// Join returns the relation that does in one step what two relations do, which share no level.
func (s Session) Join(a, b Relation) Relation { return halt.Must(s.Forest.join(s.ctx, a, b)) }

// Disagreement returns the identity on the tuples from which two relations lead to different ones.
func (s Session) Disagreement(a, b Relation) Relation {
	return halt.Must(s.Forest.disagreement(s.ctx, a, b))
}

// TrimDead removes from a, in some rounds, the tuples without a successor in it; see Forest.TrimDead.
func (s Session) TrimDead(before *System, a Node, rounds int) (Node, bool) {
	x, done, err := s.Forest.TrimDead(s.ctx, before, a, rounds)
	return halt.Must(x, err), done
}
