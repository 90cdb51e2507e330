package reduce

import "github.com/redlinehq/redline/engine/ctl"

// Simplify returns a formula that is equivalent in every state of every model with maximal paths, including dead ends. It folds constants, and
// removes path operators that another one makes superfluous (F. Bønneland, J. Dyhr, P. Jensen, M. Johannsen, J. Srba, 2018, Simplification of
// CTL formulae for efficient model checking of Petri nets, section 3). It does not change f, but the result may share parts with it.
func Simplify(f *ctl.Formula) *ctl.Formula {
	if f == nil || f.Left == nil {
		return f
	}
	g := *f
	g.Left, g.Right = Simplify(f.Left), Simplify(f.Right)
	switch g.Op {
	case ctl.Not:
		return negated(g.Left)
	case ctl.And, ctl.Or, ctl.Implies, ctl.Iff:
		return joined(&g)
	case ctl.EU, ctl.AU, ctl.EW, ctl.AW:
		return until(&g)
	}
	return unary(&g)
}

var (
	yes = &ctl.Formula{Op: ctl.True}
	no  = &ctl.Formula{Op: ctl.False}
)

func negated(f *ctl.Formula) *ctl.Formula {
	switch f.Op {
	case ctl.True:
		return no
	case ctl.False:
		return yes
	case ctl.Not:
		return f.Left
	}
	return &ctl.Formula{Op: ctl.Not, Left: f}
}

// joined folds the Boolean operators of two operands.
func joined(f *ctl.Formula) *ctl.Formula {
	l, r := f.Left, f.Right
	switch f.Op {
	case ctl.And:
		return either(f, ctl.False, ctl.True)
	case ctl.Or:
		return either(f, ctl.True, ctl.False)
	case ctl.Implies:
		switch {
		case l.Op == ctl.False || r.Op == ctl.True:
			return yes
		case l.Op == ctl.True:
			return r
		case r.Op == ctl.False:
			return negated(l)
		}
	case ctl.Iff:
		for _, side := range [][2]*ctl.Formula{{l, r}, {r, l}} {
			switch side[0].Op {
			case ctl.True:
				return side[1]
			case ctl.False:
				return negated(side[1])
			}
		}
	}
	return f
}

// either folds an operator for which one constant decides the value, and the other leaves the other operand.
func either(f *ctl.Formula, settles, leaves ctl.Op) *ctl.Formula {
	for _, side := range [][2]*ctl.Formula{{f.Left, f.Right}, {f.Right, f.Left}} {
		switch side[0].Op {
		case settles:
			return side[0]
		case leaves:
			return side[1]
		}
	}
	return f
}

// unary simplifies the operators of one operand. EX true and AX false stay, since they distinguish dead ends.
func unary(f *ctl.Formula) *ctl.Formula {
	p := f.Left
	switch f.Op {
	case ctl.EX:
		if p.Op == ctl.False {
			return p
		}
	case ctl.AX:
		if p.Op == ctl.True {
			return p
		}
	case ctl.EF, ctl.AF, ctl.EG, ctl.AG:
		if p.Op == ctl.True || p.Op == ctl.False {
			return p
		}
		return paths(f)
	}
	return f
}

// paths simplifies the operands of EF, AF, EG and AG. The laws for EG and AG are those for AF and EF with everything negated. EF p holds
// wherever p can still come, so EF or AF of EF p, and EF of AF p, are no more than EF p.
func paths(f *ctl.Formula) *ctl.Formula {
	p := f.Left
	switch f.Op {
	case ctl.EF:
		switch p.Op {
		case ctl.EF, ctl.AF:
			return unary(&ctl.Formula{Op: ctl.EF, Left: p.Left})
		case ctl.EU, ctl.AU:
			return unary(&ctl.Formula{Op: ctl.EF, Left: p.Right})
		case ctl.Or:
			return split(f)
		}
	case ctl.AG:
		switch p.Op {
		case ctl.AG, ctl.EG:
			return unary(&ctl.Formula{Op: ctl.AG, Left: p.Left})
		case ctl.And:
			return split(f)
		}
	case ctl.AF:
		if p.Op == ctl.EF || p.Op == ctl.AF {
			return p
		}
	case ctl.EG:
		if p.Op == ctl.AG || p.Op == ctl.EG {
			return p
		}
	}
	return f
}

// split distributes EF over or, and AG over and, if that removes an operator.
func split(f *ctl.Formula) *ctl.Formula {
	if !pays(f.Op, f.Left) {
		return f
	}
	l, r := f.Left.Left, f.Left.Right
	return joined(&ctl.Formula{Op: f.Left.Op, Left: unary(&ctl.Formula{Op: f.Op, Left: l}), Right: unary(&ctl.Formula{Op: f.Op, Left: r})})
}

// pays reports whether p, or an operand that op distributes to, begins with an operator that op makes superfluous.
func pays(op ctl.Op, p *ctl.Formula) bool {
	switch p.Op {
	case ctl.EF, ctl.AF, ctl.EU, ctl.AU:
		return op == ctl.EF
	case ctl.AG, ctl.EG:
		return op == ctl.AG
	case ctl.Or:
		return op == ctl.EF && (pays(op, p.Left) || pays(op, p.Right))
	case ctl.And:
		return op == ctl.AG && (pays(op, p.Left) || pays(op, p.Right))
	}
	return false
}

// until simplifies E[p U q], A[p U q], E[p W q] and A[p W q].
func until(f *ctl.Formula) *ctl.Formula {
	p, q := f.Left, f.Right
	one := func(op ctl.Op, p *ctl.Formula) *ctl.Formula { return unary(&ctl.Formula{Op: op, Left: p}) }
	weak := f.Op == ctl.EW || f.Op == ctl.AW
	switch {
	case q.Op == ctl.True || p.Op == ctl.False:
		return q
	case weak && p.Op == ctl.True:
		return p
	case !weak && q.Op == ctl.False:
		return q
	case !weak && q.Op == ctl.EF: // q is EF of something: waiting for it adds nothing
		return q
	}
	switch {
	case f.Op == ctl.EU && p.Op == ctl.True:
		return one(ctl.EF, q)
	case f.Op == ctl.AU && p.Op == ctl.True:
		return one(ctl.AF, q)
	case f.Op == ctl.EW && q.Op == ctl.False:
		return one(ctl.EG, p)
	case f.Op == ctl.AW && q.Op == ctl.False:
		return one(ctl.AG, p)
	}
	return f
}
