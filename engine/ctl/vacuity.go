package ctl

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/halt"
)

// A Vacuity is a part of a formula that makes no difference: the formula holds, and it holds with anything in the place of Sub, since it
// holds with the worst constant there.
type Vacuity struct {
	Sub         *Formula // a node of the formula itself
	Replacement bool     // the worst constant; in a pattern, the one for Sub, which is the first copy
	Never       bool     // Sub is true in no reachable state
	Always      bool     // Sub is true in every reachable state
	Because     *Formula // a part with one value in all reachable states, because of which Sub makes no difference; may be nil
	Value       bool     // that value
	In          *Formula // the smallest part around Sub that occurs once in the formula; nil if that is Sub itself, and for patterns
	Nth         int      // Sub is the n-th part of In that is equal to it, counted from 1; 0 if it is the only one, or In is nil
	Role        string   // the operand that contains Sub, if several operands of a pattern contain an equal part
	Spare       bool     // the formula without Sub is well-formed and holds, as for p in p || q, p && q and p -> q
}

// maxOccurrences bounds the work of Vacuous. It skips a conjunct with more atoms, and a pattern with more parts.
const maxOccurrences = 256

// Vacuous returns the remarks on f, which must hold in the initial state and be a tree: no node
// shared. Each is an occurrence that makes no difference: f also holds with the worst constant in
// its place, false where it counts for f (positive polarity), true where it counts against (Beer,
// Ben-David, Eisner and Rodeh, 2001, Efficient detection of vacuity in temporal model checking;
// for occurrences of all of CTL, Kupferman and Vardi, 2003, Vacuity detection in temporal model
// checking). Of nested occurrences it reports the largest. It does not report constants, nor occurrences
// within <->, which have no polarity; it may report the <-> itself. A part of a pattern's operand may occur
// in the formula more than once: all of its copies are replaced together.
//
// Remarks on a part with one value in all reachable states, or with such a part as the reason, come first. Within each group they are in
// source order.
//
// Cost: one check for each atom of f, and one for each operator whose operands all make no difference by themselves:
// replacing more by worst constants cannot make a false formula true.
func (c *Checker[S]) Vacuous(ctx context.Context, f *Formula) (found []Vacuity, err error) {
	defer halt.Caught(&err)
	if Patterned(f) {
		return c.vacuousPattern(ctx, f), nil
	}
	var plain []*Formula // conjuncts without remarks
	for _, conjunct := range f.Operands(And) {
		v := &inspection[S]{Checker: c}
		like := func(g *Formula) bool { return c.alike != nil && c.alike(g, conjunct) }
		if v.leaves(conjunct) > maxOccurrences || slices.ContainsFunc(plain[:min(len(plain), mostKinds)], like) {
			continue
		}
		v.visit(ctx, &occurrence{formula: conjunct, positive: true})
		if len(v.found) == 0 {
			plain = append(plain, conjunct)
		}
		for _, o := range v.found {
			remark := v.remark(ctx, o)
			remark.In, remark.Nth = o.once(f)
			found = append(found, remark)
		}
	}
	return tidy(found), nil
}

// tidy drops a remark on a part that is the reason of another remark, and sorts the rest. If two parts are each other's reason, it keeps the
// remark whose reason is never true.
func tidy(found []Vacuity) []Vacuity {
	slices.SortStableFunc(found, func(a, b Vacuity) int { return cmp.Compare(rank(a), rank(b)) })
	var kept []Vacuity
	for _, v := range found {
		if !slices.ContainsFunc(kept, func(k Vacuity) bool { return k.Because == v.Sub }) {
			kept = append(kept, v)
		}
	}
	slices.SortStableFunc(kept, func(a, b Vacuity) int {
		return cmp.Or(cmp.Compare(rank(a)/3, rank(b)/3), cmp.Compare(a.Sub.From, b.Sub.From))
	})
	return kept
}

func rank(v Vacuity) int {
	switch {
	case v.Because != nil && !v.Value:
		return 0
	case v.Because != nil:
		return 1
	case v.Never || v.Always:
		return 2
	}
	return 3
}

// An occurrence is a subformula at one position.
type occurrence struct {
	formula  *Formula
	positive bool
	up       *occurrence // nil: the root
	right    bool        // it is the right operand of up
}

func (o *occurrence) left() *occurrence {
	flips := o.formula.Op == Not || o.formula.Op == Implies
	return &occurrence{formula: o.formula.Left, positive: o.positive != flips, up: o}
}

func (o *occurrence) rightOperand() *occurrence {
	return &occurrence{formula: o.formula.Right, positive: o.positive, up: o, right: true}
}

// with returns the whole formula with the occurrence replaced by f.
func (o *occurrence) with(f *Formula) *Formula {
	for ; o.up != nil; o = o.up {
		whole := *o.up.formula
		if o.right {
			whole.Right = f
		} else {
			whole.Left = f
		}
		f = &whole
	}
	return f
}

// An inspection collects the largest vacuous occurrences of one formula.
type inspection[S any] struct {
	*Checker[S]
	found []*occurrence
}

// leaves counts the occurrences that are tested first.
func (v *inspection[S]) leaves(f *Formula) int {
	switch {
	case f == nil:
		return 0
	case f.Op == Atom || f.Op == Iff:
		return 1
	}
	below := v.leaves(f.Left) + v.leaves(f.Right)
	if below == 0 && f.Op >= EX { // EX true says something without an atom
		return 1
	}
	return below
}

// visit reports whether o makes no difference, and if so collects it. If not, it collects the parts of o that make none.
func (v *inspection[S]) visit(ctx context.Context, o *occurrence) bool {
	f, before := o.formula, len(v.found)
	switch f.Op {
	case True, False:
		return true
	case Atom, Iff:
		return v.test(ctx, o, before)
	}
	if f.Op >= EX && v.leaves(f.Left)+v.leaves(f.Right) == 0 {
		return v.test(ctx, o, before)
	}
	all := v.visit(ctx, o.left())
	if f.Right != nil {
		right := v.visit(ctx, o.rightOperand())
		all = all && right
	}
	if !all || len(v.found) == before {
		return all
	}
	return v.test(ctx, o, before)
}

// test replaces o by its worst constant. If that makes no difference, it collects o instead of the parts of o, which were collected since.
func (v *inspection[S]) test(ctx context.Context, o *occurrence, since int) bool {
	if o.up == nil {
		return false
	}
	defer v.forget(len(v.sets)) // otherwise the sets of all changed formulas would accumulate
	holds := v.holds(ctx, o.with(constant(!o.positive)))
	if holds {
		v.found = append(v.found[:since], o)
	}
	return holds
}

func constant(value bool) *Formula {
	if value {
		return &Formula{Op: True}
	}
	return &Formula{Op: False}
}

// remark describes a vacuous occurrence. If o makes no difference because of its neighbour's value, the neighbour is the reason.
func (v *inspection[S]) remark(ctx context.Context, o *occurrence) Vacuity {
	r := Vacuity{Sub: o.formula, Replacement: !o.positive, Spare: o.spare()}
	r.Never, r.Always = v.constant(ctx, o.formula)
	neighbour, value := moot(o)
	if neighbour == nil || neighbour.Op <= False {
		return r
	}
	never, always := v.constant(ctx, neighbour)
	if (never || always) && always == value {
		r.Because, r.Value = neighbour, value
	}
	return r
}

// spare reports whether the formula with the worst constant for o is equivalent to the formula without o.
func (o *occurrence) spare() bool {
	switch o.up.formula.Op {
	case Or:
		return o.positive
	case And:
		return !o.positive
	case Implies:
		return !o.right && !o.positive
	}
	return false
}

// moot returns the other operand beside o, and its value for which o does not matter. It returns nil if there is no such value.
func moot(o *occurrence) (neighbour *Formula, value bool) {
	up := o.up.formula
	if neighbour = up.Left; !o.right {
		neighbour = up.Right
	}
	switch up.Op {
	case And:
		return neighbour, false
	case Implies:
		return neighbour, !o.right
	case Or, AW, EW:
		return neighbour, true
	case AU, EU:
		if !o.right {
			return neighbour, true
		}
	}
	return nil, false
}

// once returns the smallest part of f that contains o and occurs once in f, or nil if that is o itself. nth is the position of o among the
// parts of it that are equal to o, counted from 1, or 0 if o is the only one.
func (o *occurrence) once(f *Formula) (in *Formula, nth int) {
	at := o
	for at.up != nil && count(f, at.formula) > 1 {
		at = at.up
	}
	in = at.formula
	if at.up == nil {
		in = f
	}
	if at == o {
		return nil, 0
	}
	if count(in, o.formula) > 1 {
		nth = 1 + before(in, o.formula)
	}
	return in, nth
}

// before counts the parts of f that are equal to a given one and come before it.
func before(f, part *Formula) (n int) {
	for g := range f.parts() {
		if g == part {
			break
		}
		if Equal(g, part) {
			n++
		}
	}
	return n
}

// count returns the number of parts of f that are equal to a given one.
func count(f, part *Formula) (n int) {
	for g := range f.parts() {
		if Equal(g, part) {
			n++
		}
	}
	return n
}

// constant reports whether f is true in no reachable state, and whether it is true in all.
func (c *Checker[S]) constant(ctx context.Context, f *Formula) (never, always bool) {
	set := c.sat(ctx, f)
	return c.empty(set), c.algebra.Equal(set, c.algebra.All())
}
