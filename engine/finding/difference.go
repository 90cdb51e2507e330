package finding

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
)

// A Difference is everything an amendment changes besides verdicts. It is plain data in the contract's own words, in a fixed order. It
// exists only between two well-formed drafts.
type Difference struct {
	Changes  []diff.Change // of the text's elements, by meaning
	All      Behaviour     // as observed by all parties together, or by whom Budget.Observe names
	Whole    *Behaviour    // as observed by all parties together; nil: All is
	Views    []View        // as observed by each party, in order of their names
	States   States
	Exposure []Exposure // of the parties that are exposed on either side
	Picture  *Picture   // both state models as one; nil: they are too large, or one is missing
	Acts     []Act      // the events of both versions that other parties bring about than before, or that others see
	Tick     *Tick      // how long a tick is on each side, by which everything else is counted; nil: it is as long as before

	Unexposed string // why Exposure may lack parties, or a side of one; empty: it has all

	Turns      []Turn `result:"-"` // with Budget.Owed: by which steps of one version norms turn
	Gone       []Turn `result:"-"` // likewise: the runs of head after which a norm can't turn so any more, as it still can on base
	Unturned   string `result:"-"` // why Turns are not known; empty: they are
	Unforeseen string `result:"-"` // why Gone is not known; empty: it is
}

// A Tick says that a tick is not known to be as long as before: it is a unit of time, such as "month" or "month of 30 days", or "", if a version
// counts in numbers of ticks. Of these nobody knows how long they are.
type Tick struct{ Was, Now string }

// A Turn is a step by which a norm of both versions turns, after steps that both have. The version of Side has it, and the other refuses it.
type Turn struct {
	Norm          string // its name on head
	Event, Called string // its title, or else its name, in quotes
	How           TurnKind
	Side          diff.Side
	Run           []Firing // of Side; the step is its last
}

// A TurnKind is how an event turns a norm.
type TurnKind uint8

const (
	TurnBegins         TurnKind = iota // it comes to bind
	TurnUsed                           // the power or permission is used
	TurnResumes                        // it binds again that was suspended
	TurnEnds                           // it binds no more, is suspended, has more time or binds others
	TurnFulfilled                      // the obligation is fulfilled
	TurnFulfilledAlone                 // it is, by those who bear it and nobody else
)

// WithTurns returns the turns of two lists, sorted. Of those that differ by their runs alone it keeps the first.
func WithTurns(list, more []Turn) []Turn {
	all := slices.Concat(list, more)
	slices.SortStableFunc(all, compareTurns)
	return slices.CompactFunc(all, func(a, b Turn) bool { return compareTurns(a, b) == 0 })
}

// compareTurns orders by sides, then by norms, then by events.
func compareTurns(a, b Turn) int {
	return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(a.Norm, b.Norm), cmp.Compare(a.Event, b.Event), cmp.Compare(a.How, b.How))
}

// Known reports whether both versions say how long a tick is, so that it is known to be another time.
func (t *Tick) Known() bool { return t.Was != "" && t.Now != "" }

// Full returns the behaviour as observed by all parties together, whatever Budget.Observe says.
func (d *Difference) Full() *Behaviour {
	if d.Whole != nil {
		return d.Whole
	}
	return &d.All
}

// Start returns the day on which each version begins, or "" for none, and whether they differ. Behaviour is compared from the start of each.
func (d *Difference) Start() (was, now string, moved bool) {
	for _, c := range d.Changes {
		if c.Element != diff.TheContract {
			continue
		}
		for _, t := range c.Terms {
			if t.Word == "start" {
				return t.Was, t.Now, true
			}
		}
	}
	return "", "", false
}

// Behaviour compares the possible behaviour of both sides, as far as it is observed.
type Behaviour struct {
	Observed   []string // the events and transitions that are observed; nil: all
	Relation   delta.Relation
	Reason     string     // why Relation is Unknown
	Possible   []Sequence // now possible: a shortest one for each step that base refuses
	Impossible []Sequence // no longer possible: a shortest one for each step that head refuses
	Choice     *Choice    // of relation Otherwise: where the choices differ
	MoreThan   int        // of Possible and Impossible together, how many were left out
	Owed       *Owed      // nil: no norm of either side is observed
}

// Undecided reports whether for some observer it was not decided if behaviour differs, or no differing choice is shown.
func (d *Difference) Undecided() bool {
	open := func(b *Behaviour) bool {
		return b.Relation == delta.Unknown || b.Relation == delta.Otherwise && b.Choice == nil
	}
	return open(d.Full()) || open(&d.All) || slices.ContainsFunc(d.Views, func(v View) bool { return open(&v.Behaviour) })
}

// Same reports whether behaviour and what is owed are proved to be unchanged.
func (b *Behaviour) Same() bool {
	return b.Relation == delta.Same && (b.Owed == nil || b.Owed.Relation == delta.Same)
}

// Owed compares the states of norms along the runs of both sides. Whom Budget.Observe names sees some steps, but what is owed to them, and by them, is
// decided after all steps: Norms and Unshown are those of everybody, and of them Norms has their own. Relation is then of what they can tell: it is
// Otherwise if they can tell nothing apart, and Norms has some.
type Owed struct {
	Relation delta.Relation // of steps together with the states of norms after each
	Reason   string         // why Relation is Unknown, or why Norms may lack some
	Norms    []NormDifference
	Unshown  int // differences in the states of norms that no single run shows

	// Where steps differ, the norms changed by the amendment that bind others, or none, after the same events of both sides, whatever time passes between them
	// and whatever happens that one side alone has; or bind for another time, if that is what was changed. Then, not Untimed themselves, those that differ
	// after the same events in the same time, whatever has happened by itself when it was due. Norms does not show the same of them.
	Untimed       []NormDifference
	UntimedReason string // why Untimed may lack some
}

// All returns all differences, first those after the same steps.
func (o *Owed) All() []NormDifference { return slices.Concat(o.Norms, o.Untimed) }

// A NormDifference is a norm whose states differ between the sides after the same observed steps, with a shortest run of one side to that
// point. Other code has replayed the run on both.
type NormDifference struct {
	Norm     string // its name, on head if head has it; "contract" for the end of the contract
	Kind     string // obligation, prohibition, permission, power; contract
	Title    string
	Calls    Calls    // of parties of both sides
	Unit     string   // of a tick: day; empty if it has no length, or another one on each side
	Run      []Firing // a run of Side, with unobserved firings
	Side     diff.Side
	End      []PartyState // the state at its end
	Ends     *Ends        // the states of both versions there
	Was, Now []NormState  // on base and on head: one for the run's side, all possible ones for the other
	WasOver  []string     // where it does not bind on base: all that it may have come to there, such as fulfilled; "": it has not begun
	NowOver  []string     // likewise on head
	Untimed  bool         // the run is one of Side alone, and the other side is compared after the same events: see Owed.Untimed
	Later    Later        // where the norm binds on Side and not on the other: after how much more time it does there, too
	Better   []string     // parties for which it is better now
	Worse    []string

	// Where Was and Now differ in ticks alone, no run is known after which they differ in more.
	TimeAlone bool   // proved: there is none
	Reason    string // why that is not proved
}

// SameNorm reports whether two differences are of one norm.
func (d *NormDifference) SameNorm(o NormDifference) bool {
	return d.Norm == o.Norm && (d.Kind == endOfContract) == (o.Kind == endOfContract)
}

// Amended reports whether the norm is among the elements that an amendment changes. The end of the contract is changed by what its block says. Where only the
// number of occurrences changes, those that both versions have are as before.
func (d *NormDifference) Amended(changes []diff.Change) bool {
	name, nth, _ := strings.Cut(d.Norm, "[")
	return slices.ContainsFunc(changes, func(c diff.Change) bool {
		return c.Element.String() == d.Kind && (c.Name == name || c.Name == d.Norm || d.Kind == endOfContract) && !among(strings.TrimSuffix(nth, "]"), c)
	})
}

// among reports whether a change is of the number of occurrences alone, and both versions have the one with the given number.
func among(nth string, c diff.Change) bool {
	n, err := strconv.Atoi(nth)
	return err == nil && len(c.Terms) > 0 && !slices.ContainsFunc(c.Terms, func(t diff.Term) bool {
		was, failed := strconv.Atoi(t.Was)
		now, err := strconv.Atoi(t.Now)
		return t.Word != "times" || failed != nil || err != nil || n > min(was, now)
	})
}

// endOfContract is the kind of the end of the contract, which is no norm that has a name of its own.
const endOfContract = "contract"

// NormState is the state of a norm. The zero NormState is that of a norm that is not live: absent, not begun or over.
type NormState struct {
	State                string // owed, in_force, given, held, breached; ended
	Bearer, Counterparty string
	Ticks                int // until the deadline; 0: none
}

// A Sequence is a run of one draft that ends with the first step that the other draft refuses. Other code has replayed it on both.
type Sequence struct {
	Run     []Firing  // with unobserved firings
	Refused string    // what the other draft refuses: the observed events of the last step
	Instead []string  // what can be observed next there on the other draft, sorted; empty: nothing
	Later   Later     // after how much more time the other draft has the step
	Ended   diff.Side // the draft whose contract has ended before that step, where the other's is in force; InBoth: neither alone
}

// A Later is the least time after which a step is possible that is not possible yet, if nothing else is observed meanwhile. The zero Later: waiting is not
// known to be enough.
type Later struct {
	Ticks int
	Unit  string // of a tick, as in a NormDifference
}

// A Choice is a sequence that both drafts have, after which one of them can be in a state that the other cannot be in. It lists what can be
// observed next in that state, and in each state of the other draft.
type Choice struct {
	Run    []Firing   // of the draft that Head names
	Head   bool       // the state is head's; else base's
	Next   []string   // what can be observed next there
	Others [][]string // what can be observed next in each of the states the other draft may be in
}

// An Act is an event of both versions that other parties bring about than before, or that others see. What a party takes part in or sees in one version
// alone is compared as if it observed it in both.
type Act struct {
	Event, Title        string
	Calls               Calls      // of parties of both versions
	Was, Now            [][]string // who brings it about: each way to do so, with the parties that it takes together
	SeenBefore, SeenNow []string   // who takes part in it, or sees it
	Better, Worse       []string   // parties that have more of a say in it, or less: who need fewer others for it, or are needed in every way
}

// Freer reports whether there is a way now to bring the event about without all whom one of the ways before takes.
func (a *Act) Freer() bool { return hasNewWay(a.Now, a.Was) }

// Harder reports whether one of the ways before is gone, and no way now takes only parties of it.
func (a *Act) Harder() bool { return hasNewWay(a.Was, a.Now) }

// hasNewWay reports whether one of the ways to bring an event about takes all parties of none of those before.
func hasNewWay(ways, before [][]string) bool {
	return slices.ContainsFunc(ways, func(way []string) bool {
		return !slices.ContainsFunc(before, func(other []string) bool {
			return !slices.ContainsFunc(other, func(p string) bool { return !slices.Contains(way, p) })
		})
	})
}

// Seen reports whether a party takes part in an act or sees it, before and now.
func (a *Act) Seen(party string) (before, now bool) {
	return slices.Contains(a.SeenBefore, party), slices.Contains(a.SeenNow, party)
}

// A View is the difference as one party observes it.
type View struct {
	Party  string
	Called string    // the party's usual name, if that is not its name in the text; else empty
	In     diff.Side // the drafts that have that party
	Behaviour
}

// States compares the state models by the meaning of their states: the markings of the parties that both drafts have.
type States struct {
	Appeared, Vanished        int         // states of head with no equal in base, and the reverse
	AppearedShown             []Situation // at most three; so below
	VanishedShown             []Situation
	NewDead, LostDead         int // dead ends of head where base has none, and the reverse
	NewDeadEnds, LostDeadEnds []Situation
	Died, Alive               []Clause     // transitions and events that both have and only one can fire
	Exact                     *StateCounts // nil, unless a count exceeds an int: the int then has its greatest value
	Merged                    bool         // states that differ only in what one version alone has are counted as one, so the counts are not the difference of the models' numbers of states
	Unknown                   string       // why the models cannot be compared; empty if they are

	// Of versions that have the same steps, and after each the same norms:
	Apart     *Situation // where the same steps lead head elsewhere than base, if no state above is shown beside such a one; Differs has what only one can be in
	Undecided string     // why it is not decided whether there is such a state
	Aside     []string   // counters and documents that one version alone has, which are not compared
}

// StateCounts are the counts of States.
type StateCounts struct{ Appeared, Vanished, NewDead, LostDead *big.Int }

// Merge sets Merged by the models of both versions.
func (s *States) Merge(base, head *Model) {
	n := s.Counts()
	adds := func(was, now, more, fewer *big.Int) bool {
		return was == nil || now == nil || new(big.Int).Sub(now, was).Cmp(new(big.Int).Sub(more, fewer)) == 0
	}
	s.Merged = !adds(base.States, head.States, n.Appeared, n.Vanished) || !adds(base.DeadEnds, head.DeadEnds, n.NewDead, n.LostDead)
}

// Counts returns the counts of states, without a limit.
func (s *States) Counts() StateCounts {
	if s.Exact != nil {
		return *s.Exact
	}
	n := func(i int) *big.Int { return big.NewInt(int64(i)) }
	return StateCounts{n(s.Appeared), n(s.Vanished), n(s.NewDead), n(s.LostDead)}
}

// A Situation is a state with a shortest run to it.
type Situation struct {
	Run []Firing
	End []PartyState

	Differs []Change // where the other side is elsewhere after the same steps, in one state: before is base, after is head; empty: not known
}

// SameStepsDiffer reports whether both sides are known to come to different states by the same steps.
func (s *States) SameStepsDiffer() bool {
	return s.Apart != nil || slices.ContainsFunc(slices.Concat(s.AppearedShown, s.VanishedShown), func(o Situation) bool { return len(o.Differs) > 0 })
}

// HeldOtherwise reports whether parties are known to hold or count something else after the same steps.
func (s *States) HeldOtherwise() bool { return s.SameStepsDiffer() || len(s.Aside) > 0 }

// A Clause is an event or a transition of a party.
type Clause struct {
	Name, Title, Clause string
	Source              hcl.Range // on head
}

// An Exposure is when a party has performed and the others have not yet performed for it, on both sides. A side is nil if it lacks the
// party, has nothing that exposes the party, or has no state model.
type Exposure struct {
	Party      string
	Called     string // as in a View
	Unit       string // of a tick, as in a NormDifference
	Base, Head *Exposed
	Own        []string // what it performs that exposes it on either side: obligations, and the events that fulfil them, by their names on head
	Less       bool     // exposed on one side only, it can't fulfil on the other all that it does there
}

// Exposed has the number of states in which a party is exposed, of all states, and the steps that begin and end the exposure.
type Exposed struct {
	States, Of int
	From, To   []string // titles of events, or names; sorted
	Stuck      []string // the steps after which an exposure can't end any more, whatever happens; as From
	Ends       bool     // every exposure ends, unless all that can happen is put off for ever
	By         *Rests   // if Ends: who ends it by acting, even if all others wait, in words for readers; nil: not known
	Apart      int      // how many of States differ in what exposes the party: clocks that run meanwhile make more states, and no other situation
	None       bool     // no clause can expose the party: no party to which it owes something owes it anything
	Owes, Owed bool     // if None: it has obligations; others have obligations towards it

	// The party can perform an obligation before that is owed, which fulfils nothing, and yet be owed something after it. The other fields leave that aside.
	Early bool

	// How long each exposure lasts; nil where the party is never exposed, and where the version has no clocks, or a tick is not known to be as long as in
	// the other one.
	Lasts *Lasting
}

// A Lasting has the least and the greatest number of ticks that pass from the beginning of an exposure to its end.
type Lasting struct {
	Least   int  // of those that end
	Most    int  // if Limited
	Limited bool // every exposure ends, and a clock runs in each of its states: otherwise any time may pass
}

// A Blame is the smallest set of changed blocks that causes a violation: base with only these changes has it.
type Blame struct {
	Blocks   []Block
	Smallest bool      // proved to be the smallest; else none of these can be left out
	Reason   string    // why Blocks is empty, or may have more than are needed
	First    *FirstRun // set if the finding shows a run that needs no other changes, and a shorter one that needs some was found first
	More     bool      // the run that the finding shows is not known to need these changes alone
}

// A FirstRun is the run of a violation that was found first, which is not the one that is shown. A waiver has to name both.
type FirstRun struct {
	Trace *Trace
	Run   string // its fingerprint; empty: head has no such requirement
}

// A Block is a block of the text that the amendment adds, removes or changes.
type Block struct {
	Name   string    // as `party "seller" / transition "withdraw"`
	Title  string    // of the element, on head; of a removed one, on base; may be empty
	Clause string    // likewise
	Action string    // added, removed, changed
	Terms  []string  // of a changed block, the attributes to blame
	Source hcl.Range // of its header on head, or of the one attribute or entry to blame; of a removed block, of what it was removed from
	Was    hcl.Range // of its header on base; empty for an added block
}

// A Repair is an edit of head that was fully checked: with it the violation is gone, there is no new one, and nothing is newly undecided.
type Repair struct {
	What       string // a sentence
	Edits      []Edit
	OldWays    bool // only the new way of the violation is gone: base's ways remain
	OldWording bool // base's wording is kept again, and the amendment still drops or rewords it
	Others     int  // other violations of the contract that remain
	Undecided  int  // other promises and checks of it on which there is no verdict
}

// An Edit replaces a range of a file of head. The edits of a repair, applied to the bytes they were made for, give the text that was
// checked.
type Edit struct {
	Range hcl.Range // byte offsets, line and column on head; empty at an insertion
	Old   string
	New   string
}
