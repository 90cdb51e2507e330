package ctl

import (
	"context"
	"slices"
)

// Symmetric has the checker ask alike which formulas have the same value in the initial state, as have both with the same part of each
// replaced by a constant: a symmetry of the model, of its initial state and of its fair paths maps one to the other. Of the operands of a
// conjunction that are alike, one is then labelled where only the initial state is asked for.
func (c *Checker[S]) Symmetric(alike func(f, g *Formula) bool) {
	c.alike, c.known = alike, map[*Formula]bool{}
}

// mostKinds bounds the operands that others are compared with.
const mostKinds = 16

// Kinds groups the operands of a conjunction that have temporal operators: each group has one operand, and those that alike says it is mapped
// to. Rest has the other operands. Kinds returns no groups if no operands are alike.
func Kinds(f *Formula, alike func(f, g *Formula) bool) (kinds [][]*Formula, rest []*Formula) {
	all := together(f, nil)
	if len(all) <= few {
		return nil, all
	}
	some := false
	for _, g := range all {
		if g.temporal() == 0 {
			rest = append(rest, g)
			continue
		}
		at := slices.IndexFunc(kinds[:min(len(kinds), mostKinds)], func(k []*Formula) bool { return alike(k[0], g) })
		if some = some || at >= 0; at >= 0 {
			kinds[at] = append(kinds[at], g)
		} else {
			kinds = append(kinds, []*Formula{g})
		}
	}
	if !some {
		return nil, all
	}
	return kinds, rest
}

// holdsInitially decides a conjunction in the initial state, one operand of each kind. It returns false for ok if no operands are alike.
func (c *Checker[S]) holdsInitially(ctx context.Context, f *Formula) (holds, ok bool) {
	kinds, rest := Kinds(f, c.alike)
	if kinds == nil {
		return false, false
	}
	holds = c.meets(c.algebra.Initial(), c.sets[c.labelAll(ctx, rest)])
	for _, kind := range kinds {
		value := c.holds(ctx, kind[0])
		holds = holds && value
		for _, g := range kind {
			c.known[g] = value
		}
	}
	return holds, true
}
