package syntax

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// FileRange returns the empty range at the beginning of a file.
func FileRange(name string) hcl.Range {
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// SortedAttributes returns attributes in source order.
func SortedAttributes(attrs hclsyntax.Attributes) []*hclsyntax.Attribute {
	return slices.SortedFunc(maps.Values(attrs), func(a, b *hclsyntax.Attribute) int { return a.NameRange.Start.Byte - b.NameRange.Start.Byte })
}

// HeaderRange returns the range of the type and the name of a block.
func HeaderRange(b *hclsyntax.Block) hcl.Range { return b.DefRange() }
