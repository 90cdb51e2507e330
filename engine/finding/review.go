package finding

import (
	"slices"

	"github.com/redlinehq/redline/engine/diff"
)

// A Review is the effect of an amendment on every contract it touches.
type Review struct {
	Base, Head string // as the user named them
	Contracts  []ContractReview
	Unchanged  int          // contracts that are not among Contracts, since their files are the same on both sides and they have no waiver
	Unplaced   []Acceptance // in head's settings: what loosens later reviews, and retirements of promises that no contract of the review made

	Rule AcceptanceRule // whose acceptances count by base's settings, as reports say it

	On FailOn `result:"-"` // what the gate objects to, as reports say it
}

// A Status says how a contract changed between base and head.
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
	Base, Head        *Result       // nil when that side has no such contract
	Findings          []Finding     // requirements of head in source order, then those of base alone
	Difference        *Difference   // nil unless both sides have the contract and mean something
	Reworded          []diff.Change // titles and clauses that differ, which mean nothing
	Defaults          []Default     // of variables, that differ and are not compared since a value is given
	Acceptances       []Acceptance  // what head accepts, and whether it counts: see Review.Settle
	Outside           string        // directory on head of a removed contract that is there but not reviewed, or a file in its own that is not read for its name; else empty
	Cached            bool          // computed by an earlier run, of the same texts and within the same limits

	TimedOut bool          `result:"-"`
	Anew     []AcceptedWay `result:"-"` // ways in which head fails a check, and base did not, that accepts of head cover
}

// A Default is the default of a variable whose value is given from outside: "" where there is none.
type Default struct{ Variable, Was, Now, From string }

// An AcceptedWay is a way in which head fails a check, and base did not, and that an accept of head covers. Diagnostic has the run by which
// the accept covers it.
type AcceptedWay struct {
	Diagnostic
	Way     string // "sha256:..." of its own run, if an accept that names no run covers it and could name this one
	Unknown bool   // whether head fails the accepted check in a new way is unknown
}

// Interrupted reports whether time ran out on some of the work, or the run was cancelled. Another run may then have another result.
func (c *ContractReview) Interrupted() bool { return c.TimedOut }

// Kind is the effect of an amendment on the verdict of one requirement.
type Kind uint8

const (
	Undecided     Kind = iota // unknown on head; Reason says why
	Kept                      // holds on head, and held on base or is new there
	New                       // violated on head; held on base, is new there, or was violated in other ways only
	Standing                  // violated on both, on head in no new way
	Repaired                  // violated on base, holds on head
	Weakened                  // base's wording was dropped or reworded, and is violated on head
	Dropped                   // base made the promise and did not break it, or as its waiver has it, and head does not make it, or empties it: withdrawn
	Meaningless               // ill-formed on head
	Waived                    // violated on head, and a waiver accepts that
	WaiverExpired             // violated on head, and the waiver that accepted that has expired
	RestsAsBefore             // violated on head, but only while a party waits, and it rests on the same parties as on base
)

func (k Kind) String() string {
	return [...]string{"undecided", "kept", "new", "standing", "repaired", "weakened", "dropped", "ill-formed", "waived", "waiver-expired", "rests-as-before"}[k]
}

// A Finding is one requirement, or one built-in check of class violation, across the amendment.
type Finding struct {
	Kind Kind
	Name string       // requirement name, or code of the built-in check
	Head *Requirement // on head; for Weakened and Dropped: base's wording checked on head; nil if head has no such contract
	Base *Requirement // on base; nil when base has none
	Old  bool         // head no longer requires it: Head is base's wording checked on head

	Reworded bool        // Base promises something else than Head
	Was      Verdict     // of a reworded promise, base's verdict on Head's wording; Unknown if base was not asked. Of final states that are given up, base's own verdict
	Check    *Diagnostic // set instead of Head and Base for a built-in check

	// For a promise of base that head does not make.
	Promise string // "sha256:...", the digest that a retire has beside the name that RetireName returns; empty: not given up
	Implied string // the requirement of head that implies it; empty: none

	acceptance *Acceptance    // one of the contract's: see Link
	rule       AcceptanceRule // the review's: see Review.Link

	Rested    *Rests   // the parties it rested on on base, in head's names, if known and different from head; else nil
	Unbound   []string // of the parties that it rests on on head alone, those whom no obligation binds
	Breach    []string // of a scenario that leaves a party in breach: by which norms on base, in head's names, if by others on head; else nil
	Recurring []string // of the occurrences of norms that remarks on Head name, those that base has, too
	Leans     *Leaning // of a promise over ideal runs that both keep: on what it leans on head alone; else nil
	Way       *Way     // if violated on both: whether in a way that base did not have; nil: not compared

	// For a finding that is Novel.
	Refusal *Refusal // the first step of its run that base refuses; nil: none, or there is no base
	Lost    []string // if base refuses none: what base could do at the end of the run and head cannot, sorted
	Blame   *Blame   // the changes that cause it; nil: there is no base
	Repairs []Repair // verified, best first
}

// A Refusal is a step of a violation's run that base refuses.
type Refusal struct {
	Step    int      // the Step of the run's firings
	Instead []string // what base can do there, sorted
	Again   bool     // the step is in the loop, and base refuses it only in a later round
	Later   Later    // after how much more time base has the step
}

// KeptDifferently reports whether head keeps a promise that base kept, but by other parties, by another breach, or only as long as norms are kept.
func (f *Finding) KeptDifferently() bool {
	return f.Kind == Kept && (f.Rested != nil || f.Breach != nil || f.Leans != nil)
}

// Stricter reports whether head keeps a wording that base did not keep, and did not promise: its own it kept, or may have.
func (f *Finding) Stricter() bool { return f.Kind == Kept && f.Reworded && f.Was == Violated }

// Before returns base's verdict on what Head promises. It returns Unknown if base was not asked.
func (f *Finding) Before() Verdict {
	switch {
	case f.Reworded:
		return f.Was
	case f.Base != nil:
		return f.Base.Verdict
	}
	return Unknown
}

// Emptied reports whether head keeps a promise of base only because no run without a breach comes to where it asks for something, and base did not;
// or a scenario of base that is to be impossible only because it is so before its last step.
func (f *Finding) Emptied() bool {
	if f.Base == nil || f.Head == nil || f.Old {
		return false
	}
	return f.Head.Empty && !f.Base.Empty || f.Base.Scenario != nil && !f.Reworded && f.Head.StopsEarly() && !f.Base.StopsEarly()
}

// NewlyVacuous returns the remarks that a promise of head is vacuous in a part, save those that were there of base's. Where the texts of both differ, as they
// do after a rename or in other words, as many are taken for the same as base's has, those of one kind first. Of several of a kind any counts: one participant more makes nothing vacuous. But occurrences
// of a norm that both versions have are not alike: each counts for itself. What base keeps only for want of an ideal run needs none of its parts.
func (f *Finding) NewlyVacuous() (fresh []Vacuity) {
	if f.Head == nil || f.Head.Verdict != Holds || f.Base != nil && f.Base.NoRuns {
		return nil
	}
	if f.Base == nil {
		return f.Head.Vacuous
	}
	if f.Base.Verdict == Unknown || f.Base.Verdict == Holds && f.Base.Reason != "" { // whether base's is vacuous is unknown
		return nil
	}
	reworded := f.Base.Formula != f.Head.Formula
	was := slices.Clone(f.Base.Vacuous)
	var used []Vacuity // of was, those of several of a kind that one of head is taken for
	for _, v := range f.Head.Vacuous {
		if !reworded && slices.ContainsFunc(v.Instances(), func(name string) bool { return slices.Contains(f.Recurring, name) }) {
			if !slices.Contains(was, v) {
				fresh = append(fresh, v)
			}
			continue
		}
		i := slices.IndexFunc(was, func(w Vacuity) bool {
			if reworded {
				w.Subformula, w.Because, w.In = v.Subformula, v.Because, v.In
			}
			return w.OfAny() == v.OfAny()
		})
		switch {
		case i < 0:
			fresh = append(fresh, v)
		case v == v.OfAny():
			was = slices.Delete(was, i, i+1)
		default:
			used = append(used, was[i])
		}
	}
	for _, w := range was {
		if reworded && len(fresh) > 0 && !slices.Contains(used, w) {
			alike := fresh[0].OfAny()
			fresh = slices.DeleteFunc(fresh, func(v Vacuity) bool { return v.OfAny() == alike })
		}
	}
	return fresh
}

// Novel reports whether head violates what base did not violate, or in a way that base did not have. A waiver may accept that: who approves it
// has to see how it comes about.
func (f *Finding) Novel() bool {
	switch f.Kind {
	case New, Weakened:
		return true
	case Waived:
		return f.Before() != Violated || f.Way != nil && f.Way.New
	}
	return false
}

// GivenUp reports whether head does not make a promise that base made and kept, or may have kept.
func (f *Finding) GivenUp() bool {
	return (f.Kind == Dropped || f.Kind == Weakened) && (f.Check == nil || f.Promise != "")
}

// RetiredBy reports whether a retire of a name and a digest gives up the promise of the finding.
func (f *Finding) RetiredBy(name, digest string) bool {
	return f.GivenUp() && f.RetireName() == name && f.Promise == digest
}

// OfNorms reports whether a finding is about a norm that is dropped or changed. No run of head alone shows such a finding, so only the
// change itself is to blame.
func (f *Finding) OfNorms() bool {
	return f.Check != nil && (f.Check.Code == "norm-dropped" || f.Check.Code == "norm-changed")
}

// OnlyReviews reports whether only a review can make a remark. A check of one text cannot call an acceptance of it unused.
func OnlyReviews(code string) bool {
	return slices.Contains([]string{"document-dropped", "norm-changed", "norm-dropped"}, code)
}

// FinalPromise is the name for the promise that a final state can always be reached, in a retire. No requirement can have it.
const FinalPromise = "contract.final"

// RetireName returns the name by which a retire gives up the promise of a finding.
func (f *Finding) RetireName() string {
	switch {
	case f.Check == nil:
		return f.Name
	case f.OfNorms():
		return f.Check.Subject
	}
	return FinalPromise
}
