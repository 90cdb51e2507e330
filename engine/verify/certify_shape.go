package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
	"github.com/redlinehq/redline/engine/symbolic"
)

// shaping returns a method that proves verdicts by the structure of the net. The proof rests on an inductive invariant. If that does not
// prove a verdict at once, it tries a state model of a superset of the reachable states.
func shaping(ctx context.Context, d *compile.Draft, b finding.Budget) prover {
	safe := sync.OnceValues(func() (shape, error) {
		ctx, cancel := b.Within(ctx)
		defer cancel()
		net := structure.New(d.Net)
		safe, err := net.OneSafe(ctx)
		if err == nil && !safe {
			err = &certificate.ErrNone{Why: "the structure of the net does not show that no place is ever marked twice"}
		}
		return shape{net, net.Reasons()}, err
	})
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		s, err := safe()
		if err != nil {
			return nil, err
		}
		if _, err = s.net.Simplify(ctx, v.Formula); err != nil {
			return nil, err
		}
		sums := slices.Concat(s.safe, s.net.Reasons())
		c, err := certificate.FromSums(ctx, v, sums)
		var none *certificate.ErrNone
		if !errors.As(err, &none) || d.Rule != petri.One {
			return c, err
		}
		return enclosed(ctx, d, b, v, sums)
	}
}

// A shape is a net with its known invariants, and the reasons why it is one-safe.
type shape struct {
	net  *structure.Net
	safe []*ctl.Sum
}

// enclosed proves a verdict on decision diagrams of all states that satisfy some sums.
func enclosed(ctx context.Context, d *compile.Draft, b finding.Budget, v certificate.Verdict, sums []*ctl.Sum) (*checker.Certificate, error) {
	x, err := symbolic.Enclose(ctx, d.Net, space.Limits{Bytes: int64(b.Memory)})
	if err == nil {
		x, err = x.Within(ctx, sums)
	}
	if err != nil {
		return nil, fmt.Errorf("by the structure of the net: %w", err)
	}
	return certificate.FromInvariant(ctx, v, x)
}
