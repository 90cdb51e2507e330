package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/markdown"
)

// TestManyViolationsAreShort: of many broken promises, the folds with evidence are in one for each contract, and so are fixes, so that a reader
// sees all verdicts on two screens. If runs are left out, no fold is empty or lacks its end.
func TestManyViolationsAreShort(t *testing.T) {
	r := &finding.Review{Base: "main", Head: "HEAD"}
	for _, path := range []string{"a", "b", "c"} {
		of := amended(t, "mistake-withdraw").Contracts[0]
		of.Path, of.Name = path, path
		var broken []finding.Finding
		for _, f := range of.Findings {
			if f.Kind == finding.New && f.Head.Trace != nil {
				broken = append(broken, f)
			}
		}
		for i := 0; len(broken) < 4; i++ {
			again := broken[i]
			again.Name += "-again"
			broken = append(broken, again)
		}
		of.Findings = broken
		r.Contracts = append(r.Contracts, of)
	}
	comment := markdown.Review(r)
	if n := strings.Count(comment, "\n<details><summary>How each of the 4 can happen, and how to accept it</summary>\n"); n != 3 {
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
