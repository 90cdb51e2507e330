package diff

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
)

// Action says what happened to an element.
type Action uint8

const (
	Added Action = iota
	Removed
	Renamed // recognised by its structure
	Rewired // the same name, another meaning
)

func (a Action) String() string { return [...]string{"added", "removed", "renamed", "rewired"}[a] }

// Opposite is what happened to the element when base and head are exchanged.
func (a Action) Opposite() Action {
	switch a {
	case Added:
		return Removed
	case Removed:
		return Added
	}
	return a
}

// Element is a kind of thing that a contract is made of, in the order in which they are told.
type Element uint8

const (
	TheContract Element = iota // its firing rule
	FinalStates
	Party
	NetOfNobody // net "n" {}
	State
	Flag
	Counter
	Place
	Document
	Transition
	Event
	Obligation
	Permission
	Prohibition
	Power
	Requirement
	Waiver
	Acceptance
)

func (e Element) String() string {
	if k := slices.Index(normElements[:], e); k >= 0 {
		return hclspec.NormKind(k).String()
	}
	return elementWords[e]
}

// elementWords has the words of elements that are no norms.
var elementWords = [...]string{TheContract: "contract", FinalStates: "final states", Party: "party", NetOfNobody: "net", State: "state", Flag: "flag", Counter: "counter",
	Place: "place", Document: "document", Transition: "transition", Event: "event", Requirement: "requirement", Waiver: "waiver", Acceptance: "acceptance"}

// A Change of one element. Its Fingerprint says which change it is: it stays the same when lines
// move and prose is reworded.
type Change struct {
	Action      Action
	Element     Element
	Name        string // on head, on base where it is removed: seller, seller.ready, GAC; empty for final states
	Was         string // on base, where that is another: it or its party is renamed; else empty
	Terms       []Term // what of it differs, where it is rewired; what it says, where it is added or removed
	Base, Head  hcl.Range
	Fingerprint string
}

// A Term is one attribute before and after, in the contract's words; empty: there was or is none.
type Term struct{ Word, Was, Now string }

// Side says which of two drafts have something.
type Side uint8

const (
	InBoth Side = iota
	InBase
	InHead
)
