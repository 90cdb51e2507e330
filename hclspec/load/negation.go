package load

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
)

// This file moves a negation from around several conditions into them, by De Morgan's laws: !any(a, b) is that neither is so, !all(x) that one
// of several is not, and of norms, whose conditions may be joined, !(a || b) and !(a && b).

// noneOf returns the conditions of a negation of any(...) or ||, all of which must be met; nil for other conditions.
func (l *loader) noneOf(event *hclspec.Event, e hclsyntax.Expression) (all []hclsyntax.Expression) {
	inner, not := opposite(e)
	if !not {
		return nil
	}
	for _, arg := range joinedBy(inner, "any", hclsyntax.OpLogicalOr) {
		each := l.ofAny(event, arg)
		if of := (several{l: l}); len(each) == 1 && each[0] == arg {
			if of.find(arg); l.families[of.name.Name] == nil && of.name.Name != "" { // the occurrences of a norm
				each = of.written(arg)
			}
		}
		all = append(all, negated(each)...)
	}
	return all
}

// someOf returns the conditions of a negation of all(...) or &&, one of which must be met; nil for other conditions.
func (l *loader) someOf(e hclsyntax.Expression) (all []hclsyntax.Expression) {
	inner, not := opposite(e)
	if !not {
		return nil
	}
	for _, arg := range joinedBy(inner, "all", hclsyntax.OpLogicalAnd) {
		each := []hclsyntax.Expression{arg}
		of := several{l: l}
		if of.find(arg); of.name.Name != "" {
			each = of.written(arg)
		}
		all = append(all, negated(each)...)
	}
	return all
}

// joinedBy returns what a function or an operator joins; nil if it is another expression.
func joinedBy(e hclsyntax.Expression, function string, op *hclsyntax.Operation) []hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.FunctionCallExpr:
		if e.Name == function {
			return e.Args
		}
	case *hclsyntax.BinaryOpExpr:
		if e.Op == op {
			return []hclsyntax.Expression{e.LHS, e.RHS}
		}
	}
	return nil
}

func negated(all []hclsyntax.Expression) []hclsyntax.Expression {
	all = slices.Clone(all)
	for i, e := range all {
		all[i] = &hclsyntax.UnaryOpExpr{Op: hclsyntax.OpLogicalNot, Val: e, SrcRange: e.Range()}
	}
	return all
}
