package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/markdown"
)

// TestManyViolationsAreShort: of many broken promises, the folds with evidence are in one for each contract, and so are fixes, so that a reader
// sees all verdicts on two screens. If runs are left out, no fold is empty or lacks its end.
func TestManyViolationsAreShort(t *testing.T) {
	r := manyBroken(t, 3, 4)
	comment := markdown.Review(r)
	if n := strings.Count(comment, "\n<details><summary>How each of the 4 can happen</summary>\n"); n != 3 {
		t.Errorf("%d folds of evidence", n)
	}
	if lines := strings.Count(withoutFolds(comment), "\n"); lines > 100 {
		t.Errorf("%d lines are visible", lines)
	}
	for limit := 2_000; limit < len(comment)+2_000; limit += 1_500 {
		short := markdown.ReviewWithin(r, limit, "")
		if len(short) > limit || strings.Count(short, "<details>") != strings.Count(short, "</details>") || strings.Contains(short, "</summary>\n\n\n</details>") {
			t.Errorf("%d bytes: %s", limit, short)
		}
	}
}

// manyBroken returns a review of so many contracts, each with so many broken promises.
func manyBroken(t *testing.T, contracts, each int) *finding.Review {
	t.Helper()
	r := &finding.Review{Base: "main", Head: "HEAD"}
	one := amended(t, "mistake-withdraw").Contracts[0]
	var broken []finding.Finding
	for _, f := range one.Findings {
		if f.Kind == finding.New && f.Head.Trace != nil {
			broken = append(broken, f)
		}
	}
	for i := 0; len(broken) < each; i++ {
		again := broken[i]
		again.Name += "-again"
		broken = append(broken, again)
	}
	for i := range contracts {
		of := one
		of.Path = string(rune('a'+i/26)) + string(rune('a'+i%26))
		of.Name, of.Findings = of.Path, slices.Clone(broken[:each])
		for k := range of.Findings {
			of.Findings[k].Name += "-" + of.Path // else they are alike
		}
		r.Contracts = append(r.Contracts, of)
	}
	return r
}

// TestEightyViolationsFit: a comment on 80 broken promises of 40 contracts is below GitHub's limit, names each contract and each promise, explains some, and
// leads to where all of it is.
func TestEightyViolationsFit(t *testing.T) {
	r := manyBroken(t, 40, 2)
	const whole = "All of it: the page."
	comment := markdown.ReviewWithin(r, markdown.CommentLimit, whole)
	if len(comment) > markdown.CommentLimit {
		t.Errorf("%d bytes", len(comment))
	}
	for _, want := range []string{"breaks 80 promises", whole, "Left out", "```mermaid"} {
		if !strings.Contains(comment, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, c := range r.Contracts {
		if n := strings.Count(comment, "\n### `"+c.Path+"`\n"); n != 1 {
			t.Errorf("%d headings of %s", n, c.Path)
		}
	}
	if strings.Count(comment, "<details>") != strings.Count(comment, "</details>") {
		t.Error("a fold has no end")
	}
}
