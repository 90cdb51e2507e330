package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
)

// Reference reads a bare name. The range is the name's own.
func (rv *Resolver) Reference(e hclsyntax.Expression, what string) (string, hcl.Range, bool) {
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		e = key.Wrapped
	}
	r := e.Range()
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if len(e.Traversal) == 1 {
			return e.Traversal.RootName(), r, true
		}
	case *hclsyntax.TemplateExpr:
		if e.IsStringLiteral() {
			v, _ := e.Value(nil)
			rv.Mistake(diag.QuotedReference, r, fmt.Sprintf("Write %s, not %q.", v.AsString(), v.AsString()),
				fmt.Sprintf("The name of %s has no quotes.", what))
			return "", r, false
		}
	}
	qualified, name := lastOf(e)
	if rv.Owner != "" && slices.Contains(ownParts, what) && name != "" && !strings.HasPrefix(qualified+"[", rv.Owner+".") && !strings.HasPrefix(qualified, rv.Owner+"[") {
		rv.Mistake(diag.NotAReference, r, fmt.Sprintf("%s is not of %q.", qualified, rv.Owner), OwnOnly)
		return "", r, false
	}
	if slices.Contains(ownParts, what) && name != "" {
		rv.Mistake(diag.NotAReference, r, fmt.Sprintf("Write %s, not %s.", name, qualified),
			fmt.Sprintf("The name of %s is expected here, without the party's name: it is clear which party is meant.", what))
		return "", r, false
	}
	hint := "Write the bare name, without quotes, dots or anything around it."
	if what == "an event" {
		hint = cmp.Or(ofCondition(e), hint)
	}
	if op, is := e.(*hclsyntax.BinaryOpExpr); is && op.Op == hclsyntax.OpSubtract {
		if _, twice := op.RHS.(*hclsyntax.UnaryOpExpr); twice {
			hint = "A comment begins with #, not with --."
		}
	}
	if literal, is := e.(*hclsyntax.LiteralValueExpr); is && what == "an event" && literal.Val.Type() == cty.Number {
		hint = fmt.Sprintf("A time is written with its unit, in quotes, as \"%s ticks\" or \"%[1]s days\".", literal.Val.AsBigFloat().Text('f', -1))
	}
	if phase, index, rest := ofRound(e); rest != "" {
		hint = fmt.Sprintf("A phase that is there several times has its number after a hyphen: write %s-%s.%s.", phase, index, rest)
	}
	if call, is := e.(*hclsyntax.FunctionCallExpr); is {
		hint = fmt.Sprintf("%s(...) does not stand here: write one bare name.", call.Name)
	}
	rv.Mistake(diag.NotAReference, r, fmt.Sprintf("The name of %s is expected here.", what), hint)
	return "", r, false
}

// ofCondition returns the hint for a condition that stands where something happens; "" for another expression.
func ofCondition(e hclsyntax.Expression) string {
	switch op := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		if op.Op == hclsyntax.OpLogicalOr {
			return "Where one of several will do, write a list of them: [a, b]."
		}
		if op.Op.Type != cty.Bool {
			return ""
		}
	case *hclsyntax.UnaryOpExpr:
		if op.Op != hclsyntax.OpLogicalNot {
			return ""
		}
	default:
		return ""
	}
	return "This is a condition. Write here what happens: an event, or what an obligation or its like comes to, as pay.breached. What must be so when it happens stands beside it: with when, in require; of an event, in only_while."
}

// ofRound takes the name of an event apart that is written with the number of its phase in brackets: part[0].yes. It returns "" for any other.
func ofRound(e hclsyntax.Expression) (phase, index, rest string) {
	of, is := e.(*hclsyntax.ScopeTraversalExpr)
	if !is || len(of.Traversal) != 3 {
		return "", "", ""
	}
	i, indexed := of.Traversal[1].(hcl.TraverseIndex)
	attr, named := of.Traversal[2].(hcl.TraverseAttr)
	if !indexed || !named || i.Key.Type() != cty.Number {
		return "", "", ""
	}
	return of.Traversal.RootName(), i.Key.AsBigFloat().Text('f', -1), attr.Name
}

// OwnOnly is the hint on a name of another party.
const OwnOnly = "A transition changes its own party only. An event lets transitions of several parties happen together."

// ownParts are the kinds of names that are looked up in one party only.
var ownParts = []string{"a state", "a place", "a flag", "a flag or a counter", "a label"}

// lastOf returns a name with dots and its last part; empty if the expression is none.
func lastOf(e hclsyntax.Expression) (whole, last string) {
	all, ok := Steps(e)
	if !ok || len(all) < 2 || slices.ContainsFunc(all[1:len(all)-1], func(s Step) bool { return !s.Index }) || all[len(all)-1].Index {
		return "", ""
	}
	last = all[len(all)-1].Text
	return Joined(all[:len(all)-1]).String() + "." + last, last
}

// References reads a list of bare names, and calls use for each.
func (rv *Resolver) References(e hclsyntax.Expression, what string, use func(name string, r hcl.Range)) {
	list, ok := e.(*hclsyntax.TupleConsExpr)
	if !ok {
		rv.Mistake(diag.NotAReference, e.Range(), "A list of names is expected here.", "Write it in brackets: [a, b].")
		return
	}
	for _, item := range list.Exprs {
		if name, r, ok := rv.Reference(item, what); ok {
			use(name, r)
		}
	}
}

// Pairs reads { name = value, ... }, and calls use for each pair. It reports a name given twice.
func (rv *Resolver) Pairs(e hclsyntax.Expression, what string, use func(name string, r hcl.Range, value hclsyntax.Expression)) {
	object, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		rv.Mistake(diag.NotAReference, e.Range(), fmt.Sprintf("%s is expected here.", diag.Capital(what)+" in braces"),
			inBraces(e, what))
		return
	}
	seen := Names{}
	for _, item := range object.Items {
		name, r, ok := rv.Reference(item.KeyExpr, what)
		if !ok {
			continue
		}
		if rv.Once(seen, name, r) {
			use(name, r, item.ValueExpr)
		}
	}
}

// inBraces returns the hint for an expression that stands where pairs in braces are expected.
func inBraces(e hclsyntax.Expression, what string) string {
	value := "true"
	switch op := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		if what == "a flag" {
			return "Write when = { flag = true }. A condition on counters is require, as in require = counter < 12."
		}
	case *hclsyntax.UnaryOpExpr:
		if op.Op == hclsyntax.OpLogicalNot {
			e, value = op.Val, "false"
		}
	case *hclsyntax.TemplateExpr:
		if what == "a flag" {
			return "Write when = { flag = true } of a flag of the party itself. What another has to have done first is only_while, at the event."
		}
	}
	if name := hcl.ExprAsKeyword(e); name != "" && strings.HasPrefix(what, "a flag") {
		return fmt.Sprintf("Write { %s = %s }.", name, value)
	}
	return "Write it in braces: { name = value }."
}

// EachOf calls use for each item of a list, or for the expression itself if it is no list.
func EachOf(e hclsyntax.Expression, use func(hclsyntax.Expression)) {
	list, ok := e.(*hclsyntax.TupleConsExpr)
	if !ok {
		use(e)
		return
	}
	for _, item := range list.Exprs {
		use(item)
	}
}

// Path reads a bare name with dots in it, as goods.delivered.
func (rv *Resolver) Path(e hclsyntax.Expression, what string) (string, hcl.Range, bool) {
	t, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) == 1 {
		return rv.Reference(e, what)
	}
	name := t.Traversal.RootName()
	for _, step := range t.Traversal[1:] {
		attr, ok := step.(hcl.TraverseAttr)
		if !ok {
			rv.Mistake(diag.NotAReference, e.Range(), fmt.Sprintf("The name of %s is expected here.", what), "Write the bare name, as phase.event.")
			return "", e.Range(), false
		}
		name += "." + attr.Name
	}
	return name, e.Range(), true
}

// AfterDot returns the range of an attribute step without its dot.
func AfterDot(r hcl.Range) hcl.Range {
	r.Start.Byte, r.Start.Column = r.Start.Byte+1, r.Start.Column+1
	return r
}

// A Step is one part of a reference: a name, or an index in brackets.
type Step struct {
	Text  string
	Index bool
	At    hcl.Range // without dot and brackets
}

// Steps splits a reference: purchaser[0].P1, bank[north].pay, event.GAV[0]. HCL reads an index that is a number as part of a traversal, and
// one that is a name as an expression.
func Steps(e hclsyntax.Expression) ([]Step, bool) {
	switch e := e.(type) {
	case *hclsyntax.ObjectConsKeyExpr:
		return Steps(e.Wrapped)
	case *hclsyntax.ScopeTraversalExpr:
		return TraversalSteps(nil, e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		before, ok := Steps(e.Source)
		if !ok {
			return nil, false
		}
		return TraversalSteps(before, e.Traversal)
	case *hclsyntax.IndexExpr:
		before, ok := Steps(e.Collection)
		if value, is := e.Key.(*hclsyntax.LiteralValueExpr); is && ok {
			return append(before, Step{valueText(value.Val), true, value.SrcRange}), !value.Val.IsNull()
		}
		key, known := e.Key.(*hclsyntax.ScopeTraversalExpr)
		if !ok || !known || len(key.Traversal) != 1 {
			return nil, false
		}
		return append(before, Step{key.Traversal.RootName(), true, key.SrcRange}), true
	}
	return nil, false
}

// valueText returns a number or a text as an index.
func valueText(v cty.Value) string {
	switch {
	case v.IsNull():
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case v.Type() == cty.String:
		return v.AsString()
	}
	return ""
}

// TraversalSteps appends the steps of a traversal; false if one is neither a name nor a whole number.
func TraversalSteps(all []Step, t hcl.Traversal) ([]Step, bool) {
	for _, part := range t {
		switch part := part.(type) {
		case hcl.TraverseRoot:
			all = append(all, Step{part.Name, false, part.SrcRange})
		case hcl.TraverseAttr:
			all = append(all, Step{part.Name, false, AfterDot(part.SrcRange)})
		case hcl.TraverseIndex:
			if part.Key.Type() != cty.Number || !part.Key.AsBigFloat().IsInt() {
				return nil, false
			}
			all = append(all, Step{part.Key.AsBigFloat().Text('f', 0), true, part.SrcRange})
		default:
			return nil, false
		}
	}
	return all, true
}

// A Ref is a name with an optional index. Without the index it means all parties, events or other things of that name.
type Ref struct {
	Name, Index string
	Indexed     bool
	At          hcl.Range
}

func (r Ref) String() string {
	if r.Indexed {
		return r.Name + "[" + r.Index + "]"
	}
	return r.Name
}

// Dotted reads a reference of at least two steps, of which only the last may be an index: goods.delivered[0].
func Dotted(e hclsyntax.Expression) (Ref, bool) {
	all, ok := Steps(e)
	if !ok || len(all) < 2 || slices.ContainsFunc(all[:len(all)-1], func(s Step) bool { return s.Index }) {
		return Ref{}, false
	}
	ref := Joined(all)
	ref.At = e.Range()
	return ref, true
}

// Joined returns the reference that steps spell. Only the last may be an index.
func Joined(all []Step) Ref {
	r := Ref{Name: all[0].Text, At: all[0].At}
	for _, s := range all[1:] {
		r.At = hcl.RangeBetween(r.At, s.At)
		if s.Index {
			r.Index, r.Indexed = s.Text, true
		} else {
			r.Name += "." + s.Text
		}
	}
	return r
}
