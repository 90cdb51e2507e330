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
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

// plainSARIF escapes foreign text for SARIF's plain text, where "[text](address)" is a link (section 3.11.6). GitHub shows the text on pull
// requests.
var plainSARIF = words.Medium{Prose: sarifProse, Code: sarifProse, Name: func(s string) string { return "[" + sarifProse(s) + "]" }}

func sarifProse(s string) string {
	return strings.ReplaceAll(escape.DefuseReferences(escape.TerminalText(s)), "](", "]"+escape.ZeroWidthSpace+"(")
}

// MostMessage is the maximum length of a result's message in bytes, and mostTold the number of steps of its run that are shown.
const (
	MostMessage = 4000
	maxSteps    = 20
)

// sarifMessage joins sentences into one text of at most MostMessage bytes.
func sarifMessage(lines ...string) sarifText {
	return sarifText{clipped(words.Joined("\n", lines...), MostMessage)}
}

// acceptable appends the block that would accept the result, if there is one and it fits.
func (t sarifText) acceptable(offer words.Offer) sarifText {
	if offer.Block == nil {
		return t
	}
	end := strings.ReplaceAll(strings.Join(append([]string{offer.Lead()}, offer.Block...), "\n"), "](", "]"+escape.ZeroWidthSpace+"(") // no link: no block that is accepted contains one
	if len(t.Text)+len(end) < MostMessage {
		t.Text += "\n" + end
	}
	return t
}

// clipped cuts a text to limit bytes.
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
		Message: sarifMessage(words.WithFullStop(plainSARIF.Prose(d.Message)), plainSARIF.Prose(d.Detail), checkRun(&d)).acceptable(words.ToAccept(&finding.Finding{Check: &d}, "", plainSARIF))},
		codeRule(d.Code, d.Class), contractID(r), d.Subject, unplaced(d))
}

// unplaced returns a text that distinguishes diagnostics without a subject, wherever they are: the source line.
func unplaced(d finding.Diagnostic) string {
	if d.Subject != "" {
		return ""
	}
	return strings.TrimSpace(d.Snippet)
}

// requirement adds the result of a check for one requirement, unless it simply holds.
func (s *scan) requirement(r *finding.Result, q *finding.Requirement) {
	f := finding.Finding{Name: q.Name, Head: q}
	level, word := s.objected(s.on != finding.FailNever), diag.Capital(q.Verdict.String())
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
	s.promised(r, &f, level, word, "", "", words.Joined(" ", strings.Join(words.Vacuities(q.Vacuous, plainSARIF), " "), words.Reason(q, plainSARIF), strings.Join(words.Remarks(q, plainSARIF), " ")))
}

// finding adds the result of a review for one requirement or built-in check.
func (s *scan) finding(c *finding.ContractReview, f *finding.Finding) {
	level := s.levelOf(f)
	switch {
	case level == "":
	case f.Check != nil:
		d, r := f.Check, cmp.Or(c.Head, c.Base)
		s.add(sarifResult{Level: level, Baseline: baselineOf(f), Locations: located(r, d.Source, d.Subject), Related: related(f), Suppressions: accepted(level, d.Accepted),
			Message: sarifMessage(words.WithFullStop(plainSARIF.Prose(d.Message)), plainSARIF.Prose(d.Detail), words.Meaning(*f, plainSARIF), words.Blame(f.Blame, plainSARIF), words.RepairText(f.Repairs, plainSARIF), checkRun(d)).acceptable(words.ToAccept(f, words.ContractGone(c), plainSARIF))},
			codeRule(d.Code, d.Class), contractID(r), d.Subject, unplaced(*d))
	default:
		says := words.Joined(" ", words.Meaning(*f, plainSARIF), words.Blame(f.Blame, plainSARIF), words.RepairText(f.Repairs, plainSARIF))
		switch f.Kind {
		case finding.Kept:
			says = words.Joined(" ", strings.Join(words.Vacuities(f.Head.Vacuous, plainSARIF), " "), words.Rested(f, plainSARIF))
		case finding.Weakened: // its old place does not exist in head
			says = words.Joined(" ", markdown.Besides(*f), words.Rested(f, plainSARIF), words.Blame(f.Blame, plainSARIF), words.RepairText(f.Repairs, plainSARIF))
		}
		s.promised(cmp.Or(c.Head, c.Base), f, level, diag.Capital(words.KindWord(*f)), baselineOf(f), words.ContractGone(c), says)
	}
}

// acceptance adds an acceptance that no finding depends on.
func (s *scan) acceptance(r *finding.Result, a finding.Acceptance) {
	level := "note"
	if a.Blocking() {
		level = s.objected(s.on != finding.FailNever)
	}
	s.add(sarifResult{Level: level, Baseline: "new", Locations: located(r, a.Source, a.Kind.String()+"."+a.Name), Message: sarifMessage(words.UnlinkedText(a, plainSARIF))},
		acceptanceRule, contractID(r), a.Kind.String()+"."+a.Name, "")
}

// promised adds a result about a requirement. Gone is the path of its contract if head no longer has it.
func (s *scan) promised(r *finding.Result, f *finding.Finding, level, word, baseline, gone, says string) {
	q := cmp.Or(f.Head, f.Base)
	at, old := q.Source, ""
	if f.Old || f.Kind == finding.Weakened { // head does not contain base's wording
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
	waiver := words.Waiver(q, plainSARIF)
	if f.Kind == finding.Waived { // says has it
		waiver = ""
	}
	var waived []sarifSuppression
	switch a := f.Acceptance(); {
	case a != nil && !words.FailsGate(*f):
		waived = accepted(level, a.Reason)
	case a == nil && q.Waived(): // of a check, which has no acceptances
		waived = accepted(level, q.Waiver.Reason)
	}
	s.add(sarifResult{Level: level, Baseline: baseline, Locations: located(r, at, "requirement."+f.Name), Related: related(f), Suppressions: waived,
		Message: sarifMessage(word+": "+words.WithFullStop(promised(q, f.Name)), says, waiver, run).acceptable(words.ToAccept(f, gone, plainSARIF))},
		requirementRule(r, q, f.Name), contractID(r), "requirement."+f.Name, old)
}

// promised returns the text of a requirement, or its name if it has none.
func promised(q *finding.Requirement, name string) string {
	if says := words.Promise(q, plainSARIF); says != "" {
		return says
	}
	return plainSARIF.Prose(name)
}

// objected returns the level of a finding, given whether the gate objects to it.
func (s *scan) objected(yes bool) string {
	if yes {
		return "error"
	}
	return "warning"
}

// levelOf returns the level of a finding, or "" if it needs no attention.
func (s *scan) levelOf(f *finding.Finding) string {
	switch f.Kind {
	case finding.New, finding.Weakened, finding.WaiverExpired, finding.Undecided:
		if words.Waived(*f) || f.Kind == finding.Weakened && !words.FailsGate(*f) {
			return "note"
		}
		return s.objected(s.on != finding.FailNever)
	case finding.Dropped:
		if words.FailsGate(*f) {
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
		if words.FailsGate(*f) {
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
		if f.KeptDifferently() {
			return "note"
		}
	}
	return ""
}

// baselineOf returns the baseline state of a finding (section 3.27.24).
func baselineOf(f *finding.Finding) string {
	same := f.Kind == finding.Standing || f.Kind == finding.Waived && f.Base.Waived()
	if f.Kind == finding.Undecided || f.Kind == finding.Meaningless || f.Kind == finding.Kept {
		same = f.Base != nil && f.Base.Verdict == f.Head.Verdict && len(f.Base.Vacuous) == len(f.Head.Vacuous)
	}
	return map[bool]string{true: "unchanged", false: "new"}[same]
}

// accepted returns the suppressions of a result. It never returns nil: an empty list means that the result is not suppressed (section
// 3.27.23).
func accepted(level, reason string) []sarifSuppression {
	if reason == "" || level == "" {
		return []sarifSuppression{}
	}
	return []sarifSuppression{{Kind: "inSource", Status: "accepted", Justification: plainSARIF.Prose(reason)}}
}

// checkRun describes the run of a diagnostic in one line. For a norm, the message already says what is owed at its end.
func checkRun(d *finding.Diagnostic) string {
	switch {
	case words.OfNorms(d) && d.Trace != nil && len(d.Trace.Prefix) == 0:
		return "" // the message says that it differs at the start
	case words.OfNorms(d) && d.Trace != nil:
		return words.RunLead(d) + ": " + titlesOfRun(d.Trace.Prefix)
	}
	return runLine(d.Trace)
}

// runLine describes a run in one line. It returns "" for nil.
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

// titlesOfRun lists the captions of the first steps of a run.
func titlesOfRun(run []finding.Firing) string {
	all := words.FoldedTitles(words.Steps(run))
	if len(all) == 0 {
		return "at the start."
	}
	said := words.Mapped(all[:min(len(all), maxSteps)], func(step []finding.Firing) string {
		return strings.Join(words.Mapped(step, func(f finding.Firing) string { return plainSARIF.Prose(words.Caption(f)) }), " and ")
	})
	if more := len(all) - maxSteps; more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return words.WithFullStop(strings.Join(said, "; "))
}

// add adds a result. Its fingerprint does not depend on its line.
func (s *scan) add(r sarifResult, rule sarifRule, identity ...string) {
	r.Rule, r.rule = rule.ID, rule
	key := strings.Join(append([]string{rule.ID}, identity...), "\x00")
	s.seen[key]++
	print := fmt.Sprintf("%x:%d", sha256.Sum256([]byte(key)), s.seen[key])
	// GitHub compares results by the first name only. Without it, it would compute a fingerprint from the text of the line.
	r.Fingerprints = map[string]string{"primaryLocationLineHash": print, "redline/v1": print}
	if r.Suppressions == nil {
		r.Suppressions = []sarifSuppression{}
	}
	s.results = append(s.results, r)
}

// located returns a result's place, which GitHub requires. If there is none in the text, it is the first known file of the contract, or its
// directory.
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

// firstFile returns the first file that a result mentions, or the contract's directory.
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

// physical returns a range as a SARIF location.
func physical(at hcl.Range) sarifPhysical {
	p := sarifPhysical{Artifact: Artifact(at.Filename)}
	if at.Start.Line > 0 {
		p.Region = &sarifRegion{Start: at.Start.Line, End: max(at.Start.Line, at.End.Line)}
	}
	return p
}

// Artifact returns a file as a URI reference, relative to the top of the repository if the path is relative.
func Artifact(file string) sarifArtifact {
	if path.IsAbs(file) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: file}).String(), Base: "%SRCROOT%"}
}

// related returns the places in head of the changes that cause a violation.
func related(f *finding.Finding) []sarifLocation {
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

// contractID returns the identifier of a contract in rules and places: its directory, or its name if the directory depends on where redline
// was called.
func contractID(r *finding.Result) string {
	if r.Path == "" || r.Path == "." || path.IsAbs(r.Path) || strings.HasPrefix(r.Path, "..") {
		return escape.Visible(r.Name, escape.NameLength)
	}
	return escape.Visible(r.Path, escape.NameLength)
}
