package expr

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// An Evaluator computes expressions. It bounds their values before it builds them, and holds the values that they may name.
type Evaluator struct {
	*syntax.Resolver
	content   map[string][]byte // the files, to quote expressions literally
	work      int               // bytes charged for evaluation so far
	spent     bool              // work has passed its limit, and that is reported
	Given     Values            // of variables, from outside
	variables map[string]*variable
	locals    map[string]*local
	Self      map[string]cty.Value        // values of the instance under construction
	Nameless  bool                        // after a mistake: whether this is an instance is unknown
	ProseAt   map[hcl.Range]hclspec.Prose // by range of the body that has it
}

// NewEvaluator returns an Evaluator without variables and locals. Content has the files that expressions are from.
func NewEvaluator(rv *syntax.Resolver, content map[string][]byte, given Values) *Evaluator {
	return &Evaluator{Resolver: rv, content: content, Given: given,
		variables: map[string]*variable{}, locals: map[string]*local{}, ProseAt: map[hcl.Range]hclspec.Prose{}}
}

// Content returns the text of a file that expressions are from.
func (ev *Evaluator) Content(file string) []byte { return ev.content[file] }

// maxInteger bounds a whole number, either way.
const maxInteger = 1_000_000_000

// Integer evaluates an attribute that holds a whole number. If it is not given, the result is otherwise.
func (ev *Evaluator) Integer(body *hclsyntax.Body, name string, otherwise int) (int, bool) {
	attr, given := body.Attributes[name]
	if !given {
		return otherwise, true
	}
	v, ok := ev.Typed(attr, cty.Number, "a whole number")
	if !ok {
		return 0, false
	}
	n, whole := WholeNumber(v)
	if !whole || n < -maxInteger || n > maxInteger {
		ev.Mistake(diag.WrongType, attr.Expr.Range(), fmt.Sprintf("Attribute %q must be a whole number.", name),
			"From -1,000,000,000 to 1,000,000,000.")
		return 0, false
	}
	return n, true
}

// WholeNumber returns a number as an int, if it is whole and an int64 holds it.
func WholeNumber(v cty.Value) (int, bool) {
	f := v.AsBigFloat()
	if !f.IsInt() {
		return 0, false
	}
	n, accuracy := f.Int64()
	return int(n), accuracy == 0
}

// Limits of what evaluation may build, in bytes as Weigh counts them.
const (
	maxText  = 64 << 10 // one text
	maxValue = 1 << 20  // one expression, with what it builds on the way
	maxBits  = 4_096    // the exponent of a number, either way
	maxWork  = 64 << 20 // all expressions of a contract
)

// Text evaluates an attribute that holds a text. It reports whether the attribute is given and a text.
func (ev *Evaluator) Text(body *hclsyntax.Body, name string) (string, bool) {
	attr, given := body.Attributes[name]
	if !given {
		return "", false
	}
	v, ok := ev.Typed(attr, cty.String, "a text in quotes")
	if !ok {
		return "", false
	}
	return v.AsString(), true
}

// Truth evaluates an attribute that holds true or false. If it is not given, it is false.
func (ev *Evaluator) Truth(body *hclsyntax.Body, name string) bool {
	attr, given := body.Attributes[name]
	if !given {
		return false
	}
	v, ok := ev.Typed(attr, cty.Bool, "true or false")
	return ok && v.True()
}

// Prose reads the attributes that describe an element.
func (ev *Evaluator) Prose(body *hclsyntax.Body) hclspec.Prose {
	var p hclspec.Prose
	p.Title, _ = ev.Text(body, "title")
	p.Description, _ = ev.Text(body, "description")
	p.Clause, _ = ev.Text(body, "clause")
	ev.ProseAt[body.SrcRange] = p
	return p
}

// Typed evaluates an attribute, and reports a value of another type than t.
func (ev *Evaluator) Typed(attr *hclsyntax.Attribute, t cty.Type, what string) (cty.Value, bool) {
	v, ok := ev.Evaluate(attr.Expr)
	if ok && (v.IsNull() || v.Type() != t) {
		ev.Mistake(diag.WrongType, attr.Expr.Range(), fmt.Sprintf("Attribute %q must be %s.", attr.Name, what),
			"This is "+DescribeFor(t, v)+".")
		return v, false
	}
	return v, ok
}

// Evaluate computes an expression. It checks and weighs it first, so that a value too large is refused before it is built. The use of a local
// that is itself wrong is no second mistake.
func (ev *Evaluator) Evaluate(e hclsyntax.Expression) (cty.Value, bool) {
	if !ev.Check(e) {
		return cty.NilVal, false
	}
	if !ev.affordable(e) {
		return cty.NilVal, false
	}
	if _, minus := e.(*hclsyntax.BinaryOpExpr); minus {
		if text := string(e.Range().SliceBytes(ev.content[e.Range().Filename])); hclspec.LooksLikeDay(text) {
			ev.Mistake(diag.WrongType, e.Range(), "A day stands in quotes.", fmt.Sprintf("Write %q.", text))
			return cty.NilVal, false
		}
	}
	v, found := e.Value(ev.Context(e))
	ev.Foreign(diag.BadExpression, ev.NameOperands(e, found))
	if found.HasErrors() || !ev.sound(e, v) {
		return cty.NilVal, false
	}
	return v, true
}

// affordable charges an expression before it is evaluated. It reports once that a contract as a whole is too large.
func (ev *Evaluator) affordable(e hclsyntax.Expression) bool {
	weight := ev.Weigh(e)
	if weight > maxValue {
		ev.tooHeavy(e)
		return false
	}
	if ev.work += weight; ev.work > maxWork && !ev.spent {
		ev.spent = true
		ev.tooHeavy(e)
	}
	return !ev.spent
}

func (ev *Evaluator) tooHeavy(e hclsyntax.Expression) {
	ev.Mistake(diag.ValueTooLarge, e.Range(), "This expression may build too large a value.",
		"A text has at most 64 KiB, an expression may build 1 MiB, a contract 64 MiB in all.")
}

// sound checks a value for texts or numbers that are too large, and for hidden characters, which escapes can make.
func (ev *Evaluator) sound(e hclsyntax.Expression, v cty.Value) bool {
	ok := true
	stop := cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		ok = ok && (v.IsNull() || ev.soundOne(e, v))
		return ok, nil
	})
	return ok && stop == nil
}

func (ev *Evaluator) soundOne(e hclsyntax.Expression, v cty.Value) bool {
	switch {
	case v.Type() == cty.Number && !smallNumber(v), v.Type() == cty.String && len(v.AsString()) > maxText:
		ev.tooHeavy(e)
		return false
	case v.Type() == cty.String:
		if at, r := syntax.FirstHidden(v.AsString()); at >= 0 {
			ev.Mistake(diag.HiddenCharacter, e.Range(), fmt.Sprintf("A text contains the hidden character U+%04X.", r), syntax.HiddenDetail)
			return false
		}
	}
	return true
}

func smallNumber(v cty.Value) bool {
	f := v.AsBigFloat()
	exponent := f.MantExp(nil)
	return !f.IsInf() && max(exponent, -exponent) <= maxBits
}

// Context returns a context with the values that an expression names, and no others.
func (ev *Evaluator) Context(e hclsyntax.Expression) *hcl.EvalContext {
	values := map[string]cty.Value{}
	for _, name := range localsIn(e) {
		values[name] = ev.locals[name].value
	}
	all := ev.outside(e)
	all["local"] = cty.ObjectVal(values)
	return &hcl.EvalContext{Variables: all, Functions: functions}
}

// Check reports the unsupported parts of an expression, and returns whether it can be evaluated.
func (ev *Evaluator) Check(e hclsyntax.Expression) bool {
	before, broken := len(ev.Diags), false
	hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		ev.CheckNode(n)
		return nil
	})
	if len(ev.Diags) > before { // a refused expression may declare names of its own
		return false
	}
	for _, t := range e.Variables() {
		broken = !ev.CheckLocal(t) || broken
	}
	return !broken
}

// elsewhere says where words are meant that look like functions.
var elsewhere = map[string]string{
	"between": "A choice of values is the whole new value of a counter: set = { paid = between(1, 3) }.",
	"any":     "One of several conditions is any(a, b) in only_while; one of several values of a counter is set = { paid = between(1, 3) }.",
}

// CheckNode reports a part of an expression that the language does not have.
func (ev *Evaluator) CheckNode(n hclsyntax.Node) {
	switch n := n.(type) {
	case *hclsyntax.FunctionCallExpr:
		if _, known := weights[n.Name]; !known {
			ev.Mistake(diag.UnknownFunction, n.NameRange, fmt.Sprintf("There is no function %q.", n.Name),
				cmp.Or(elsewhere[n.Name], ev.Guess(n.Name, functionNames), diag.OneOf("functions", functionNames)))
		}
	case *hclsyntax.LiteralValueExpr, *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr, *hclsyntax.ParenthesesExpr,
		*hclsyntax.ScopeTraversalExpr, *hclsyntax.RelativeTraversalExpr, *hclsyntax.IndexExpr, *hclsyntax.ConditionalExpr,
		*hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr, *hclsyntax.ObjectConsKeyExpr,
		*hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr:
	case hclsyntax.ChildScope, *hclsyntax.AnonSymbolExpr: // inside what is refused
	default:
		ev.Mistake(diag.Unsupported, n.Range(), "This kind of expression is not part of the language.",
			"There are no for expressions and no [*]: write out each element.")
	}
}

// CheckLocal reports whether a reference in an expression leads to a value.
func (ev *Evaluator) CheckLocal(t hcl.Traversal) bool {
	root := t.RootName()
	switch root {
	case "var":
		return ev.checkVariable(t)
	case "count", "each":
		return ev.checkSelf(t)
	}
	if root != "local" || len(t) < 2 {
		hint := "A text stands in quotes. Values are written local.NAME, from a locals block, and var.NAME."
		if truth := truths[strings.ToLower(root)]; truth != "" && len(t) == 1 {
			hint = "Write " + truth + "."
		} else if ev.locals[root] != nil {
			hint = "Write local." + root + "."
		} else if ev.variables[root] != nil {
			hint = "Write var." + root + "."
		}
		ev.Mistake(diag.UnknownName, t.SourceRange(), fmt.Sprintf("%q is not a value.", root), hint)
		return false
	}
	step, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		ev.Mistake(diag.NotAReference, t.SourceRange(), "The name of a local value is expected here.", "Write local.NAME.")
		return false
	}
	v, known := ev.locals[step.Name]
	if !known {
		ev.Unknown(syntax.AfterDot(step.SrcRange), fmt.Sprintf("There is no local value %q.", step.Name), step.Name, ev.localNames)
	}
	if known {
		ev.Refer(syntax.AfterDot(step.SrcRange), v.attr.NameRange)
	}
	return known && v.ready
}

// localsIn returns the names of the locals that an expression refers to, each once, in source order.
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

func (ev *Evaluator) localNames() []string { return slices.Sorted(maps.Keys(ev.locals)) }
