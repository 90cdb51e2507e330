package rests

import (
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
)

// A form is a formula in negation normal form. Parts that do not depend on which members act are not taken apart.
type form struct {
	op          ctl.Op       // And, Or, AX, AG, AF, AW or EF
	plain       *ctl.Formula // a part that does not depend on which members act: then all else is empty
	left, right *form
}

// Normal returns the form of a formula, and reports whether it is possible to ask on whom the formula rests. Strict is for runs that keep
// norms: there the value of every temporal operator depends on which runs there are, so only parts without such operators stay plain, and
// path quantifier E is not supported.
func Normal(f *ctl.Formula, strict bool) (*form, bool) {
	n := normalizer{strict: strict, ok: true}
	form := n.form(f, true)
	return form, n.ok
}

// A normalizer builds the form of a formula. It clears ok for a part that has none.
type normalizer struct{ strict, ok bool }

// depends reports whether the value of a formula depends on which runs count.
func (n *normalizer) depends(f *ctl.Formula) bool {
	switch {
	case f == nil:
		return false
	case f.Op == ctl.AF, f.Op == ctl.AU, f.Op == ctl.EG, f.Op == ctl.EW, n.strict && f.Op >= ctl.EX:
		return true
	case f.Op == ctl.Atom:
		return n.depends(f.Means)
	}
	return n.depends(f.Left) || n.depends(f.Right)
}

// form returns the form of f if positive, else that of its negation.
func (n *normalizer) form(f *ctl.Formula, positive bool) *form {
	switch {
	case !n.depends(f) && positive:
		return &form{plain: f}
	case !n.depends(f):
		return &form{plain: &ctl.Formula{Op: ctl.Not, Left: f}}
	case f.Op == ctl.Atom:
		return n.form(f.Means, positive)
	case f.Op == ctl.Not:
		return n.form(f.Left, !positive)
	case f.Op == ctl.Implies:
		return n.both(ctl.Or, n.form(f.Left, !positive), n.form(f.Right, positive), positive)
	case f.Op == ctl.And || f.Op == ctl.Or:
		return n.both(f.Op, n.form(f.Left, positive), n.form(f.Right, positive), positive)
	}
	return n.path(f, positive)
}

// both returns the form of a conjunction or disjunction, or of its dual if not positive.
func (n *normalizer) both(op ctl.Op, left, right *form, positive bool) *form {
	if !positive {
		op = ctl.And + ctl.Or - op
	}
	return &form{op: op, left: left, right: right}
}

// path returns the form of a temporal operator. It clears ok if there is none.
func (n *normalizer) path(f *ctl.Formula, positive bool) *form {
	op := f.Op
	if !positive {
		op = map[ctl.Op]ctl.Op{ctl.EX: ctl.AX, ctl.EF: ctl.AG, ctl.EG: ctl.AF, ctl.AG: ctl.EF, ctl.EU: ctl.AW, ctl.EW: ctl.AU}[op]
	}
	switch {
	case op == ctl.AX, op == ctl.AG, op == ctl.AF, op == ctl.EF && !n.strict:
		return &form{op: op, left: n.form(f.Left, positive)}
	case op == ctl.AW || op == ctl.AU:
		p, q := n.form(f.Left, positive), n.form(f.Right, positive)
		if !positive { // E[p U q] is false where A[!q W !p && !q]
			p, q = q, &form{op: ctl.And, left: p, right: q}
		}
		weak := &form{op: ctl.AW, left: p, right: q}
		if p.plain != nil && q.plain != nil && !n.strict {
			weak = &form{plain: &ctl.Formula{Op: ctl.AW, Left: p.plain, Right: q.plain}}
		}
		if op == ctl.AW {
			return weak
		}
		return &form{op: ctl.And, left: weak, right: &form{op: ctl.AF, left: q}}
	}
	n.ok = false
	return &form{plain: &ctl.Formula{Op: ctl.False}}
}

// Comes reports whether a formula has an eventuality of its own; only then does the question apply on whom it rests. It ignores that no ideal
// run begins, which phrase.OverIdeal inserts.
func Comes(f *ctl.Formula) bool {
	switch {
	case f == nil:
		return false
	case f.Op == ctl.AF && isBreach(f.Left), f.Op == ctl.AU && isBreach(f.Right):
		return false
	case f.Op == ctl.AF, f.Op == ctl.AU, f.Op == ctl.EG, f.Op == ctl.EW:
		return true
	}
	return Comes(f.Left) || Comes(f.Right) || Comes(f.Means)
}

// isBreach reports whether a formula is !ideal.
func isBreach(f *ctl.Formula) bool {
	return f.Op == ctl.Not && f.Left.Op == ctl.Atom && f.Left.Name == phrase.Ideal
}

// Size returns the number of parts of a form.
func (f *form) Size() int {
	if f == nil {
		return 0
	}
	return 1 + f.left.Size() + f.right.Size()
}
