// Package edit sees a contract's text as blocks within blocks, and the difference of two texts as the
// set of blocks that one of them adds, removes or changes. It makes the texts in between, in which some
// of these changes are made and others are not, and joins two amendments of one base. It knows HCL's grammar, and what the
// blocks are called, and nothing of what they mean: whoever asks for a text in between loads it and sees.
//
//	Compare     two texts -> a Difference: its Changes
//	Apply       base with some of them made
//	Undo        how to write head without some of them
//	Merge       base with the changes of two amendments
//
// Which file a block stands in, in which order, with which comments and layout, makes no difference, but
// for the first state of a party: there it begins.
//
// File by file: file.go (lines of tokens), tree.go (blocks), match.go (changes), first.go (where a party
// begins), patch.go (bytes), compose.go (blocks into bytes), merge.go.
package edit

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// A Text is the files of a contract by their base names. It is read, never written to.
type Text map[string][]byte

// Action says what a change does.
type Action uint8

const (
	Added   Action = iota // head has it, base has not
	Removed               // base has it, head has not
	Changed               // both have it, and it differs
)

func (a Action) String() string { return [...]string{"added", "removed", "changed"}[a] }

// A Change is a unit of an amendment: one attribute of a block that both texts have; or a whole block, with
// all that stands in it, that only one of them has; or that a state becomes the first one of its party.
type Change struct {
	Action    Action
	Path      []string  // the headers of the block and of those it stands in, from outside
	Attribute string    // which one it is about; empty: the whole block
	First     bool      // the state becomes the first one, and nothing else
	Base      hcl.Range // the block's header; empty where base lacks it
	Head      hcl.Range // the same on head; where head lacks it, the header of what it stood in, if anything
	Was, Now  hcl.Range // the attribute; empty where a side lacks it
	Entry     hcl.Range // of Now the one entry that is not in Was; all of Now where that is no object, or has not just one
}

// Block is the block's name, as party "seller" / transition "ready".
func (c Change) Block() string { return strings.Join(c.Path, " / ") }

// Type is the type of the block, as transition.
func (c Change) Type() string {
	word, _, _ := strings.Cut(c.Path[len(c.Path)-1], " ")
	return word
}

// A Splice replaces a piece of a file. Those of one text do not overlap.
type Splice struct {
	Range hcl.Range // of Old
	Old   string
	New   string
}
