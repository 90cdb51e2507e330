package hclspec

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// fileRange returns the empty range at the beginning of a file.
func fileRange(name string) hcl.Range {
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// sorted returns attributes in source order.
func sorted(attrs hclsyntax.Attributes) []*hclsyntax.Attribute {
	all := make([]*hclsyntax.Attribute, 0, len(attrs))
	for _, a := range attrs {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *hclsyntax.Attribute) int { return a.NameRange.Start.Byte - b.NameRange.Start.Byte })
	return all
}

// headerRange returns the range of the type and the name of a block.
func headerRange(b *hclsyntax.Block) hcl.Range { return b.DefRange() }
