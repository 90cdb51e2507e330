package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// crowded returns a contract with many errors of one code, one of another, and an accepted warning.
func crowded(n int) *engine.Result {
	r := &engine.Result{Path: "c", Model: engine.Model{Incomplete: "the text is ill-formed"}}
	at := func(line int) hcl.Range {
		p := hcl.Pos{Line: line, Column: 1}
		return hcl.Range{Filename: "c/c.contract.hcl", Start: p, End: p}
	}
	for i := range n {
		r.Diagnostics = append(r.Diagnostics, engine.Diagnostic{Code: "unknown-name", Class: codes.Error, Message: fmt.Sprintf("There is no state “s%d”.", i), Source: at(i + 1)})
	}
	return &engine.Result{Path: r.Path, Model: r.Model, Diagnostics: append(r.Diagnostics,
		engine.Diagnostic{Code: "syntax", Class: codes.Error, Message: "A bracket is missing.", Source: at(n + 1)},
		engine.Diagnostic{Code: "state-never-reached", Class: codes.Warning, Message: "It never comes about.", Accepted: "for later"})}
}

// TestManyOfACode: each format lists the first of many errors, counts the others, and leaves out none of another code. Summaries count all.
func TestManyOfACode(t *testing.T) {
	const n = mostOfACode + 1234
	results := []*engine.Result{crowded(n)}
	formats := map[string]func(w *bytes.Buffer) error{
		"text":     func(w *bytes.Buffer) error { return Text(w, results, Style{}) },
		"markdown": func(w *bytes.Buffer) error { _, err := w.WriteString(Markdown(results)); return err },
		"json":     func(w *bytes.Buffer) error { return JSON(w, results, "v") },
		"sarif":    func(w *bytes.Buffer) error { return SARIF(w, results, engine.FailAny, "v") },
		"junit":    func(w *bytes.Buffer) error { return JUnit(w, results) },
	}
	for name, write := range formats {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(name, err)
		}
		text := out.String()
		if name != "markdown" { // which ends at its own limit
			for _, want := range []string{fmt.Sprintf("s%d”", mostOfACode-1), "1,234 more of this kind are left out", "A bracket is missing"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %q", name, want)
				}
			}
		}
		if strings.Contains(text, fmt.Sprintf("s%d”", mostOfACode)) {
			t.Errorf("%s: more than %d of one code", name, mostOfACode)
		}
		if (name == "text" || name == "markdown") && !strings.Contains(text, grouped(fmt.Sprint(n+1))+" errors") {
			t.Errorf("%s: the summary does not count all errors", name)
		}
	}
	if s := engine.StatusOf(results); s != engine.BadInput {
		t.Errorf("exit status %d", s)
	}
}

// TestAbridgedIsAllOfFew: as many as there may be are listed as they are, in their order; one more is counted.
func TestAbridgedIsAllOfFew(t *testing.T) {
	r := crowded(mostOfACode)
	if got := Listed(r); !slices.EqualFunc(got, r.Diagnostics, func(a, b engine.Diagnostic) bool { return a.Message == b.Message }) {
		t.Errorf("%d of %d are listed", len(got), len(r.Diagnostics))
	}
	got := Listed(crowded(mostOfACode + 1))
	if last := got[len(got)-1]; len(got) != mostOfACode+3 || last.Message != "One more of this kind is left out." || last.Source.Start.Line != mostOfACode+1 {
		t.Errorf("%d; last: %+v", len(got), last)
	}
}
