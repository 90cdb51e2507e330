package review

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// A ranked is an annotation with its importance. GitHub shows only the first few annotations.
type ranked struct {
	rank int
	Annotation
}

// Ranks, most important first. Up to standing they are errors.
const (
	illFormed = iota
	fresh     // new violations
	weakened
	standing
	undecided
	vacuous
	remark
	waived
)

// note returns an annotation at a place. If the file name cannot be shown as it is, the annotation has no place, and the message names the
// file.
func note(rank int, title, message string, at hcl.Range) ranked {
	a := Annotation{Level: Warning, title: title, message: message}
	switch {
	case rank <= standing:
		a.Level = Error
	case rank == waived:
		a.Level = Notice
	}
	if at.Filename == "" {
		return ranked{rank, a}
	}
	if shown := escape.TerminalText(at.Filename); shown != at.Filename {
		a.message += "\nat " + shown
		return ranked{rank, a}
	}
	a.File = at.Filename
	if at.Start.Line > 0 {
		a.line, a.column, a.endLine, a.endColumn = at.Start.Line, at.Start.Column, at.End.Line, at.End.Column
	}
	return ranked{rank, a}
}

// ofContract returns the annotations on one contract of a review. Findings that the amendment did not change are left out.
func ofContract(c *finding.ContractReview, on finding.FailOn) []ranked {
	var loose []ranked
	for _, a := range c.Unlinked() {
		if a.Blocking() {
			loose = append(loose, note(weakened, "Not approved: "+escape.TerminalText(a.Kind.String()+" "+a.Name), words.AcceptanceText(a), a.Source))
		}
	}
	if c.Head == nil {
		for _, f := range c.Findings {
			if rank, ok := rankOf(f, on); ok {
				loose = append(loose, ofFinding(f, rank, c.Base))
			}
		}
		return loose
	}
	all := ofClass(c.Head.Diagnostics, codes.Error, illFormed)
	broken := len(all) > 0 // then no requirement has a meaning, and one error is enough
	for _, f := range c.Findings {
		if rank, ok := rankOf(f, on); ok && !(broken && rank == illFormed) {
			all = append(all, ofFinding(f, rank, c.Head))
		}
	}
	if !broken {
		all = append(all, incomplete(c.Head)...)
	}
	for _, d := range words.NewRemarks(c) {
		all = append(all, ofDiagnostic(d, remark))
	}
	return append(all, loose...)
}

// rankOf returns the rank of a finding, and false if it needs no attention.
func rankOf(f finding.Finding, on finding.FailOn) (rank int, ok bool) {
	switch {
	case f.Check != nil && f.Check.Accepted != "":
		return 0, false
	case f.GivenUp(), f.Kind == finding.Waived:
		if f.Objection(finding.FailNew) == finding.Violations {
			return weakened, true
		}
		return waived, f.Kind == finding.Waived || f.Acceptance() != nil
	case f.Kind == finding.Standing:
		return standing, on == finding.FailAny
	case f.KeptDifferently(), f.Kind == finding.RestsAsBefore:
		return remark, true
	case f.Kind == finding.Kept:
		return vacuous, len(f.NewlyVacuous()) > 0
	}
	rank, ok = map[finding.Kind]int{
		finding.Meaningless: illFormed, finding.New: fresh, finding.Undecided: undecided, finding.WaiverExpired: fresh,
	}[f.Kind]
	return rank, ok
}

// ofFinding annotates a finding at the first change that causes it, if that is known, and names the other changes. Otherwise the place is
// that of the requirement in head, or of the check.
func ofFinding(f finding.Finding, rank int, head *finding.Result) ranked {
	at, promised := placeOf(f, head), ""
	if by := blamed(f.Blame); by.Filename != "" {
		at, promised = by, elsewhere(at)
	}
	did := []string{meaning(f), words.BlameText(f.Blame), words.RepairText(f.Repairs, words.Terminal), promised}
	if f.Check != nil {
		about := []string{escape.TerminalText(f.Check.Message), escape.TerminalText(f.Check.Detail)}
		return note(rank, heading(f), paragraphs(slices.Concat(about, did, []string{checkRunLine(f.Check)})...), at)
	}
	if f.Head == nil { // its contract has been removed, and with it the place
		return note(rank, heading(f), paragraphs(slices.Concat([]string{promise(f.Base)}, did)...), hcl.Range{})
	}
	run := f.Head.Trace
	if f.Head.Verdict != finding.Violated {
		run = nil
	}
	return note(rank, heading(f), paragraphs(slices.Concat([]string{promise(f.Head)}, did, []string{runLine(run)})...), at)
}

// blamed returns the place in head of the first change that causes a violation, or of the block that it was removed from.
func blamed(g *finding.Blame) hcl.Range {
	if g == nil || len(g.Blocks) == 0 {
		return hcl.Range{}
	}
	return g.Blocks[0].Source
}

// elsewhere returns a sentence with the place of the promise, or "" if there is none.
func elsewhere(at hcl.Range) string {
	if at.Filename == "" {
		return ""
	}
	return fmt.Sprintf("What is broken is promised at %s:%d.", escape.TerminalText(at.Filename), at.Start.Line)
}

// placeOf returns the place of a finding's requirement in head, or of its check. For an old wording, which head does not contain, it is the
// place of the requirement that has the name now.
func placeOf(f finding.Finding, head *finding.Result) hcl.Range {
	switch {
	case f.Check != nil && (f.Kind == finding.Weakened || f.Kind == finding.Undecided && f.Way == nil): // about base's wording
		return hcl.Range{}
	case f.Check != nil:
		return f.Check.Source
	case f.Old:
		return named(f.Name, head)
	}
	return f.Head.Source
}

// named returns the place of the requirement of a name.
func named(name string, head *finding.Result) hcl.Range {
	for _, q := range head.Requirements {
		if q.Name == name {
			return q.Source
		}
	}
	return hcl.Range{}
}

// ofClass annotates the diagnostics of a class that are not accepted.
func ofClass(all []finding.Diagnostic, class codes.Class, rank int) []ranked {
	var some []ranked
	for _, d := range all {
		if d.Class == class && d.Accepted == "" {
			some = append(some, ofDiagnostic(d, rank))
		}
	}
	return some
}

// ofDiagnostic annotates a diagnostic.
func ofDiagnostic(d finding.Diagnostic, rank int) ranked {
	explain := fmt.Sprintf("'redline explain %s' says more.", escape.TerminalText(string(d.Code)))
	message := paragraphs(escape.TerminalText(d.Message), escape.TerminalText(d.Detail), checkRunLine(&d), explain)
	return note(rank, escape.TerminalText(string(d.Code)), message, d.Source)
}

// incomplete annotates an incomplete state model, which requirements alone may not show.
func incomplete(r *finding.Result) []ranked {
	if r.Model.Incomplete == "" {
		return nil
	}
	message := words.Joined(" ", "No complete state model: "+words.WithFullStop(escape.TerminalText(r.Model.Incomplete)), words.NotLookedFor(r))
	return []ranked{note(undecided, "Undecided: "+escape.TerminalText(r.Path), message, hcl.Range{})}
}

// ofResult returns the annotations on one contract of a check.
func ofResult(r *finding.Result) []ranked {
	all := ofClass(r.Diagnostics, codes.Error, illFormed)
	broken := len(all) > 0
	for i := range r.Requirements {
		all = append(all, ofRequirement(&r.Requirements[i], broken)...)
	}
	all = append(all, ofClass(r.Diagnostics, codes.Violation, standing)...)
	if !broken {
		all = append(all, incomplete(r)...)
	}
	return append(all, ofClass(r.Diagnostics, codes.Warning, remark)...)
}

// ofRequirement annotates a requirement that does not simply hold.
func ofRequirement(q *finding.Requirement, broken bool) []ranked {
	name := escape.TerminalText(q.Name)
	switch {
	case q.Waived():
		return []ranked{note(waived, "Waived: "+name, paragraphs(promise(q), words.WaiverText(q)), q.Source)}
	case q.Verdict == finding.Violated:
		return []ranked{note(standing, "Violated: "+name, paragraphs(promise(q), words.WaiverText(q), runLine(q.Trace)), q.Source)}
	case q.Verdict == finding.IllFormed && !broken:
		return []ranked{note(illFormed, "Ill-formed: "+name, paragraphs(promise(q), reason(q)), q.Source)}
	case q.Verdict == finding.Unknown:
		return []ranked{note(undecided, "Undecided: "+name, paragraphs(promise(q), reason(q)), q.Source)}
	case q.Verdict == finding.Holds && len(q.Vacuous) > 0:
		return []ranked{note(vacuous, "Vacuous: "+name, paragraphs(promise(q), vacuity(q)), q.Source)}
	}
	return nil
}
