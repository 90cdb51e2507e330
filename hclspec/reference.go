package hclspec

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// reference reads a bare name. The range is the name's own.
func (rv *resolver) reference(e hclsyntax.Expression, what string) (string, hcl.Range, bool) {
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
			rv.mistake(codeQuotedReference, r, fmt.Sprintf("The name of %s stands in quotes.", what),
				fmt.Sprintf("Drop the quotes: write %s.", v.AsString()))
			return "", r, false
		}
	}
	rv.mistake(codeNotAReference, r, fmt.Sprintf("The name of %s is expected here.", what),
		"Write the bare name, without quotes, dots or anything around it.")
	return "", r, false
}

// references reads a list of bare names; each is handed to use.
func (rv *resolver) references(e hclsyntax.Expression, what string, use func(name string, r hcl.Range)) {
	list, ok := e.(*hclsyntax.TupleConsExpr)
	if !ok {
		rv.mistake(codeNotAReference, e.Range(), "A list of names is expected here.", "Write it in brackets: [a, b].")
		return
	}
	for _, item := range list.Exprs {
		if name, r, ok := rv.reference(item, what); ok {
			use(name, r)
		}
	}
}

// pairs reads { name = value, ... }; each pair is handed to use. A name given twice is an error.
func (rv *resolver) pairs(e hclsyntax.Expression, what string, use func(name string, r hcl.Range, value hclsyntax.Expression)) {
	object, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		rv.mistake(codeNotAReference, e.Range(), fmt.Sprintf("%s is expected here.", upperFirst(what)+" in braces"),
			"Write it in braces: { name = value }.")
		return
	}
	seen := names{}
	for _, item := range object.Items {
		name, r, ok := rv.reference(item.KeyExpr, what)
		if !ok {
			continue
		}
		if rv.once(seen, name, r) {
			use(name, r, item.ValueExpr)
		}
	}
}

// eachOf calls use for each item of a list, or for the expression itself if it is no list.
func eachOf(e hclsyntax.Expression, use func(hclsyntax.Expression)) {
	list, ok := e.(*hclsyntax.TupleConsExpr)
	if !ok {
		use(e)
		return
	}
	for _, item := range list.Exprs {
		use(item)
	}
}

// path reads a bare name with dots in it, as goods.delivered.
func (rv *resolver) path(e hclsyntax.Expression, what string) (string, hcl.Range, bool) {
	t, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) == 1 {
		return rv.reference(e, what)
	}
	name := t.Traversal.RootName()
	for _, step := range t.Traversal[1:] {
		attr, ok := step.(hcl.TraverseAttr)
		if !ok {
			rv.mistake(codeNotAReference, e.Range(), fmt.Sprintf("The name of %s is expected here.", what), "Write the bare name, as phase.event.")
			return "", e.Range(), false
		}
		name += "." + attr.Name
	}
	return name, e.Range(), true
}

// afterDot returns the range of an attribute step without its dot.
func afterDot(r hcl.Range) hcl.Range {
	r.Start.Byte, r.Start.Column = r.Start.Byte+1, r.Start.Column+1
	return r
}

// A step is one part of a reference: a name, or an index in brackets.
type step struct {
	text  string
	index bool
	at    hcl.Range // without dot and brackets
}

// steps takes a reference apart: purchaser[0].P1, bank[north].pay, event.GAV[0]. HCL reads an index that is a
// number as part of a traversal, and one that is a name as an expression.
func steps(e hclsyntax.Expression) ([]step, bool) {
	switch e := e.(type) {
	case *hclsyntax.ObjectConsKeyExpr:
		return steps(e.Wrapped)
	case *hclsyntax.ScopeTraversalExpr:
		return traversal(nil, e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		before, ok := steps(e.Source)
		if !ok {
			return nil, false
		}
		return traversal(before, e.Traversal)
	case *hclsyntax.IndexExpr:
		before, ok := steps(e.Collection)
		key, known := e.Key.(*hclsyntax.ScopeTraversalExpr)
		if !ok || !known || len(key.Traversal) != 1 {
			return nil, false
		}
		return append(before, step{key.Traversal.RootName(), true, key.SrcRange}), true
	}
	return nil, false
}

// traversal appends the steps of a traversal.
func traversal(all []step, t hcl.Traversal) ([]step, bool) {
	for _, part := range t {
		switch part := part.(type) {
		case hcl.TraverseRoot:
			all = append(all, step{part.Name, false, part.SrcRange})
		case hcl.TraverseAttr:
			all = append(all, step{part.Name, false, afterDot(part.SrcRange)})
		case hcl.TraverseIndex:
			if part.Key.Type() != cty.Number || !part.Key.AsBigFloat().IsInt() {
				return nil, false
			}
			all = append(all, step{part.Key.AsBigFloat().Text('f', 0), true, part.SrcRange})
		default:
			return nil, false
		}
	}
	return all, true
}

// A partyRef is a name as a reference has it: it means all parties, events or other things of that name, or the one with the index.
type partyRef struct {
	name, index string
	indexed     bool
	at          hcl.Range
}

func (r partyRef) String() string {
	if r.indexed {
		return r.name + "[" + r.index + "]"
	}
	return r.name
}

// dotted reads a reference of several steps, of which only the last may be an index: goods.delivered[0].
func dotted(e hclsyntax.Expression) (partyRef, bool) {
	all, ok := steps(e)
	if !ok || len(all) < 2 || slices.ContainsFunc(all[:len(all)-1], func(s step) bool { return s.index }) {
		return partyRef{}, false
	}
	ref := joined(all)
	ref.at = e.Range()
	return ref, true
}

// joined returns the reference that steps spell, with an index at most at the end.
func joined(all []step) partyRef {
	r := partyRef{name: all[0].text, at: all[0].at}
	for _, s := range all[1:] {
		r.at = hcl.RangeBetween(r.at, s.at)
		if s.index {
			r.index, r.indexed = s.text, true
		} else {
			r.name += "." + s.text
		}
	}
	return r
}
