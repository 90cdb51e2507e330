package ways

import (
	"context"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// NewViolation returns a run of head that violates its formula in a wanted way and has no other within it, or nil if there is none. The error is
// ErrTooManyPairs, the context's, that the formulas of both sides differ in structure, or that a named run cannot be interpreted.
func (q *Question) NewViolation(ctx context.Context) (*ctl.Evidence, error) {
	c, err := claimOf(q.Head.Formula, q.Base.Formula, false)
	if err != nil {
		return nil, err
	}
	x := &labeller{label(ctx, &q.Head, q.Stops), label(ctx, &q.Base, q.Stops)}
	x.label(c)
	x.keeping(c)
	if err := x.err(); err != nil {
		return nil, err
	}
	named, err := q.name(c)
	if err != nil {
		return nil, err
	}
	e, err := q.within(ctx, c, named, nil)
	if err != nil || e == nil {
		return nil, err
	}
	return q.least(ctx, c, named, e)
}

// within returns a wanted run of head within a bound, or nil.
func (q *Question) within(ctx context.Context, c *claim, named []pattern, only *bound) (*ctl.Evidence, error) {
	p := &pairs{Question: q, named: named, only: only}
	if err := p.explore(ctx); err != nil {
		return nil, err
	}
	if err := p.find(c); err != nil || !c.by[against].fresh[0] {
		return nil, err
	}
	return (&shower{p}).show(c, 0, against)
}

// A shower returns new ways as evidence.
type shower struct{ *pairs }

// plain explains the value of a formula in head's state of a pair, whatever base has.
func (s *shower) plain(f *ctl.Formula, i int32) (*ctl.Evidence, error) {
	return s.Head.Labels.ExplainAt(s.ctx, f, s.Head.Graph.Sets().One(int(s.list[i].head)), s.Between)
}

// show explains a claim that head's state of a pair violates, in a wanted way if there is one.
func (s *shower) show(c *claim, i int32, v view) (*ctl.Evidence, error) {
	if v == against && s.lost(i) && s.follows() {
		v = alone
	}
	if v == against && s.lost(i) || !c.by[v].fresh[i] || c.form == leaf {
		return s.plain(c.head, i)
	}
	e := &ctl.Evidence{Formula: c.head, Holds: c.not, Run: s.run(i, nil)}
	switch c.form {
	case same:
		return e, s.because(e, 0, c.parts[0], i, v)
	case every:
		for _, part := range c.parts {
			if part.by[v].fresh[i] {
				return e, s.because(e, 0, part, i, v)
			}
		}
	case some:
		for _, part := range c.parts {
			if part.head.Temporal() {
				if err := s.because(e, 0, part, i, s.still(part, i, v)); err != nil {
					return nil, err
				}
			}
		}
		return e, nil
	case next:
		arc := s.freshStep(c, i, v)
		e.Run = s.run(i, []int32{arc})
		return e, s.because(e, 1, c.left, s.to[arc], s.still(c.left, s.to[arc], v))
	case coming:
		return s.coming(c, i, v)
	}
	panic(fmt.Sprintf("ways: no new way of form %d", c.form))
}

// still returns the view in which a claim has a way in a pair: alone if it has none in v and runs are followed.
func (s *shower) still(c *claim, i int32, v view) view {
	if s.follows() && !c.by[v].fresh[i] {
		return alone
	}
	return v
}

// because adds the explanation of a part of a claim in a pair, at marking n of the run above.
func (s *shower) because(e *ctl.Evidence, n int, part *claim, i int32, v view) error {
	below, err := s.show(part, i, v)
	if err == nil {
		e.Next = append(e.Next, ctl.Because{At: n, Evidence: below})
	}
	return err
}

// run returns the run of head along some arcs.
func (s *shower) run(from int32, arcs []int32) ctl.Run {
	run := ctl.Run{Markings: []petri.Marking{s.marking(from)}, Loop: -1}
	for _, arc := range arcs {
		run.Steps = append(run.Steps, s.fired(from, arc))
		from = s.to[arc]
		run.Markings = append(run.Markings, s.marking(from))
	}
	return run
}

// coming takes a shortest path to where the claim is violated in a wanted way, and explains that.
func (s *shower) coming(c *claim, i int32, v view) (*ctl.Evidence, error) {
	of := &c.by[v]
	var arcs []int32
	end := i
	if !of.goal[i] {
		arcs = s.walk(i, func(i, _ int32) bool { return of.within[i] }, func(_, arc int32) bool { return of.goal[s.to[arc]] })
		end = s.to[arcs[len(arcs)-1]]
	}
	e := &ctl.Evidence{Formula: c.head, Holds: c.not, Run: s.run(i, arcs)}
	last := len(arcs)
	switch {
	case s.breaks(c, end, v):
		return e, s.broken(c, e, last, end, s.still(c.left, end, v))
	case s.escapes(c, end, v):
		return e, s.goesOn(c, e, last, end)
	case s.halts(c, end, v):
		e.Run.Dead = true
		return e, s.never(c, e, last, end)
	}
	e.Run = s.run(i, append(arcs, of.ends.of(end)...))
	e.Run.Markings, e.Run.Loop = e.Run.Markings[:len(e.Run.Steps)], last
	return e, s.never(c, e, last, end)
}

// broken explains the end of a run that violates what has to hold.
func (s *shower) broken(c *claim, e *ctl.Evidence, last int, end int32, v view) error {
	if err := s.because(e, last, c.left, end, v); err != nil {
		return err
	}
	if f := c.head; f.Op == ctl.AU || f.Op == ctl.AW {
		return s.explained(e, last, f.Right, end)
	}
	return nil
}

// never explains the end of a run on which something does not come.
func (s *shower) never(c *claim, e *ctl.Evidence, last int, end int32) error {
	f := c.head.Left
	if c.head.Op == ctl.AU {
		f = c.head.Right
	}
	return s.explained(e, last, f, end)
}

func (s *shower) explained(e *ctl.Evidence, last int, f *ctl.Formula, end int32) error {
	below, err := s.plain(f, end)
	if err == nil {
		e.Next = append(e.Next, ctl.Because{At: last, Evidence: below})
	}
	return err
}

// goesOn continues a run by one that violates the claim from its end.
func (s *shower) goesOn(c *claim, e *ctl.Evidence, last int, end int32) error {
	more, err := s.plain(c.head, end)
	if s.follows() {
		more, err = s.show(c, end, alone)
	}
	if err != nil {
		return err
	}
	e.Run.Markings = append(e.Run.Markings[:last:last], more.Run.Markings...)
	e.Run.Steps = append(e.Run.Steps, more.Run.Steps...)
	if e.Run.Dead = more.Run.Dead; more.Run.Loop >= 0 {
		e.Run.Loop = last + more.Run.Loop
	}
	for _, b := range more.Next {
		b.At += last
		e.Next = append(e.Next, b)
	}
	return nil
}

// walk returns a shortest path from a pair along some arcs to an arc that ends it, the first in order. It panics if there is none.
func (p *pairs) walk(from int32, takes, ends func(i, arc int32) bool) (arcs []int32) {
	type came struct{ from, arc int32 }
	seen := map[int32]came{from: {}}
	queue := []int32{from}
	for k := 0; k < len(queue); k++ {
		i := queue[k]
		for a, end := p.arcs(i); a < end; a++ {
			if !takes(i, a) {
				continue
			}
			if ends(i, a) {
				arcs = []int32{a}
				for ; i != from; i = seen[i].from {
					arcs = append(arcs, seen[i].arc)
				}
				slices.Reverse(arcs)
				return arcs
			}
			to := p.to[a]
			if _, known := seen[to]; !known {
				seen[to] = came{i, a}
				queue = append(queue, to)
			}
		}
	}
	panic("ways: no path to a pair that is reachable")
}
