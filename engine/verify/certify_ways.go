package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A proving is a way to prove verdicts.
type proving func(context.Context, certificate.Verdict) (*checker.Certificate, error)

// provers chooses the ways to prove the verdicts of a result, and says how many can be proved side by side. Where the states were listed, they are
// listed once more, since on them everything has a proof. Else diagrams come first, if they were complete; then the runs that were shown, which are small;
// then states one by one, where they are few after all; then the structure of the net.
func provers(ctx context.Context, d *compile.Draft, b finding.Budget, r *finding.Result) (proving, int) {
	complete := r.Model.States != nil
	if complete && r.Model.Engine != string(finding.Symbolic) {
		return listing(ctx, d, b), max(b.Jobs, 1)
	}
	ways := []proving{retracing(d, r), listingFew(ctx, d, b, r.Model), shaping(ctx, d, b)}
	if complete {
		ways = append([]proving{drawing(ctx, d, b)}, ways...)
	}
	return anyOf(b, ways), 1
}

// anyOf tries one way after the other, for as long as they find no proof or meet a limit. All their reasons are told where none does better.
func anyOf(b finding.Budget, ways []proving) proving {
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		var why []string
		for _, prove := range ways {
			c, err := prove(ctx, v)
			if err == nil || ctx.Err() != nil || !metLimit(err) {
				return c, err
			}
			why = append(why, unproved(b, err))
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
		slices.ContainsFunc([]error{checker.ErrTooLarge, ctl.ErrTooManySets, symbolic.ErrNotSymbolic, finding.ErrTime}, is)
}

// unproved says in a reader's words why there is no proof.
func unproved(b finding.Budget, err error) string {
	var none *certificate.ErrNone
	if errors.As(err, &none) {
		return none.Why
	}
	return b.Reason(err)
}

// drawing proves verdicts on decision diagrams.
func drawing(ctx context.Context, d *compile.Draft, b finding.Budget) proving {
	ctx, cancel := b.Within(ctx)
	defer cancel()
	x, err := ReachedBy(ctx, d, b)
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		if err != nil {
			return nil, err
		}
		return certificate.Drawn(ctx, v, x)
	}
}

// listing proves verdicts on states one by one.
func listing(ctx context.Context, d *compile.Draft, b finding.Budget) proving {
	listed := sync.OnceValues(func() (*space.Graph, error) {
		ctx, cancel := b.Within(ctx)
		defer cancel()
		return explored(ctx, d, b)
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
func listingFew(ctx context.Context, d *compile.Draft, b finding.Budget, m finding.Model) proving {
	few := small(b)
	few.Memory = b.Memory
	prove := listing(ctx, d, few)
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		c, err := prove(ctx, v)
		var none *certificate.ErrNone
		if err == nil || !metLimit(err) || errors.As(err, &none) {
			return c, err
		}
		return nil, &certificate.ErrNone{Why: unlistable(m, b, few, err)}
	}
}

// unlistable says why there are no states to prove a verdict on, and what may help.
func unlistable(m finding.Model, b, few finding.Budget, err error) string {
	why := few.Reason(err)
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
