package structure

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// Stats counts the work of simplifying.
type Stats struct {
	Settled      int // subformulas replaced by constants because of the net
	Programmes   int // linear programmes
	Pivots       int // of these
	Certificates int // checked and accepted
	refused      int // certificates that failed their check
	traps        int // found
	bounded      int // attempts given up because of a bound
}

// A Net is a net with results of earlier proofs, for reuse. It is for one goroutine at a time.
type Net struct{ prover }

// New returns a Net for n, which must be sane. It makes a short walk in the net.
func New(n *petri.Net) *Net { return &Net{newProver(n)} }

// Stats returns the work of all calls on the Net so far.
func (n *Net) Stats() Stats {
	n.prover.Stats.traps = len(n.trapped)
	return n.prover.Stats
}

// Simplify returns a formula that holds in the same reachable markings as f, whose atoms must be resolved. It replaces subformulas that have
// one value in all these markings by constants (F. Bønneland, J. Dyhr, P. Jensen, M. Johannsen, J. Srba, 2018, Simplification of CTL formulae
// for efficient model checking of Petri nets). It does not change f. For a net that is not one-safe the result says nothing about markings
// beyond a contact.
//
// The work is bounded by a number of steps, the same on every machine. What the bound does not allow stays as it is. The error is the
// context's cause.
func (n *Net) Simplify(ctx context.Context, f *ctl.Formula) (*ctl.Formula, error) {
	n.left, n.reasons = budget, nil
	s := simplifier{ctx, &n.prover, map[*ctl.Formula]simple{}}
	r, err := s.formula(f)
	if err != nil {
		return nil, err
	}
	return r.formula, nil
}

// A simplifier simplifies operands before operators, each subformula once.
type simplifier struct {
	ctx context.Context
	*prover
	done map[*ctl.Formula]simple
}

// A simple is a simplified formula, with the samples in which it is known to hold or not.
type simple struct {
	formula *ctl.Formula
	shown   shown
}

func (s *simplifier) formula(f *ctl.Formula) (simple, error) {
	if r, found := s.done[f]; found {
		return r, nil
	}
	r, err := s.parts(f)
	if err == nil {
		r, err = s.settle(r)
	}
	if err == nil {
		err = cancelled(s.ctx)
	}
	s.done[f] = r
	return r, err
}

// parts simplifies the operands of f, then f by the rules of its operator.
func (s *simplifier) parts(f *ctl.Formula) (simple, error) {
	switch {
	case f.Means != nil:
		return s.formula(f.Means)
	case f.Op == ctl.ForAll || f.Op == ctl.ForSome:
		return simple{formula: f}, nil
	case f.Op == ctl.Atom:
		return simple{f, s.atom(f)}, nil
	}
	var left, right simple
	var err error
	if f.Left != nil {
		if left, err = s.formula(f.Left); err != nil {
			return simple{}, err
		}
	}
	if f.Right != nil {
		if right, err = s.formula(f.Right); err != nil {
			return simple{}, err
		}
	}
	g := fold(with(f, left.formula, right.formula))
	return simple{g, s.show(g, f.Op, left.shown, right.shown)}, nil
}

// atom returns the samples in which an atom without a meaning of its own holds, and the others.
func (s *simplifier) atom(f *ctl.Formula) shown {
	if f.Sum == nil {
		return s.samples.place(f.Place)
	}
	if s.left -= int64(s.samples.count * len(f.Sum.Weights) / 8); s.left <= 0 {
		return shown{}
	}
	return s.samples.sum(f.Sum)
}

// with returns f with other operands. It returns f itself if they are its own.
func with(f, left, right *ctl.Formula) *ctl.Formula {
	if f.Left == left && f.Right == right {
		return f
	}
	g := *f
	g.Left, g.Right = left, right
	return &g
}

// show returns the samples in which a formula is known to hold or not. op is its operator before it was folded.
func (s *simplifier) show(f *ctl.Formula, op ctl.Op, left, right shown) shown {
	switch {
	case f.Op == ctl.True:
		return s.samples.known(bits{}).not()
	case f.Op == ctl.False:
		return s.samples.known(bits{})
	case deadEnd(f):
		return s.samples.ends()
	case lively(f):
		return s.samples.ends().not()
	}
	switch op {
	case ctl.Not:
		return left.not()
	case ctl.And:
		return left.and(right)
	case ctl.Or:
		return left.or(right)
	case ctl.Implies:
		return left.not().or(right)
	case ctl.Iff:
		return left.iff(right)
	}
	return shown{}
}

// settle replaces a formula by a constant if it is proved to hold, or not to hold, in every reachable marking.
func (s *simplifier) settle(r simple) (simple, error) {
	f := r.formula
	if f.Op == ctl.True || f.Op == ctl.False || f.Op == ctl.Not || f.Op >= ctl.ForAll && !lively(f) && !deadEnd(f) {
		return r, nil
	}
	for _, holds := range []bool{true, false} {
		if holds && !r.shown.yes.empty() || !holds && !r.shown.no.empty() {
			continue
		}
		never, err := s.never(s.ctx, goal{f, holds})
		if err != nil {
			return r, err
		}
		if never {
			s.Settled++
			g := constant(f, !holds)
			return simple{g, s.show(g, g.Op, shown{}, shown{})}, nil
		}
	}
	return r, nil
}

// constant returns true or false as a formula at the source position of f.
func constant(f *ctl.Formula, holds bool) *ctl.Formula {
	op := ctl.False
	if holds {
		op = ctl.True
	}
	return &ctl.Formula{Op: op, From: f.From, To: f.To}
}
