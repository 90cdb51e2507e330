package ways

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// Of the runs that do the same, more or less, the least is shown. A run that has another one within it would be as that one if that were named; so that a way
// is shown only if it is as no run that a waiver names, whichever way is found first.

// maxWithin bounds the pairs, and the steps between them, that are looked at within a run. Where there are more, the run is shown that was found.
const maxWithin = 500_000

// A bound lets through the runs that do only what another run does, in its order.
type bound struct {
	pattern
	less bool // and do not do all of its steps
}

// onward returns how far a run has come within a bound after a step: twice the steps that are behind, and one more if any of them was left out. It is not inside
// where the other run has not the step.
func (b *bound) onward(at int, from uint32, step []int) (after int, inside bool) {
	if b.of.form != leaf && !has(b.of.kept, from) {
		return at, true // it is violated, whatever comes
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

// bounds lists bounds of which one has every run that is less than the pattern.
func (n *pattern) bounds() (list []*bound) {
	if len(n.steps) > 0 {
		list = append(list, &bound{pattern: *n, less: true})
	}
	for k := range n.loop {
		list = append(list, &bound{pattern: pattern{of: n.of, steps: n.steps, loop: slices.Delete(slices.Clone(n.loop), k, k+1)}})
	}
	return list
}

// least returns a run that is asked for, and does only what the given one does, within which no other is found.
func (q *Question) least(x *labeller, c *claim, e *ctl.Evidence) (*ctl.Evidence, error) {
	n, err := q.patternOf(c, e)
	if err != nil {
		return e, nil // it can't be told apart from what else it shows, nor named
	}
	bounds := n.bounds()
	for len(bounds) > 0 {
		less, err := q.within(x, c, bounds[0])
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
