package hclspec

import (
	"cmp"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// A Contract is one contract directory: all its *.contract.hcl files merged, every name resolved.
// Parties, events and requirements stand in source order (by file name, then by line).
type Contract struct {
	Prose
	Name         string
	Firing       Firing
	Final        *Formula // nil when the contract declares no final states
	Parties      []*Party
	Events       []*Event
	Documents    []*Document
	Norms        []*Norm
	Requirements []*Requirement
	Accepts      []*Accept
	Retires      []*Retire
	Range        hcl.Range // header of the contract block
}

// Prose is what a reader sees of an element. It never changes what the contract means.
type Prose struct {
	Title, Description, Clause string
}

// Firing says how many fireable transitions fire in one step of the state model.
type Firing uint8

const (
	FireOne Firing = iota // interleaving: one transition at a time
	FireAll               // step: a maximal set of transitions that do not compete for a token
)

func (f Firing) String() string {
	if f == FireAll {
		return "all"
	}
	return "one"
}

// A Party is one party's view of the exchange: a net of places and labelled transitions.
// A state diagram is the case in which exactly one place of kind State is marked.
type Party struct {
	Prose
	Name        string // party[index] for one of several
	Of          string // the name in the source; Name but for one of several
	Index       string // of one of several: a number, or a key of for_each; else empty
	IsNet       bool   // nobody acts for it: written as net "n" {}, or made
	Plays       string // of a role in a phase: the party that plays it; else empty
	Made        string // the construct it was compiled from, as document; empty for party and net
	Places      []*Place
	Transitions []*Transition
	Range       hcl.Range
}

// Person is the name of who acts in a party's view: its own, or that of the party that plays the role.
func (p *Party) Person() string { return cmp.Or(p.Plays, p.Name) }

// Kind says what a drafter wrote to get a place.
type Kind uint8

const (
	Plain        Kind = iota // place "p" {}
	State                    // state "S0" {}
	FlagTrue                 // the place GAV_T of flag "GAV" {}
	FlagFalse                // the place GAV_F of flag "GAV" {}
	CounterValue             // the place paid=3 of counter "paid" {}: it stands at 3
	CounterBound             // the place paid! of counter "paid" {}: marked always, see Transition.Beyond
	ClockOff                 // the clock of a norm or timer is not running
	ClockLeft                // so many ticks are left
	Begun                    // the phase of a party that had to wait has begun
)

// A Place holds one token or none.
type Place struct {
	Prose
	Name     string // as formulas name it: S0, GAV_T
	Kind     Kind
	Flag     string // the flag's name when Kind is FlagTrue or FlagFalse
	Counter  string // the counter's name when Kind is CounterValue or CounterBound
	Value    int    // the counter's value when Kind is CounterValue
	Document string // the document that is held here while the place is marked; empty: none
	Holder   string // who holds it then: a party's name; empty when nobody does
	Marked   bool   // in the initial marking
	Exposed  bool   // while it is marked its party has performed and not been performed for; nothing depends on it
	Range    hcl.Range
}

// A Transition of a party's net. Consume, Produce and Read are disjoint; a place both consumed
// and produced in the source is a Read. Each is in source order.
type Transition struct {
	Prose
	Name                   string
	Of                     string // the name in the source, where Name is not: of one variant for some values of counters
	Label                  string // what events call it; the name itself unless the source says label
	Labelled               bool   // the source says label
	Passive                bool   // made, and no act of the party: a phase begins
	Consume, Produce, Read []*Place
	Beyond                 *Beyond // nil unless it would take a counter out of its bounds
	Terms                  []Term  // what the source says of counters, to be compared between drafts
	Range                  hcl.Range
}

// Beyond is what a transition would make of a counter that has no such value. The transition
// produces the counter's CounterBound, which is marked always: it can never fire, and a marking in
// which it is fireable is a contact.
type Beyond struct {
	Counter string
	Value   int
	Range   hcl.Range // of the expression that gives the value
}

// A Document is something that one party at a time holds: its places, in one party or several, say
// who. Where the source gives its moves they are those of a net of its own, whose Made is document.
type Document struct {
	Prose
	Name   string
	Places []*Place
	Range  hcl.Range
}

// An Event maps each party it concerns to one label of that party. An event that happens with any
// one of several instances has a way for each.
type Event struct {
	Prose
	Name  string   // event[index] for one of several
	Of    string   // the name in the source; Name but for one of several
	Parts []Part   // who takes part, as the source says; none where the event was made
	Ways  [][]Sync // at least one; in source order, each party at most once in a way
	Needs []*Place // timers that must stand so for it to happen
	Moves []Move   // what it does to the nets that watch it: norms and timers

	Moving bool // it happens only where it moves something: tick
	Range  hcl.Range
}

// A Part says how a party, or several of a kind, take part in an event.
type Part struct {
	Party string // as formulas name it; of several without an index, unless only that one takes part
	How   string // which of several: each, any or all; else empty
	Label string
}

// A Sync is an event's label in one party.
type Sync struct {
	Party *Party
	Label string
	Range hcl.Range
}

// HolderName is what formulas call the holder of a document after its dot: the party's name, in a phase
// without the phase's, which the document bears already (goods.title.seller).
func HolderName(document, holder string) string {
	phase, _, ok := strings.Cut(document, ".")
	if !ok {
		return holder
	}
	return strings.TrimPrefix(holder, phase+".")
}

// A Term is one attribute of a norm as it was understood: names sorted, values worked out.
type Term struct{ Word, Value string }
