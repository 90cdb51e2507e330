package edit

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// entry returns the range of the one entry of an object that the other lacks or has with another value. It returns that of the whole attribute
// if there are none or several, or if it is no object.
func (a *attribute) entry(other *attribute) hcl.Range {
	was := map[string]bool{}
	for _, e := range other.entries() {
		was[string(other.canonOf(e))] = true
	}
	var fresh []hcl.Range
	for _, e := range a.entries() {
		if !was[string(a.canonOf(e))] {
			fresh = append(fresh, e)
		}
	}
	if len(fresh) != 1 {
		return a.at
	}
	return fresh[0]
}

// entries returns the ranges of an object's entries, name and value.
func (a *attribute) entries() []hcl.Range {
	object, ok := a.expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return nil
	}
	var list []hcl.Range
	for _, item := range object.Items {
		list = append(list, hcl.RangeBetween(item.KeyExpr.Range(), item.ValueExpr.Range()))
	}
	return list
}

func (a *attribute) canonOf(r hcl.Range) []byte {
	return canon(a.node.file.between(r.Start.Byte, r.End.Byte))
}
