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
		p.formula = (b.Type == "requirement" || b.Type == "scenario") && !slices.Contains([]string{"title", "description", "clause"}, name)
		a.Expr = p.expression(p.rename(b.Type, name, attr.Expr)) // in this order: what a parameter names is not the template's
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
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		return syntax.Rewritten(e, func(part hclsyntax.Expression) hclsyntax.Expression { return p.named(part, p.expression(part)) })
	case *hclsyntax.IndexExpr:
		c := *e
		c.Collection, c.Key = p.expression(e.Collection), p.index(p.expression(e.Key))
		return &c
	case *hclsyntax.ObjectConsKeyExpr:
		return p.key(e)
	}
	return syntax.Rewritten(e, p.expression)
}

// key is expression for the key of a pair. Several events that a parameter names are any of them.
func (p *phase) key(e *hclsyntax.ObjectConsKeyExpr) hclsyntax.Expression {
	c := *e
	c.Wrapped = p.expression(e.Wrapped)
	if list, several := c.Wrapped.(*hclsyntax.TupleConsExpr); several {
		c.Wrapped = &hclsyntax.FunctionCallExpr{Name: "any", Args: list.Exprs, NameRange: list.SrcRange, OpenParenRange: list.SrcRange, CloseParenRange: list.SrcRange}
	}
	return &c
}

// named returns what stands for a part of a text: the name of an event that a parameter names. A formula says param.NAME, so that the event is not
// taken for one of the template's.
func (p *phase) named(part, now hclsyntax.Expression) hclsyntax.Expression {
	e, ok := part.(*hclsyntax.ScopeTraversalExpr)
	if !ok || e.Traversal.RootName() != "param" {
		return now
	}
	if ref, is := syntax.Steps(now); is && now != part {
		text := syntax.Joined(ref).String()
		if step, ok := lastStep(e.Traversal); ok && p.formula {
			text = "param." + step.Name
		}
		return &hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: e.SrcRange}
	}
	return now
}

// parameter returns the value of param.NAME; any other reference stays as it is.
func (p *phase) parameter(e *hclsyntax.ScopeTraversalExpr) hclsyntax.Expression {
	step, ok := lastStep(e.Traversal)
	if e.Traversal.RootName() != "param" || !ok || p.template == nil {
		return e
	}
	if p.template.parameters[step.Name] == nil {
		p.Unknown(syntax.AfterDot(step.SrcRange), fmt.Sprintf("Template %q has no parameter %q.", p.template.block.Labels[0], step.Name), step.Name,
			func() []string { return slices.Sorted(maps.Keys(p.template.parameters)) })
	}
	a, ok := p.values[step.Name]
	if !ok && p.template.isEvent(step.Name) {
		p.Dropped[e.Traversal.RootName()+"."+step.Name] = true // its mistake is reported already
		return &hclsyntax.ScopeTraversalExpr{SrcRange: e.SrcRange, Traversal: hcl.Traversal{hcl.TraverseRoot{Name: "param." + step.Name, SrcRange: e.SrcRange}}}
	}
	if !ok {
		return &hclsyntax.LiteralValueExpr{Val: cty.StringVal(""), SrcRange: e.SrcRange} // likewise
	}
	if a.events != nil {
		return a.events
	}
	literal := &hclsyntax.LiteralValueExpr{Val: a.value, SrcRange: e.SrcRange}
	if a.Template != "" {
		p.used[literal] = a
	}
	return literal
}
