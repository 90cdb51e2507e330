package ci

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

// plainSARIF lets a stranger's words into SARIF's plain text, where "[text](address)" is a link
// (section 3.11.6); GitHub shows it on pull requests.
var plainSARIF = words.Medium{Prose: sarifProse, Code: sarifProse, Name: func(s string) string { return "[" + sarifProse(s) + "]" }}

func sarifProse(s string) string {
	return strings.ReplaceAll(escape.Dissolve(escape.TerminalText(s)), "](", "]"+escape.ZeroWidthSpace+"(")
}

// MostMessage is how long a result's message is at most, in bytes, and mostTold how many steps of its run it tells.
const (
	MostMessage = 4000
	mostTold    = 20
)

// sarifMessage puts sentences into one text, cut to what people read.
func sarifMessage(lines ...string) sarifText {
	return sarifText{clipped(words.Joined("\n", lines...), MostMessage)}
}

// acceptable ends a message with the text that would accept what it says, where there is one and room for it.
func (t sarifText) acceptable(lines []string) sarifText {
	if end := strings.Join(lines, "\n"); end != "" && len(t.Text)+len(end) < MostMessage {
		t.Text += "\n" + end
	}
	return t
}

// clipped keeps so many bytes of a text.
func clipped(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// diagnostic adds a remark on the text or the model.
func (s *scan) diagnostic(r *finding.Result, d finding.Diagnostic, baseline string) {
	level := map[codes.Class]string{codes.Error: "error", codes.Violation: s.objected(s.on != finding.FailNever), codes.Warning: "warning"}[d.Class]
	s.add(sarifResult{Level: level, Baseline: baseline, Locations: located(r, d.Source, d.Subject), Suppressions: accepted(level, d.Accepted),
		Message: sarifMessage(words.Sentence(plainSARIF.Prose(d.Message)), plainSARIF.Prose(d.Detail), checkRun(&d)).acceptable(words.ToAccept(&finding.Finding{Check: &d}, ""))},
		codeRule(d.Code, d.Class), contractID(r), d.Subject, unplaced(d))
}

// unplaced tells apart the remarks of one code on the same thing, wherever they stand.
func unplaced(d finding.Diagnostic) string {
	if d.Subject != "" {
		return ""
	}
	return strings.TrimSpace(d.Snippet)
}

// requirement adds what a check says against a requirement.
func (s *scan) requirement(r *finding.Result, q *finding.Requirement) {
	f := finding.Finding{Name: q.Name, Head: q}
	level, word := s.objected(s.on != finding.FailNever), words.Capital(q.Verdict.String())
	switch {
	case q.Waived():
		level, word = "note", "Waived"
	case q.Verdict == finding.IllFormed:
		level = "error"
	case q.Verdict == finding.Holds && len(q.Vacuous) == 0:
		return
	case q.Verdict == finding.Holds:
		level, word = "warning", "Vacuous"
	}
	s.promised(r, &f, level, word, "", "", words.Joined(" ", sarifHollows(q), words.Reason(q, plainSARIF), strings.Join(words.Remarks(q, plainSARIF), " ")))
}

func sarifHollows(q *finding.Requirement) string {
	var said []string
	for _, v := range q.Vacuous {
		said = append(said, words.Vacuity(v, plainSARIF))
	}
	return strings.Join(said, " ")
}

// finding adds what a review says of a requirement or of a built-in check.
func (s *scan) finding(c *finding.ContractReview, f *finding.Finding) {
	level := s.levelOf(f)
	switch {
	case level == "":
	case f.Check != nil:
		d, r := f.Check, cmp.Or(c.Head, c.Base)
		s.add(sarifResult{Level: level, Baseline: baselineOf(f), Locations: located(r, d.Source, d.Subject), Related: related(r, f), Suppressions: accepted(level, d.Accepted),
			Message: sarifMessage(words.Sentence(plainSARIF.Prose(d.Message)), plainSARIF.Prose(d.Detail), words.Meaning(*f, plainSARIF), words.Blame(f.Blame, plainSARIF), sarifRepair(f.Repairs), checkRun(d)).acceptable(words.ToAccept(f, words.ContractGone(c)))},
			codeRule(d.Code, d.Class), contractID(r), d.Subject, unplaced(*d))
	default:
		says := words.Joined(" ", words.Meaning(*f, plainSARIF), words.Blame(f.Blame, plainSARIF), sarifRepair(f.Repairs))
		switch f.Kind {
		case finding.Kept:
			says = words.Joined(" ", sarifHollows(f.Head), words.Rested(f, plainSARIF))
		case finding.Weakened: // whose old place is nowhere in head
			says = words.Joined(" ", markdown.Besides(*f), words.Blame(f.Blame, plainSARIF), sarifRepair(f.Repairs))
		}
		s.promised(cmp.Or(c.Head, c.Base), f, level, words.Capital(words.KindWord(*f)), baselineOf(f), words.ContractGone(c), says)
	}
}

// acceptance adds one that is of no finding.
func (s *scan) acceptance(r *finding.Result, a finding.Acceptance) {
	level := "note"
	if a.Open() {
		level = s.objected(s.on != finding.FailNever)
	}
	s.add(sarifResult{Level: level, Baseline: "new", Locations: located(r, a.Source, a.Kind.String()+"."+a.Name), Message: sarifMessage(words.UnlinkedText(a, plainSARIF))},
		acceptanceRule, contractID(r), a.Kind.String()+"."+a.Name, "")
}

func sarifRepair(all []finding.Repair) string {
	if len(all) == 0 {
		return ""
	}
	return "To mend it: " + words.Sentence(plainSARIF.Prose(all[0].What))
}

// promised adds a result on a requirement; gone is where its contract lay, if head has it no more.
func (s *scan) promised(r *finding.Result, f *finding.Finding, level, word, baseline, gone, says string) {
	q := cmp.Or(f.Head, f.Base)
	at, old := q.Source, ""
	if f.Old || f.Kind == finding.Weakened { // base's wording stands nowhere in head
		at, old = hcl.Range{}, "old wording"
		if i := slices.IndexFunc(r.Requirements, func(now finding.Requirement) bool { return now.Name == f.Name }); i >= 0 {
			at = r.Requirements[i].Source
		}
	}
	if at.Filename == "" && f.Blame != nil && len(f.Blame.Blocks) > 0 {
		at = f.Blame.Blocks[0].Source
	}
	run := ""
	if q.Verdict == finding.Violated {
		run = runLine(q.Trace)
	}
	var waived []sarifSuppression
	switch a := f.Acceptance(); {
	case a != nil && !words.Open(*f):
		waived = accepted(level, a.Reason)
	case a == nil && q.Waived(): // of a check by itself
		waived = accepted(level, q.Waiver.Reason)
	}
	s.add(sarifResult{Level: level, Baseline: baseline, Locations: located(r, at, "requirement."+f.Name), Related: related(r, f), Suppressions: waived,
		Message: sarifMessage(word+": "+words.Sentence(promised(q, f.Name)), says, words.Waiver(q, plainSARIF), run).acceptable(words.ToAccept(f, gone))},
		requirementRule(r, q, f.Name), contractID(r), "requirement."+f.Name, old)
}

// promised is what a requirement asks for, or its name.
func promised(q *finding.Requirement, name string) string {
	if says := words.Promise(q, plainSARIF); says != "" {
		return says
	}
	return plainSARIF.Prose(name)
}

// objected is the level of what the gate objects to, or would with another setting.
func (s *scan) objected(yes bool) string {
	if yes {
		return "error"
	}
	return "warning"
}

// levelOf is empty for what needs no attention.
func (s *scan) levelOf(f *finding.Finding) string {
	switch f.Kind {
	case finding.New, finding.Weakened, finding.WaiverExpired, finding.Undecided:
		if words.Waived(*f) || f.Kind == finding.Weakened && !words.Open(*f) {
			return "note"
		}
		return s.objected(s.on != finding.FailNever)
	case finding.Dropped:
		if words.Open(*f) {
			return s.objected(s.on != finding.FailNever)
		}
		return "note"
	case finding.Standing, finding.RestsAsBefore:
		if words.Waived(*f) {
			return "note"
		}
		return s.objected(s.on == finding.FailAny)
	case finding.Meaningless:
		return "error"
	case finding.Waived:
		if words.Open(*f) {
			return s.objected(s.on != finding.FailNever)
		}
		if f.Objection(s.on) == finding.Violations {
			return "error"
		}
		return "note"
	case finding.Kept:
		if f.Head != nil && len(f.Head.Vacuous) > 0 {
			return "warning"
		}
		if f.Rested != nil {
			return "note"
		}
	}
	return ""
}

// baselineOf compares with base, as section 3.27.24 has it.
func baselineOf(f *finding.Finding) string {
	same := f.Kind == finding.Standing || f.Kind == finding.Waived && f.Base.Waived()
	if f.Kind == finding.Undecided || f.Kind == finding.Meaningless || f.Kind == finding.Kept {
		same = f.Base != nil && f.Base.Verdict == f.Head.Verdict && len(f.Base.Vacuous) == len(f.Head.Vacuous)
	}
	return map[bool]string{true: "unchanged", false: "new"}[same]
}

// accepted is never null: an empty list says that the result is not suppressed (section 3.27.23).
func accepted(level, reason string) []sarifSuppression {
	if reason == "" || level == "" {
		return []sarifSuppression{}
	}
	return []sarifSuppression{{Kind: "inSource", Status: "accepted", Justification: plainSARIF.Prose(reason)}}
}

// checkRun tells the run of a diagnostic. What is owed at its end is in the message.
func checkRun(d *finding.Diagnostic) string {
	if words.OfNorms(d) && d.Trace != nil {
		return words.RunLead(d) + ": " + titlesOfRun(d.Trace.Prefix)
	}
	return runLine(d.Trace)
}

// runLine tells a run in one line.
func runLine(t *finding.Trace) string {
	if t == nil {
		return ""
	}
	line := "A run that shows it: " + titlesOfRun(t.Prefix)
	if len(t.Loop) > 0 {
		line += " Then over and over for ever: " + titlesOfRun(t.Loop)
	}
	return words.Joined(" ", line, words.DeadEnd(t))
}

func titlesOfRun(run []finding.Firing) string {
	all := words.Steps(run)
	if len(all) == 0 {
		return "at the start."
	}
	said := words.Mapped(all[:min(len(all), mostTold)], func(step []finding.Firing) string {
		return strings.Join(words.Mapped(step, func(f finding.Firing) string { return plainSARIF.Prose(words.Caption(f)) }), " and ")
	})
	if more := len(all) - mostTold; more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return words.Sentence(strings.Join(said, "; "))
}

// add gives a result a fingerprint that its line is no part of.
func (s *scan) add(r sarifResult, rule sarifRule, identity ...string) {
	r.Rule, r.rule = rule.ID, rule
	key := strings.Join(append([]string{rule.ID}, identity...), "\x00")
	s.seen[key]++
	print := fmt.Sprintf("%x:%d", sha256.Sum256([]byte(key)), s.seen[key])
	// GitHub compares results by the first name only, and would else compute it from the text of the line.
	r.Fingerprints = map[string]string{"primaryLocationLineHash": print, "redline/v1": print}
	if r.Suppressions == nil {
		r.Suppressions = []sarifSuppression{}
	}
	s.results = append(s.results, r)
}

// located is a result's place. GitHub takes no result without one: where there is none in the text, it is the
// first file that the contract is known to have, or its directory.
func located(r *finding.Result, at hcl.Range, subject string) []sarifLocation {
	if at.Filename == "" {
		at = hcl.Range{Filename: firstFile(r)}
	}
	name := contractID(r)
	if subject != "" {
		name += "." + escape.Visible(subject, escape.NameLength)
	}
	return []sarifLocation{{Physical: physical(at), Logical: []sarifLogical{{Name: name}}}}
}

func firstFile(r *finding.Result) string {
	for i := range r.Requirements {
		if name := r.Requirements[i].Source.Filename; name != "" {
			return name
		}
	}
	for _, d := range r.Diagnostics {
		if d.Source.Filename != "" {
			return d.Source.Filename
		}
	}
	return r.Path
}

func physical(at hcl.Range) sarifPhysical {
	p := sarifPhysical{Artifact: Artifact(at.Filename)}
	if at.Start.Line > 0 {
		p.Region = &sarifRegion{Start: at.Start.Line, End: max(at.Start.Line, at.End.Line)}
	}
	return p
}

// Artifact is a file as a URI reference, relative to the repository's top where it can be.
func Artifact(file string) sarifArtifact {
	if path.IsAbs(file) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: file}).String(), Base: "%SRCROOT%"}
}

// related are the changes to blame, as far as they stand on head.
func related(r *finding.Result, f *finding.Finding) []sarifLocation {
	var all []sarifLocation
	if f.Blame == nil {
		return all
	}
	for i := range f.Blame.Blocks[:min(len(f.Blame.Blocks), words.MostNames)] {
		if b := &f.Blame.Blocks[i]; b.Source.Filename != "" {
			all = append(all, sarifLocation{ID: i + 1, Physical: physical(b.Source), Message: &sarifText{"Brought about by: " + words.BlamedBlock(b, plainSARIF)}})
		}
	}
	return all
}

// contractID names a contract in rules and places: by its directory, or by its name where that depends on
// where redline was called.
func contractID(r *finding.Result) string {
	if r.Path == "" || r.Path == "." || path.IsAbs(r.Path) || strings.HasPrefix(r.Path, "..") {
		return escape.Visible(r.Name, escape.NameLength)
	}
	return escape.Visible(r.Path, escape.NameLength)
}
