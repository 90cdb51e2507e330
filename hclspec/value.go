package hclspec

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// What evaluation may build, in bytes as weigh counts them.
const (
	maxText  = 64 << 10 // one text
	maxValue = 1 << 20  // one expression, with what it builds on the way
	maxBits  = 4_096    // the exponent of a number, either way
	maxWork  = 64 << 20 // all expressions of a contract
)

// text evaluates an attribute that holds a text, where it is given.
func (l *loader) text(body *hclsyntax.Body, name string) (string, bool) {
	attr, given := body.Attributes[name]
	if !given {
		return "", false
	}
	v, ok := l.typed(attr, cty.String, "a text in quotes")
	if !ok {
		return "", false
	}
	return v.AsString(), true
}

// truth evaluates an attribute that holds true or false; false where it is not given.
func (l *loader) truth(body *hclsyntax.Body, name string) bool {
	attr, given := body.Attributes[name]
	if !given {
		return false
	}
	v, ok := l.typed(attr, cty.Bool, "true or false")
	return ok && v.True()
}

func (l *loader) prose(body *hclsyntax.Body) Prose {
	var p Prose
	p.Title, _ = l.text(body, "title")
	p.Description, _ = l.text(body, "description")
	p.Clause, _ = l.text(body, "clause")
	l.told[body.SrcRange] = p
	return p
}

func (l *loader) typed(attr *hclsyntax.Attribute, t cty.Type, what string) (cty.Value, bool) {
	v, ok := l.evaluate(attr.Expr)
	if ok && (v.IsNull() || v.Type() != t) {
		l.mistake(codeWrongType, attr.Expr.Range(), fmt.Sprintf("Attribute %q must be %s.", attr.Name, what),
			"This is "+Describe(v)+".")
		return v, false
	}
	return v, ok
}

// Describe says of what kind a value is, as in "This is a list.".
func Describe(v cty.Value) string {
	switch t := v.Type(); {
	case v.IsNull():
		return "nothing (null)"
	case t == cty.String:
		return "a text"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "true or false"
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	}
	return "a list"
}

// evaluate computes an expression. It is checked and weighed first, so that nothing large is built
// before it is refused. A use of a local that is itself wrong is no second mistake.
func (l *loader) evaluate(e hclsyntax.Expression) (cty.Value, bool) {
	if !l.check(e) {
		return cty.NilVal, false
	}
	if !l.affordable(e) {
		return cty.NilVal, false
	}
	v, found := e.Value(l.context(e))
	l.foreign(codeBadExpression, found)
	if found.HasErrors() || !l.sound(e, v) {
		return cty.NilVal, false
	}
	return v, true
}

// affordable charges an expression before it is evaluated. That a contract as a whole is too large is said once.
func (l *loader) affordable(e hclsyntax.Expression) bool {
	weight := l.weigh(e)
	if weight > maxValue {
		l.tooHeavy(e)
		return false
	}
	if l.work += weight; l.work > maxWork && !l.spent {
		l.spent = true
		l.tooHeavy(e)
	}
	return !l.spent
}

func (l *loader) tooHeavy(e hclsyntax.Expression) {
	l.mistake(codeValueTooLarge, e.Range(), "This expression may build too large a value.",
		"A text has at most 64 KiB, an expression may build 1 MiB, a contract 64 MiB in all.")
}

// sound looks through a value for what is too large, and for hidden characters, which escapes can make.
func (l *loader) sound(e hclsyntax.Expression, v cty.Value) bool {
	ok := true
	stop := cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		ok = ok && (v.IsNull() || l.soundOne(e, v))
		return ok, nil
	})
	return ok && stop == nil
}

func (l *loader) soundOne(e hclsyntax.Expression, v cty.Value) bool {
	switch {
	case v.Type() == cty.Number && !smallNumber(v), v.Type() == cty.String && len(v.AsString()) > maxText:
		l.tooHeavy(e)
		return false
	case v.Type() == cty.String:
		if at, r := firstHidden(v.AsString()); at >= 0 {
			l.mistake(codeHiddenCharacter, e.Range(), fmt.Sprintf("A text contains the hidden character U+%04X.", r), hiddenDetail)
			return false
		}
	}
	return true
}

func smallNumber(v cty.Value) bool {
	f := v.AsBigFloat()
	return !f.IsInf() && abs(f.MantExp(nil)) <= maxBits
}

// context holds the values an expression names, and no more.
func (l *loader) context(e hclsyntax.Expression) *hcl.EvalContext {
	values := map[string]cty.Value{}
	for _, name := range localsIn(e) {
		values[name] = l.locals[name].value
	}
	all := l.outside(e)
	all["local"] = cty.ObjectVal(values)
	return &hcl.EvalContext{Variables: all, Functions: functions}
}

// check reports what an expression may not contain, and says whether it can be evaluated.
func (l *loader) check(e hclsyntax.Expression) bool {
	before, broken := len(l.diags), false
	hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		l.checkNode(n)
		return nil
	})
	if len(l.diags) > before { // a refused expression may declare names of its own
		return false
	}
	for _, t := range e.Variables() {
		broken = !l.checkLocal(t) || broken
	}
	return !broken
}

func (l *loader) checkNode(n hclsyntax.Node) {
	switch n := n.(type) {
	case *hclsyntax.FunctionCallExpr:
		if _, known := weights[n.Name]; !known {
			l.mistake(codeUnknownFunction, n.NameRange, fmt.Sprintf("There is no function %q.", n.Name),
				or(l.guess(n.Name, functionNames), oneOf("functions", functionNames)))
		}
	case *hclsyntax.LiteralValueExpr, *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr, *hclsyntax.ParenthesesExpr,
		*hclsyntax.ScopeTraversalExpr, *hclsyntax.RelativeTraversalExpr, *hclsyntax.IndexExpr, *hclsyntax.ConditionalExpr,
		*hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr, *hclsyntax.ObjectConsKeyExpr,
		*hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr:
	case hclsyntax.ChildScope, *hclsyntax.AnonSymbolExpr: // inside what is refused
	default:
		l.mistake(codeUnsupported, n.Range(), "This kind of expression is not part of the language.",
			"There are no for expressions and no [*]: write out each element.")
	}
}

// checkLocal says whether a reference in an expression leads to a value.
func (l *loader) checkLocal(t hcl.Traversal) bool {
	root := t.RootName()
	switch root {
	case "var":
		return l.checkVariable(t)
	case "count", "each":
		return l.checkSelf(t)
	}
	if root != "local" || len(t) < 2 {
		l.mistake(codeUnknownName, t.SourceRange(), fmt.Sprintf("%q is not a value.", root),
			"A text stands in quotes. Values are written local.NAME, from a locals block, and var.NAME.")
		return false
	}
	step, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		l.mistake(codeNotAReference, t.SourceRange(), "The name of a local value is expected here.", "Write local.NAME.")
		return false
	}
	v, known := l.locals[step.Name]
	if !known {
		l.unknown(afterDot(step.SrcRange), fmt.Sprintf("There is no local value %q.", step.Name), step.Name, l.localNames)
	}
	if known {
		l.refer(afterDot(step.SrcRange), v.attr.NameRange)
	}
	return known && v.ready
}

// localsIn names the locals an expression refers to, each once, in source order.
func localsIn(e hclsyntax.Expression) []string {
	var found []string
	seen := map[string]bool{}
	for _, t := range e.Variables() {
		if len(t) < 2 || t.RootName() != "local" {
			continue
		}
		if step, ok := t[1].(hcl.TraverseAttr); ok && !seen[step.Name] {
			seen[step.Name] = true
			found = append(found, step.Name)
		}
	}
	return found
}

func (l *loader) localNames() []string {
	all := make([]string, 0, len(l.locals))
	for name := range l.locals {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
