package rests

import (
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
)

// A Form is a formula in negation normal form, of which only the parts that have to be are taken apart.
type Form struct {
	op          ctl.Op       // And, Or, AX, AG, AF, AW or EF
	plain       *ctl.Formula // a part that depends on nobody's acting: then all else is empty
	left, right *Form
}

// Normal returns the form of a formula, and whether it can be asked on whom it rests. Strict asks for runs that keep norms: there even what
// is safe and what can be reached depends on which runs there are, so only parts without temporal operators are left as they are, and
// nothing may be asked of some run.
func Normal(f *ctl.Formula, strict bool) (*Form, bool) {
	n := normalizer{strict: strict, ok: true}
	form := n.form(f, true)
	return form, n.ok
}

type normalizer struct{ strict, ok bool }

// depends reports whether a formula's value depends on which runs there are.
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

// form is of f, or of its negation.
func (n *normalizer) form(f *ctl.Formula, positive bool) *Form {
	switch {
	case !n.depends(f) && positive:
		return &Form{plain: f}
	case !n.depends(f):
		return &Form{plain: &ctl.Formula{Op: ctl.Not, Left: f}}
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

func (n *normalizer) both(op ctl.Op, left, right *Form, positive bool) *Form {
	if !positive {
		op = ctl.And + ctl.Or - op
	}
	return &Form{op: op, left: left, right: right}
}

// path is the form of a temporal operator.
func (n *normalizer) path(f *ctl.Formula, positive bool) *Form {
	op := f.Op
	if !positive {
		op = map[ctl.Op]ctl.Op{ctl.EX: ctl.AX, ctl.EF: ctl.AG, ctl.EG: ctl.AF, ctl.AG: ctl.EF, ctl.EU: ctl.AW, ctl.EW: ctl.AU}[op]
	}
	switch {
	case op == ctl.AX, op == ctl.AG, op == ctl.AF, op == ctl.EF && !n.strict:
		return &Form{op: op, left: n.form(f.Left, positive)}
	case op == ctl.AW || op == ctl.AU:
		p, q := n.form(f.Left, positive), n.form(f.Right, positive)
		if !positive { // E[p U q] is false where A[!q W !p && !q]
			p, q = q, &Form{op: ctl.And, left: p, right: q}
		}
		weak := &Form{op: ctl.AW, left: p, right: q}
		if p.plain != nil && q.plain != nil && !n.strict {
			weak = &Form{plain: &ctl.Formula{Op: ctl.AW, Left: p.plain, Right: q.plain}}
		}
		if op == ctl.AW {
			return weak
		}
		return &Form{op: ctl.And, left: weak, right: &Form{op: ctl.AF, left: q}}
	}
	n.ok = false
	return &Form{plain: &ctl.Formula{Op: ctl.False}}
}

// Comes reports whether a formula says of something that it has to come: only then is it asked on whom it rests. That ideal runs are not
// asked for is how phrase.OverIdeal says what it says, and no eventuality of the promise's own.
func Comes(f *ctl.Formula) bool {
	switch {
	case f == nil:
		return false
	case f.Op == ctl.AF && f.Left.Op == ctl.Not && f.Left.Left.Op == ctl.Atom && f.Left.Left.Name == phrase.Ideal:
		return false
	case f.Op == ctl.AF, f.Op == ctl.AU, f.Op == ctl.EG, f.Op == ctl.EW:
		return true
	}
	return Comes(f.Left) || Comes(f.Right) || Comes(f.Means)
}

// Shown reports whether runs can show that a form does not hold. That nothing of the kind can be reached no run shows.
func (f *Form) Shown() bool {
	return f == nil || f.op != ctl.EF && f.left.Shown() && f.right.Shown()
}

// Size counts the parts of a form.
func (f *Form) Size() int {
	if f == nil {
		return 0
	}
	return 1 + f.left.Size() + f.right.Size()
}
