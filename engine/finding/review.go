package finding

import "slices"

// A Review says what an amendment does to every contract it touches.
type Review struct {
	Base, Head string // as the user named them
	Contracts  []ContractReview
	Unplaced   []Acceptance // of promises given up, in head's settings, where no contract of the review made them
}

// Status says what happened to a contract between base and head.
type Status uint8

const (
	Same    Status = iota // no change of meaning
	Changed               //
	Added                 //
	Removed               //
)

func (s Status) String() string { return [...]string{"same", "changed", "added", "removed"}[s] }

// ContractReview compares the two versions of one contract.
type ContractReview struct {
	Path, Name, Title string
	Status            Status
	Base, Head        *Result      // nil when that side has no such contract
	Findings          []Finding    // requirements of head in source order, then those only base has
	Difference        *Difference  // nil unless both sides have the contract and mean something
	Acceptances       []Acceptance // what head accepts, and whether it counts: see Review.Settle
	Outside           string       // where head has a contract that is removed, if it is there but not looked at; else empty
	Cached            bool         // an earlier run found this out, of the same texts and within the same limits

	TimedOut bool              `result:"-"`
	Anew     map[string]string `result:"-"` // failed checks that both sides accept, by code and subject, which head fails in a way that base did not, or may: the run of that way; empty: not known
}

// Interrupted reports whether time ran out on some of the work, or the run was cancelled, so that another run may
// find out something else.
func (c *ContractReview) Interrupted() bool { return c.TimedOut }

// Kind sorts the verdict on one requirement by what the amendment did to it.
type Kind uint8

const (
	Undecided     Kind = iota // unknown on head; Reason says why
	Kept                      // holds on head, and held on base or is new there
	New                       // violated on head; base held it, did not have it, or violated it in other ways only
	Standing                  // violated on both, on head in no way that base did not have
	Repaired                  // violated on base, holds on head
	Weakened                  // base's wording was dropped or reworded, and fails on head
	Dropped                   // base made this promise and did not break it, and head does not make it: withdrawn
	Meaningless               // ill-formed on head
	Waived                    // violated on head, and a waiver accepts that
	WaiverExpired             // violated on head, and the waiver that accepted that has expired
	RestsAsBefore             // violated on head, but only while somebody waits, and it rests on the same as on base, where that was so
)

func (k Kind) String() string {
	return [...]string{"undecided", "kept", "new", "standing", "repaired", "weakened", "dropped", "ill-formed", "waived", "waiver-expired", "rests-as-before"}[k]
}

// A Finding is one requirement, or one built-in check of class violation, across the amendment.
type Finding struct {
	Kind  Kind
	Name  string       // requirement name, or code of the built-in check
	Head  *Requirement // on head; for Weakened and Dropped: base's wording checked on head; nil where head has no such contract
	Base  *Requirement // on base; nil when base has none
	Old   bool         // head no longer requires it: Head is base's wording checked on head
	Check *Diagnostic  // set instead of Head and Base for a built-in check

	// Of a promise of base that head does not make.
	Promise string // "sha256:...", by which a retire names it, beside the name that Promised returns; empty: it is not given up
	Implied string // the requirement of head that implies it; empty: none

	acceptance *Acceptance // of the contract's: see Link

	Rested *Rests // on whom it rested on base, in head's names, where that is known and another than on head; else nil
	Way    *Way   // of what is violated on both: whether in a way that base did not have; nil: it is not compared

	// Of a finding that is New or Weakened.
	Refusal *Refusal // the first step of its run that base would have refused; nil: base refuses none, or there is no base
	Lost    []string // where that run ends, and base refuses none of it: what base could do there and head can't, sorted
	Blame   *Blame   // which changes bring it about; nil: there is no base
	Repairs []Repair // verified, best first
}

// A Refusal is a step of the run of a violation.
type Refusal struct {
	Step    int      // of the run's firings, the Step that they have
	Instead []string // what could happen there on base, sorted
	Again   bool     // it is repeated for ever, and base refuses it only in a later round
}

// GivenUp reports whether base made and kept a promise, or may have, that head does not make.
func (f *Finding) GivenUp() bool {
	return (f.Kind == Dropped || f.Kind == Weakened) && (f.Check == nil || f.Promise != "")
}

// OfNorms reports whether a finding is of a norm that is dropped or changed: no run of head alone shows it, so nothing is to blame but the change itself.
func (f *Finding) OfNorms() bool {
	return f.Check != nil && (f.Check.Code == "norm-dropped" || f.Check.Code == "norm-changed")
}

// OnlyReviews reports whether a check of one text can't make a remark, so that it can't say that an acceptance of it is unused.
func OnlyReviews(code string) bool {
	return slices.Contains([]string{"document-dropped", "norm-changed", "norm-dropped"}, code)
}

// FinalPromise is the name by which a retire gives up the promise that one of the final states can always be reached. No requirement can have it.
const FinalPromise = "contract.final"

// Promised is the name by which a retire gives up what a finding is about.
func (f *Finding) Promised() string {
	switch {
	case f.Check == nil:
		return f.Name
	case f.OfNorms():
		return f.Check.Subject
	}
	return FinalPromise
}
