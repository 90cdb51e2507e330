package syntax

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/construct"
)

// WithImplicitEvents returns the blocks, those of a contract or of a template, and after each obligation or power that does not say what fulfils or
// exercises it an event of its name, unless they declare one:
//
//	event "pay" {
//	  by         = buyer
//	  repeats    = true
//	  only_while = pay.owed
//	}
//
// Of an obligation that powers assign it is by any of those who come to bear it. Its ranges are those of the norm. No block is changed.
func WithImplicitEvents(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	declared := map[string]bool{}
	for _, b := range blocks {
		if b.Type == "event" {
			declared[b.Labels[0]] = true
		}
	}
	var all []*hclsyntax.Block
	for _, b := range blocks {
		all = append(all, b)
		if HasOwnAct(b) && !declared[b.Labels[0]] {
			declared[b.Labels[0]] = true
			all = append(all, eventOf(b, blocks))
		}
	}
	return all
}

// HasOwnAct reports whether a block is a norm that is fulfilled or exercised by the event of its name.
func HasOwnAct(b *hclsyntax.Block) bool {
	kind := construct.NormOf(b.Type)
	_, named := b.Body.Attributes[kind.Act]
	_, borne := b.Body.Attributes["bearer"]
	return kind.OwnAct && !named && borne
}

// OwnAct returns the name of a norm as that of the event which is its act where it names none.
func OwnAct(norm *hclsyntax.Block) hclsyntax.Expression {
	return reference(norm.LabelRanges[0], norm.Labels[0])
}

// IsOwnAct reports whether WithImplicitEvents made a block.
func IsOwnAct(b *hclsyntax.Block) bool {
	by, given := b.Body.Attributes["by"]
	return b.Type == "event" && given && by.NameRange == b.LabelRanges[0]
}

func eventOf(b *hclsyntax.Block, beside []*hclsyntax.Block) *hclsyntax.Block {
	at, kind := b.LabelRanges[0], construct.NormOf(b.Type)
	attributes := maps.Clone(b.Body.Attributes)
	maps.DeleteFunc(attributes, func(name string, _ *hclsyntax.Attribute) bool { return !construct.IsProse(name) })
	for name, e := range map[string]hclsyntax.Expression{
		"by":         anyOf(b.Body.Attributes["bearer"].Expr, assignees(b, beside)),
		"repeats":    &hclsyntax.LiteralValueExpr{Val: cty.True, SrcRange: at},
		"only_while": reference(at, b.Labels[0], kind.On),
	} {
		attributes[name] = &hclsyntax.Attribute{Name: name, Expr: e, SrcRange: at, NameRange: at, EqualsRange: at}
	}
	body := *b.Body
	body.Attributes, body.Blocks = attributes, nil
	act := *b
	act.Type, act.Body = "event", &body
	return &act
}

// assignees returns the parties to which the powers beside an obligation pass it on, from its bearer or from each other.
func assignees(b *hclsyntax.Block, beside []*hclsyntax.Block) (all []hclsyntax.Expression) {
	bears := map[string]bool{}
	EachOf(b.Body.Attributes["bearer"].Expr, func(e hclsyntax.Expression) { bears[asWritten(e)] = true })
	for more := b.Type == "obligation"; more; {
		more = false
		for _, p := range beside {
			assigns, bearer, to := p.Body.Attributes["assigns"], p.Body.Attributes["bearer"], p.Body.Attributes["to"]
			if assigns == nil || bearer == nil || to == nil || bears[asWritten(to.Expr)] {
				continue
			}
			named, owes := false, false
			EachOf(assigns.Expr, func(e hclsyntax.Expression) { named = named || asWritten(e) == b.Labels[0] })
			EachOf(bearer.Expr, func(e hclsyntax.Expression) { owes = owes || bears[asWritten(e)] })
			if named && owes {
				bears[asWritten(to.Expr)], all, more = true, append(all, to.Expr), true
			}
		}
	}
	return all
}

// asWritten returns a reference as it is written, "" if it is none.
func asWritten(e hclsyntax.Expression) string {
	steps, ok := Steps(e)
	if !ok {
		return ""
	}
	return Joined(steps).String()
}

// anyOf returns who may do what a bearer or joint bearers, or who comes to be one, have to do: a party, or any of several.
func anyOf(bearer hclsyntax.Expression, later []hclsyntax.Expression) hclsyntax.Expression {
	var each []hclsyntax.Expression
	EachOf(bearer, func(e hclsyntax.Expression) {
		call, ok := e.(*hclsyntax.FunctionCallExpr)
		if !ok || call.Name != "all" || len(call.Args) != 1 {
			each = append(each, e)
			return
		}
		each = append(each, call.Args[0])
	})
	if each = append(each, later...); len(each) == 1 && each[0] == bearer {
		return bearer
	}
	at := bearer.Range()
	return &hclsyntax.FunctionCallExpr{Name: "any", Args: each, NameRange: at, OpenParenRange: at, CloseParenRange: at}
}

func reference(at hcl.Range, root string, steps ...string) *hclsyntax.ScopeTraversalExpr {
	t := hcl.Traversal{hcl.TraverseRoot{Name: root, SrcRange: at}}
	for _, s := range steps {
		t = append(t, hcl.TraverseAttr{Name: s, SrcRange: at})
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: at}
}
