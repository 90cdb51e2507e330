package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/ci"
)

func TestJUnitGoldens(t *testing.T) {
	files := map[string]string{"check": junitOf(t, []*finding.Result{sound(), flawed(), illFormed(), together()})}
	for name, r := range map[string]*finding.Review{"amendment": amendment(), "ill-formed": broken(), "waived": waivedAmendment()} {
		files[name] = junitReviewOf(t, r, finding.FailNew)
	}
	golden(t, "junit", files)
}

func junitOf(t *testing.T, results []*finding.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := ci.JUnit(&b, results); err != nil {
		t.Fatal(err)
	}
	checkJUnit(t, b.String(), finding.StatusOf(results))
	return b.String()
}

func junitReviewOf(t *testing.T, r *finding.Review, on finding.FailOn) string {
	t.Helper()
	var b bytes.Buffer
	if err := ci.JUnitReview(&b, r, on); err != nil {
		t.Fatal(err)
	}
	checkJUnit(t, b.String(), r.Gate(on))
	return b.String()
}

// An xmlElement is an element as it was read.
type xmlElement struct {
	name     string
	attrs    map[string]string
	children []*xmlElement
	text     string
}

func readXML(text string) (*xmlElement, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	open := []*xmlElement{{}}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return open[0], nil
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &xmlElement{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			top.children, open = append(top.children, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.text += string(token)
		}
	}
}

type fatal interface {
	Helper()
	Fatalf(string, ...any)
}

// checkJUnit holds a file against the rules of two schemas that are in use, written down here as facts: Ant's (windyroad/JUnit-Schema, JUnit.xsd), which asks for more, and
// that of Jenkins' xunit plugin (junit-10.xsd), which allows less in numbers. And the file fails if and only if the exit status does.
func checkJUnit(t fatal, text string, status finding.ExitStatus) {
	t.Helper()
	doc, err := readXML(text)
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, text)
	}
	if len(doc.children) != 1 || doc.children[0].name != "testsuites" || len(doc.children[0].attrs) > 0 {
		t.Fatalf("the document is no testsuites: %.300s", text)
	}
	failures, errors := 0, 0
	for i, s := range doc.children[0].children {
		checkSuite(t, i, s)
		failures += number(t, s.attrs["failures"])
		errors += number(t, s.attrs["errors"])
	}
	switch {
	case (failures+errors == 0) != (status == finding.Clean), failures == 0 && status == finding.Violations, errors == 0 && status > finding.Violations:
		t.Fatalf("%d failures, %d errors; exit status %d\n%.3000s", failures, errors, status, text)
	}
}

func checkSuite(t fatal, id int, s *xmlElement) {
	t.Helper()
	has(t, s, "testsuite", []string{"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time"})
	if s.attrs["id"] != fmt.Sprint(id) || s.attrs["timestamp"] != "1970-01-01T00:00:00" || s.attrs["name"] == "" || s.attrs["hostname"] == "" {
		t.Fatalf("suite %v", s.attrs)
	}
	var kinds []string
	for _, c := range s.children {
		kinds = append(kinds, c.name)
	}
	n := len(kinds) - 3 // properties, then cases, then system-out and system-err, each of these once
	if n < 0 || !slices.Equal(kinds, slices.Concat([]string{"properties"}, slices.Repeat([]string{"testcase"}, n), []string{"system-out", "system-err"})) {
		t.Fatalf("in a suite: %v", kinds)
	}
	met := map[string]int{}
	for _, c := range s.children[1 : n+1] {
		has(t, c, "testcase", []string{"name", "classname", "time"})
		for _, how := range c.children {
			has(t, how, "", []string{"message", "type"})
			if met[how.name]++; len(c.children) > 1 || !slices.Contains([]string{"skipped", "error", "failure"}, how.name) || len(how.children) > 0 {
				t.Fatalf("in a case: %s", how.name)
			}
		}
	}
	for name, attr := range map[string]string{"failure": "failures", "error": "errors", "skipped": "skipped"} {
		if met[name] != number(t, s.attrs[attr]) {
			t.Fatalf("%d of %s, said to be %s", met[name], name, s.attrs[attr])
		}
	}
	if n != number(t, s.attrs["tests"]) {
		t.Fatalf("%d cases, said to be %s", n, s.attrs["tests"])
	}
}

// has wants an element to have exactly some attributes. Those of type token have no blanks that would collapse.
func has(t fatal, e *xmlElement, name string, attrs []string) {
	t.Helper()
	if name != "" && e.name != name {
		t.Fatalf("%s where %s was expected", e.name, name)
	}
	if len(e.attrs) != len(attrs) {
		t.Fatalf("%s has %v", e.name, e.attrs)
	}
	for _, a := range attrs {
		v, ok := e.attrs[a]
		if !ok {
			t.Fatalf("%s has no %s", e.name, a)
		}
		if a != "message" && strings.Join(strings.Fields(v), " ") != v {
			t.Fatalf("%s of %s is no token: %q", a, e.name, v)
		}
	}
	if len(e.children) > 0 && strings.TrimSpace(e.text) != "" {
		t.Fatalf("text between the elements of %s: %q", e.name, e.text)
	}
}

func number(t fatal, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return n
}

// TestInterchangeOfExamples: of every example, and of every amendment that a script makes to one, SARIF and JUnit XML are as their schemas have them.
func TestInterchangeOfExamples(t *testing.T) {
	for _, d := range drafts(t, examples.FS) {
		for _, b := range []finding.Budget{{Jobs: 1}, {Jobs: 1, States: 1, Engine: finding.Explicit}} {
			results := []*finding.Result{verify.Check(t.Context(), d, b)}
			sarifOf(t, results, finding.FailAny)
			junitOf(t, results)
		}
	}
	for _, name := range amendments(t) {
		r := amended(t, name)
		for _, on := range []finding.FailOn{finding.FailNew, finding.FailAny, finding.FailNever} {
			sarifReviewOf(t, r, on)
			if text := junitReviewOf(t, r, on); r.Gate(on) == finding.Violations && !strings.Contains(text, "A run that shows it") {
				t.Errorf("%s tells no run", name)
			}
		}
	}
}

func TestJUnitOfHostileText(t *testing.T) {
	for _, s := range nasty {
		junitOf(t, []*finding.Result{foreign(s)})
		junitReviewOf(t, foreignReview(s), finding.FailNew)
	}
	rapid.Check(t, func(r *rapid.T) {
		var b bytes.Buffer
		review := foreignReview(rapid.StringN(0, 12, -1).Draw(r, "s"))
		if err := ci.JUnitReview(&b, review, finding.FailNew); err != nil {
			r.Fatal(err)
		}
		checkJUnit(r, b.String(), review.Gate(finding.FailNew))
	})
}

// TestJUnitSaysWhatIsLoosened: what an amendment changes in the settings has a case of its own, which fails where the gate objects.
func TestJUnitSaysWhatIsLoosened(t *testing.T) {
	for _, state := range []finding.AcceptanceState{finding.Pending, finding.Refused, finding.Unreadable, finding.ByApproval, finding.ByAmendment, finding.Idle} {
		for _, on := range []finding.FailOn{finding.FailNew, finding.FailAny, finding.FailNever} {
			r := &finding.Review{Base: "main", Head: "HEAD", Unplaced: []finding.Acceptance{{
				Kind: finding.AcceptSetting, Name: "fail-on", File: ".github/redline.hcl", Reason: `was "new", now "never"`, Settings: true, State: state, By: []string{"@ada"},
			}}}
			said := junitReviewOf(t, r, on) // and holds it to the gate
			if n := strings.Count(said, `<testcase name="setting fail-on"`); n != 1 {
				t.Errorf("%v, %v: %d cases\n%s", state, on, n, said)
			}
			if !strings.Contains(said, "was &#34;new&#34;, now &#34;never&#34;") {
				t.Errorf("%v, %v: it is not said how\n%s", state, on, said)
			}
		}
	}
}
