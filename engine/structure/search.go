package structure

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// A goal is that a formula is to hold, or not to.
type goal struct {
	formula *ctl.Formula
	holds   bool
}

// A search looks for a marking that meets goals: by linear programmes, and by cases where goals leave a choice or a programme
// halves a token. It finds none only if a certificate, checked, rules out every case.
type search struct {
	*prover
	given premises
	cases int
	last  *certificate // of the last case that was ruled out by one
}

// Bounds of one search.
const (
	maxCases = 200
	maxWork  = 5_000_000
)

// never reports whether no reachable marking meets the goals, as far as that is found out.
func (p *prover) never(ctx context.Context, goals ...goal) (bool, error) {
	if p.left <= 0 {
		p.Bounded++
		return false, nil
	}
	p.refresh()
	return (&search{prover: p}).prove(ctx, goals)
}

// prove is refuted, with the work counted. An error is the context's cause.
func (s *search) prove(ctx context.Context, goals []goal) (bool, error) {
	t := s.table
	before, pivots, reasons := t.work, t.pivots, len(s.reasons)
	end := before + min(maxWork, s.left)
	t.enough = func() bool { return t.work > end || ctx.Err() != nil }
	found := s.refuted(goals)
	if !found {
		s.reasons = s.reasons[:reasons]
	}
	s.left -= t.work - before
	s.Pivots += t.pivots - pivots
	return found, cancelled(ctx)
}

func cancelled(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

// refuted reports whether a certificate rules out that the goals are met, in every case.
func (s *search) refuted(goals []goal) bool {
	literals, limits, mark := len(s.given.literals), len(s.given.limits), s.table.mark()
	defer func() {
		s.given.literals, s.given.limits = s.given.literals[:literals], s.given.limits[:limits]
		s.table.undo(mark)
	}()
	choices, met := s.assume(goals)
	if !met {
		return true
	}
	for {
		out, c := s.table.solve()
		s.Programmes++
		switch {
		case out == given:
			s.Bounded++
			return false
		case out == impossible:
			return s.proven(c)
		case !s.cut():
			return s.split(choices)
		}
	}
}

// proven checks a certificate.
func (s *search) proven(c *certificate) bool {
	s.given.sums = s.table.sums
	if !c.proves(s.effects, s.given) {
		s.Refused++
		return false
	}
	s.Certificates++
	s.last = c
	s.because(reason{certificate: *c, of: s.given.sums})
	return true
}

// split goes through the cases of the first choice that the programme's marking does not meet, or else of a place that it
// halves. Where there is neither, a marking may be reached that meets all goals.
func (s *search) split(choices []goal) bool {
	for i, c := range choices {
		if !s.meets(c) {
			return s.each(slices.Delete(slices.Clone(choices), i, i+1), alternatives(c))
		}
	}
	p := s.halved()
	if p < 0 {
		return false
	}
	atom := &ctl.Formula{Op: ctl.Atom, Place: p}
	return s.each(choices, [][]goal{{{atom, false}}, {{atom, true}}})
}

func (s *search) each(rest []goal, cases [][]goal) bool {
	for _, c := range cases {
		if s.cases++; s.cases > maxCases {
			s.Bounded++
			return false
		}
		if !s.refuted(slices.Concat(c, rest)) {
			return false
		}
	}
	return true
}

// alternatives are the cases of a goal that leaves a choice.
func alternatives(g goal) [][]goal {
	a, b := g.formula.Left, g.formula.Right
	switch g.formula.Op {
	case ctl.And:
		return [][]goal{{{a, false}}, {{b, false}}}
	case ctl.Or:
		return [][]goal{{{a, true}}, {{b, true}}}
	case ctl.Implies:
		return [][]goal{{{a, false}}, {{b, true}}}
	}
	return [][]goal{{{a, true}, {b, g.holds}}, {{a, false}, {b, !g.holds}}} // ctl.Iff
}

// halved returns the first place of which the programme's marking has a part of a token; -1 for none.
func (s *search) halved() int {
	for p := range s.marked {
		if v := s.tokens(p); v > tolerance && v < 1-tolerance {
			return p
		}
	}
	return -1
}

// tokens of a place in the programme's marking.
func (s *search) tokens(p int) float64 { return s.table.x[p] + float64(tokens(s.marked[p])) }

// cut adds a trap that the programme's marking empties, if there is one that is marked initially.
func (s *search) cut() bool {
	if len(s.trapped) >= maxTraps {
		return false
	}
	set := make([]bool, len(s.marked))
	for p := range set {
		set[p] = s.tokens(p) < tolerance
	}
	s.table.work += int64(len(s.net.Transitions))
	if !s.traps.within(set) {
		return false
	}
	trap := s.traps.smaller(set)
	s.table.work += maxTries
	if !s.table.addTrap(trap) {
		return false
	}
	s.trapped = append(s.trapped, trap)
	return true
}

// maxTraps is how many traps are kept of a net.
const maxTraps = 200
