package reduce

import (
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
)

// A needSet has the properties of paths that a formula depends on, which a reduction must keep. A formula that needs nothing is a Boolean
// combination of state predicates in the initial state and of one EF, AG, E[ U ] or A[ W ] over state predicates. It depends only on which
// predicates hold one after the other on finite paths, however long each lasts.
type needSet uint8

const (
	// next: single steps matter, or dead ends matter in a way other than dead.
	next needSet = 1 << iota
	// nested: path operators are nested, so it matters when a choice is made.
	nested
	// forever: maximal paths matter, both infinite ones and those that end: AF, EG, A[ U ], E[ W ].
	forever
	// dead: it matters whether a dead end can be reached where something holds.
	dead
)

// needs returns the needs of a formula without quantifiers and meanings.
func needs(f *ctl.Formula) needSet {
	switch {
	case f == nil:
		return 0
	case isDead(f):
		return next // not below EF or AG, which inside handles
	case f.Op < ctl.EX:
		return needs(f.Left) | needs(f.Right)
	}
	return path(f)
}

// path returns the needs of a formula that begins with a path operator.
func path(f *ctl.Formula) (n needSet) {
	switch f.Op {
	case ctl.EX, ctl.AX:
		n = next
	case ctl.AF, ctl.EG, ctl.AU, ctl.EW:
		n = forever
	case ctl.EF:
		return inside(f.Left, true)
	case ctl.AG:
		return inside(f.Left, false)
	}
	if f.Left.Temporal() || f.Right.Temporal() {
		n |= nested
	}
	return n | needs(f.Left) | needs(f.Right)
}

// inside returns the needs of the operand of EF or, where positive is false, of AG. A dead end that is sought needs only dead: if one of the
// states that a reduction merges is a dead end, it can be reached from the others. That a state is no dead end has no such property.
func inside(f *ctl.Formula, positive bool) needSet {
	switch {
	case f == nil:
		return 0
	case isDead(f) && positive:
		return dead
	case isAlive(f) && !positive:
		return dead
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
		n |= nested
	}
	return n
}

// isAlive recognises EX true, which holds in every state that is no dead end, and isDead its negation, and AX false.
func isAlive(f *ctl.Formula) bool {
	return f.Op == ctl.EX && f.Left.Op == ctl.True || f.Op == ctl.Not && isDead(f.Left)
}

func isDead(f *ctl.Formula) bool {
	return f.Op == ctl.AX && f.Left.Op == ctl.False || f.Op == ctl.Not && isAlive(f.Left)
}

// plain returns a copy of a formula with atoms replaced by their meanings. The error says that it has quantifiers.
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
