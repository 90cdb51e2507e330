package hclspec

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// An Index says what the text of a contract declares and where it mentions it, for those who read
// or edit the text rather than the contract. It is there, as far as reading got, also when the text
// is wrong.
type Index struct {
	Elements   []*Element  // by file, then position: a block before those inside of it
	References []Reference // by file, then position; each once
}

// An Element is something the text gives a name: a block with a name, or a local value.
type Element struct {
	Prose
	Kind   string           // the block's type, as party; local for a local value
	Name   string           // without what it stands in: S0
	Within *Element         // the element it stands in; nil for those outside of every other
	Block  *hclsyntax.Block // nil for a local value
	At     hcl.Range        // the header of the block, the name of a local value
	Whole  hcl.Range        // all of it, braces and content too
	Named  hcl.Range        // its name in the header, with its quotes
}

// A Reference is one mention of a name whose meaning the loader has found out.
type Reference struct {
	At hcl.Range // the mention
	To hcl.Range // what it means: Element.At, or part of it
}
