package diff

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
)

// An Action says how an element changed.
type Action uint8

const (
	Added Action = iota
	Removed
	Renamed // recognised by its structure
	Rewired // the same name, another meaning
)

func (a Action) String() string { return [...]string{"added", "removed", "renamed", "rewired"}[a] }

// opposite returns the action with base and head exchanged.
func (a Action) opposite() Action {
	switch a {
	case Added:
		return Removed
	case Removed:
		return Added
	}
	return a
}

// Element is a kind of element of a contract. The constants are in the order of reports.
type Element uint8

const (
	TheContract Element = iota // its firing rule
	FinalStates
	Party
	Net // net "n" {}
	State
	flag
	Counter
	Place
	Document
	Transition
	Event
	Obligation
	permission
	Prohibition
	Power
	Requirement
	Waiver
	Acceptance
)

// normElements has the element of each hclspec.NormKind.
var normElements = [...]Element{Obligation, Prohibition, permission, Power}

// OfNorm reports whether it is a kind of norm.
func (e Element) OfNorm() bool { return slices.Contains(normElements[:], e) }

func (e Element) String() string {
	if k := slices.Index(normElements[:], e); k >= 0 {
		return hclspec.NormKind(k).String()
	}
	return elementWords[e]
}

// elementWords has the words of elements that are not norms.
var elementWords = [...]string{TheContract: "contract", FinalStates: "final states", Party: "party", Net: "net", State: "state", flag: "flag", Counter: "counter",
	Place: "place", Document: "document", Transition: "transition", Event: "event", Requirement: "requirement", Waiver: "waiver", Acceptance: "acceptance"}

// A Change is a change of one element. Its Fingerprint identifies the change: it stays the same when lines move and prose is reworded.
type Change struct {
	Action      Action
	Element     Element
	Scenario    bool   // of a requirement: its block is a scenario
	Name        string // on head, or on base if removed: seller, seller.ready, GAC; empty for final states
	Was         string // on base, if different: it or its party is renamed; else empty
	Terms       []Term // of a rewired element what differs; of an added or removed one its attributes
	Base, Head  hcl.Range
	Fingerprint string
}

// ElementWord returns the word for the changed block: that of its element, or scenario.
func (c *Change) ElementWord() string {
	if c.Scenario {
		return "scenario"
	}
	return c.Element.String()
}

// A Term is one attribute before and after, in the contract's words. An empty value means that the attribute is absent.
type Term struct{ Word, Was, Now string }

// Side is which of two drafts have something.
type Side uint8

const (
	InBoth Side = iota
	InBase
	InHead
)
