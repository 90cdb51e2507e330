package finding

import (
	"slices"

	"github.com/redlinehq/redline/hclspec/codes"
)

// ExitStatus is the exit status of the command.
type ExitStatus int

const (
	Clean      ExitStatus = 0 // nothing to object
	Violations ExitStatus = 1
	BadInput   ExitStatus = 2 // ill-formed text, or a contact
	OutOfLimit ExitStatus = 3 // a budget ran out
)

// severity orders statuses: ill-formed text outweighs a violation, and a violation outweighs an unknown verdict.
var severity = map[ExitStatus]int{Clean: 0, OutOfLimit: 1, Violations: 2, BadInput: 3}

func (s ExitStatus) worse(t ExitStatus) ExitStatus {
	if severity[t] > severity[s] {
		return t
	}
	return s
}

// StatusOf returns the exit status of a check: the worst of its results.
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

// FailOn is which verdicts of a review a gate objects to. An ill-formed head is always an objection.
type FailOn uint8

const (
	FailNew   FailOn = iota // promises that the amendment newly breaks, weakens or leaves unknown
	FailAny                 // that, and violations that stood already
	FailNever               // none
)

// Gate returns the exit status of a review: the worst of its contracts.
func (r *Review) Gate(on FailOn) ExitStatus {
	status := Clean
	for i := range r.Contracts {
		status = status.worse(r.Contracts[i].gate(on))
	}
	if on != FailNever && slices.ContainsFunc(r.Unplaced, func(a Acceptance) bool { return a.Blocking() }) {
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
	if slices.ContainsFunc(c.Acceptances, func(a Acceptance) bool { return a.Blocking() || a.Excuses(on) }) {
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

// Objection returns the exit status for one finding. A finding that is waived or given up is no objection if an acceptance of it counts.
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

// Acceptance returns the acceptance of a waived finding or of a promise given up, or nil.
func (f *Finding) Acceptance() *Acceptance { return f.acceptance }

// Rule returns whose acceptances count by base's settings.
func (f *Finding) Rule() AcceptanceRule { return f.rule }

// Of returns a finding that is about a requirement alone, by the same rule and for the same cause.
func (f *Finding) Of(r *Requirement) *Finding {
	return &Finding{Head: r, Blame: f.Blame, Repairs: f.Repairs, rule: f.rule}
}

// Link connects each finding to the acceptance of it. Callers need it for a review that was not made by Compare.
func (r *Review) Link() {
	for i := range r.Contracts {
		r.Contracts[i].Link()
		for j := range r.Contracts[i].Findings {
			r.Contracts[i].Findings[j].rule = r.Rule
		}
	}
}

// Link connects each finding of a contract to the acceptance of it.
func (c *ContractReview) Link() {
	for i := range c.Findings {
		f := &c.Findings[i]
		k := slices.IndexFunc(c.Acceptances, func(a Acceptance) bool {
			return a.Kind == AcceptRetire && a.Needed && f.RetiredBy(a.Name, a.Promise) || a.Kind == AcceptWaiver && f.Kind == Waived && !f.Old && a.Name == f.Name
		})
		if f.acceptance = nil; k >= 0 {
			f.acceptance = &c.Acceptances[k]
		}
	}
}

// Finds reports whether the finding is about a requirement of a result. One that shows another run than the result has a copy of it.
func (f *Finding) Finds(q *Requirement) bool {
	copied := f.Blame != nil && f.Blame.First != nil && !f.Old && q != nil && f.Head.Name == q.Name
	return f.Head == q || copied
}

// Unlinked returns the acceptances that the amendment brings and that belong to no finding: those of failed checks, and those that nothing
// depends on yet.
func (c *ContractReview) Unlinked() []Acceptance {
	var all []Acceptance
	for i := range c.Acceptances {
		a := &c.Acceptances[i]
		if a.State != ByBase && !slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.acceptance == a || f.tellsOf(a) }) {
			all = append(all, *a)
		}
	}
	return all
}

// tellsOf reports whether a violation says itself why its waiver, on which nothing rests, does not count: by its day, or since it names another run.
func (f *Finding) tellsOf(a *Acceptance) bool {
	return a.Kind == AcceptWaiver && a.State == Idle && f.Name == a.Name && !f.Old && f.Head != nil && f.Head.Waiver != nil && f.Head.Verdict == Violated
}
