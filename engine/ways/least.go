package ways

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// Of similar runs the least is shown. A run with another one within it would match that one if it were named. So a way is shown only if it
// matches no run that a waiver names, whichever way is found first.

// A bound admits the runs that do only what another run does, in its order.
type bound struct {
	pattern
	less bool // and leave out at least one of its steps
}

// onward returns the progress of a run within a bound after a step: twice the number of steps passed, plus one if any of them was left out.
// inside is false if the other run lacks the step, or if the run leaves out none.
func (b *bound) onward(at int, from uint32, step []int) (after int, inside bool) {
	if b.of.form != leaf && !space.Has(b.of.kept, int(from)) {
		return at, true // already violated
	}
	same := func(s []int) bool { return slices.Equal(s, step) }
	behind, out := at/2, at%2
	switch k := slices.IndexFunc(b.steps[behind:], same); {
	case k >= 0:
		behind, out = behind+k+1, max(out, min(k, 1))
	case slices.ContainsFunc(b.loop, same):
		behind, out = len(b.steps), max(out, min(len(b.steps)-behind, 1))
	default:
		return 0, false
	}
	return 2*behind + out, !b.less || behind < len(b.steps) || out > 0
}

// bounds returns bounds that together admit every run that is less than the pattern.
func (n *pattern) bounds() (list []*bound) {
	if len(n.steps) > 0 {
		list = append(list, &bound{pattern: *n, less: true})
	}
	for k := range n.loop {
		list = append(list, &bound{pattern: pattern{of: n.of, steps: n.steps, loop: slices.Delete(slices.Clone(n.loop), k, k+1)}})
	}
	return list
}

// least returns a wanted run that does only what the given one does, and within which no other is found.
func (q *Question) least(ctx context.Context, c *claim, named []pattern, e *ctl.Evidence) (*ctl.Evidence, error) {
	n, err := q.patternOf(c, e)
	if err != nil {
		return e, nil // the run cannot be named
	}
	bounds := n.bounds()
	for len(bounds) > 0 {
		less, err := q.within(ctx, c, named, bounds[0])
		bounds = bounds[1:]
		switch {
		case errors.Is(err, ErrTooManyPairs):
			continue
		case err != nil:
			return nil, err
		case less == nil:
			continue
		}
		if m, err := q.patternOf(c, less); err == nil && len(m.steps)+len(m.loop) < len(n.steps)+len(n.loop) {
			e, n, bounds = less, m, m.bounds()
		}
	}
	return e, nil
}
