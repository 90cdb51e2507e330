// Package edit represents a contract's text as blocks within blocks, and the difference of two texts as the set of blocks that one of them
// adds, removes or changes. It makes the texts in between, in which some of these changes are made and others are not, and merges two
// amendments of one base. It knows HCL's grammar and the names of blocks, and nothing of their meaning: the caller loads a text in between to
// learn it.
//
//	Compare     two texts -> a Difference: its Changes
//	Apply       base with some of them made
//	Undo        how to write head without some of them
//	Merge       base with the changes of two amendments
//
// The file of a block, the order of blocks, their comments and their layout make no difference, with one exception: the first state of a
// party, since the party begins there.
//
// File by file: file.go (lines of tokens), tree.go (blocks), match.go (changes), first.go (where a party begins), patch.go (bytes), compose.go
// (blocks into bytes), merge.go.
package edit

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// A Text is the files of a contract by their base names. It is never modified.
type Text map[string][]byte

// action classifies a change.
type action uint8

const (
	Added   action = iota // only head has it
	Removed               // only base has it
	Changed               // both have it, with a difference
)

func (a action) String() string { return [...]string{"added", "removed", "changed"}[a] }

// A Change is a unit of an amendment. It is one attribute of a block that both texts have; or a whole block, with its content, that only one
// of them has; or a state that becomes the first one of its party.
type Change struct {
	Action    action
	Path      []string  // the headers of the block and of its enclosing blocks, outermost first
	Attribute string    // the attribute that changes; empty: the whole block
	First     bool      // the state becomes the first one, and nothing else changes
	Base      hcl.Range // the block's header; empty if base lacks it
	Head      hcl.Range // the same in head; if head lacks it, the header of the enclosing block, if any
	Was, Now  hcl.Range // the attribute; empty if a side lacks it
	Entry     hcl.Range // the one entry of Now that is not in Was; all of Now if it is no object, or has not just one
}

// Block returns the name of the block, as party "seller" / transition "ready".
func (c Change) Block() string { return strings.Join(c.Path, " / ") }

// Type returns the type of the block, as transition.
func (c Change) Type() string {
	word, _, _ := strings.Cut(c.Path[len(c.Path)-1], " ")
	return word
}

// A Splice replaces a part of a file. Those of one text do not overlap.
type Splice struct {
	Range hcl.Range // of Old
	Old   string
	New   string
}
