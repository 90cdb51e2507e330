package ctl

import (
	"cmp"
	"context"
	"slices"
)

// A Vacuity says that a formula that holds also holds when the occurrence Sub is replaced by the
// constant Replacement.
type Vacuity struct {
	Sub         *Formula // a node of the formula itself
	Replacement bool     // Sub's own value when it has but one
	Never       bool     // Sub is true in no reachable state
	Always      bool     // Sub is true in every reachable state
}

// maxOccurrences bounds the work of Vacuous: of a conjunct with more atoms it says nothing.
const maxOccurrences = 256

// Vacuous returns the remarks on f, which must hold in the initial state and be a tree: no node
// shared. Each is an occurrence that makes no difference: f also holds with the worst constant in
// its place, false where it counts for f (positive polarity), true where it counts against (Beer,
// Ben-David, Eisner and Rodeh, 2001, Efficient detection of vacuity in temporal model checking;
// for occurrences of all of CTL, Kupferman and Vardi, 2003, Vacuity detection in temporal model
// checking). Of nested ones, the largest. Constants are no remark, nor are occurrences within <->,
// which have no polarity; the <-> itself may be one.
//
// Where an occurrence makes no difference because a neighbour has one value in all reachable
// states, the neighbour is the remark: of AG (p -> q) with p never true it is p, not q. An
// occurrence with one value in all reachable states has that as its replacement. Such remarks come
// first, then the others, each in source order.
//
// Cost: one check for each atom of f, and one for each operator whose atoms are all remarkable:
// replacing more by its worst constant makes no formula truer.
func (c *Checker[S]) Vacuous(ctx context.Context, f *Formula) ([]Vacuity, error) {
	var found []Vacuity
	for _, conjunct := range conjuncts(f) {
		v := &inspection[S]{Checker: c}
		if v.leaves(conjunct) > maxOccurrences {
			continue
		}
		if _, err := v.visit(ctx, &occurrence{formula: conjunct, positive: true}); err != nil {
			return nil, err
		}
		for _, o := range v.found {
			remark, err := v.remark(ctx, o)
			if err != nil {
				return nil, err
			}
			found = append(found, remark)
		}
	}
	return tidy(found), nil
}

// conjuncts returns what must hold each for itself for f to hold.
func conjuncts(f *Formula) []*Formula {
	if f.Op == And {
		return operands(f)
	}
	return []*Formula{f}
}

// tidy puts remarks on neighbours with one value first, and leaves repeated remarks out.
func tidy(found []Vacuity) []Vacuity {
	slices.SortStableFunc(found, func(a, b Vacuity) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Sub.From, b.Sub.From))
	})
	var kept []Vacuity
	for _, v := range found {
		if !slices.ContainsFunc(kept, func(k Vacuity) bool { return k.Sub == v.Sub }) {
			kept = append(kept, v)
		}
	}
	return kept
}

func rank(v Vacuity) int {
	if v.Never || v.Always {
		return 0
	}
	return 1
}

// An occurrence is a subformula in its place.
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
	case f == nil || f.Op == True || f.Op == False:
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

// visit reports whether o makes no difference, and collects it, or else its parts that do not.
func (v *inspection[S]) visit(ctx context.Context, o *occurrence) (bool, error) {
	f, before := o.formula, len(v.found)
	switch f.Op {
	case True, False:
		return true, nil
	case Atom, Iff:
		return v.test(ctx, o, before)
	}
	if f.Op >= EX && v.leaves(f.Left)+v.leaves(f.Right) == 0 {
		return v.test(ctx, o, before)
	}
	all, err := v.visit(ctx, o.left())
	if err != nil {
		return false, err
	}
	if f.Right != nil {
		right, err := v.visit(ctx, o.rightOperand())
		if err != nil {
			return false, err
		}
		all = all && right
	}
	if !all || len(v.found) == before {
		return all, nil
	}
	return v.test(ctx, o, before)
}

// test replaces o by its worst constant. When that makes no difference, o takes the place of what
// was collected since: its parts.
func (v *inspection[S]) test(ctx context.Context, o *occurrence, since int) (bool, error) {
	if o.up == nil {
		return false, nil
	}
	defer v.forget(len(v.sets)) // or the sets of all the changed formulas would pile up
	holds, err := v.Holds(ctx, o.with(constant(!o.positive)))
	if holds {
		v.found = append(v.found[:since], o)
	}
	return holds, err
}

func constant(value bool) *Formula {
	if value {
		return &Formula{Op: True}
	}
	return &Formula{Op: False}
}

// remark returns what to say of a vacuous occurrence: that a neighbour never changes, if that is
// why, else the occurrence itself.
func (v *inspection[S]) remark(ctx context.Context, o *occurrence) (Vacuity, error) {
	for at := o; at.up != nil; at = at.up {
		neighbour, value := moot(at)
		if neighbour == nil || neighbour.Op <= False {
			continue
		}
		r, err := v.describe(ctx, neighbour, value)
		if err != nil || r.Always && value || r.Never && !value {
			return r, err
		}
	}
	return v.describe(ctx, o.formula, !o.positive)
}

// moot returns the neighbour of o that leaves o no say while it has the given value.
func moot(o *occurrence) (neighbour *Formula, value bool) {
	switch up := o.up.formula; {
	case up.Op == Implies && o.right:
		return up.Left, false
	case up.Op == AW && o.right:
		return up.Left, true
	case up.Op == Or && o.right:
		return up.Left, true
	case up.Op == Or:
		return up.Right, true
	}
	return nil, false
}

func (v *inspection[S]) describe(ctx context.Context, f *Formula, replacement bool) (Vacuity, error) {
	set, err := v.Sat(ctx, f)
	if err != nil {
		return Vacuity{}, err
	}
	never, always := v.empty(set), v.algebra.Equal(set, v.algebra.All())
	if never || always {
		replacement = always
	}
	return Vacuity{Sub: f, Replacement: replacement, Never: never, Always: always}, nil
}
