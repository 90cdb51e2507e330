package edit

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// entry is the one entry of an object that the other has not, or has otherwise; the whole attribute where
// there are more of them, or none, or it is no object.
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

// entries are where an object's entries stand, name and value.
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
