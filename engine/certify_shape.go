package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
)

// unmodelled proves verdicts where no state model is complete: by their runs, which are small; on states one by one, where these are
// few after all, since on them everything has a proof; and by the structure of the net.
func (d *Draft) unmodelled(ctx context.Context, b Budget, r *Result) proving {
	ways := []proving{d.retracing(r), d.listing(ctx, b, r), d.shaping(ctx, b)}
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		var why []string
		for _, prove := range ways {
			c, err := prove(ctx, v)
			var none *certificate.ErrNone
			if !errors.As(err, &none) {
				return c, err
			}
			why = append(why, none.Why)
		}
		return nil, &certificate.ErrNone{Why: strings.Join(why, "; ")}
	}
}

// orElse tries others where a way to prove verdicts meets a limit or finds none; its own reason is told where they do not do better.
func orElse(prove proving, others ...proving) proving {
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		c, first := prove(ctx, v)
		for _, other := range others {
			if first == nil || ctx.Err() != nil || !metLimit(first) {
				break
			}
			if better, err := other(ctx, v); err == nil {
				return better, nil
			}
		}
		return c, first
	}
}

// metLimit reports whether a proof failed for want of means: what is wrong with one is not hidden by another.
func metLimit(err error) bool {
	var none *certificate.ErrNone
	var nodes *dd.LimitError
	var states *space.LimitError
	return errors.As(err, &none) || errors.As(err, &nodes) || errors.As(err, &states) || errors.Is(err, checker.ErrTooLarge) || errors.Is(err, errTime)
}

// listing proves verdicts on states one by one, if they are few.
func (d *Draft) listing(ctx context.Context, b Budget, r *Result) proving {
	few := b.small()
	few.Memory = b.Memory
	listed := sync.OnceValues(func() (*space.Graph, error) {
		ctx, cancel := b.within(ctx)
		defer cancel()
		return d.explored(ctx, few)
	})
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		g, err := listed()
		if err != nil {
			return nil, &certificate.ErrNone{Why: "there is no complete state model: " + unlistable(b, few, r, err)}
		}
		return certificate.Listed(ctx, v, g)
	}
}

// unlistable says why there is no state model, and what may help.
func unlistable(b, few Budget, r *Result, err error) string {
	if r.Model.Incomplete != noModel {
		return r.Model.Incomplete + ", and with more there may be one"
	}
	why := few.reason(err)
	var limit *space.LimitError
	if errors.As(err, &limit) && limit.What == "states" && few.States != b.States {
		why = fmt.Sprintf("there are more than %d states", few.States)
	}
	return "none was to be made (--engine local), and " + why + "; with another engine there may be one"
}

// shaping proves verdicts by the structure of the net: what its proofs rest on is an inductive invariant, and where that does not
// show a verdict at once, it is a state model of more states than are reachable.
func (d *Draft) shaping(ctx context.Context, b Budget) proving {
	safe := sync.OnceValues(func() (shape, error) {
		ctx, cancel := b.within(ctx)
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
		c, err := certificate.Bounded(ctx, v, sums)
		var none *certificate.ErrNone
		if !errors.As(err, &none) || d.Rule != petri.One {
			return c, err
		}
		return d.enclosed(ctx, b, v, sums)
	}
}

// A shape is a net of which something was found out already, and why it is one-safe.
type shape struct {
	net  *structure.Net
	safe []*ctl.Sum
}

// enclosed proves a verdict on the states within sums, as decision diagrams.
func (d *Draft) enclosed(ctx context.Context, b Budget, v certificate.Verdict, sums []*ctl.Sum) (*checker.Certificate, error) {
	x, err := space.Enclose(ctx, d.Net, space.Limits{Bytes: int64(b.Memory)})
	if err == nil {
		x, err = x.Within(ctx, sums)
	}
	var c *checker.Certificate
	if err == nil {
		c, err = certificate.Enclosed(ctx, v, x)
	}
	var none *certificate.ErrNone
	if err == nil || ctx.Err() != nil || errors.As(err, &none) {
		return c, err
	}
	return nil, &certificate.ErrNone{Why: "by the structure of the net it was not proved either: " + b.reason(err)}
}
