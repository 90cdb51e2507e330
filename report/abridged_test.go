package report

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/page"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// crowded returns a contract with many errors of one code, one of another, and an accepted warning.
func crowded(n int) *finding.Result {
	r := &finding.Result{Path: "c", Model: finding.Model{Incomplete: "the text is ill-formed"}}
	at := func(line int) hcl.Range {
		p := hcl.Pos{Line: line, Column: 1}
		return hcl.Range{Filename: "c/c.contract.hcl", Start: p, End: p}
	}
	for i := range n {
		r.Diagnostics = append(r.Diagnostics, finding.Diagnostic{Code: "unknown-name", Class: codes.Error, Message: fmt.Sprintf("There is no state “s%d”.", i), Source: at(i + 1)})
	}
	return &finding.Result{Path: r.Path, Model: r.Model, Diagnostics: append(r.Diagnostics,
		finding.Diagnostic{Code: "syntax", Class: codes.Error, Message: "A bracket is missing.", Source: at(n + 1)},
		finding.Diagnostic{Code: "state-never-reached", Class: codes.Warning, Message: "It never comes about.", Accepted: "for later"})}
}

// TestManyOfACode: each format lists the first of many errors, counts the others, and leaves out none of another code. Summaries count all.
func TestManyOfACode(t *testing.T) {
	const n = words.MostOfACode + 1234
	results := []*finding.Result{crowded(n)}
	formats := map[string]func(w *bytes.Buffer) error{
		"text":     func(w *bytes.Buffer) error { return text.Results(w, results, text.Style{}) },
		"markdown": func(w *bytes.Buffer) error { _, err := w.WriteString(markdown.Results(results)); return err },
		"json":     func(w *bytes.Buffer) error { return json.WriteResults(w, results, "v") },
		"sarif":    func(w *bytes.Buffer) error { return ci.SARIF(w, results, finding.FailAny, "v") },
		"junit":    func(w *bytes.Buffer) error { return ci.JUnit(w, results) },
	}
	for name, write := range formats {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(name, err)
		}
		text := out.String()
		if name != "markdown" { // which ends at its own limit
			for _, want := range []string{fmt.Sprintf("s%d”", words.MostOfACode-1), "1,234 more of this kind are left out", "A bracket is missing"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %q", name, want)
				}
			}
		}
		if strings.Contains(text, fmt.Sprintf("s%d”", words.MostOfACode)) {
			t.Errorf("%s: more than %d of one code", name, words.MostOfACode)
		}
		if (name == "text" || name == "markdown") && !strings.Contains(text, finding.Grouped(fmt.Sprint(n+1))+" errors") {
			t.Errorf("%s: the summary does not count all errors", name)
		}
	}
	if s := finding.StatusOf(results); s != finding.BadInput {
		t.Errorf("exit status %d", s)
	}
}

// TestAbridgedIsAllOfFew: as many as there may be are listed as they are, in their order; one more is counted.
func TestAbridgedIsAllOfFew(t *testing.T) {
	r := crowded(words.MostOfACode)
	if got := words.Listed(r); !slices.EqualFunc(got, r.Diagnostics, func(a, b finding.Diagnostic) bool { return a.Message == b.Message }) {
		t.Errorf("%d of %d are listed", len(got), len(r.Diagnostics))
	}
	got := words.Listed(crowded(words.MostOfACode + 1))
	if last := got[len(got)-1]; len(got) != words.MostOfACode+3 || last.Message != "One more of this kind is left out." || last.Source.Start.Line != words.MostOfACode+1 {
		t.Errorf("%d; last: %+v", len(got), last)
	}
}

// TestManyIllFormedRequirements: text and page list as many ill-formed requirements as errors of a code, count the others, and leave out none that is decided.
func TestManyIllFormedRequirements(t *testing.T) {
	for _, extra := range []int{0, 1, 77} {
		r := &finding.Result{Path: "c"}
		for i := range words.MostOfACode + extra {
			r.Requirements = append(r.Requirements, finding.Requirement{Name: fmt.Sprintf("r%d!", i), Verdict: finding.IllFormed, Reason: "no such state"})
		}
		r.Requirements = append(r.Requirements, finding.Requirement{Name: "kept!", Verdict: finding.Holds})
		var told, shown bytes.Buffer
		if err := errors.Join(text.Results(&told, []*finding.Result{r}, text.Style{}), page.Checked(t.Context(), &shown, nil, []*finding.Result{r}, page.About{Version: "v"})); err != nil {
			t.Fatal(err)
		}
		left := map[int]string{1: "1 more ill-formed requirement left out here", 77: "77 more ill-formed requirements left out here"}[extra]
		for name, out := range map[string]string{"text": told.String(), "page": shown.String()} {
			for _, want := range []string{fmt.Sprintf("r%d!", words.MostOfACode-1), "kept!", left} {
				if !strings.Contains(out, want) {
					t.Errorf("%s: no %q", name, want)
				}
			}
			if strings.Contains(out, fmt.Sprintf("r%d!", words.MostOfACode)) || extra == 0 && strings.Contains(out, "left out here") {
				t.Errorf("%s: more than %d, or some left out of %d", name, words.MostOfACode, words.MostOfACode+extra)
			}
		}
	}
}
