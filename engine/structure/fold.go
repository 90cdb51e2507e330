package structure

import "github.com/redlinehq/redline/engine/ctl"

// fold returns a simpler equivalent of a formula whose operands are simplified, by the rules of its operator for constants. Paths are maximal,
// and every state has one, since a dead end alone is a path. So EX true and AX false stay, and the other operators fold as on infinite paths.
func fold(f *ctl.Formula) *ctl.Formula {
	switch f.Op {
	case ctl.Not:
		return foldNot(f)
	case ctl.And, ctl.Or:
		return foldBoth(f)
	case ctl.Implies:
		return foldImplies(f)
	case ctl.Iff:
		return foldIff(f)
	case ctl.EX:
		return when(is(f.Left, ctl.False), f.Left, f)
	case ctl.AX:
		return when(is(f.Left, ctl.True), f.Left, f)
	case ctl.EF, ctl.AF, ctl.EG, ctl.AG:
		return when(is(f.Left, ctl.True) || is(f.Left, ctl.False), f.Left, f)
	case ctl.EU, ctl.AU:
		return foldUntil(f)
	case ctl.EW, ctl.AW:
		return foldWeak(f)
	}
	return f
}

func is(f *ctl.Formula, op ctl.Op) bool { return f.Op == op }

func when(yes bool, a, b *ctl.Formula) *ctl.Formula {
	if yes {
		return a
	}
	return b
}

func foldNot(f *ctl.Formula) *ctl.Formula {
	switch f.Left.Op {
	case ctl.True, ctl.False:
		return constant(f, f.Left.Op == ctl.False)
	case ctl.Not:
		return f.Left.Left
	}
	return f
}

// negation returns the negation of a formula, at the source position of f.
func negation(f, of *ctl.Formula) *ctl.Formula {
	return foldNot(&ctl.Formula{Op: ctl.Not, Left: of, From: f.From, To: f.To})
}

// foldBoth simplifies a conjunction or disjunction.
func foldBoth(f *ctl.Formula) *ctl.Formula {
	unit, zero := ctl.True, ctl.False
	if f.Op == ctl.Or {
		unit, zero = zero, unit
	}
	switch {
	case is(f.Left, unit) || is(f.Right, zero):
		return f.Right
	case is(f.Right, unit) || is(f.Left, zero):
		return f.Left
	}
	return f
}

func foldImplies(f *ctl.Formula) *ctl.Formula {
	switch {
	case is(f.Left, ctl.False):
		return constant(f, true)
	case is(f.Left, ctl.True) || is(f.Right, ctl.True):
		return f.Right
	case is(f.Right, ctl.False):
		return negation(f, f.Left)
	}
	return f
}

func foldIff(f *ctl.Formula) *ctl.Formula {
	switch {
	case is(f.Left, ctl.True):
		return f.Right
	case is(f.Right, ctl.True):
		return f.Left
	case is(f.Left, ctl.False):
		return negation(f, f.Right)
	case is(f.Right, ctl.False):
		return negation(f, f.Left)
	}
	return f
}

// foldUntil simplifies an until whose right side is constant, or whose left side is.
func foldUntil(f *ctl.Formula) *ctl.Formula {
	switch {
	case is(f.Right, ctl.True) || is(f.Right, ctl.False) || is(f.Left, ctl.False):
		return f.Right
	case is(f.Left, ctl.True):
		return unary(f, ctl.EF, f.Right)
	}
	return f
}

func foldWeak(f *ctl.Formula) *ctl.Formula {
	switch {
	case is(f.Left, ctl.True):
		return f.Left
	case is(f.Right, ctl.True) || is(f.Left, ctl.False):
		return f.Right
	case is(f.Right, ctl.False):
		return unary(f, ctl.EG, f.Left)
	}
	return f
}

// unary returns F or G of a formula, with the quantifier and source position of f.
func unary(f *ctl.Formula, op ctl.Op, of *ctl.Formula) *ctl.Formula {
	if f.Op == ctl.AU || f.Op == ctl.AW {
		op++ // AF follows EF, AG follows EG
	}
	return &ctl.Formula{Op: op, Left: of, From: f.From, To: f.To}
}
