package phase

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
)

// An Argument is the value of a template's parameter in one phase.
type Argument struct {
	Template, Parameter string
	At                  hcl.Range       // in the phase: its expression, or the header of a phase that leaves it at its default
	Mistake             *hcl.Diagnostic // reported for a value of another type than the parameter's; nil: there is none
	Typed               bool            // the parameter says its type, and that is no duration
	Lasts               bool            // the parameter is a duration
	Usual               bool            // it is the default
	value               cty.Value       // of the parameter's type; after a mistake, its default
}

// argument evaluates what a phase gives to a parameter, and keeps it. After a mistake the default stands in, so that nothing else is reported.
func (x *Expander) argument(values map[string]*Argument, t *template, parameter *hclsyntax.Block, e hclsyntax.Expression, at hcl.Range) {
	name, before := parameter.Labels[0], len(x.Diags)
	typ, typed := parameter.Body.Attributes["type"]
	lasts := typed && hcl.ExprAsKeyword(typ.Expr) == "duration"
	usual, given := parameter.Body.Attributes["default"]
	a := &Argument{Template: t.block.Labels[0], Parameter: name, At: at, Typed: typed && !lasts, Lasts: lasts, Usual: given && usual.Expr == e}
	var ok bool
	if a.value, ok = x.Argument(parameter, e); ok {
		values[name] = a
		return
	}
	if i := slices.IndexFunc(x.Diags[before:], func(d *hcl.Diagnostic) bool { return d.Extra == diag.WrongType }); i >= 0 {
		a.Mistake = x.Diags[before+i]
	}
	if given && !a.Usual {
		if a.value, ok = x.Argument(parameter, usual.Expr); ok {
			values[name] = a
		}
	}
}

// ArgumentIn returns the first argument in an expression of a block that a phase made; nil if there is none.
func (x *Expander) ArgumentIn(e hclsyntax.Expression) (found *Argument) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if literal, ok := n.(*hclsyntax.LiteralValueExpr); ok && found == nil {
			found = x.used[literal]
		}
		return nil
	})
	return found
}
