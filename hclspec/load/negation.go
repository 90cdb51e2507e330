package load

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
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
		if of := l.severalIn(arg); len(each) == 1 && each[0] == arg && l.families[of.name.Name] == nil && of.name.Name != "" { // the occurrences of a norm
			each = of.written(arg)
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
		if of := l.severalIn(arg); of.name.Name != "" {
			each = of.written(arg)
		}
		all = append(all, negated(each)...)
	}
	return all
}

// maxDistributed bounds the conditions that any(...) of lists becomes.
const maxDistributed = 100

// distributed returns the conditions, all of which must be met, that any(...) or || means where one of several is a list, all(...), !any(...) or joined by
// &&: any([a, b], c) is any(a, c) and any(b, c). It returns false for other conditions.
func (l *loader) distributed(event *hclspec.Event, list func(hclsyntax.Expression, func(hclsyntax.Expression)), e hclsyntax.Expression) (all []hclsyntax.Expression, several bool) {
	inner, not := opposite(e)
	op := hclsyntax.OpLogicalOr
	if event != nil {
		op = nil
	}
	args := joinedBy(inner, "any", op)
	if not || len(args) == 0 {
		return nil, false
	}
	var parts [][]hclsyntax.Expression
	n := 1
	for _, arg := range args {
		arg = bare(arg)
		part := []hclsyntax.Expression{}
		l.everyOf(event, list, arg, func(one hclsyntax.Expression) { part = append(part, one) })
		if several = several || len(part) != 1 || part[0] != arg; len(part) == 0 {
			return nil, true // a mistake
		}
		parts, n = append(parts, part), expr.BoundedProduct(n, len(part))
	}
	if n > maxDistributed {
		l.Mistake(diag.Expansion, e.Range(), fmt.Sprintf("This any(...) stands for more than %d conditions.", maxDistributed), "Its lists multiply each other: let it have fewer of them, or shorter ones.")
		return nil, true
	}
	all = []hclsyntax.Expression{&hclsyntax.FunctionCallExpr{Name: "any", NameRange: e.Range(), CloseParenRange: e.Range()}}
	for _, part := range parts {
		var longer []hclsyntax.Expression
		for _, before := range all {
			for _, one := range part {
				call := *before.(*hclsyntax.FunctionCallExpr)
				call.Args = append(slices.Clip(call.Args), one)
				longer = append(longer, &call)
			}
		}
		all = longer
	}
	return all, several
}

// bare returns an expression without brackets around it.
func bare(e hclsyntax.Expression) hclsyntax.Expression {
	for p, ok := e.(*hclsyntax.ParenthesesExpr); ok; p, ok = e.(*hclsyntax.ParenthesesExpr) {
		e = p.Expression
	}
	return e
}

// joinedBy returns what a function or an operator joins; nil if it is another expression.
func joinedBy(e hclsyntax.Expression, function string, op *hclsyntax.Operation) []hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.FunctionCallExpr:
		if e.Name == function {
			return e.Args
		}
	case *hclsyntax.BinaryOpExpr:
		if op != nil && e.Op == op {
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
