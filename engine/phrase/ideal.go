package phrase

import "github.com/redlinehq/redline/engine/ctl"

// Ideal is the name of the atom for states in which nothing has been breached. A draft defines it. Once it is false it stays false.
const Ideal = "ideal"

// Overstepped is the name of the atom for states in which a party has done what it is forbidden and could have left undone. A draft defines it
// if there can be such states. Once it is true it stays true, and ideal is false.
const Overstepped = "overstepped"

// OverIdeal returns f restricted to ideal runs: its path quantifiers range over the maximal paths that satisfy G ideal. A breach is
// permanent, so every state on a path to a state of EG ideal is ideal. With i for ideal:
//
//	EX p      EX(p && EG i)             AX p      AX(p || AF !i)
//	EF p      EF(p && EG i)             AG p      AG(p || AF !i)
//	EG p      EG(p && i)                AF p      AF(p || !i)
//	E[p U q]  E[p U q && EG i]          A[p W q]  A[p || AF !i W q]
//	E[p W q]  that, or EG(p && i)       A[p U q]  that, and AF(q || !i)
//
// If rest is set, a path may also end where every successor has overstepped, since nobody has to do what is forbidden. Such an ideal state
// has no ideal successor. With o for overstepped:
//
//	AF(p || !i) becomes  A[EX !o U p || !i]
//	EG(p && i)  becomes  !A[EX !o U !(p && i)]
//
// Where no ideal run begins, every A holds, and no E. Operands that already imply this stay as they are (see lasting and loose).
func OverIdeal(f *ctl.Formula, rest bool) *ctl.Formula {
	if f == nil || f.Op == ctl.Atom {
		return f
	}
	g := *f
	g.Left, g.Right = OverIdeal(f.Left, rest), OverIdeal(f.Right, rest)
	r := idealRuns{f, rest}
	switch p, q := g.Left, g.Right; f.Op {
	case ctl.EX, ctl.EF:
		return r.make(f.Op, r.kept(p), nil)
	case ctl.AX, ctl.AG:
		return r.make(f.Op, r.broken(p), nil)
	case ctl.EG:
		return r.always(p)
	case ctl.AF:
		return r.comes(p)
	case ctl.EU:
		return r.make(ctl.EU, p, r.kept(q))
	case ctl.EW:
		return r.make(ctl.Or, r.make(ctl.EU, p, r.kept(q)), r.always(p))
	case ctl.AW:
		return r.make(ctl.AW, r.broken(p), q)
	case ctl.AU:
		return r.make(ctl.And, r.make(ctl.AW, r.broken(p), q), r.comes(q))
	}
	return &g
}

// IdealRun returns the formula that an ideal run begins, for the same rest as OverIdeal.
func IdealRun(rest bool) *ctl.Formula { return idealRuns{&ctl.Formula{}, rest}.some() }

// idealRuns builds formulas with the position of f in its text.
type idealRuns struct {
	f    *ctl.Formula
	rest bool // runs may end where all that can follow has overstepped
}

// make returns a formula at the position of f.
func (r idealRuns) make(op ctl.Op, left, right *ctl.Formula) *ctl.Formula {
	return &ctl.Formula{Op: op, Left: left, Right: right, From: r.f.From, To: r.f.To}
}

// atom returns an atom at the position of f.
func (r idealRuns) atom(name string) *ctl.Formula {
	g := r.make(ctl.Atom, nil, nil)
	g.Name = name
	return g
}

// breach returns !i.
func (r idealRuns) breach() *ctl.Formula { return r.make(ctl.Not, r.atom(Ideal), nil) }

// always returns EG(p && i), or !A[EX !o U !(p && i)].
func (r idealRuns) always(p *ctl.Formula) *ctl.Formula {
	return r.stays(r.make(ctl.And, p, r.atom(Ideal)))
}

// stays returns EG p, or !A[EX !o U !p].
func (r idealRuns) stays(p *ctl.Formula) *ctl.Formula {
	if !r.rest {
		return r.make(ctl.EG, p, nil)
	}
	return r.make(ctl.Not, r.ends(r.make(ctl.Not, p, nil)), nil)
}

// comes returns AF(p || !i), or A[EX !o U p || !i].
func (r idealRuns) comes(p *ctl.Formula) *ctl.Formula {
	return r.ends(r.make(ctl.Or, p, r.breach()))
}

// ends returns AF p, or A[EX !o U p].
func (r idealRuns) ends(p *ctl.Formula) *ctl.Formula {
	if !r.rest {
		return r.make(ctl.AF, p, nil)
	}
	return r.make(ctl.AU, r.make(ctl.EX, r.make(ctl.Not, r.atom(Overstepped), nil), nil), p)
}

// some returns EG i, or !A[EX !o U !i]: an ideal run begins.
func (r idealRuns) some() *ctl.Formula { return r.stays(r.atom(Ideal)) }

// kept returns p && EG i, or p if it implies EG i.
func (r idealRuns) kept(p *ctl.Formula) *ctl.Formula {
	if lasting(p) {
		return p
	}
	return r.make(ctl.And, p, r.some())
}

// broken returns p || AF !i, or p if AF !i implies it.
func (r idealRuns) broken(p *ctl.Formula) *ctl.Formula {
	if loose(p) {
		return p
	}
	return r.make(ctl.Or, p, r.ends(r.breach()))
}

// lasting reports whether the shape of a result of OverIdeal shows that an ideal run begins where it holds.
func lasting(f *ctl.Formula) bool {
	switch f.Op {
	case ctl.EX, ctl.EF, ctl.EG, ctl.EU:
		return true
	case ctl.And:
		return lasting(f.Left) || lasting(f.Right)
	case ctl.Or:
		return lasting(f.Left) && lasting(f.Right)
	case ctl.Not:
		return loose(f.Left)
	}
	return false
}

// loose reports whether the shape of a result of OverIdeal shows that it holds where no ideal run begins.
func loose(f *ctl.Formula) bool {
	switch f.Op {
	case ctl.AX, ctl.AF, ctl.AG, ctl.AU, ctl.AW:
		return true
	case ctl.Or:
		return loose(f.Left) || loose(f.Right)
	case ctl.And:
		return loose(f.Left) && loose(f.Right)
	case ctl.Implies:
		return lasting(f.Left) || loose(f.Right)
	case ctl.Not:
		return lasting(f.Left)
	}
	return false
}

// Goalless returns a result of OverIdeal in which nothing that has to come ever comes: false is in the place of p in AF(p || !i) and A[EX !o U p || !i],
// wherever that counts for the formula. It returns false if the formula has no such part. If the result holds, no ideal run comes to where the formula
// asks for p.
func Goalless(f *ctl.Formula) (*ctl.Formula, bool) {
	g := *f
	var left, right bool
	switch f.Op {
	case ctl.AF:
		g.Left, left = unmet(f.Left)
	case ctl.AU:
		g.Right, right = unmet(f.Right)
	case ctl.AG, ctl.AX, ctl.EX, ctl.EF:
		g.Left, left = Goalless(f.Left)
	case ctl.And, ctl.Or, ctl.AW, ctl.EU:
		g.Left, left = Goalless(f.Left)
		g.Right, right = Goalless(f.Right)
	case ctl.Implies:
		g.Right, right = Goalless(f.Right)
	}
	return &g, left || right
}

// unmet returns false || !i for p || !i, and whether f is such a formula.
func unmet(f *ctl.Formula) (*ctl.Formula, bool) {
	if f.Op != ctl.Or || f.Right.Op != ctl.Not || f.Right.Left.Op != ctl.Atom || f.Right.Left.Name != Ideal {
		return f, false
	}
	g := *f
	g.Left = &ctl.Formula{Op: ctl.False}
	return &g, true
}

// OverAll returns a result of OverIdeal read as if nothing were ever breached: over all runs.
func OverAll(f *ctl.Formula) *ctl.Formula {
	switch {
	case f == nil:
		return nil
	case f.Op == ctl.Atom && f.Name == Ideal:
		return &ctl.Formula{Op: ctl.True}
	case f.Op == ctl.Atom && f.Name == Overstepped:
		return &ctl.Formula{Op: ctl.False}
	}
	g := *f
	g.Left, g.Right = OverAll(f.Left), OverAll(f.Right)
	return &g
}

// AsWritten returns a part of a result of OverIdeal without what OverIdeal has added to it, for a reader who knows that it is about ideal runs. What it has
// added has the position of the formula that it was added to, so that what the text itself says of ideal states stays.
func AsWritten(f *ctl.Formula) *ctl.Formula {
	if f == nil || f.Op == ctl.Atom {
		return f
	}
	if (f.Op == ctl.Or || f.Op == ctl.And) && added(f.Right, f) {
		return AsWritten(f.Left)
	}
	g := *f
	g.Left, g.Right = AsWritten(f.Left), AsWritten(f.Right)
	if f.Op == ctl.AU && added(f.Left, f) { // A[EX !o U p]
		g.Op, g.Left, g.Right = ctl.AF, g.Right, nil
	}
	return &g
}

// added reports whether OverIdeal has added a part to a formula: one about ideal runs alone, at the position of the formula.
func added(part, f *ctl.Formula) bool {
	some := false
	for a := range part.Atoms() {
		if a.Name != Ideal && a.Name != Overstepped || a.From != f.From || a.To != f.To {
			return false
		}
		some = true
	}
	return some
}
