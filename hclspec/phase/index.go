package phase

import (
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
)

// Indices returns the blocks with the values of variables and locals in the brackets of names: purchaser[var.first]. The blocks of the text stay as they are, since other
// readings share them.
func (x *Expander) Indices(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	p, out, may := &phase{Expander: x}, slices.Clone(blocks), map[string]bool{}
	for i, b := range blocks {
		file := b.TypeRange.Filename
		if _, known := may[file]; !known {
			may[file] = mayIndex.Match(x.Content(file))
		}
		if may[file] {
			out[i] = p.indexed(b)
		}
	}
	return out
}

// mayIndex finds a value in brackets, of a name or of a list.
var mayIndex = regexp.MustCompile(`\[[^\]\n]*\b(var|local)\.`)

// indexed returns a copy of a block with values in the brackets of names.
func (p *phase) indexed(b *hclsyntax.Block) *hclsyntax.Block {
	c, body := *b, *b.Body
	body.Attributes, body.Blocks = maps.Clone(b.Body.Attributes), slices.Clone(b.Body.Blocks)
	for name, attr := range body.Attributes {
		if slices.ContainsFunc(attr.Expr.Variables(), isValue) {
			a := *attr
			a.Expr = p.expression(attr.Expr)
			body.Attributes[name] = &a
		}
	}
	for i, inner := range body.Blocks {
		body.Blocks[i] = p.indexed(inner)
	}
	c.Body = &body
	if p.Excused[b.Body] {
		p.Excused[c.Body] = true
	}
	return &c
}

// isValue reports whether a reference is to a variable or a local.
func isValue(t hcl.Traversal) bool { return t.RootName() == "var" || t.RootName() == "local" }

// index returns what stands for an expression in the brackets of a name: its value, if it is computed from variables, locals and parameters. Anything else stays as it is.
func (p *phase) index(e hclsyntax.Expression) hclsyntax.Expression {
	if slices.ContainsFunc(e.Variables(), func(t hcl.Traversal) bool { return !isValue(t) }) {
		return e
	}
	v, ok := p.Evaluate(e)
	if p.BadIndex = p.BadIndex || !ok; !ok {
		return e
	}
	if !v.IsNull() && v.Type() == cty.Number {
		if n, whole := expr.WholeNumber(v); whole && n >= 0 {
			return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: e.Range()}
		}
	}
	if !v.IsNull() && v.Type() == cty.String && hclsyntax.ValidIdentifier(v.AsString()) {
		return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: e.Range()}
	}
	p.BadIndex = true
	p.Mistake(diag.WrongType, e.Range(), "An index is a whole number, from 0, or a name.", "This is "+expr.Describe(v)+".")
	return e
}
