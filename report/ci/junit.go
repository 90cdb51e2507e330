package ci

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// Values that readers of JUnit require and redline does not have: it reads no clock and no host name, so that the same contracts give the
// same bytes. The schema of Ant's files requires all three, with localhost for an unknown host (windyroad/JUnit-Schema, JUnit.xsd).
const (
	junitTime = "1970-01-01T00:00:00"
	junitHost = "localhost"
	junitTook = "0"
)

// JUnit writes the results of a check as JUnit XML: a suite for each contract, a case for each requirement and each failed check. A
// violation is a failure, with its run. An ill-formed or unknown requirement is an error: whether it holds is unknown, and most tools let a
// skipped case pass. What is waived is skipped. So there are failures or errors if and only if the exit status is not 0. An error comes
// from w.
func JUnit(w io.Writer, results []*finding.Result) error {
	var suites []*junitSuite
	for _, r := range results {
		suites = append(suites, junitResult(r))
	}
	return writeJUnit(w, suites)
}

// JUnitReview writes a review as JUnit XML, in the same way, with a suite for what the amendment changes in the settings. A violation that the gate does not object to is skipped.
func JUnitReview(w io.Writer, r *finding.Review, on finding.FailOn) error {
	var suites []*junitSuite
	for i := range r.Contracts {
		suites = append(suites, junitContract(&r.Contracts[i], on))
	}
	for _, a := range r.Unplaced { // of one file
		if len(suites) == len(r.Contracts) {
			suites = append(suites, &junitSuite{name: a.File, path: a.File})
		}
		suites[len(r.Contracts)].acceptance(a, on)
	}
	return writeJUnit(w, suites)
}

// A junitSuite has the cases of a contract. The kind of a case is skipped, failure, error, or empty if it passed.
type junitSuite struct {
	name, path string
	cases      []junitCase
	remarks    []string
}

// A junitCase is one case of a suite. Its sort is the type attribute of a failure.
type junitCase struct{ name, kind, sort, message, text string }

// count returns the number of cases of a kind.
func (s *junitSuite) count(kind string) int {
	n := 0
	for _, c := range s.cases {
		if c.kind == kind {
			n++
		}
	}
	return n
}

// add adds a case. If it has not passed, its text is what tell writes.
func (s *junitSuite) add(name, kind, sort, message string, tell func(*text.Page)) {
	p := &text.Page{Style: text.Style{Width: 100}}
	if kind != "" {
		tell(p)
	}
	text := ""
	if p.Len() > 0 {
		text = "\n" + p.String() // so that its first line is indented like the others
	}
	s.cases = append(s.cases, junitCase{name, kind, sort, message, text})
}

// junitResult returns the suite of a checked contract.
func junitResult(r *finding.Result) *junitSuite {
	s := &junitSuite{name: contractID(r), path: r.Path}
	found := words.Listed(r)
	s.errors(found)
	for i := range r.Requirements {
		q := &r.Requirements[i]
		kind, sort := "", q.Verdict.String()
		switch {
		case q.Waived():
			kind, sort = "skipped", "waived"
		case q.Verdict == finding.Violated:
			kind = "failure"
		case q.Verdict != finding.Holds:
			kind = "error"
		}
		s.add(q.Name, kind, sort, diag.Capital(sort)+": "+words.WithFullStop(promised(q, q.Name)), func(p *text.Page) { p.Details(q) })
		s.hollow(q)
	}
	for _, d := range found {
		if d.Class == codes.Violation {
			kind := "failure"
			if d.Accepted != "" {
				kind = "skipped"
			}
			s.check(kind, &d)
		}
	}
	s.remark(found)
	if said := words.NotLookedFor(r); said != "" {
		s.remarks = append(s.remarks, said)
	}
	s.incomplete(r)
	return s
}

// junitContract returns the suite of a reviewed contract.
func junitContract(c *finding.ContractReview, on finding.FailOn) *junitSuite {
	r := c.Head
	if r == nil {
		r = &finding.Result{Path: c.Path, Name: c.Name}
	}
	s := &junitSuite{name: contractID(r), path: c.Path}
	s.remarks = append(s.remarks, words.WithFullStop(words.Happened(c, words.Terminal)))
	s.errors(words.HeadErrors(c))
	for i := range c.Findings {
		s.finding(c, &c.Findings[i], newScan(on).levelOf(&c.Findings[i]))
	}
	for _, a := range c.Unlinked() {
		s.acceptance(a, on)
	}
	s.remark(words.NewRemarks(c))
	if on != finding.FailNever && c.Head != nil {
		s.incomplete(r)
	}
	return s
}

// finding adds the case of a finding. The level of the finding in SARIF shows whether the gate objects.
func (s *junitSuite) finding(c *finding.ContractReview, f *finding.Finding, level string) {
	kind := map[string]string{"error": "failure", "warning": "skipped", "note": "skipped"}[level]
	switch {
	case level == "error" && (f.Kind == finding.Undecided || f.Kind == finding.Meaningless):
		kind = "error"
	case f.Kind == finding.Kept:
		kind = ""
	}
	name := f.Name
	if f.Check != nil {
		name = checkName(f.Check)
	}
	s.add(name, kind, f.Kind.String(), words.Joined(" ", diag.Capital(words.KindWord(*f))+":", words.WithFullStop(text.Subject(*f, plainSARIF)), words.Meaning(*f, plainSARIF)), func(p *text.Page) {
		p.Say(0, words.BroughtAbout(f, words.Terminal))
		p.Remedy(0, f.Repairs)
		p.Refusal = f.Refusal
		p.Evidence(*f)
		p.Retire(0, *f, words.ContractGone(c))
	})
	if f.Kind == finding.Kept && f.Head != nil {
		s.hollow(f.Head)
	}
	if said := words.Rested(f, words.Terminal); f.Kind == finding.Kept && said != "" {
		s.remarks = append(s.remarks, text.NameText(f.Name)+": "+said)
	}
}

// acceptance adds the case of an acceptance that no finding depends on.
func (s *junitSuite) acceptance(a finding.Acceptance, on finding.FailOn) {
	kind := ""
	if a.Blocking() && on != finding.FailNever {
		kind = "failure"
	}
	s.add(a.Kind.String()+" "+a.Name, kind, "acceptance", words.UnlinkedText(a, plainSARIF), func(*text.Page) {})
	if kind == "" { // a case that passes has no text
		s.remarks = append(s.remarks, words.UnlinkedText(a, words.Terminal))
	}
}

// errors adds the errors of a contract, which make it ill-formed.
func (s *junitSuite) errors(all []finding.Diagnostic) {
	for i := range all {
		if all[i].Class == codes.Error {
			s.check("error", &all[i])
		}
	}
}

// check adds the case of a diagnostic.
func (s *junitSuite) check(kind string, d *finding.Diagnostic) {
	s.add(checkName(d), kind, string(d.Code), words.WithFullStop(plainSARIF.Prose(d.Message)), func(p *text.Page) {
		p.Explained(0, &finding.Finding{Check: d})
		if d.Accepted != "" {
			p.Say(0, "Accepted: "+escape.TerminalText(d.Accepted))
		}
	})
}

// checkName returns the code of a check and its subject.
func checkName(d *finding.Diagnostic) string { return words.Joined(" ", string(d.Code), d.Subject) }

// remark adds warnings to the remarks, which fail no case.
func (s *junitSuite) remark(all []finding.Diagnostic) {
	for _, d := range all {
		if d.Class == codes.Warning && d.Accepted == "" {
			s.remarks = append(s.remarks, words.Joined(" ", words.WithFullStop(escape.TerminalText(d.Message)), escape.TerminalText(d.Detail), "["+string(d.Code)+"]"))
		}
	}
}

// hollow adds the vacuous parts of a requirement to the remarks, which fail no case.
func (s *junitSuite) hollow(q *finding.Requirement) {
	for _, said := range words.Vacuities(q.Vacuous, words.Terminal) {
		s.remarks = append(s.remarks, text.NameText(q.Name)+": "+said)
	}
}

// incomplete adds an error if the state model is incomplete and no other error reports that.
func (s *junitSuite) incomplete(r *finding.Result) {
	if why := words.Incomplete(r, plainSARIF); r.Model.Incomplete != "" && s.count("error") == 0 {
		s.add("state model", "error", "unknown", words.WithFullStop(cmp.Or(why, plainSARIF.Prose(r.Model.Incomplete))), func(*text.Page) {})
	}
}

// writeJUnit writes the suites as one document.
func writeJUnit(w io.Writer, suites []*junitSuite) error {
	var b strings.Builder
	b.WriteString(xml.Header + "<testsuites>\n")
	for i, s := range suites {
		fmt.Fprintf(&b, "  <testsuite name=\"%s\" package=\"%s\" id=\"%d\" timestamp=\"%s\" hostname=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%s\">\n    <properties/>\n",
			token(s.name), token(s.path), i, junitTime, junitHost, len(s.cases), s.count("failure"), s.count("error"), s.count("skipped"), junitTook)
		for _, c := range s.cases {
			c.write(&b, s)
		}
		fmt.Fprintf(&b, "    <system-out>%s</system-out>\n    <system-err/>\n  </testsuite>\n", xmlText(strings.Join(s.remarks, "\n")))
	}
	b.WriteString("</testsuites>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// write writes one case.
func (c *junitCase) write(b *strings.Builder, s *junitSuite) {
	fmt.Fprintf(b, "    <testcase name=\"%s\" classname=\"%s\" time=\"%s\"", token(c.name), token(s.name), junitTook)
	if c.kind == "" {
		b.WriteString("/>\n")
		return
	}
	fmt.Fprintf(b, ">\n      <%s message=\"%s\" type=\"%s\">%s</%[1]s>\n    </testcase>\n", c.kind, xmlText(clipped(unbrokenLine(c.message), MostMessage)), token(c.sort), xmlText(c.text))
}

// token returns a name for an attribute of type token, which is not empty and has only single blanks between words.
func token(s string) string {
	return xmlText(cmp.Or(unbrokenLine(escape.Visible(s, escape.NameLength)), "-"))
}

// unbrokenLine joins the words of a text with single blanks.
func unbrokenLine(s string) string { return strings.Join(strings.Fields(s), " ") }

var xmlMarks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")

// xmlText escapes a text for XML and keeps its lines. Characters that XML 1.0 does not allow become U+FFFD.
func xmlText(s string) string {
	return xmlMarks.Replace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= 0x20 && r != 0xFFFE && r != 0xFFFF {
			return r
		}
		return 0xFFFD
	}, strings.ToValidUTF8(s, "\uFFFD")))
}
