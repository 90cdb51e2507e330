package hclspec

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// An Index lists what the text of a contract declares and where it mentions it, for tools that read or edit the text. A text with mistakes has
// an Index too, as far as it could be read.
type Index struct {
	Elements   []*Element  // by file, then position: a block before those inside of it
	References []Reference // by file, then position; each once
}

// An Element is a named part of the text: a block with a name, or a local value.
type Element struct {
	Prose
	Kind   string           // the block's type, as party; local for a local value
	Name   string           // without the enclosing element: S0
	Within *Element         // the enclosing element; nil at top level
	Block  *hclsyntax.Block // nil for a local value
	At     hcl.Range        // the header of the block, the name of a local value
	Whole  hcl.Range        // the whole element, braces and content too
	Named  hcl.Range        // its name in the header, with its quotes
}

// A Reference is one mention of a name that the loader resolved.
type Reference struct {
	At hcl.Range // the mention
	To hcl.Range // its target: Element.At, or part of it
}
