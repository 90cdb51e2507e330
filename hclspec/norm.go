package hclspec

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/construct"
)

// A Norm is an obligation, a prohibition, a permission or a power. What it does is in the moves of
// events (Event.Moves), which move the token of its net; what it says of its bearer is here, for the
// checks that need it.
type Norm struct {
	Prose
	Name         string
	Kind         NormKind
	Bearer       *Party
	Counterparty *Party   // nil when none is named
	Acts         []*Event // what fulfils the obligation, is forbidden or permitted, or exercises the power
	Starts       []Start  // what brings it about; none: it binds from the start
	Net          *Party
	Breachable   bool   // a deadline or an event can break it
	Answered     bool   // something follows its breach
	Terms        []Term // what the source says of it, to be compared between drafts
	Range        hcl.Range
}

// A Start is one way for a norm to begin: by an event, while all of some places are marked.
type Start struct {
	Event *Event
	While []*Place
}

// NormKind says what a norm does to its bearer. The kinds are in the order of construct.Norms.
type NormKind uint8

const (
	Obligation NormKind = iota
	Prohibition
	Permission
	Power
)

// Construct returns the words of the kind.
func (k NormKind) Construct() construct.Norm { return construct.Norms[k] }

func (k NormKind) String() string { return construct.Norms[k].Word }

// On is the place that is marked while the norm binds.
func (n *Norm) On() *Place { return n.Net.PlaceNamed(n.Kind.Construct().On) }

// Breached is the place that is marked once the norm has been breached; nil when it cannot be.
func (n *Norm) Breached() *Place { return n.Net.PlaceNamed(construct.Breached) }

func (p *Party) PlaceNamed(name string) *Place {
	for _, place := range p.Places {
		if place.Name == name {
			return place
		}
	}
	return nil
}

// A Move is what an event does to a net that watches it: while the places If are marked, a token
// on From goes to To. Where there is none, the event happens all the same. Of an event's moves from one
// place the first that applies counts, and what applies is settled before anything moves.
type Move struct {
	If       []*Place
	From, To *Place
}
