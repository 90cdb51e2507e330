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

// A prover is a method that proves verdicts.
type prover func(context.Context, certificate.Verdict) (*checker.Certificate, error)

// provers chooses the methods for a result, and returns how many verdicts they can prove side by side. If the states were listed, they are
// listed again, since every verdict has a proof on them. Otherwise the order is: diagrams if they were complete; the runs that were shown,
// which are small; states one by one, in case they are few; the structure of the net.
func provers(ctx context.Context, d *compile.Draft, b finding.Budget, r *finding.Result) (prover, int) {
	complete := r.Model.States != nil
	if complete && r.Model.Engine != string(finding.Symbolic) {
		return listing(ctx, d, b), max(b.Jobs, 1)
	}
	ways := []prover{retracing(d, r), listingFew(ctx, d, b, r.Model), shaping(ctx, d, b)}
	if complete {
		ways = append([]prover{drawing(ctx, d, b)}, ways...)
	}
	return anyOf(b, ways), 1
}

// anyOf tries one method after the other, as long as they find no proof or reach a limit. If all fail, the error has all their reasons.
func anyOf(b finding.Budget, ways []prover) prover {
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

// metLimit reports whether a method found no proof or reached a limit. Any other error is returned at once, so that the next method cannot
// hide it.
func metLimit(err error) bool {
	var none *certificate.ErrNone
	var nodes *dd.LimitError
	var states *space.LimitError
	is := func(limit error) bool { return errors.Is(err, limit) }
	return errors.As(err, &none) || errors.As(err, &nodes) || errors.As(err, &states) ||
		slices.ContainsFunc([]error{checker.ErrTooLarge, ctl.ErrTooManySets, symbolic.ErrNotSymbolic, finding.ErrTime}, is)
}

// unproved returns the reason why there is no proof, in words for readers.
func unproved(b finding.Budget, err error) string {
	var none *certificate.ErrNone
	if errors.As(err, &none) {
		return none.Why
	}
	return b.Reason(err)
}

// drawing returns a method that proves verdicts on decision diagrams. It computes the diagrams at once.
func drawing(ctx context.Context, d *compile.Draft, b finding.Budget) prover {
	ctx, cancel := b.Within(ctx)
	defer cancel()
	x, err := exploreSymbolic(ctx, d, b)
	return func(ctx context.Context, v certificate.Verdict) (*checker.Certificate, error) {
		if err != nil {
			return nil, err
		}
		return certificate.FromDiagrams(ctx, v, x)
	}
}

// listing returns a method that proves verdicts on explicit states. It lists the states when it is first used.
func listing(ctx context.Context, d *compile.Draft, b finding.Budget) prover {
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
		return certificate.FromGraph(ctx, v, g)
	}
}

// listingFew is listing with a low limit of states.
func listingFew(ctx context.Context, d *compile.Draft, b finding.Budget, m finding.Model) prover {
	few := small(b)
	few.Memory, few.Whole = b.Memory, b.Whole
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

// unlistable explains why there are no states to prove a verdict on, and what may help.
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
