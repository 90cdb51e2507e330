package phase

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// An argument is the value of a template's parameter in one phase.
type argument struct {
	Template, Parameter string
	At                  hcl.Range       // in the phase: its expression, or the header of a phase that leaves it at its default
	Mistake             *hcl.Diagnostic // reported for a value of another type than the parameter's; nil: there is none
	Typed               bool            // the parameter says its type, and that is no duration
	Lasts               bool            // the parameter is a duration
	Usual               bool            // it is the default
	value               cty.Value       // of the parameter's type; after a mistake, its default

	events hclsyntax.Expression // the names that it gives, if the parameter is an event; else nil
}

// argument evaluates what a phase gives to a parameter, and keeps it. After a mistake the default stands in, so that nothing else is reported.
func (x *Expander) argument(values map[string]*argument, t *template, parameter *hclsyntax.Block, e hclsyntax.Expression, at hcl.Range) {
	name, before := parameter.Labels[0], len(x.Diags)
	typ, typed := parameter.Body.Attributes["type"]
	lasts := typed && hcl.ExprAsKeyword(typ.Expr) == "duration"
	usual, given := parameter.Body.Attributes["default"]
	a := &argument{Template: t.block.Labels[0], Parameter: name, At: at, Typed: typed && !lasts, Lasts: lasts, Usual: given && usual.Expr == e}
	if t.isEvent(name) {
		if x.eventArgument(a, e); a.events != nil {
			values[name] = a
		}
		return
	}
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

// isEvent reports whether a parameter is an event.
func (t *template) isEvent(name string) bool {
	b := t.parameters[name]
	return b != nil && b.Body.Attributes["type"] != nil && hcl.ExprAsKeyword(b.Body.Attributes["type"].Expr) == "event"
}

// eventArgument takes the name of an event, or a list of names, for a parameter that is an event. Whether there are such events is looked up where the parameter stands.
func (x *Expander) eventArgument(a *argument, e hclsyntax.Expression) {
	if a.Usual {
		x.Mistake(diag.Unsupported, e.Range(), fmt.Sprintf("Parameter %q is an event, which has no default.", a.Parameter), "Each phase names one. An event that the template has itself needs no parameter.")
		return
	}
	named := true
	syntax.EachOf(e, func(e hclsyntax.Expression) {
		if _, ok := syntax.Steps(e); !ok && named {
			named = false
			x.Mistake(diag.NotAReference, e.Range(), fmt.Sprintf("Parameter %q is an event: its name is expected here.", a.Parameter), "Write the name of an event of the contract or of a phase, without quotes, or a list of names.")
		}
	})
	if named {
		a.events = e
	}
}

// ArgumentIn returns the first argument in an expression of a block that a phase made; nil if there is none.
func (x *Expander) ArgumentIn(e hclsyntax.Expression) (found *argument) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if literal, ok := n.(*hclsyntax.LiteralValueExpr); ok && found == nil {
			found = x.used[literal]
		}
		return nil
	})
	return found
}
