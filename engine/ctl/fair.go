package ctl

import (
	"context"

	"github.com/redlinehq/redline/engine/halt"
)

// Endless returns a maximal path inside a set from a single state, of those that count, and the state where its loop begins or where it
// ends.
type Endless[S any] func(ctx context.Context, from, inside S) (Run, S, error)

// NewFair returns a Checker for an algebra in which not every maximal path counts. Every finite path must have a continuation that counts,
// as with fairness. Then only Always depends on which do (E. Clarke, O. Grumberg, D. Peled, 1999, Model Checking, section 6.3), and find
// returns them.
func NewFair[S any](algebra Algebra[S], find Endless[S]) *Checker[S] {
	c := New(algebra)
	c.endless = find
	return c
}

func (c *Checker[S]) fairForever(ctx context.Context, from, inside S) path[S] {
	run, end, err := c.endless(ctx, from, inside)
	return halt.Must(path[S]{markings: run.Markings, loop: run.Loop, end: end, dead: run.Dead, fired: run.Steps}, err)
}
