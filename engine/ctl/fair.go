package ctl

import "context"

// Endless finds a maximal path in inside, from the single state from, of those that count: its
// run, and the state where its loop begins or where it ends.
type Endless[S any] func(ctx context.Context, from, inside S) (Run, S, error)

// NewFair returns a Checker for an algebra on which not every maximal path counts. It must be
// that every finite path goes on to one that counts, as with fairness: then only Always says which
// do (E. Clarke, O. Grumberg, D. Peled, 1999, Model Checking, section 6.3), and find shows them.
func NewFair[S any](algebra Algebra[S], find Endless[S]) *Checker[S] {
	c := New(algebra)
	c.endless = find
	return c
}

func (c *Checker[S]) fairForever(ctx context.Context, from, inside S) (path[S], error) {
	run, end, err := c.endless(ctx, from, inside)
	return path[S]{markings: run.Markings, loop: run.Loop, end: end, dead: run.Dead, fired: run.Steps}, err
}
