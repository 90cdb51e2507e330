package finding

import "context"

// A Negotiation compares two redlines of one base with each other and with their merge. It is plain data. Exchanging A and B gives the same
// result, with A and B exchanged.
type Negotiation struct {
	On FailOn // what the gate objects to, as reports say it

	Base, A, B Origin
	Contracts  []ContractNegotiation
}

// Origin is where the contracts of one side were read from.
type Origin struct {
	Name      string // as the user named it
	Directory bool   // else it is a revision
}

// ContractNegotiation is the effect of two redlines on one contract.
type ContractNegotiation struct {
	Path, Name, Title string

	A, B *ContractReview // each redline against base; Same also if neither it nor base has the contract

	// Merge compares base with both redlines together. It is A's or B's own review if the other one changes no meaning, or if both mean
	// the same. Otherwise it has neither Blame nor Repairs, and its ranges are in a merged text that is in no file. nil: there is no
	// merged text.
	Merge     *ContractReview
	Conflicts []Conflict // why there is no merged text; conflicts of prose alone do not prevent it
	Unmerged  string     // why there is no merged text, if not for conflicts

	Promises []Promise  // base's in its order, then A's, B's and the merge's own; then built-in checks
	Broken   []Joint    // violations of the merge alone
	Runs     []JointRun // sequences that a redline or the merge adds or removes
}

// A Conflict is a pair of changes, one of each redline, that cannot both be made.
type Conflict struct {
	A, B              Block  // Source is in A's text, or B's
	Was, SaysA, SaysB string // text of the attribute; empty if there is none
	Prose             bool   // only words for readers differ; base's are kept
}

// A Promise is a requirement, or a built-in check, with its answers on all four drafts.
type Promise struct {
	Name              string       // its name on base, or on the redline that adds it; the code of a check
	Requirement       *Requirement // in the wording of base, or of the redline that adds it; nil for a check
	Check             *Diagnostic  // the check that fails; nil for a requirement
	Base, A, B, Merge Answer
}

// An Answer is the verdict of one draft on a promise. The zero Answer means none: the draft neither makes the promise nor was asked about
// it, or a check has no objection.
type Answer struct {
	Given       bool
	Promised    bool // the draft makes the promise; else base's wording was checked on it
	Verdict     Verdict
	Requirement *Requirement // with the run and remarks; may be nil
	Check       *Diagnostic
	Waits       bool // it is violated only while a party waits, and rests on the same parties as on base: RestsAsBefore
}

// Broken reports whether a draft violates the promise, and no waiver accepts that.
func (a *Answer) Broken() bool { return a.Given && a.Verdict == Violated && !a.Requirement.Waived() }

// Kept reports whether a draft makes the promise and keeps it.
func (a *Answer) Kept() bool { return a.Given && a.Promised && a.Verdict == Holds }

// Effect is the effect of a redline on a promise.
type Effect uint8

const (
	NoEffect   Effect = iota // as on base
	Wins                     // base violates it or does not promise it; now it is promised and kept
	Breaks                   // base keeps it; now it is violated, promised or not
	GivesUp                  // base keeps it; now it is not promised, or in other words, and not violated
	Unkept                   // base does not promise it; now it is promised and violated
	Accepts                  // base keeps it; now it is violated, and a waiver accepts that
	Unsettled                // it is now unknown or ill-formed
	StillRests               // base keeps it; now it is violated, but only while a party waits, and rests on the same parties
)

func (e Effect) String() string {
	return [...]string{"none", "wins", "breaks", "gives-up", "unkept", "accepts", "unsettled", "rests-as-before"}[e]
}

// Effect returns the effect that leads from base's answer to the given one.
func (p *Promise) Effect(now *Answer) Effect {
	was := &p.Base
	open := now.Given && (now.Verdict == Unknown || now.Verdict == IllFormed)
	switch {
	case open && was.Verdict == now.Verdict && was.Given:
		return NoEffect
	case open:
		return Unsettled
	case now.Broken() && now.Waits:
		return StillRests
	case now.Broken() && (was.Kept() || was.Requirement.Waived() || p.Check != nil && !was.Given):
		return Breaks
	case now.Broken() && !was.Broken():
		return Unkept
	case was.Kept() && now.Given && now.Verdict == Violated:
		return Accepts
	case was.Kept() && !now.Kept():
		return GivesUp
	case !was.Kept() && now.Kept():
		return Wins
	}
	return NoEffect
}

// A Joint is a violation that neither redline has alone, and both together have.
type Joint struct {
	Promise int      // its number in Promises
	Finding *Finding // of Merge

	// BlameA is the smallest set of changed blocks of A that causes the violation if all of B is applied; BlameB is the reverse. BlameA is
	// nil if the violation is base's own and B undoes A's repair; likewise BlameB.
	BlameA, BlameB *Blame
	Undoes         Side // the redline whose repair the other one undoes

	// RefusalA is the first step of the violation's run that A alone would have refused; RefusalB is B's. nil: it refuses none, or that
	// was not found within the budget.
	RefusalA, RefusalB *Refusal
}

// Side is one of two redlines.
type Side uint8

const (
	Neither Side = iota
	SideA
	SideB
)

func (s Side) String() string { return [...]string{"", "A", "B"}[s] }

// A JointRun is a sequence that a redline or the merge makes possible although base refuses its last step, or a sequence of base whose last
// step they refuse. Each draft was asked by following the sequence on it.
type JointRun struct {
	Sequence
	Lost        bool // base has it
	A, B, Merge Possibility
}

// Possibility is whether a draft has a sequence.
type Possibility uint8

const (
	PossibilityUnknown Possibility = iota // not decided within the budget
	Impossible                            //
	Possible                              //
)

func (p Possibility) String() string { return [...]string{"unknown", "impossible", "possible"}[p] }

// Gate returns the exit status of a negotiation: the worst of the reviews of each redline and of the merge; Violations if the merge alone
// breaks anything; BadInput if there is no merged text.
func (n *Negotiation) Gate(on FailOn) ExitStatus {
	status := Clean
	for i := range n.Contracts {
		c := &n.Contracts[i]
		for _, r := range []*ContractReview{c.A, c.B, c.Merge} {
			if r != nil {
				status = status.worse(r.gate(on))
			}
		}
		switch {
		case c.Merge == nil:
			status = BadInput
		case len(c.Broken) > 0 && on != FailNever:
			status = status.worse(Violations)
		}
	}
	return status
}

// Settle decides which acceptances of both redlines and of the merge count: base's, and all if the rule accepts a redline's own. There are
// no approvals. heads has the promises given up with their contract, by the settings of A, of B, and of both.
func (n *Negotiation) Settle(ctx context.Context, rule AcceptanceRule, base []Retirement, heads [3][]Retirement) error {
	for side, head := range heads {
		of, r := []*ContractReview{}, &Review{}
		for i := range n.Contracts {
			c := &n.Contracts[i]
			one := []*ContractReview{c.A, c.B, c.Merge}[side]
			if one != nil && (side < 2 || one != c.A && one != c.B) {
				of, r.Contracts = append(of, one), append(r.Contracts, *one)
			}
		}
		if err := r.Settle(ctx, AcceptancePolicy{Rule: rule, Read: true, Base: base, Head: head}, nil); err != nil {
			return err
		}
		for i, one := range of {
			*one = r.Contracts[i]
		}
	}
	return nil
}
