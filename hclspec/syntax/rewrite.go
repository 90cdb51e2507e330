package syntax

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Rewritten returns a copy of an expression with what by returns in place of each of its direct operands, asked from left to right. An expression
// that has none, or that makes names of its own (for, splat), is returned as it is.
func Rewritten(e hclsyntax.Expression, by func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	each := func(list []hclsyntax.Expression) []hclsyntax.Expression {
		list = slices.Clone(list)
		for i := range list {
			list[i] = by(list[i])
		}
		return list
	}
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr:
		c := *e
		c.Parts = each(e.Parts)
		return &c
	case *hclsyntax.TemplateWrapExpr:
		c := *e
		c.Wrapped = by(e.Wrapped)
		return &c
	case *hclsyntax.ParenthesesExpr:
		c := *e
		c.Expression = by(e.Expression)
		return &c
	case *hclsyntax.TupleConsExpr:
		c := *e
		c.Exprs = each(e.Exprs)
		return &c
	case *hclsyntax.RelativeTraversalExpr:
		c := *e
		c.Source = by(e.Source)
		return &c
	case *hclsyntax.IndexExpr:
		c := *e
		c.Collection, c.Key = by(e.Collection), by(e.Key)
		return &c
	case *hclsyntax.FunctionCallExpr:
		c := *e
		c.Args = each(e.Args)
		return &c
	case *hclsyntax.ConditionalExpr:
		c := *e
		c.Condition, c.TrueResult, c.FalseResult = by(e.Condition), by(e.TrueResult), by(e.FalseResult)
		return &c
	case *hclsyntax.BinaryOpExpr:
		c := *e
		c.LHS, c.RHS = by(e.LHS), by(e.RHS)
		return &c
	case *hclsyntax.UnaryOpExpr:
		c := *e
		c.Val = by(e.Val)
		return &c
	case *hclsyntax.ObjectConsExpr:
		c := *e
		c.Items = slices.Clone(e.Items)
		for i, item := range e.Items {
			c.Items[i].KeyExpr, c.Items[i].ValueExpr = by(item.KeyExpr), by(item.ValueExpr)
		}
		return &c
	case *hclsyntax.ObjectConsKeyExpr:
		c := *e
		c.Wrapped = by(e.Wrapped)
		return &c
	}
	return e
}
