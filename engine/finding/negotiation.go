package finding

import "context"

// A Negotiation compares two redlines of one base, and what comes of both of them together. It is plain
// data. With A and B exchanged it says the same, with A and B exchanged.
type Negotiation struct {
	Base, A, B Origin
	Contracts  []ContractNegotiation
}

// Origin is where one side's contracts were read from.
type Origin struct {
	Name      string // as the user named it
	Directory bool   // else it is a revision
}

// ContractNegotiation is what two redlines do to one contract.
type ContractNegotiation struct {
	Path, Name, Title string

	A, B *ContractReview // each redline against base; Same, too, where neither it nor base has the contract

	// Merge is both together against base. It is A's or B's own review where the other one changes no
	// meaning, or both mean the same; else it has neither Blame nor Repairs, and places in it are places in a
	// text that stands nowhere. nil: there is no text of both.
	Merge     *ContractReview
	Conflicts []Conflict // why there is none; those of prose alone do not stand in the way
	Unmerged  string     // why there is none, if not for conflicts

	Promises []Promise  // base's in its order, what A adds, what B adds, what only both together come to; then built-in checks
	Broken   []Joint    // violations that only both together have
	Runs     []JointRun // what happens to the sequences that either redline, or both together, bring or take away
}

// A Conflict is a change of each redline that can't both be made.
type Conflict struct {
	A, B              Block  // Source is a place in A's text, or B's
	Was, SaysA, SaysB string // the attribute's text; empty where there is none
	Prose             bool   // only words for readers differ; base's are kept
}

// A Promise is a requirement, or a built-in check, on all four drafts.
type Promise struct {
	Name              string       // on base, or on the redline that adds it; the code of a check
	Requirement       *Requirement // in the words of base, or of who adds it; nil of a check
	Check             *Diagnostic  // what fails; nil of a requirement
	Base, A, B, Merge Answer
}

// An Answer is what one draft says of a promise. The zero Answer is none: the draft neither promises it
// nor was asked; and a check has nothing to object to.
type Answer struct {
	Given       bool
	Promised    bool // else the draft promises it no longer, or in other words, and base's wording was asked of it
	Verdict     Verdict
	Requirement *Requirement // with the run and what else there is to say; nil: there is nothing
	Check       *Diagnostic
	Waits       bool // it is violated only while somebody waits, and rests on the same as on base: RestsAsBefore
}

// Broken reports whether a draft violates what it was asked, and nobody accepts that.
func (a *Answer) Broken() bool { return a.Given && a.Verdict == Violated && !a.Requirement.Waived() }

// Kept reports whether a draft promises it and keeps it.
func (a *Answer) Kept() bool { return a.Given && a.Promised && a.Verdict == Holds }

// Effect is what a redline does to a promise.
type Effect uint8

const (
	NoEffect   Effect = iota // it stands as on base
	Wins                     // base violates it or does not promise it; now it is promised and kept
	Breaks                   // base keeps it; now it is violated, promised or not
	GivesUp                  // base keeps it; now it is promised no longer, or in other words, and still so
	Unkept                   // base does not promise it; now it is promised and violated
	Accepts                  // base keeps it; now it is violated, and a waiver accepts that
	Unsettled                // whether it is kept now is unknown, or it has no meaning
	StillRests               // base keeps it; now it is violated, but only while somebody waits, and rests on the same as before
)

func (e Effect) String() string {
	return [...]string{"none", "wins", "breaks", "gives-up", "unkept", "accepts", "unsettled", "rests-as-before"}[e]
}

// Effect is what leads from base's answer to another.
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

// A Joint is a violation that comes of both redlines only: neither of them has it alone.
type Joint struct {
	Promise int      // which one
	Finding *Finding // of Merge

	// The smallest set of changed blocks of A that brings it about where all of B is made; and the reverse.
	// One that undoes what A alone repairs has no GuiltA, since base has it already; and the reverse.
	GuiltA, GuiltB *Blame
	Undoes         Side // whose repair the other one undoes

	// The first step of the violation's run that A alone would have refused, and B alone; nil: it refuses none, or
	// that was too much to find out.
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

// A JointRun is a sequence that a redline, or both together, make possible where base refuses its last
// step; or one of base whose last step they refuse. Who has it was found by going along it.
type JointRun struct {
	Sequence
	Lost        bool // base has it
	A, B, Merge Possibility
}

// Possibility is whether a draft has a sequence.
type Possibility uint8

const (
	Untold     Possibility = iota // it was too much to find out
	Impossible                    //
	Possible                      //
)

func (p Possibility) String() string { return [...]string{"unknown", "impossible", "possible"}[p] }

// Gate is the exit status of a negotiation: what a review of each redline, and of both together, comes to;
// Violations if both together break anything; and BadInput where there is no text of both.
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

// Settle decides which acceptances of both redlines, and of both together, count: base's, and all where the rule takes a redline's word. It knows of no approval. Heads are
// what the settings of A, B, and both say of promises given up with their contract.
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
