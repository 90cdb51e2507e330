package reduce

import (
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
)

// Needs is what a formula looks at, and so what a reduction has to leave as it is. Formulas that need nothing are Boolean
// combinations of state predicates in the initial state and of one EF, AG, E[ U ] or A[ W ] over state predicates: they need
// which predicates hold one after the other on finite paths, however long each lasts.
type Needs uint8

const (
	// Next: single steps count, or something is asked of dead ends otherwise than by Dead.
	Next Needs = 1 << iota
	// Nested: paths are looked at from within paths, so that it counts when a choice is made.
	Nested
	// Forever: maximal paths count, those that go on for ever and those that end: AF, EG, A[ U ], E[ W ].
	Forever
	// Dead: whether a dead end can be reached where something holds.
	Dead
)

// needs of a formula without quantifiers and meanings.
func needs(f *ctl.Formula) Needs {
	switch {
	case f == nil:
		return 0
	case isDead(f):
		return Next // not under EF or AG, where reaching looks for it
	case f.Op < ctl.EX:
		return needs(f.Left) | needs(f.Right)
	}
	return path(f)
}

// path is what a formula with a path operator in front needs.
func path(f *ctl.Formula) (n Needs) {
	switch f.Op {
	case ctl.EX, ctl.AX:
		n = Next
	case ctl.AF, ctl.EG, ctl.AU, ctl.EW:
		n = Forever
	case ctl.EF:
		return inside(f.Left, true)
	case ctl.AG:
		return inside(f.Left, false)
	}
	if f.Left.Temporal() || f.Right.Temporal() {
		n |= Nested
	}
	return n | needs(f.Left) | needs(f.Right)
}

// inside is what the operand of EF, or, where positive is false, of AG needs. A dead end that is looked for needs Dead: between
// the states that a reduction takes for one there is one that is a dead end if any is, and it can be reached from the others. That
// a state is no dead end is not like that.
func inside(f *ctl.Formula, positive bool) Needs {
	switch {
	case f == nil:
		return 0
	case isDead(f) && positive:
		return Dead
	case isAlive(f) && !positive:
		return Dead
	}
	switch f.Op {
	case ctl.Not:
		return inside(f.Left, !positive)
	case ctl.And, ctl.Or:
		return inside(f.Left, positive) | inside(f.Right, positive)
	case ctl.Implies:
		return inside(f.Left, !positive) | inside(f.Right, positive)
	}
	n := needs(f)
	if f.Temporal() {
		n |= Nested
	}
	return n
}

// isAlive recognises EX true, which every state satisfies that is no dead end; isDead its negation, and AX false.
func isAlive(f *ctl.Formula) bool {
	return f.Op == ctl.EX && f.Left.Op == ctl.True || f.Op == ctl.Not && isDead(f.Left)
}

func isDead(f *ctl.Formula) bool {
	return f.Op == ctl.AX && f.Left.Op == ctl.False || f.Op == ctl.Not && isAlive(f.Left)
}

// plain returns a copy of a formula in which atoms are what they mean. It is an error when it has quantifiers.
func plain(f *ctl.Formula) (*ctl.Formula, error) {
	switch {
	case f == nil:
		return nil, nil
	case f.Means != nil:
		return plain(f.Means)
	case f.Op == ctl.ForAll || f.Op == ctl.ForSome:
		return nil, fmt.Errorf("reduce: %s ranges over instances", f.Name)
	}
	g := *f
	var err error
	if g.Left, err = plain(f.Left); err != nil {
		return nil, err
	}
	g.Right, err = plain(f.Right)
	return &g, err
}
