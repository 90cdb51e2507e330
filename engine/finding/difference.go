package finding

import (
	"math/big"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
)

// A Difference is what an amendment changes, verdicts apart. It is plain data in the contract's own
// words, in a fixed order. Between an ill-formed draft and another there is none.
type Difference struct {
	Changes  []diff.Change // of the text's elements, by meaning
	All      Behaviour     // what everybody can see
	Views    []View        // what each party can see, in order of their names
	States   States
	Exposure []Exposure // of the parties that are exposed on either side
	Picture  *Picture   // both state models as one; nil: they are too large, or one is missing
	Owed     *Owed      `result:"-"` // what everybody sees of norms, whatever was chosen to be observed
}

// Behaviour compares what can happen on both sides, as far as it is observed.
type Behaviour struct {
	Observed   []string // the events and transitions that are observed; nil: all
	Relation   delta.Relation
	Reason     string     // why Relation is Unknown
	Possible   []Sequence // now possible: a shortest one for each step that base refuses
	Impossible []Sequence // no longer possible: a shortest one for each step that head refuses
	Choice     *Choice    // of Otherwise: where the choices differ
	MoreThan   int        // of Possible and Impossible together, how many were left out
	Owed       *Owed      // nil: no norm of either side is observed
}

// Same reports whether what can happen and what is owed are proved to be as before.
func (b *Behaviour) Same() bool {
	return b.Relation == delta.Same && (b.Owed == nil || b.Owed.Relation == delta.Same)
}

// Owed compares what is owed, and what else norms say, along what can happen.
type Owed struct {
	Relation delta.Relation // of steps together with how norms stand after each
	Reason   string         // why Relation is Unknown, or why Norms may lack some
	Norms    []NormDifference
	Unshown  int // what differs in how norms stand, but in no single run
}

// A NormDifference is a norm that stands otherwise on both sides after the same observed steps, and a shortest run of one side to
// there. Other code has replayed it on both.
type NormDifference struct {
	Norm     string // its name, on head or where it is; "contract" for the end of the contract
	Kind     string // obligation, prohibition, permission, power; contract
	Title    string
	Run      []Firing // of Side; unobserved firings, too
	Side     diff.Side
	End      []PartyState // where it ends
	Was, Now []NormState  // on base and on head: of the run's side one, of the other all that it may be there
	Better   []string     // parties for which it is better now
	Worse    []string
}

// NormState is how a norm stands. The zero NormState is that of a norm that is not live: absent, not begun or over.
type NormState struct {
	State                string // owed, in_force, given, held, breached; ended
	Bearer, Counterparty string
	Ticks                int // left; 0: it has no deadline
}

// A Sequence is a run of one draft, up to and with the first step that the other refuses there. Other
// code has replayed it on both.
type Sequence struct {
	Run     []Firing // unobserved firings, too
	Refused string   // what the other draft refuses: the observed events of the last step
	Instead []string // what can be observed next there on the other draft, sorted; empty: nothing
}

// A Choice is a sequence both drafts have, after which one of them can be in a state that the other
// cannot be in: what can be observed next in it, and in each state of the other.
type Choice struct {
	Run    []Firing   // on the side of Head
	Head   bool       // whose state it is
	Next   []string   // what can be observed next there
	Others [][]string // what can be observed next in each of the states the other draft may be in
}

// A View is the difference as one party can see it.
type View struct {
	Party  string
	Called string    // what people call the party, where its name is no word of theirs; else empty
	In     diff.Side // which drafts have that party
	Behaviour
}

// States compares the state models by what their states mean: where the parties that both drafts
// have stand.
type States struct {
	Appeared, Vanished        int         // states of head with no equal in base, and the reverse
	AppearedShown             []Situation // at most three of them; so below
	VanishedShown             []Situation
	NewDead, LostDead         int // dead ends of head where base has none, and the reverse
	NewDeadEnds, LostDeadEnds []Situation
	Died, Alive               []Clause     // transitions and events that both have and only one can fire
	Exact                     *StateCounts // nil, unless there are more than an int counts: then that has its greatest value
	Unknown                   string       // why there is nothing to compare; empty when there is
}

// StateCounts are the counts of States.
type StateCounts struct{ Appeared, Vanished, NewDead, LostDead *big.Int }

// Counts of states, however many.
func (s *States) Counts() StateCounts {
	if s.Exact != nil {
		return *s.Exact
	}
	n := func(i int) *big.Int { return big.NewInt(int64(i)) }
	return StateCounts{n(s.Appeared), n(s.Vanished), n(s.NewDead), n(s.LostDead)}
}

// Situation is a state with a shortest run to it.
type Situation struct {
	Run []Firing
	End []PartyState
}

// A Clause is an event or a transition of a party.
type Clause struct {
	Name, Title, Clause string
	Source              hcl.Range // on head
}

// Exposure says when a party has performed and has not been performed for, on both sides; a side
// is nil when it lacks the party or what makes it exposed, or has no state model.
type Exposure struct {
	Party      string
	Called     string // as in a View
	Base, Head *Exposed
}

// Exposed counts the states in which a party is exposed, of how many, and names the steps that begin
// and end it.
type Exposed struct {
	States, Of int
	From, To   []string // titles of events, or names; sorted
	Ends       bool     // once exposed, it is certain not to stay so for ever
}

// A Blame is the smallest set of changed blocks that brings a violation about: base with no more than
// these changes has it.
type Blame struct {
	Blocks   []Block
	Smallest bool   // no smaller set does; else none of these can be left out
	Reason   string // why Blocks is empty, or may have more of them than are needed
}

// A Block is a block of the text that the amendment adds, removes or changes.
type Block struct {
	Name   string    // as `party "seller" / transition "withdraw"`
	Action string    // added, removed, changed
	Terms  []string  // of a changed one, the attributes that are to blame
	Source hcl.Range // of its header on head, or of the one attribute that is to blame, or of the one entry in it; for a removed one, of what it was removed from
	Was    hcl.Range // of its header on base; empty for an added one
}

// A Repair is an edit of head that was checked in full: with it, the violation is gone, no other
// comes up, and nothing is newly undecided.
type Repair struct {
	What  string // a sentence
	Edits []Edit
}

// An Edit replaces a piece of a file of head. Applied to the bytes they were made for, the edits of a
// repair give the text that was checked.
type Edit struct {
	Range hcl.Range // byte offsets, line and column on head; empty at an insertion
	Old   string
	New   string
}
