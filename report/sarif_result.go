package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// plainSARIF lets a stranger's words into SARIF's plain text, where "[text](address)" is a link
// (section 3.11.6); GitHub shows it on pull requests.
var plainSARIF = medium{sarifProse, sarifProse, func(s string) string { return "[" + sarifProse(s) + "]" }}

func sarifProse(s string) string {
	return strings.ReplaceAll(dissolve(TerminalText(s)), "](", "]"+zeroWidthSpace+"(")
}

// mostMessage is how long a result's message is at most, in bytes, and mostTold how many steps of its run it tells.
const (
	mostMessage = 4000
	mostTold    = 20
)

// sarifMessage puts sentences into one text, cut to what people read.
func sarifMessage(lines ...string) sarifText {
	return sarifText{clipped(joined("\n", lines...), mostMessage)}
}

// acceptable ends a message with the text that would accept what it says, where there is one and room for it.
func (t sarifText) acceptable(lines []string) sarifText {
	if end := strings.Join(lines, "\n"); end != "" && len(t.Text)+len(end) < mostMessage {
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
func (s *scan) diagnostic(r *engine.Result, d engine.Diagnostic, baseline string) {
	level := map[codes.Class]string{codes.Error: "error", codes.Violation: s.objected(s.on != engine.FailNever), codes.Warning: "warning"}[d.Class]
	s.add(sarifResult{Level: level, Baseline: baseline, Locations: located(r, d.Source, d.Subject), Suppressions: accepted(level, d.Accepted),
		Message: sarifMessage(sentence(plainSARIF.prose(d.Message)), plainSARIF.prose(d.Detail), checkRun(&d)).acceptable(toAccept(&engine.Finding{Check: &d}, ""))},
		codeRule(d.Code, d.Class), contractID(r), d.Subject, unplaced(d))
}

// unplaced tells apart the remarks of one code on the same thing, wherever they stand.
func unplaced(d engine.Diagnostic) string {
	if d.Subject != "" {
		return ""
	}
	return strings.TrimSpace(d.Snippet)
}

// requirement adds what a check says against a requirement.
func (s *scan) requirement(r *engine.Result, q *engine.Requirement) {
	f := engine.Finding{Name: q.Name, Head: q}
	level, word := s.objected(s.on != engine.FailNever), capital(q.Verdict.String())
	switch {
	case q.Waived():
		level, word = "note", "Waived"
	case q.Verdict == engine.IllFormed:
		level = "error"
	case q.Verdict == engine.Holds && len(q.Vacuous) == 0:
		return
	case q.Verdict == engine.Holds:
		level, word = "warning", "Vacuous"
	}
	s.promised(r, &f, level, word, "", "", joined(" ", sarifHollows(q), reason(q, plainSARIF), strings.Join(remarks(q, plainSARIF), " ")))
}

func sarifHollows(q *engine.Requirement) string {
	var said []string
	for _, v := range q.Vacuous {
		said = append(said, vacuity(v, plainSARIF))
	}
	return strings.Join(said, " ")
}

// finding adds what a review says of a requirement or of a built-in check.
func (s *scan) finding(c *engine.ContractReview, f *engine.Finding) {
	level := s.levelOf(f)
	switch {
	case level == "":
	case f.Check != nil:
		d, r := f.Check, cmp.Or(c.Head, c.Base)
		s.add(sarifResult{Level: level, Baseline: baselineOf(f), Locations: located(r, d.Source, d.Subject), Related: related(r, f), Suppressions: accepted(level, d.Accepted),
			Message: sarifMessage(sentence(plainSARIF.prose(d.Message)), plainSARIF.prose(d.Detail), meaning(*f, plainSARIF), guilt(f.Guilt, plainSARIF), sarifRepair(f.Repairs), checkRun(d)).acceptable(toAccept(f, contractGone(c)))},
			codeRule(d.Code, d.Class), contractID(r), d.Subject, unplaced(*d))
	default:
		says := joined(" ", meaning(*f, plainSARIF), guilt(f.Guilt, plainSARIF), sarifRepair(f.Repairs))
		switch f.Kind {
		case engine.Kept:
			says = joined(" ", sarifHollows(f.Head), rested(f, plainSARIF))
		case engine.Weakened: // whose old place is nowhere in head
			says = joined(" ", besides(*f), guilt(f.Guilt, plainSARIF), sarifRepair(f.Repairs))
		}
		s.promised(cmp.Or(c.Head, c.Base), f, level, capital(kindWord(*f)), baselineOf(f), contractGone(c), says)
	}
}

// acceptance adds one that is of no finding.
func (s *scan) acceptance(r *engine.Result, a engine.Acceptance) {
	level := "note"
	if a.Open() {
		level = s.objected(s.on != engine.FailNever)
	}
	s.add(sarifResult{Level: level, Baseline: "new", Locations: located(r, a.Source, a.Kind.String()+"."+a.Name), Message: sarifMessage(unlinkedText(a, plainSARIF))},
		acceptanceRule, contractID(r), a.Kind.String()+"."+a.Name, "")
}

func sarifRepair(all []engine.Repair) string {
	if len(all) == 0 {
		return ""
	}
	return "To mend it: " + sentence(plainSARIF.prose(all[0].What))
}

// promised adds a result on a requirement; gone is where its contract lay, if head has it no more.
func (s *scan) promised(r *engine.Result, f *engine.Finding, level, word, baseline, gone, says string) {
	q := cmp.Or(f.Head, f.Base)
	at, old := q.Source, ""
	if f.Old || f.Kind == engine.Weakened { // base's wording stands nowhere in head
		at, old = hcl.Range{}, "old wording"
		if i := slices.IndexFunc(r.Requirements, func(now engine.Requirement) bool { return now.Name == f.Name }); i >= 0 {
			at = r.Requirements[i].Source
		}
	}
	if at.Filename == "" && f.Guilt != nil && len(f.Guilt.Blocks) > 0 {
		at = f.Guilt.Blocks[0].Source
	}
	run := ""
	if q.Verdict == engine.Violated {
		run = runLine(q.Trace)
	}
	var waived []sarifSuppression
	switch a := f.Acceptance(); {
	case a != nil && !open(*f):
		waived = accepted(level, a.Reason)
	case a == nil && q.Waived(): // of a check by itself
		waived = accepted(level, q.Waiver.Reason)
	}
	s.add(sarifResult{Level: level, Baseline: baseline, Locations: located(r, at, "requirement."+f.Name), Related: related(r, f), Suppressions: waived,
		Message: sarifMessage(word+": "+sentence(promised(q, f.Name)), says, waiver(q, plainSARIF), run).acceptable(toAccept(f, gone))},
		requirementRule(r, q, f.Name), contractID(r), "requirement."+f.Name, old)
}

// promised is what a requirement asks for, or its name.
func promised(q *engine.Requirement, name string) string {
	if says := promise(q, plainSARIF); says != "" {
		return says
	}
	return plainSARIF.prose(name)
}

// objected is the level of what the gate objects to, or would with another setting.
func (s *scan) objected(yes bool) string {
	if yes {
		return "error"
	}
	return "warning"
}

// levelOf is empty for what needs no attention.
func (s *scan) levelOf(f *engine.Finding) string {
	switch f.Kind {
	case engine.New, engine.Weakened, engine.WaiverExpired, engine.Undecided:
		if waived(*f) || f.Kind == engine.Weakened && !open(*f) {
			return "note"
		}
		return s.objected(s.on != engine.FailNever)
	case engine.Dropped:
		if open(*f) {
			return s.objected(s.on != engine.FailNever)
		}
		return "note"
	case engine.Standing, engine.RestsAsBefore:
		if waived(*f) {
			return "note"
		}
		return s.objected(s.on == engine.FailAny)
	case engine.Meaningless:
		return "error"
	case engine.Waived:
		if open(*f) {
			return s.objected(s.on != engine.FailNever)
		}
		if f.Objection(s.on) == engine.Violations {
			return "error"
		}
		return "note"
	case engine.Kept:
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
func baselineOf(f *engine.Finding) string {
	same := f.Kind == engine.Standing || f.Kind == engine.Waived && f.Base.Waived()
	if f.Kind == engine.Undecided || f.Kind == engine.Meaningless || f.Kind == engine.Kept {
		same = f.Base != nil && f.Base.Verdict == f.Head.Verdict && len(f.Base.Vacuous) == len(f.Head.Vacuous)
	}
	return map[bool]string{true: "unchanged", false: "new"}[same]
}

// accepted is never null: an empty list says that the result is not suppressed (section 3.27.23).
func accepted(level, reason string) []sarifSuppression {
	if reason == "" || level == "" {
		return []sarifSuppression{}
	}
	return []sarifSuppression{{Kind: "inSource", Status: "accepted", Justification: plainSARIF.prose(reason)}}
}

// checkRun tells the run of a diagnostic. What is owed at its end is in the message.
func checkRun(d *engine.Diagnostic) string {
	if ofNorms(d) && d.Trace != nil {
		return runLead(d) + ": " + titlesOfRun(d.Trace.Prefix)
	}
	return runLine(d.Trace)
}

// runLine tells a run in one line.
func runLine(t *engine.Trace) string {
	if t == nil {
		return ""
	}
	line := "A run that shows it: " + titlesOfRun(t.Prefix)
	if len(t.Loop) > 0 {
		line += " Then over and over for ever: " + titlesOfRun(t.Loop)
	}
	return joined(" ", line, deadEnd(t))
}

func titlesOfRun(run []engine.Firing) string {
	all := steps(run)
	if len(all) == 0 {
		return "at the start."
	}
	said := mapped(all[:min(len(all), mostTold)], func(step []engine.Firing) string {
		return strings.Join(mapped(step, func(f engine.Firing) string { return plainSARIF.prose(caption(f)) }), " and ")
	})
	if more := len(all) - mostTold; more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return sentence(strings.Join(said, "; "))
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
func located(r *engine.Result, at hcl.Range, subject string) []sarifLocation {
	if at.Filename == "" {
		at = hcl.Range{Filename: firstFile(r)}
	}
	name := contractID(r)
	if subject != "" {
		name += "." + visible(subject, nameLength)
	}
	return []sarifLocation{{Physical: physical(at), Logical: []sarifLogical{{Name: name}}}}
}

func firstFile(r *engine.Result) string {
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
	p := sarifPhysical{Artifact: artifact(at.Filename)}
	if at.Start.Line > 0 {
		p.Region = &sarifRegion{Start: at.Start.Line, End: max(at.Start.Line, at.End.Line)}
	}
	return p
}

// artifact is a file as a URI reference, relative to the repository's top where it can be.
func artifact(file string) sarifArtifact {
	if path.IsAbs(file) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: file}).String(), Base: "%SRCROOT%"}
}

// related are the changes to blame, as far as they stand on head.
func related(r *engine.Result, f *engine.Finding) []sarifLocation {
	var all []sarifLocation
	if f.Guilt == nil {
		return all
	}
	for i := range f.Guilt.Blocks[:min(len(f.Guilt.Blocks), mostNames)] {
		if b := &f.Guilt.Blocks[i]; b.Source.Filename != "" {
			all = append(all, sarifLocation{ID: i + 1, Physical: physical(b.Source), Message: &sarifText{"Brought about by: " + culprit(b, plainSARIF)}})
		}
	}
	return all
}

// contractID names a contract in rules and places: by its directory, or by its name where that depends on
// where redline was called.
func contractID(r *engine.Result) string {
	if r.Path == "" || r.Path == "." || path.IsAbs(r.Path) || strings.HasPrefix(r.Path, "..") {
		return visible(r.Name, nameLength)
	}
	return visible(r.Path, nameLength)
}
