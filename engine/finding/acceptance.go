package finding

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
)

// An Acceptance is an entry of head that accepts a violation of a promise, a failed check, or a promise given up. Compare finds the
// acceptances that its gate depends on, and which of them base has already. Review.Settle decides later whether the others count, so that
// the result of Compare depends on two texts and nothing else.
type Acceptance struct {
	Kind     AcceptanceKind
	Contract string // the contract's path: on head, or on base where head has none
	Name     string // of the requirement; of an accepted check its code, with " on SUBJECT" where it names one
	File     string // the file of head that has it, from the repository's top, slash-separated
	BaseFile string // the file of base that it concerns: its owners may approve; empty: none
	Source   hcl.Range
	Reason   string
	Gave     string // the reason that base's waiver of the same requirement gives, if it is another one; else empty
	Approver string // the approver that a waiver names
	Digest   string // "sha256:..." of what the contract means on head; empty: head has none
	Promise  string // "sha256:..." of the promise that is given up; else empty

	InBase bool   // base has it with the same attributes; unless State is ByBase, it does not cover there what it accepts now
	Run    string // "sha256:..." of a run by which an accept that names none can name what base's does not cover; else empty
	Needed bool   // without it the gate would object to something new
	Stood  bool   // not needed, though it covers a violation: base violates the same, and accepts it nowhere
	State  AcceptanceState
	By     []string // who approved, as @login
	Needs  []string // who may approve, as @login and @organisation/team, sorted; empty: all with write access
	Commit string   // the commit that has to be approved, or was; empty: not known
	Why    string   // one more sentence: what is missing, or which permission

	Settings bool // the repository's settings declare it
}

// AcceptanceKind is the kind of thing that is accepted.
type AcceptanceKind uint8

const (
	AcceptWaiver  AcceptanceKind = iota // a violation: waiver
	AcceptFinding                       // a failed check: accept
	AcceptRetire                        // a promise given up: retire
	AcceptConfirm                       // text against model; not produced yet
	AcceptSetting                       // a setting under which later reviews may object to less
)

func (k AcceptanceKind) String() string {
	return [...]string{"waiver", "accept", "retire", "confirm", "setting"}[k]
}

// AcceptanceState is whether an acceptance counts, and why. The zero state does not count.
type AcceptanceState uint8

const (
	Pending     AcceptanceState = iota // the amendment brings it, and it is not approved yet
	ByBase                             // base has it, unchanged in every attribute
	ByApproval                         // an authorized person has approved it for this very commit
	ByAmendment                        // the setting acceptance = "amendment" takes head's word
	Unreadable                         // approvals could not be read; Why names the missing permission
	Refused                            // an authorized person has asked for changes
	Idle                               // the amendment brings it, no verdict depends on it, and it needs no approval
)

func (s AcceptanceState) String() string {
	return [...]string{"pending", "by base", "by approval", "by amendment", "unreadable", "refused", "idle"}[s]
}

// Counts reports whether the acceptance counts.
func (a *Acceptance) Counts() bool {
	return a.State == ByBase || a.State == ByApproval || a.State == ByAmendment
}

// Blocking reports whether the gate objects because this acceptance does not count although a verdict depends on it.
func (a *Acceptance) Blocking() bool { return !a.Counts() && a.State != Idle }

// Excuses reports whether the gate would object to a violation that stood already if this acceptance did not hide it, and it does not count.
func (a *Acceptance) Excuses(on FailOn) bool { return on == FailAny && a.State == Idle && a.Stood }

// AcceptanceRule is the setting acceptance: which acceptances count besides those of base.
type AcceptanceRule uint8

const (
	AcceptApproved  AcceptanceRule = iota // those that an authorized person has approved
	AcceptBase                            // none: an acceptance is merged first, by itself
	AcceptAmendment                       // all that head declares
)

func (r AcceptanceRule) String() string { return [...]string{"approved", "base", "amendment"}[r] }

// AcceptanceRules has the rules by the words of the setting.
var AcceptanceRules = map[string]AcceptanceRule{
	AcceptApproved.String(): AcceptApproved, AcceptBase.String(): AcceptBase, AcceptAmendment.String(): AcceptAmendment,
}

// An AcceptancePolicy decides which acceptances count.
type AcceptancePolicy struct {
	Rule AcceptanceRule
	Said AcceptanceRule // the same by base's settings, whatever can be known of approvals
	// Read is set if settings were read. Base and Head are then the retirements of base's and head's settings. Otherwise the review keeps
	// the ones it has.
	Read       bool
	Base, Head []Retirement
	Loosened   []Loosening // by the amendment; only if Read is set
}

// A Loosening is a setting under which later reviews may object to less, as the amendment changes it.
type Loosening struct {
	Name   string // of the setting
	Says   string // its old value and its new one
	Source hcl.Range
}

// A Retirement is a promise given up, as the settings declare it.
type Retirement struct {
	Contract string // path of the contract on base
	Name     string // of the requirement
	Digest   string // of the promise: see Requirement.Promise
	Reason   string
	Source   hcl.Range
}

// An Approval is the answer of Settle's caller about one acceptance. State is Pending, ByApproval, Unreadable or Refused.
type Approval struct {
	State     AcceptanceState
	By, Needs []string
	Commit    string
	Why       string
}

// Settle decides for each acceptance that base does not have whether it counts. It calls approve for each of them if the rule is
// AcceptApproved. Under AcceptBase it calls approve for those that are needed, to learn who could approve; a ByApproval does not count
// there. A nil approve means that there are no approvals. Settle can be called again with another policy; the last call wins. An error is
// approve's, and leaves the remaining acceptances pending.
func (r *Review) Settle(ctx context.Context, policy AcceptancePolicy, approve func(context.Context, Acceptance) (Approval, error)) error {
	r.Rule = policy.Said
	r.retire(policy)
	r.Link()
	var failed error
	for a := range r.brought() {
		a.State, a.By, a.Needs, a.Commit, a.Why = Pending, nil, nil, "", ""
		if failed != nil {
			continue
		}
		if err := a.settle(ctx, policy.Rule, approve); err != nil {
			failed = fmt.Errorf("asking who approved the %s of %q in %s: %w", a.Kind, a.Name, a.Contract, err)
		}
	}
	return failed
}

// brought yields the acceptances that base does not have, in order.
func (r *Review) brought() iter.Seq[*Acceptance] {
	return func(yield func(*Acceptance) bool) {
		for i := range r.Contracts {
			for j := range r.Contracts[i].Acceptances {
				if a := &r.Contracts[i].Acceptances[j]; a.State != ByBase && !yield(a) {
					return
				}
			}
		}
		for i := range r.Unplaced {
			if !yield(&r.Unplaced[i]) {
				return
			}
		}
	}
}

func (a *Acceptance) settle(ctx context.Context, rule AcceptanceRule, approve func(context.Context, Acceptance) (Approval, error)) error {
	switch {
	case rule == AcceptAmendment:
		a.State = ByAmendment
		return nil
	case rule == AcceptBase && !a.Needed:
		a.State = Idle
		return nil
	case approve == nil:
		return nil
	}
	answer, err := approve(ctx, *a)
	if err != nil {
		return err
	}
	a.State, a.By, a.Needs, a.Commit, a.Why = answer.State, answer.By, answer.Needs, answer.Commit, answer.Why
	switch a.State {
	case Pending, ByApproval, Unreadable, Refused:
	default: // an approval can have no other state
		a.State = Pending
	}
	if rule == AcceptBase {
		a.State = Pending
	}
	return nil
}

// retire replaces the acceptances that come from settings by those of the policy. Retirements of head count for contracts that head no
// longer has. A retirement that names no promise given up is an acceptance nevertheless, in Unplaced: it has to be approved before a later
// amendment can rely on it.
func (r *Review) retire(policy AcceptancePolicy) {
	if !policy.Read {
		return
	}
	for i := range r.Contracts {
		c := &r.Contracts[i]
		c.Acceptances = slices.DeleteFunc(c.Acceptances, func(a Acceptance) bool { return a.Settings })
	}
	r.Unplaced = nil
	for _, l := range policy.Loosened {
		r.Unplaced = append(r.Unplaced, Acceptance{Kind: AcceptSetting, Name: l.Name, File: l.Source.Filename, Source: l.Source, Reason: l.Says, Settings: true})
	}
	for _, t := range policy.Head {
		byBase := slices.ContainsFunc(policy.Base, t.same)
		a := Acceptance{Kind: AcceptRetire, Contract: t.Contract, Name: t.Name, File: t.Source.Filename, Source: t.Source, Reason: t.Reason, Promise: t.Digest, Settings: true}
		if byBase {
			a.State = ByBase
		}
		if c, f := r.givenUp(t); f != nil {
			a.Needed, a.BaseFile = true, f.baseFile()
			c.Acceptances = append(c.Acceptances, a)
		} else if !byBase {
			r.Unplaced = append(r.Unplaced, a)
		}
	}
}

// givenUp returns the finding that a retirement accepts, with its contract: a promise of a contract that head no longer has. It returns nil
// if there is none.
func (r *Review) givenUp(t Retirement) (*ContractReview, *Finding) {
	for i := range r.Contracts {
		c := &r.Contracts[i]
		if c.Path != t.Contract || c.Head != nil {
			continue
		}
		for j := range c.Findings {
			if f := &c.Findings[j]; f.RetiredBy(t.Name, t.Digest) {
				return c, f
			}
		}
	}
	return nil, nil
}

// baseFile returns the file of base that makes the promise of a removed contract.
func (f *Finding) baseFile() string {
	if f.Base != nil {
		return f.Base.Source.Filename
	}
	return f.Check.Source.Filename
}

func (t Retirement) same(o Retirement) bool {
	t.Source, o.Source = hcl.Range{}, hcl.Range{}
	return t == o
}

// Brought returns the acceptances that the amendment brings: all but base's, in order.
func (r *Review) Brought() []Acceptance {
	var all []Acceptance
	for a := range r.brought() {
		all = append(all, *a)
	}
	return all
}

// BaseAccepts reports whether base accepts anything in the contracts reviewed: a violation, by a waiver, or a failed check.
func (r *Review) BaseAccepts() bool {
	return slices.ContainsFunc(r.Contracts, func(c ContractReview) bool {
		return c.Base != nil && (slices.ContainsFunc(c.Base.Requirements, func(q Requirement) bool { return q.Waiver != nil }) ||
			slices.ContainsFunc(c.Base.Diagnostics, func(d Diagnostic) bool { return d.Accepted != "" && d.Class == codes.Violation }))
	})
}
