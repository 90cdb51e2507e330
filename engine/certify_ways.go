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
	"github.com/redlinehq/redline/engine/space"
)

// A proving is a way to prove verdicts.
type proving func(context.Context, certificate.Verdict) (*checker.Certificate, error)

// provers chooses the ways to prove the verdicts of a result, and says how many can be proved side by side. Where the states were listed, they are
// listed once more, since on them everything has a proof. Else diagrams come first, if they were complete; then the runs that were shown, which are small;
// then states one by one, where they are few after all; then the structure of the net.
func (d *Draft) provers(ctx context.Context, b Budget, r *Result) (proving, int) {
	complete := r.Model.States != nil
	if complete && r.Model.Engine != string(Symbolic) {
		return d.listing(ctx, b), max(b.Jobs, 1)
	}
	ways := []proving{d.retracing(r), d.listingFew(ctx, b, r.Model), d.shaping(ctx, b)}
	if complete {
		ways = append([]proving{d.drawing(ctx, b)}, ways...)
	}
	return b.anyOf(ways), 1
}

// anyOf tries one way after the other, for as long as they find no proof or meet a limit. All their reasons are told where none does better.
func (b Budget) anyOf(ways []proving) proving {
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		var why []string
		for _, prove := range ways {
			c, err := prove(ctx, v)
			if err == nil || ctx.Err() != nil || !metLimit(err) {
				return c, err
			}
			why = append(why, b.unproved(err))
		}
		return nil, &certificate.ErrNone{Why: strings.Join(why, "; ")}
	}
}

// metLimit reports whether a proof failed for want of means: what is wrong with one is not hidden by another.
func metLimit(err error) bool {
	var none *certificate.ErrNone
	var nodes *dd.LimitError
	var states *space.LimitError
	is := func(limit error) bool { return errors.Is(err, limit) }
	return errors.As(err, &none) || errors.As(err, &nodes) || errors.As(err, &states) ||
		slices.ContainsFunc([]error{checker.ErrTooLarge, ctl.ErrTooManySets, space.ErrNotSymbolic, errTime}, is)
}

// unproved says in a reader's words why there is no proof.
func (b Budget) unproved(err error) string {
	var none *certificate.ErrNone
	if errors.As(err, &none) {
		return none.Why
	}
	return b.reason(err)
}

// drawing proves verdicts on decision diagrams.
func (d *Draft) drawing(ctx context.Context, b Budget) proving {
	ctx, cancel := b.within(ctx)
	defer cancel()
	x, err := d.reached(ctx, b)
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		if err != nil {
			return nil, err
		}
		return certificate.Drawn(ctx, v, x)
	}
}

// listing proves verdicts on states one by one.
func (d *Draft) listing(ctx context.Context, b Budget) proving {
	listed := sync.OnceValues(func() (*space.Graph, error) {
		ctx, cancel := b.within(ctx)
		defer cancel()
		return d.explored(ctx, b)
	})
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		g, err := listed()
		if err != nil {
			return nil, err
		}
		return certificate.Listed(ctx, v, g)
	}
}

// listingFew does, if they are few.
func (d *Draft) listingFew(ctx context.Context, b Budget, m Model) proving {
	few := b.small()
	few.Memory = b.Memory
	prove := d.listing(ctx, few)
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		c, err := prove(ctx, v)
		var none *certificate.ErrNone
		if err == nil || !metLimit(err) || errors.As(err, &none) {
			return c, err
		}
		return nil, &certificate.ErrNone{Why: m.unlistable(b, few, err)}
	}
}

// unlistable says why there are no states to prove a verdict on, and what may help.
func (m Model) unlistable(b, few Budget, err error) string {
	why := few.reason(err)
	var limit *space.LimitError
	if errors.As(err, &limit) && limit.What == "states" && few.States != b.States {
		why = fmt.Sprintf("there are more than %d states", few.States)
	}
	switch m.Incomplete {
	case "":
		return why
	case noModel:
		return "there is no complete state model: none was to be made (--engine local), and " + why + "; with another engine there may be one"
	}
	return "there is no complete state model: " + m.Incomplete + ", and with more there may be one"
}
