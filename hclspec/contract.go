package hclspec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// A Contract is one contract directory: all its *.contract.hcl files merged, every name resolved. Parties, events and requirements are in
// source order (by file name, then by line).
type Contract struct {
	Prose
	Name         string
	Firing       Firing
	Ends         *Ends    // what ends the contract for good; nil: nothing keeps anybody from acting after its end
	Tick         string   // the unit of time of a tick, such as day; empty: durations are numbers of ticks
	TickLength   string   // how long the contract's calendar says that unit is, as 30 days; empty: it does not say
	Start        string   // the day on which it begins, as 2027-03-31; empty: it is not said
	Calendar     []string // how long units of time count, sorted, as month = 30 days
	Holidays     []string // the days from Monday to Friday that are no business days, in order, as 2026-12-25
	Final        *Formula // nil when the contract declares no final states
	Parties      []*Party
	Events       []*Event
	Documents    []*Document
	Norms        []*Norm
	Requirements []*Requirement
	Accepts      []*Accept
	Rounds       map[string][]string // by the name of a phase that is repeated: the names of its rounds, in order
	Retires      []*Retire
	Range        hcl.Range // header of the contract block
}

// WithoutRound returns a name with the phase in place of its round: month.pay for month-3.pay. It returns any other name unchanged.
func (c *Contract) WithoutRound(name string) string {
	round, rest, _ := strings.Cut(name, ".")
	phase := round[:max(0, strings.LastIndex(round, "-"))]
	if slices.Contains(c.Rounds[phase], round) {
		return phase + "." + rest
	}
	return name
}

// Prose describes an element to a reader. It never changes what the contract means.
type Prose struct {
	Title, Description, Clause string
}

// Firing determines how many fireable transitions fire in one step of the state model.
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
	Name        string   // party[index] for one of several
	Of          string   // the name in the source; differs from Name for one of several
	Lasts       string   // of a timer: how long it runs, as the source has it
	Since       []string // of a timer: the events and changes of norms that it counts from, any of them
	Index       string   // of one of several: its number, or its key of for_each; else empty
	IsNet       bool     // does not act: written as net "n" {}, or made
	Plays       string   // of a role in a phase: the party that plays it; else empty
	Made        string   // the construct it was compiled from, as document; empty for party and net. Of an event: whether it has happened
	Places      []*Place
	Transitions []*Transition
	Range       hcl.Range
}

// Bookkeeping reports whether a net only records time, or what has happened. It is no participant of events.
func (p *Party) Bookkeeping() bool { return p.Made == "clock" || p.Made == "event" }

// NotBegun is the title of the place of a party that waits for its phase, or for its process, to begin.
const NotBegun = "not begun"

// Person returns the name of the actor in a party's view: the party itself, or the party that plays the role.
func (p *Party) Person() string { return cmp.Or(p.Plays, p.Name) }

// Kind records which construct of the source made a place.
type Kind uint8

const (
	Plain        Kind = iota // place "p" {}
	State                    // state "S0" {}
	FlagTrue                 // the place GAV_T of flag "GAV" {}
	FlagFalse                // the place GAV_F of flag "GAV" {}
	CounterValue             // the place paid=3 of counter "paid" {}: marked while its value is 3
	CounterBound             // the place paid! of counter "paid" {}: marked always, see Transition.Beyond; or paid?, never marked: what reads it is so for no value
	ClockOff                 // the clock of a norm or timer is not running
	ClockLeft                // so many ticks are left
	Begun                    // the phase of a party that had to wait has begun
	ClockKept                // so many ticks are left, and the clock stands still
	Held                     // a norm is borne by a party, or owed to it, see Tenure; Flag says which
)

// A Place holds one token or none.
type Place struct {
	Prose
	Name     string // as formulas name it: S0, GAV_T
	Kind     Kind
	Flag     string    // the flag's name when Kind is FlagTrue or FlagFalse
	Counter  string    // the counter's name when Kind is CounterValue or CounterBound
	Value    int       // the counter's value when Kind is CounterValue
	Bounds   [2]int    // the counter's smallest and largest value, as declared, when Kind is CounterValue
	Document string    // the document that is held here while the place is marked; empty: none
	Holder   string    // the party that holds it then; empty: no party
	Custody  bool      // it is of the document's own net, of which one place is marked
	Marked   bool      // in the initial marking
	Since    []string  // of a state: events and changes of norms that lead to it
	Changes  []Recount // of a value of a counter: what changes the counter, in source order
	Exposed  bool      // while it is marked its party has performed and not been performed for; nothing depends on it
	Range    hcl.Range
}

// MaxValues bounds the values of one counter that are places.
const MaxValues = 1_000

// Sparse reports whether the place belongs to a counter with too many values within its bounds to be places: only those that the party's
// transitions can give it are.
func (p *Place) Sparse() bool { return p.Bounds[1]-p.Bounds[0] >= MaxValues }

// Token returns a name for the token that a place may hold. Of the places of one net that share it one at most is marked.
func (p *Place) Token() string {
	switch p.Kind {
	case State:
		return "state"
	case FlagTrue, FlagFalse:
		return "flag " + p.Flag
	case CounterValue:
		return "counter " + p.Counter
	case ClockOff, ClockLeft, ClockKept:
		return "clock"
	case Held:
		return "tenure " + p.Flag
	}
	if p.Custody {
		return "custody"
	}
	return "place " + p.Name
}

// A Transition is one step of a party's net. Consume, Produce and Read are disjoint; a place both consumed and produced in the source is a
// Read. Each is in source order.
type Transition struct {
	Prose
	Name                   string
	Of                     string   // the name in the source, if it differs: a variant for some values of counters
	Label                  string   // the name that events use; the transition's own name unless the source has a label
	Labelled               bool     // the source has a label
	Passive                bool     // made, and no act of the party: a phase begins
	Made                   bool     // made for an event that says who does it
	Reads                  bool     // the source has a state in read, not in from and to
	Kept                   []string // names of places in Read that the source consumes and produces
	Consume, Produce, Read []*Place
	Beyond                 *Beyond // nil unless it would take a counter out of its bounds
	Terms                  []Term  // conditions and changes of counters, to be compared between drafts
	Range                  hcl.Range
}

// Never reports whether the transition reads a place that is never marked, since its counters have no values for which it could fire.
func (t *Transition) Never() bool {
	return slices.ContainsFunc(t.Read, func(p *Place) bool { return p.Kind == CounterBound && !p.Marked })
}

// Beyond is the value out of bounds that a transition would give a counter. The transition produces the counter's CounterBound, which is
// always marked, so it can never fire. A marking in which it would otherwise be fireable is a contact.
type Beyond struct {
	Counter string
	Value   int
	Range   hcl.Range // of the expression that gives the value
}

// A Document is held by one party at a time. Its places, in one party or several, show the holder. If the source gives its moves, the places
// belong to a net of its own, whose Made is document.
type Document struct {
	Prose
	Name   string
	Places []*Place
	Range  hcl.Range
}

// An Event maps each party that takes part to one label of that party. An event that happens with any one of several instances has one way for
// each.
type Event struct {
	Prose
	Name  string   // event[index] for one of several
	Of    string   // the name in the source; differs from Name for one of several
	Parts []Part   // the participants as written in the source; none if the event was made
	Ways  [][]Sync // at least one; in source order, each party at most once in a way
	Needs []Need   // conditions that must all be met for it to happen
	Due   *Due     // of an event that happens by itself; else nil
	Moves []Move   // what it does to the nets that watch it: norms and timers

	Survives bool // it can happen after the end of a contract with Ends, since a norm that survives names it

	Moving bool // it happens only where it moves something: tick
	Range  hcl.Range
}

// What is said of contract.in_force and contract.ended in a contract that nothing ends.
const (
	NothingEnds = "Nothing ends this contract."
	LetItEnd    = "An obligation, a prohibition or a power does with ends_contract = true, an event with ends = [EVENT] in the contract block."
)

// Ends says what ends a contract, beside norms. After its end nothing happens but what survives.
type Ends struct {
	By      []string // events and changes of norms, as occasions are written
	InForce *Place   // marked until the end
}

// A Due says when an event happens by itself. While Now is marked it is due: then nothing else happens, except events that are due, too, and
// declared before it.
type Due struct {
	Not, Now *Place   // one of them is marked
	Timers   []*Party // it falls due when the time of one of them is over
	While    []Need   // and if these conditions are met just before that tick
}

// A Need is a condition of an event: one of these alternatives must be met.
type Need []Alternative

// An Alternative is met while all of its places are marked. They are places of parties, norms and timers: one place, or values of several
// counters that are compared.
type Alternative struct {
	Places []*Place
	By     *Comparison // of several counters; nil: it is one place
	Range  hcl.Range   // of the condition in the source
}

// A Comparison is the text of a condition on several counters, or of a value computed from them. Each counter stands between two parts of the text, by a place of it.
type Comparison struct {
	Text     []string // one more than Counters
	Counters []*Place
}

// Places returns all places of the alternatives.
func (n Need) Places() []*Place {
	var all []*Place
	for _, a := range n {
		all = append(all, a.Places...)
	}
	return all
}

// At returns the condition with its place in the source.
func (n Need) At(r hcl.Range) Need {
	for i := range n {
		n[i].Range = r
	}
	return n
}

// Being returns the condition that one of some places is marked.
func Being(places ...*Place) Need {
	var need Need
	for _, p := range places {
		need = append(need, Alternative{Places: []*Place{p}})
	}
	return need
}

// A Recount is the value that a counter takes when one of some events or changes of norms comes.
type Recount struct {
	By []string
	To *Comparison // the text of the value, with a place of each counter that it names
}

// A Part records how a party, or several of a kind, take part in an event.
type Part struct {
	Party string   // its name in formulas; of several without an index, unless only that one takes part
	Or    []string // others of which any may take part instead
	How   string   // which of several: each, any or all; else empty
	Label string
}

// A Sync names the label by which one party takes part in an event.
type Sync struct {
	Party *Party
	Label string
	While *Place // it can do so only while this place is marked: it bears the obligation; nil: always
	Range hcl.Range
}

// HolderName returns the name that formulas use, after the dot, for the holder of a document. It is the party's name. In a phase it lacks the
// phase's prefix, which the document already has (goods.title.seller).
func HolderName(document, holder string) string {
	phase, _, ok := strings.Cut(document, ".")
	if !ok {
		return holder
	}
	return strings.TrimPrefix(holder, phase+".")
}

// A Term is one attribute of a norm or transition in a form to compare: names sorted, values computed.
type Term struct{ Word, Value string }
