package finding

import (
	"math/big"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
)

// Verdict is what redline claims of a requirement. The zero Verdict is Unknown.
type Verdict uint8

const (
	Unknown   Verdict = iota // a budget ran out; Reason says which
	Holds                    //
	Violated                 // with a counterexample that other code has replayed
	IllFormed                // the contract or the formula has no meaning
)

func (v Verdict) String() string {
	return [...]string{"unknown", "holds", "violated", "ill-formed"}[v]
}

// A Result is everything redline found out about one version of one contract. It is plain data,
// in the contract's own words, in a fixed order: the same contract gives the same Result.
type Result struct {
	Path, Name, Title string // Path: the directory, slash-separated, as the user named it
	Imported          bool   // a net from elsewhere, and not a contract
	Digest            string // "sha256:..." of the contract's meaning; empty when it has none
	Model             Model
	Requirements      []Requirement // in source order
	Diagnostics       []Diagnostic  // errors first, then by source position
	Proposals         []Proposal    // where there are no requirements: what they might be
	Cached            bool          // as in a ContractReview

	TimedOut bool `result:"-"`
}

// Interrupted reports what ContractReview.Interrupted does, of a result of Check.
func (r *Result) Interrupted() bool { return r.TimedOut }

// Model says how large the composed net and its state model are, where states that differ only in what formulas ask of the past are one.
type Model struct {
	Places, Transitions    int
	States, Arcs, DeadEnds *big.Int // nil when the state model was not completed
	Firing                 string   // one, all
	Engine                 string   // explicit, symbolic
	Incomplete             string   // why there is no complete state model; empty when there is
	Stats                  *Stats   // of decision diagrams; nil where there are none

	Stored int `result:"-"` // states, with those that differ only in what formulas ask of the past; 0: not known
}

// Stats tell what decision diagrams took: see README.md for how to read them.
type Stats struct {
	Variables, Values int    // of the encoding: one variable for each set of places of which one is marked
	Nodes, Peak       int    // of the reachable states; made in all
	Lookups, Hits     uint64 // in the cache of operations
	Iterations        int    // of greatest fixpoints
}

// A Requirement with its verdict.
type Requirement struct {
	Name, Title, Clause string
	Formula             string   // canonical text, in the notation it was written in
	Notation            string   // ctl, table1
	Pattern             string   // what the pattern is called that it was written as; empty: none
	Says                string   // the pattern as a sentence; empty: none
	Assuming            []string // the parties assumed not to wait for ever, as the source names them
	Resting             bool     // it says on whom it may rest: RestsOn; nothing is assumed then
	RestsOn             []string // who alone may have to act for it to be kept, as the source names them; none: nobody
	Verdict             Verdict
	Engine              Engine    // what decided it without the state model: Structural, Local, Reduced; else empty
	Reason              string    // why unknown or ill-formed; empty otherwise
	Vacuous             []Vacuity // remarks on holds; each is a subformula that makes no difference
	Source              hcl.Range
	Trace               *Trace  // counterexample of a violated requirement, witness of an existential one; may be nil
	Run                 string  // of a violated requirement: "sha256:...", the fingerprint of its counterexample
	Waiver              *Waiver // what is accepted about it; nil: nothing
	NoRuns              bool    // holds, and only because no run keeps the contract: it is asked of ideal runs
	Timely              bool    // violated, but it holds if time passes: the run that shows it lets time stand still
	Rests               *Rests  // on whom it rests; nil: nothing has to come by it, or that is not asked of it

	Ideal bool `result:"-"` // it is asked of ideal runs alone
}

// A Vacuity is a part of a requirement that makes no difference: the requirement holds whatever is put in its place.
type Vacuity struct {
	Subformula  string
	Replacement bool   // the constant that counts most against the requirement, with which it holds too
	Never       bool   // Subformula is true in no reachable state
	Always      bool   // Subformula is true in every reachable state
	Because     string // a part that has one value in all reachable states, for which Subformula makes no difference; empty: none
	Value       bool   // that value
	In          string // where it stands, if the formula has it more than once: a part that it has once, or a pattern's attribute; else empty
	Nth         int    // Subformula is the n-th of its like in In, counted from 1; 0 where In has it once
	Spare       bool   // it may be left out: what then remains is a formula, and holds
}

// A Trace is a run, told in the contract's own words: the prefix from the initial state, then a
// loop repeated for ever, a dead end, or neither. Then explains, in the state the prefix ends in,
// the parts of the formula that need runs of their own.
type Trace struct {
	Claim   string // what the run shows: the subformula and its value at the run's end
	Prefix  []Firing
	Loop    []Firing
	DeadEnd bool
	Stops   bool         // it ends where something can happen, and nothing need
	End     []PartyState // where the prefix ends, parties in net order
	Then    []*Trace
	After   int `result:"-"` // how many steps of the run above come before it; less than all where it begins on the way
}

// A Firing is one composed transition firing. Firings of one Trace with the same Step fire together.
type Firing struct {
	Step        int    // counts from 1 along the whole trace
	Event       string // empty for a transition carried over
	Title       string // the event's title, or the transition's
	Clause      string
	Parties     []string // names, in net order
	Called      []string // what people call them, likewise; empty: by the name
	Transitions []string // party.transition, in net order
	Changed     []Change // one per party whose marking changed
}

// A Change is what a firing changed in one party's view, in its words: state titles, "goods available".
type Change struct {
	Party         string
	Called        string   // what people call the party, where its name is no word of theirs; else empty
	Before, After []string // places unmarked, places marked
}

// PartyState is a party's marking, in its words.
type PartyState struct {
	Party  string
	Called string // as in a Change
	Places []string
}

// A Diagnostic is something redline says about the text or the model of a contract.
type Diagnostic struct {
	Code     codes.Code
	Class    codes.Class // error, violation, warning
	Message  string      // one sentence
	Detail   string      // what was expected, a hint; may be empty
	Subject  string      // party.element, event.NAME, requirement.NAME; empty: the whole contract
	Source   hcl.Range
	Snippet  string // the source line at Source, without its newline; empty when there is none
	Trace    *Trace // the firing sequence that leads there; may be nil
	Run      string // of a failed check: "sha256:...", by which an accept names it; empty: it has none
	Accepted string // the reason it was accepted for; empty: not accepted
}
