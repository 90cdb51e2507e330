package finding

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/hclspec/codes"
)

// Verdict is the result of checking a requirement. The zero Verdict is Unknown.
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

// A Result is everything redline found out about one version of one contract. It is plain data, in the contract's own words, in a fixed
// order: the same contract gives the same Result.
type Result struct {
	Path, Name, Title string // Path: the directory, slash-separated, as the user named it
	Imported          bool   // a net in another format, not a contract
	Digest            string // "sha256:..." of the contract's meaning; empty when it has none
	Model             Model
	Requirements      []Requirement // in source order
	Diagnostics       []Diagnostic  // errors first, then by source position
	Proposals         []Proposal    // suggestions, if there are no requirements
	Cached            bool          // as in a ContractReview

	TimedOut bool `result:"-"`
}

// Interrupted reports whether time ran out or the run was cancelled, like ContractReview.Interrupted.
func (r *Result) Interrupted() bool { return r.TimedOut }

// Model has the size of the composed net and of its state model. States that differ only in the history that formulas ask about count once.
type Model struct {
	Places, Transitions    int
	States, Arcs, DeadEnds *big.Int // nil when the state model was not completed
	Firing                 string   // one, all
	Engine                 string   // explicit, symbolic
	Incomplete             string   // why the state model is not complete; empty if it is
	Largest                string   // of one that a limit left incomplete: a sentence that names the parts with the most states of their own; may be empty
	Stats                  *Stats   // of decision diagrams; nil where there are none

	Unchecked []codes.Code // what an incomplete model leaves not looked for, or not everywhere: that no diagnostic has such a code says nothing

	Stored int `result:"-"` // states stored, history included; 0: not known
}

// Stats are the costs of decision diagrams. README.md explains how to read them.
type Stats struct {
	Variables, Values int    // of the encoding: one variable for each set of places with exactly one token
	Nodes, Peak       int    // of the reachable states; created in all
	Lookups, Hits     uint64 // in the cache of operations
	Iterations        int    // of greatest fixpoints
}

// A Requirement is a requirement with its verdict.
type Requirement struct {
	Name, Title, Clause string
	Formula             string   // canonical text, in the notation it was written in
	Notation            string   // ctl, table1
	Pattern             string   // name of the pattern it was written as; empty: none
	Says                string   // the pattern as a sentence, or of whom and in what runs the formula is meant; empty: none
	Verbatim            bool     // Says has the formula, or operands of the pattern, as they are written
	Assuming            []string // the parties assumed not to wait for ever, as the source names them
	Resting             bool     // RestsOn is declared; nothing is assumed then
	RestsOn             []string // the only parties that it may rest on, as the source names them
	Verdict             Verdict
	Engine              Engine    // the method that decided it without the state model: Structural, Local, Reduced; else empty
	Reason              string    // why unknown or ill-formed; empty otherwise
	Vacuous             []Vacuity // of a requirement that holds: subformulas that make no difference
	Source              hcl.Range
	Trace               *Trace    // counterexample of a violated requirement, witness of an existential one; may be nil
	Run                 string    // of a violated requirement: "sha256:...", the fingerprint of its counterexample
	Waiver              *Waiver   // accepts its violation; nil: none
	Scenario            *Scenario // nil: it is no scenario
	NoRuns              bool      // it holds only because there is no ideal run
	Empty               bool      // it holds, but NoRuns, or only because no ideal run comes to where it asks for something to come
	Timely              bool      // violated, but holds if time passes: its counterexample lets time stand still
	Rests               *Rests    // the parties it rests on; nil: not computed for it

	Ideal bool `result:"-"` // it is checked on ideal runs only
}

// A Scenario is what a scenario claims of its steps and, where no run has them, how far they go.
type Scenario struct {
	Steps  []string     // names of events, and "3 ticks"
	Expect string       // possible, impossible, breach, fulfilled, ends
	Whose  string       // words for the party whose breach is expected; else empty
	Then   string       // the formula that is expected after the steps; else empty
	Stops  int          // number of the step, from 1, that can't happen after those before it; 0: none
	Lacks  []PartyState // what that step takes and is not there, by party
	OneWay bool         // there are other ways to take it, which lack something else
	There  []PartyState // how these parties are where it can't happen
	Of     []string     // of one that leaves a party in breach, as expected: by which norms, after each run that differs in them: deliver, or deliver and pay
}

// A Vacuity is a part of a requirement that makes no difference: the requirement holds whatever replaces it.
type Vacuity struct {
	Subformula  string
	Replacement bool   // the constant least favourable to the requirement, which still holds with it
	Never       bool   // Subformula is true in no reachable state
	Always      bool   // Subformula is true in every reachable state
	Because     string // a part with one value in all reachable states, which makes Subformula irrelevant; empty: none
	Value       bool   // that value
	In          string // its context, if the formula has it more than once: a part that occurs once, or a pattern's attribute; else empty
	Nth         int    // Subformula is the n-th occurrence in In, from 1; 0 if In has it once
	Spare       bool   // it may be left out: the rest is a formula, and holds
}

var index, instance = regexp.MustCompile(`\[[\pL\pN_-]+\]`), regexp.MustCompile(`[\pL\pN_.-]+\[[\pL\pN_-]+\]`)

// Instances returns the instances that the remark names, such as p[2], in their order.
func (v Vacuity) Instances() (names []string) {
	for _, text := range []string{v.Subformula, v.Because, v.In} {
		names = append(names, instance.FindAllString(text, -1)...)
	}
	return names
}

// OfAny returns the remark with no instance named: p[].a for p[2].a.
func (v Vacuity) OfAny() Vacuity {
	for _, text := range []*string{&v.Subformula, &v.Because, &v.In} {
		*text = index.ReplaceAllString(*text, "[]")
	}
	return v
}

// A Trace is a run in the contract's own words: the prefix from the initial state, then a loop repeated for ever, a dead end, or neither.
// Then has the runs of those parts of the formula that need runs of their own.
type Trace struct {
	Claim   string // what the run shows: a subformula and its value
	Prefix  []Firing
	Loop    []Firing
	DeadEnd bool
	Stops   bool         // it ends in a state where something can happen, and nothing has to
	End     []PartyState // the state after the prefix, parties in net order
	Ends    *Ends        // of a run after which the versions are compared, else nil
	Then    []*Trace
	After   int // number of steps of the run above that precede it
}

// Ends has the states of both versions after a run that both have, party by party. What a version may be in is listed in full.
type Ends struct {
	Side    diff.Side    // the version of the run
	Before  []PartyState // what differs, as it was
	Now     []PartyState // and as it is
	Both    []PartyState // what does not differ
	Alone   bool         // the run is one of Side alone: see Owed.Untimed
	Refused bool         // the other version refuses the last step of the run; what differs is that
}

// A Firing is the firing of one composed transition. Firings of one Trace with the same Step happen together.
type Firing struct {
	Step        int    // counts from 1 along the whole trace
	Event       string // empty for a transition carried over
	Title       string // the event's title, or the transition's
	Clause      string
	Parties     []string // names, in net order
	Called      []string // their usual names, likewise; empty: the name
	Transitions []string // party.transition, in net order
	Changed     []Change // one per party whose marking changed
	Leads       string   // of time that passes where it is known when the contract starts: the day to which that leads, as 2027-03-31, or the moment
}

// Tick reports whether a firing is the passing of time, once or several times.
func (f *Firing) Tick() bool { return f.Event == "tick" && strings.HasPrefix(f.Title, "time passes") }

// SameRun reports whether two runs have the same steps.
func SameRun(a, b []Firing) bool {
	return slices.EqualFunc(a, b, func(f, g Firing) bool {
		return f.Step == g.Step && f.Event == g.Event && slices.Equal(f.Transitions, g.Transitions)
	})
}

// A Change is the change of one party's marking by a firing, in the party's words: state titles, "goods available".
type Change struct {
	Party         string
	Called        string   // the party's usual name, if that is not its name in the text; else empty
	Before, After []string // places unmarked, places marked
	To            string   // of an obligation or prohibition that no power passes on: to whom it is owed; else empty
}

// PartyState is the marking of a party, in its words.
type PartyState struct {
	Party  string
	Called string // as in a Change
	Places []string
}

// A Diagnostic is a message about the text or the model of a contract.
type Diagnostic struct {
	Code     codes.Code
	Class    codes.Class // error, violation, warning
	Message  string      // one sentence
	Detail   string      // what was expected, or a hint; may be empty
	Subject  string      // party.element, event.NAME, requirement.NAME; empty: the whole contract
	Source   hcl.Range
	Snippet  string // the source line at Source, without its newline; empty when there is none
	Trace    *Trace // the run that leads there; may be nil
	Run      string // of a failed check: "sha256:...", by which an accept names it; empty: it has none
	Accepted string // the reason given in its acceptance; empty: not accepted
	Follows  string // the subject of another warning of the result: what this one is about would not come without that; empty: it does not follow
}

// StopsEarly reports whether a scenario that is impossible, as expected, is so before its last step: what it says of the last is not asked.
func (r *Requirement) StopsEarly() bool {
	s := r.Scenario
	return s != nil && r.Verdict == Holds && s.Expect == "impossible" && s.Stops > 0 && s.Stops < len(s.Steps)
}
