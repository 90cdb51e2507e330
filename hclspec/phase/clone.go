package phase

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/syntax"
)

// clone copies a block of the template, with the phase's values for param.NAME and the phase's names for those that the template declares
// (rename.go). Ranges stay: messages point to the template.
func (p *phase) clone(b *hclsyntax.Block) *hclsyntax.Block {
	c := *b
	c.Labels = slices.Clone(b.Labels)
	body := *b.Body
	body.Attributes = maps.Clone(b.Body.Attributes)
	for name, attr := range body.Attributes {
		a := *attr
		a.Expr = p.rename(b.Type, name, p.expression(attr.Expr))
		body.Attributes[name] = &a
	}
	body.Blocks = nil
	for _, inner := range b.Body.Blocks {
		body.Blocks = append(body.Blocks, p.clone(inner))
	}
	c.Body = &body
	p.ScopesOf[c.Body] = p.scope
	return &c
}

func lastStep(t hcl.Traversal) (hcl.TraverseAttr, bool) {
	if len(t) != 2 {
		return hcl.TraverseAttr{}, false
	}
	step, ok := t[1].(hcl.TraverseAttr)
	return step, ok
}

// expression copies an expression with values in place of param.NAME. Unsupported expressions stay as they are; evaluation refuses them.
func (p *phase) expression(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return p.parameter(e)
	case *hclsyntax.TemplateExpr:
		c := *e
		c.Parts = p.expressions(e.Parts)
		return &c
	case *hclsyntax.TemplateWrapExpr:
		c := *e
		c.Wrapped = p.expression(e.Wrapped)
		return &c
	case *hclsyntax.ParenthesesExpr:
		c := *e
		c.Expression = p.expression(e.Expression)
		return &c
	case *hclsyntax.TupleConsExpr:
		c := *e
		c.Exprs = p.expressions(e.Exprs)
		return &c
	case *hclsyntax.FunctionCallExpr:
		c := *e
		c.Args = p.expressions(e.Args)
		return &c
	}
	return p.operator(e)
}

func (p *phase) operator(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.ConditionalExpr:
		c := *e
		c.Condition, c.TrueResult, c.FalseResult = p.expression(e.Condition), p.expression(e.TrueResult), p.expression(e.FalseResult)
		return &c
	case *hclsyntax.BinaryOpExpr:
		c := *e
		c.LHS, c.RHS = p.expression(e.LHS), p.expression(e.RHS)
		return &c
	case *hclsyntax.UnaryOpExpr:
		c := *e
		c.Val = p.expression(e.Val)
		return &c
	case *hclsyntax.ObjectConsExpr:
		c := *e
		c.Items = slices.Clone(e.Items)
		for i := range c.Items {
			c.Items[i].ValueExpr = p.expression(c.Items[i].ValueExpr)
		}
		return &c
	}
	return e
}

func (p *phase) expressions(list []hclsyntax.Expression) []hclsyntax.Expression {
	out := make([]hclsyntax.Expression, len(list))
	for i, e := range list {
		out[i] = p.expression(e)
	}
	return out
}

// parameter returns the value of param.NAME; any other reference stays as it is.
func (p *phase) parameter(e *hclsyntax.ScopeTraversalExpr) hclsyntax.Expression {
	step, ok := lastStep(e.Traversal)
	if e.Traversal.RootName() != "param" || !ok {
		return e
	}
	if p.template.parameters[step.Name] == nil {
		p.Unknown(syntax.AfterDot(step.SrcRange), fmt.Sprintf("Template %q has no parameter %q.", p.template.block.Labels[0], step.Name), step.Name,
			func() []string { return slices.Sorted(maps.Keys(p.template.parameters)) })
	}
	a, ok := p.values[step.Name]
	if !ok {
		return &hclsyntax.LiteralValueExpr{Val: cty.StringVal(""), SrcRange: e.SrcRange} // its mistake is reported already
	}
	literal := &hclsyntax.LiteralValueExpr{Val: a.value, SrcRange: e.SrcRange}
	if a.Template != "" {
		p.used[literal] = a
	}
	return literal
}
