package space

import "context"

// steps calls visit with every maximal set of the fireable transitions ts of which no two compete, in lexicographic order. visit must not keep
// its argument. If ts is empty there is no step. The error is that of visit, or the context's cause.
//
// The sets are the maximal independent sets of the graph whose edges are the competing pairs. The search first takes, then leaves each
// transition, and prunes once a transition it left has no rival that is taken or still can be. Its cost is exponential in the worst case, as
// is the number of sets.
func (f *firer) steps(ctx context.Context, ts []int, visit func(step []int) error) error {
	if len(ts) == 0 {
		return nil
	}
	c := &chooser{ts: ts, rivals: f.rivals(ts), taken: make([]int, len(ts)), visit: visit}
	return c.choose(ctx, 0)
}

// rivals returns, for each of ts, the positions in ts of the transitions it competes with, ascending.
func (f *firer) rivals(ts []int) [][]int {
	rivals := make([][]int, len(ts))
	for i := range ts {
		for j := range i {
			if f.compete(ts[i], ts[j]) {
				rivals[i] = append(rivals[i], j)
				rivals[j] = append(rivals[j], i)
			}
		}
	}
	return rivals
}

func (f *firer) compete(t, u int) bool {
	for _, p := range f.patches[t] {
		for _, q := range f.patches[u] {
			if p.word == q.word && p.use&q.use != 0 {
				return true
			}
		}
	}
	return false
}

// A chooser is the state of the search. All of it except ts and step is by position in ts.
type chooser struct {
	ts     []int
	rivals [][]int
	taken  []int // number of rivals taken
	left   []int // left while no rival was taken
	step   []int // transitions taken so far
	visit  func(step []int) error
	tries  int
}

// choose decides position i and all after it.
func (c *chooser) choose(ctx context.Context, i int) error {
	if c.tries++; c.tries%4096 == 0 && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, l := range c.left {
		if !c.hope(l, i) {
			return nil
		}
	}
	switch {
	case i == len(c.ts):
		return c.visit(c.step)
	case c.taken[i] > 0:
		return c.choose(ctx, i+1)
	}
	if err := c.take(ctx, i); err != nil {
		return err
	}
	return c.leave(ctx, i)
}

// hope reports whether some rival of l is taken, or can still be taken at position i or later.
func (c *chooser) hope(l, i int) bool {
	if c.taken[l] > 0 {
		return true
	}
	for _, r := range c.rivals[l] {
		if r >= i && c.taken[r] == 0 {
			return true
		}
	}
	return false
}

func (c *chooser) take(ctx context.Context, i int) error {
	c.step = append(c.step, c.ts[i])
	for _, r := range c.rivals[i] {
		c.taken[r]++
	}
	err := c.choose(ctx, i+1)
	for _, r := range c.rivals[i] {
		c.taken[r]--
	}
	c.step = c.step[:len(c.step)-1]
	return err
}

func (c *chooser) leave(ctx context.Context, i int) error {
	c.left = append(c.left, i)
	err := c.choose(ctx, i+1)
	c.left = c.left[:len(c.left)-1]
	return err
}
