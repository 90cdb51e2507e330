package finding

import (
	"slices"

	"github.com/redlinehq/redline/hclspec/codes"
)

// ExitStatus is the command's exit status.
type ExitStatus int

const (
	Clean      ExitStatus = 0 // nothing to object
	Violations ExitStatus = 1
	BadInput   ExitStatus = 2 // ill-formed text, or a contact
	OutOfLimit ExitStatus = 3 // a budget ran out
)

// severity orders statuses: what is ill-formed outweighs a violation, a violation what is unknown.
var severity = map[ExitStatus]int{Clean: 0, OutOfLimit: 1, Violations: 2, BadInput: 3}

func (s ExitStatus) worse(t ExitStatus) ExitStatus {
	if severity[t] > severity[s] {
		return t
	}
	return s
}

// StatusOf is the exit status of a check.
func StatusOf(results []*Result) ExitStatus {
	status := Clean
	for _, r := range results {
		status = status.worse(r.status())
	}
	return status
}

func (r *Result) status() ExitStatus {
	status := Clean
	if r.Model.Incomplete != "" {
		status = OutOfLimit
	}
	for _, d := range r.Diagnostics {
		switch {
		case d.Class == codes.Error && r.Imported && len(r.Requirements) > 0: // the net was read, and is not one-safe
			status = status.worse(Violations)
		case d.Class == codes.Error:
			status = status.worse(BadInput)
		}
		if d.Class == codes.Violation && d.Accepted == "" {
			status = status.worse(Violations)
		}
	}
	for _, q := range r.Requirements {
		if q.Waived() {
			continue
		}
		status = status.worse([...]ExitStatus{Unknown: OutOfLimit, Holds: Clean, Violated: Violations, IllFormed: BadInput}[q.Verdict])
	}
	return status
}

// FailOn says which verdicts of a review a gate objects to. An ill-formed head is always an objection.
type FailOn uint8

const (
	FailNew   FailOn = iota // what the amendment newly breaks, weakens or leaves unknown
	FailAny                 // that, and violations that stood already
	FailNever               // none
)

// Gate is the exit status of a review. Contracts whose meaning is the same are not looked at.
func (r *Review) Gate(on FailOn) ExitStatus {
	status := Clean
	for i := range r.Contracts {
		status = status.worse(r.Contracts[i].gate(on))
	}
	if on != FailNever && slices.ContainsFunc(r.Unplaced, func(a Acceptance) bool { return a.Open() }) {
		status = status.worse(Violations)
	}
	return status
}

func (c *ContractReview) gate(on FailOn) ExitStatus {
	if c.Head != nil && c.Head.status() == BadInput {
		return BadInput
	}
	if on == FailNever {
		return Clean
	}
	status := Clean
	if slices.ContainsFunc(c.Acceptances, func(a Acceptance) bool { return a.Open() }) {
		status = Violations
	}
	if c.Head != nil && c.Head.Model.Incomplete != "" {
		status = status.worse(OutOfLimit)
	}
	for i := range c.Findings {
		status = status.worse(c.Findings[i].Objection(on))
	}
	return status
}

// Objection is what a gate says to a finding. What is waived or given up is no objection only if something accepts it that counts.
func (f *Finding) Objection(on FailOn) ExitStatus {
	bad := false
	switch a := f.acceptance; {
	case on == FailNever:
	case f.Kind == Undecided:
		return OutOfLimit
	case f.Kind == New, f.Kind == WaiverExpired:
		bad = true
	case f.Kind == Standing, f.Kind == RestsAsBefore:
		bad = on == FailAny
	case f.Kind == Weakened && !f.GivenUp():
		bad = true
	case f.GivenUp(), f.Kind == Waived:
		bad = a == nil || !a.Counts() && (a.State != Idle || on == FailAny)
	}
	if bad {
		return Violations
	}
	return Clean
}

// Acceptance is what accepts a finding that is waived, or a promise that is given up; nil: nothing does.
func (f *Finding) Acceptance() *Acceptance { return f.acceptance }

// Link finds for each finding what accepts it. It is for who has made a review of other data than Compare's.
func (r *Review) Link() {
	for i := range r.Contracts {
		r.Contracts[i].Link()
	}
}

func (c *ContractReview) Link() {
	for i := range c.Findings {
		f := &c.Findings[i]
		k := slices.IndexFunc(c.Acceptances, func(a Acceptance) bool {
			return a.Kind == AcceptRetire && a.Needed && f.GivenUp() && a.Name == f.Promised() && a.Promise == f.Promise || a.Kind == AcceptWaiver && f.Kind == Waived && !f.Old && a.Name == f.Name
		})
		if f.acceptance = nil; k >= 0 {
			f.acceptance = &c.Acceptances[k]
		}
	}
}

// Unlinked lists the acceptances that the amendment brings and that are of no finding: of failed checks, and what nothing rests on yet.
func (c *ContractReview) Unlinked() []Acceptance {
	var all []Acceptance
	for i := range c.Acceptances {
		a := &c.Acceptances[i]
		if a.State != ByBase && !slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.acceptance == a }) {
			all = append(all, *a)
		}
	}
	return all
}
