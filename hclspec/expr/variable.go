package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/duration"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A variable is a value that the contract leaves open, within its type and its validations.
type variable struct {
	block  *hclsyntax.Block
	typ    varType
	value  cty.Value
	weight int // of value
	ready  bool
}

// A varType is the type of a variable: a word of the language and its cty type.
type varType struct {
	word string
	what string // in messages
	cty  cty.Type
}

var varTypes = []varType{
	{"string", "a text", cty.String},
	{"number", "a number", cty.Number},
	{"bool", "true or false", cty.Bool},
	{"duration", "a duration: a number of ticks, or a text such as \"30 days\"", cty.DynamicPseudoType},
	{"list", "a list of texts", cty.List(cty.String)},
}

// DefineVariables gives every variable its value from outside, or its default.
func (ev *Evaluator) DefineVariables(blocks []*hclsyntax.Block) {
	taken := syntax.Names{}
	for _, b := range blocks {
		if b.Type != "variable" || !ev.DeclareBlock(taken, b) {
			continue
		}
		v := &variable{block: b}
		ev.variables[b.Labels[0]] = v
		ev.Text(b.Body, "description")
		if ev.variableType(v) && ev.giveValue(v) {
			v.weight, v.ready = measure(v.value), true
			v.ready = ev.validate(v)
		}
	}
}

func (ev *Evaluator) variableType(v *variable) bool {
	attr, given := v.block.Body.Attributes["type"]
	if !given {
		ev.Lacking(v.block.Body, syntax.HeaderRange(v.block), fmt.Sprintf("Variable %q has no type.", v.block.Labels[0]),
			"Write type = string, number, bool, duration or list(string).")
		return false
	}
	typ, ok := ev.typeAt(attr.Expr, "list(string)")
	v.typ = typ
	return ok
}

// typeAt reads a type. There are more of them, for the hint.
func (ev *Evaluator) typeAt(e hclsyntax.Expression, more ...string) (typ varType, ok bool) {
	call, list := e.(*hclsyntax.FunctionCallExpr)
	if list && call.Name == "list" && len(call.Args) == 1 && hcl.ExprAsKeyword(call.Args[0]) == "string" {
		return varTypes[len(varTypes)-1], true
	}
	word, r, ok := ev.Reference(e, "a type")
	if !ok {
		return varType{}, false
	}
	for _, t := range varTypes[:len(varTypes)-1] {
		if t.word == word {
			return t, true
		}
	}
	ev.Unknown(r, fmt.Sprintf("There is no type %q.", word), word, func() []string { return append([]string{"string", "number", "bool", "duration"}, more...) })
	return varType{}, false
}

// Argument returns the value that an expression gives to a template's parameter, as the parameter's type has it; false after a mistake.
func (ev *Evaluator) Argument(parameter *hclsyntax.Block, e hclsyntax.Expression) (cty.Value, bool) {
	value, ok := ev.Evaluate(e)
	attr, typed := parameter.Body.Attributes["type"]
	if !ok || !typed {
		return value, ok
	}
	typ, ok := ev.typeAt(attr.Expr, "event", "list(string)")
	if !ok {
		return value, false
	}
	converted, ok := typ.convert(value)
	if !ok {
		ev.Mistake(diag.WrongType, e.Range(), fmt.Sprintf("Parameter %q must be %s.", parameter.Labels[0], typ.what), "This is "+typ.describe(value)+".")
	}
	return converted, ok
}

// giveValue sets the variable's value, and reports whether there is one.
func (ev *Evaluator) giveValue(v *variable) bool {
	name, at := v.block.Labels[0], syntax.HeaderRange(v.block)
	if given, ok := ev.Given[name]; ok {
		var problem string
		if v.value, problem = given.as(v.typ); problem != "" {
			ev.Mistake(diag.ValueRefused, at, fmt.Sprintf("Variable %q must be %s.", name, v.typ.what),
				fmt.Sprintf("Its value, %s, comes from %s.", problem, given.From))
		}
		return problem == ""
	}
	attr, ok := v.block.Body.Attributes["default"]
	if !ok {
		if !ev.Excused[v.block.Body] {
			ev.Mistake(diag.MissingValue, at, fmt.Sprintf("Variable %q has no value.", name),
				fmt.Sprintf("Give one by --var %s=..., in a file by --var-file, or as REDLINE_VAR_%s in the environment; or write a default.", name, name))
		}
		return false
	}
	return ev.defaultValue(v, attr)
}

// Overridden returns the defaults of the variables whose value comes from outside, by name: "" where there is none.
func (ev *Evaluator) Overridden() map[string]string {
	defaults := map[string]string{}
	for name, v := range ev.variables {
		if _, given := ev.Given[name]; !given {
			continue
		}
		defaults[name] = ""
		if attr, has := v.block.Body.Attributes["default"]; has {
			defaults[name] = ev.spelled(attr.Expr)
			if value, diags := attr.Expr.Value(nil); !diags.HasErrors() { // layout makes no difference
				defaults[name] = string(hclwrite.TokensForValue(value).Bytes())
			}
		}
	}
	return defaults
}

func (ev *Evaluator) defaultValue(v *variable, attr *hclsyntax.Attribute) bool {
	if len(attr.Expr.Variables()) > 0 {
		ev.Mistake(diag.Unsupported, attr.Expr.Range(), "A default refers to nothing else.", "Write the value itself; a local can compute with it.")
		return false
	}
	value, ok := ev.Evaluate(attr.Expr)
	if !ok {
		return false
	}
	if v.value, ok = v.typ.convert(value); !ok {
		ev.Mistake(diag.WrongType, attr.Expr.Range(), fmt.Sprintf("Variable %q must be %s.", v.block.Labels[0], v.typ.what), "This is "+v.typ.describe(value)+".")
	}
	return ok
}

// convert returns a value as the type has it: unchanged, but a list in brackets becomes a list of texts.
func (t varType) convert(v cty.Value) (cty.Value, bool) {
	switch {
	case v.IsNull():
		return v, false
	case t.word == "duration":
		return v, lasts(v)
	case v.Type() == t.cty:
		return v, true
	case t.cty != cty.List(cty.String) || !v.Type().IsTupleType():
		return v, false
	case v.LengthInt() == 0:
		return cty.ListValEmpty(cty.String), true
	}
	for _, element := range v.AsValueSlice() {
		if element.IsNull() || element.Type() != cty.String {
			return v, false
		}
	}
	return cty.ListVal(v.AsValueSlice()), true
}

// lasts reports whether a value is a duration: a whole number of ticks, or a number and a unit in words.
func lasts(v cty.Value) bool {
	switch v.Type() {
	case cty.Number:
		n, whole := WholeNumber(v)
		return whole && n > 0
	case cty.String:
		_, ok := duration.Parse(v.AsString())
		return ok
	}
	return false
}

// describe names the kind of a value that the type refuses.
func (t varType) describe(v cty.Value) string {
	if t.word == "duration" && !v.IsNull() && (v.Type() == cty.String || v.Type() == cty.Number) {
		return shownValue(v)
	}
	if what := Describe(v); what != "a list" || t.word != "list" {
		return what
	}
	return "a list with something else in it"
}

// validate reports whether all validations of a variable accept its value.
func (ev *Evaluator) validate(v *variable) bool {
	ok := true
	for _, b := range v.block.Body.Blocks {
		ok = ev.validateOne(v, b) && ok
	}
	return ok
}

func (ev *Evaluator) validateOne(v *variable, b *hclsyntax.Block) bool {
	name := v.block.Labels[0]
	condition, given := b.Body.Attributes["condition"]
	_, told := b.Body.Attributes["error_message"]
	if !given || !told {
		ev.Lacking(b.Body, b.TypeRange, fmt.Sprintf("A validation of variable %q is not complete.", name),
			"Write condition = ..., which must be true, and error_message = \"...\".")
		return false
	}
	for _, t := range condition.Expr.Variables() {
		if all, ok := syntax.TraversalSteps(nil, t); !ok || len(all) < 2 || all[0].Text != "var" || all[1].Text != name {
			ev.Mistake(diag.Unsupported, t.SourceRange(), "A validation speaks of its own variable only.", fmt.Sprintf("Write var.%s.", name))
			return false
		}
	}
	message, ok := ev.Text(b.Body, "error_message")
	holds, known := ev.Typed(condition, cty.Bool, "true or false")
	if !ok || !known {
		return false
	}
	if holds.False() {
		ev.refuseValue(v, condition.Expr, strings.TrimSpace(message))
	}
	return holds.True()
}

// refuseValue reports a value that a validation refuses, at the default that gives it, or at the condition if it comes from outside.
func (ev *Evaluator) refuseValue(v *variable, condition hclsyntax.Expression, message string) {
	name, at, from := v.block.Labels[0], condition.Range(), "from "+ev.Given[v.block.Labels[0]].From
	if _, given := ev.Given[name]; !given {
		at, from = v.block.Body.Attributes["default"].Expr.Range(), "its default"
	}
	ev.Mistake(diag.ValueRefused, at, fmt.Sprintf("Variable %q is %s (%s), but needs %s: %s", name, shownValue(v.value), from, ev.spelled(condition), message), "")
}

// shownValue spells a value for a message: in full if it is short.
func shownValue(v cty.Value) string {
	spelled := strings.TrimSpace(string(hclwrite.TokensForValue(v).Bytes()))
	if len(spelled) > 60 || strings.Contains(spelled, "\n") {
		return Describe(v)
	}
	return spelled
}

// outside returns the values that an expression may use besides locals: variables, and those of the instance.
func (ev *Evaluator) outside(e hclsyntax.Expression) map[string]cty.Value {
	all, vars := map[string]cty.Value{}, map[string]cty.Value{}
	for _, t := range e.Variables() {
		if v := ev.variableAt(t); v != nil {
			vars[v.block.Labels[0]] = v.value
		}
	}
	all["var"] = cty.ObjectVal(vars)
	for name, value := range ev.Self {
		all[name] = value
	}
	return all
}

// variableAt returns the variable that a reference means; nil if there is none.
func (ev *Evaluator) variableAt(t hcl.Traversal) *variable {
	if len(t) < 2 || t.RootName() != "var" {
		return nil
	}
	if attr, ok := t[1].(hcl.TraverseAttr); ok {
		return ev.variables[attr.Name]
	}
	return nil
}

// weighOutside weighs the value of a reference that is no local.
func (ev *Evaluator) weighOutside(t hcl.Traversal) int {
	if v := ev.variableAt(t); v != nil {
		return v.weight
	}
	for _, value := range ev.Self {
		return measure(value)
	}
	return 0
}

// checkVariable reports whether var.NAME leads to a value.
func (ev *Evaluator) checkVariable(t hcl.Traversal) bool {
	attr, ok := lastAttr(t)
	if !ok {
		ev.Mistake(diag.NotAReference, t.SourceRange(), "The name of a variable is expected here.", "Write var.NAME.")
		return false
	}
	v := ev.variableAt(t)
	if v == nil {
		before := len(ev.Diags)
		ev.Unknown(syntax.AfterDot(attr.SrcRange), fmt.Sprintf("There is no variable %q.", attr.Name), attr.Name, func() []string { return slices.Sorted(maps.Keys(ev.variables)) })
		if len(ev.Diags) > before && len(ev.variables) == 0 {
			ev.Diags[before].Detail = fmt.Sprintf("Declare it, outside of every block: variable %q { ... }, with type = ... and default = ... in it.", attr.Name)
		}
		return false
	}
	ev.Refer(syntax.AfterDot(attr.SrcRange), syntax.HeaderRange(v.block))
	return v.ready
}

// lastAttr returns the name after the root.
func lastAttr(t hcl.Traversal) (hcl.TraverseAttr, bool) {
	if len(t) < 2 {
		return hcl.TraverseAttr{}, false
	}
	attr, ok := t[1].(hcl.TraverseAttr)
	return attr, ok
}

// selfNames are the values of an instance: count.index, each.key.
var selfNames = map[string]string{"count": "index", "each": "key"}

// checkSelf reports whether count.index or each.key has a value here.
func (ev *Evaluator) checkSelf(t hcl.Traversal) bool {
	root := t.RootName()
	own := root + "." + selfNames[root]
	if attr, ok := lastAttr(t); !ok || attr.Name != selfNames[root] {
		ev.Mistake(diag.UnknownName, t.SourceRange(), fmt.Sprintf("%s has only %s.", root, own), "Write "+own+".")
		return false
	}
	if _, known := ev.Self[root]; !known && ev.Nameless {
		return false
	} else if !known {
		where := map[string]string{"count": "count = ...", "each": "for_each = [...]"}[root]
		ev.Mistake(diag.UnknownName, t.SourceRange(), fmt.Sprintf("%s has no value here.", own),
			fmt.Sprintf("It has one in a party or net with %s, and in an event with each(...) of one.", where))
		return false
	}
	return true
}
