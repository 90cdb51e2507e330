package structure

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// A goal requires that a formula holds, or that it does not.
type goal struct {
	formula *ctl.Formula
	holds   bool
}

// A search looks for a marking that meets goals. It uses linear programmes, and distinguishes cases where goals leave a choice or a
// programme's solution has part of a token on a place. It succeeds in excluding all markings only if a checked certificate rules out every
// case.
type search struct {
	*prover
	given premises
	cases int
	last  *certificate // of the last case ruled out by a certificate
}

// maxCases bounds the cases of one search, maxWork its work.
const (
	maxCases = 200
	maxWork  = 5_000_000
)

// never reports whether it proved that no reachable marking meets the goals. False proves nothing. The error is the context's cause.
func (p *prover) never(ctx context.Context, goals ...goal) (bool, error) {
	if p.left <= 0 {
		p.bounded++
		return false, nil
	}
	p.refresh()
	return (&search{prover: p}).prove(ctx, goals)
}

// prove calls refuted within the bounds of work, and counts the work. The error is the context's cause.
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

// refuted reports whether every case of the goals is ruled out.
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
			s.bounded++
			return false
		case out == impossible:
			return s.proven(c)
		case !s.cut():
			return s.split(choices)
		}
	}
}

// proven reports whether a certificate passes its check, and records it as a reason.
func (s *search) proven(c *certificate) bool {
	s.given.sums = s.table.sums
	if !c.proves(s.effects, s.given) {
		s.refused++
		return false
	}
	s.Certificates++
	s.last = c
	s.because(reason{certificate: *c, of: s.given.sums})
	return true
}

// split tries to refute each case of the first choice that the programme's marking does not meet, or else of a place with part of a token. It
// reports false if there is neither, since a reachable marking may then meet all goals.
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
			s.bounded++
			return false
		}
		if !s.refuted(slices.Concat(c, rest)) {
			return false
		}
	}
	return true
}

// alternatives returns the cases of a goal that leaves a choice.
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

// halved returns the first place with part of a token in the programme's marking, or -1.
func (s *search) halved() int {
	for p := range s.marked {
		if v := s.tokens(p); v > tolerance && v < 1-tolerance {
			return p
		}
	}
	return -1
}

// tokens returns the tokens of a place in the programme's marking.
func (s *search) tokens(p int) float64 { return s.table.x[p] + float64(tokens(s.marked[p])) }

// cut adds a trap that is marked initially and empty in the programme's marking. It reports false if it finds none.
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
	trap := s.traps.smaller(set, s.table.enough)
	s.table.work += maxTries
	if !s.table.addTrap(trap) {
		return false
	}
	s.trapped = append(s.trapped, trap)
	return true
}

// maxTraps bounds the traps kept for a net.
const maxTraps = 200
