package ci

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/words"
)

// SARIFResults is the maximum number of results in a SARIF file: GitHub keeps no more of one run (docs.github.com, "SARIF support for code
// scanning", "Validating your SARIF file").
const SARIFResults = 5000

const (
	SarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifTool   = "https://github.com/redlinehq/redline"
)

// SARIF writes the results of a check as SARIF 2.1.0 (OASIS 2020), for code scanning and editors. A result has the level error if the gate
// objects to it. Tool is redline's own version. An error comes from w.
func SARIF(w io.Writer, results []*finding.Result, on finding.FailOn, tool string) error {
	s := newScan(on)
	for _, r := range results {
		s.result(r)
	}
	status := finding.StatusOf(results)
	if on == finding.FailNever && status != finding.BadInput {
		status = finding.Clean
	}
	return s.write(w, status, tool)
}

// SARIFReview writes a review as SARIF, in the same way. It leaves out what the amendment repairs. It also leaves out old violations in
// contracts whose meaning is the same, and says so in a notice.
func SARIFReview(w io.Writer, r *finding.Review, on finding.FailOn, tool string) error {
	s := newScan(on)
	unchecked := 0
	for i := range r.Contracts {
		s.contract(&r.Contracts[i])
		if r.Contracts[i].Status == finding.Same && len(r.Contracts[i].Findings) == 0 {
			unchecked++
		}
	}
	for _, a := range r.Unplaced {
		s.acceptance(&finding.Result{Path: a.Contract}, a)
	}
	if unchecked > 0 {
		s.notify("note", words.Several(unchecked, "contract")+" not checked again, because no meaning changed: what is wrong there is not in this file.")
	}
	return s.write(w, r.Gate(on), tool)
}

// A scan collects the results of a SARIF run.
type scan struct {
	on      finding.FailOn
	results []sarifResult
	notices []sarifNotice
	seen    map[string]int // by the text of a fingerprint, how often it occurred
}

// newScan returns an empty scan.
func newScan(on finding.FailOn) *scan {
	return &scan{on: on, results: []sarifResult{}, notices: []sarifNotice{}, seen: map[string]int{}}
}

// notify adds a notice.
func (s *scan) notify(level, text string) {
	s.notices = append(s.notices, sarifNotice{Level: level, Message: sarifText{text}})
}

// levels lists the levels, most important first.
var levels = []string{"error", "warning", "note"}

// write writes the scan. It sorts the results by level and leaves out what GitHub does not take.
func (s *scan) write(w io.Writer, status finding.ExitStatus, tool string) error {
	slices.SortStableFunc(s.results, func(a, b sarifResult) int {
		return cmp.Compare(slices.Index(levels, a.Level), slices.Index(levels, b.Level))
	})
	if more := len(s.results) - SARIFResults; more > 0 {
		s.results = s.results[:SARIFResults]
		s.notify("warning", fmt.Sprintf("%s left out, because GitHub takes no more than %s; errors came first.",
			words.Several(more, "result"), finding.Grouped(fmt.Sprint(SARIFResults))))
	}
	return json.Encode(w, Log{Schema: SarifSchema, Version: "2.1.0", Runs: []sarifRun{{
		Tool:        sarifDriver{sarifComponent{Name: "redline", Version: tool, Information: sarifTool, Rules: s.rules()}},
		Invocations: []sarifInvocation{{Successful: true, Exit: int(status), Notices: s.notices}},
		Columns:     "unicodeCodePoints",
		Results:     s.results,
	}}})
}

// rules returns the rules of the results, and numbers them in the results.
func (s *scan) rules() []sarifRule {
	all, at := []sarifRule{}, map[string]int{}
	for i := range s.results {
		r := &s.results[i]
		if _, known := at[r.Rule]; !known {
			at[r.Rule], all = len(all), append(all, r.rule)
		}
		r.Index = at[r.Rule]
	}
	return all
}

// result adds the results for a checked contract.
func (s *scan) result(r *finding.Result) {
	s.diagnostics(r, r.Diagnostics, func(finding.Diagnostic) (baseline, since string) { return "", "" })
	for i := range r.Requirements {
		s.requirement(r, &r.Requirements[i])
	}
	s.incomplete(r)
}

// contract adds the results for a reviewed contract. Failed checks are among the findings.
func (s *scan) contract(c *finding.ContractReview) {
	for _, a := range c.Unlinked() {
		s.acceptance(cmp.Or(c.Head, c.Base), a)
	}
	if c.Head == nil {
		for i := range c.Findings {
			s.finding(c, &c.Findings[i])
		}
		return
	}
	base := words.RemarksBefore(c)
	some := slices.DeleteFunc(slices.Clone(c.Head.Diagnostics), func(d finding.Diagnostic) bool { return d.Class == codes.Violation })
	s.diagnostics(c.Head, some, func(d finding.Diagnostic) (baseline, since string) {
		if since = base.Since(d); since != "" {
			return "updated", since
		}
		return map[bool]string{true: "unchanged", false: "new"}[base.Has(d)], ""
	})
	for i := range c.Findings {
		s.finding(c, &c.Findings[i])
	}
	s.incomplete(c.Head)
}

// diagnostics adds the diagnostics that are listed, with what compared returns of each: its baseline state (section 3.27.24), and what the amendment
// changes in it. A notice counts the rest.
func (s *scan) diagnostics(r *finding.Result, all []finding.Diagnostic, compared func(finding.Diagnostic) (baseline, since string)) {
	listed, more := words.Abridged(all)
	for _, d := range listed {
		baseline, since := compared(d)
		d.Detail = words.Joined(" ", since, d.Detail)
		s.diagnostic(r, d, baseline)
	}
	for _, d := range more {
		s.notify("note", fmt.Sprintf("%s: %s: %s", contractID(r), d.Code, d.Message))
	}
}

// incomplete adds a notice if the state model is incomplete.
func (s *scan) incomplete(r *finding.Result) {
	if why := words.Joined(" ", words.Incomplete(r, plainSARIF), words.NotLookedFor(r)); why != "" {
		s.notify("warning", contractID(r)+": "+why)
	}
}
