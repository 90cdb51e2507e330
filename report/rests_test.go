package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// TestOnWhomAPromiseRestsIsSaidOnce for one verdict, in every format: as what has changed, or as a remark on the verdict.
func TestOnWhomAPromiseRestsIsSaidOnce(t *testing.T) {
	nothing, both := &finding.Rests{}, &finding.Rests{Sets: [][]string{{"purchaser", "seller"}}}
	for name, row := range map[string]struct {
		kind        finding.Kind
		rested, now *finding.Rests
		reworded    bool
		want        string
	}{
		"changed":              {finding.New, both, nothing, false, "put off for ever"},
		"changed and reworded": {finding.New, both, nothing, true, "put off for ever"},
		"weakened":             {finding.Weakened, both, nothing, false, "put off for ever"},
		"given":                {finding.New, nothing, both, false, "fails only if somebody waits for ever"},
		"unchanged":            {finding.New, nil, nothing, false, "put off for ever"},
		"kept":                 {finding.Kept, both, nothing, false, "put off for ever"},
		"as before":            {finding.RestsAsBefore, nil, both, false, "only if somebody waits for ever"},
		"waived":               {finding.Waived, both, nothing, false, "put off for ever"},
	} {
		r := amended(t, "mistake-cancel")
		c := &r.Contracts[0]
		f := c.Findings[0]
		head := *f.Head
		head.Rests = row.now
		f.Kind, f.Rested, f.Head, f.Reworded = row.kind, row.rested, &head, row.reworded
		if head.Verdict = finding.Violated; row.kind == finding.Kept {
			head.Verdict = finding.Holds
		}
		if row.kind == finding.Waived {
			head.Waiver = &finding.Waiver{Reason: "agreed", Approver: "counsel", State: finding.InForce}
		}
		c.Findings, c.Acceptances = []finding.Finding{f}, nil
		var page, junit, sarif, plain strings.Builder
		page.WriteString(strings.Join(words.DescribeFinding(&f).Notes, " "))
		for _, err := range []error{ci.JUnitReview(&junit, r, finding.FailNew), ci.SARIFReview(&sarif, r, finding.FailNew, ""), text.Review(&plain, r, text.Style{})} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for format, said := range map[string]string{
			"page": page.String(), "JUnit": junit.String(), "SARIF": sarif.String(), "text": plain.String(), "Markdown": markdown.Review(r), "a comment at its line": markdown.Finding(f, 10_000, ""),
		} {
			n := strings.Count(said, row.want)
			if format == "SARIF" { // each result has its text twice: plain, and as Markdown
				n -= strings.Count(said, `"markdown"`)
			}
			if most := 1; n > most || n == 0 && format != "SARIF" && !(format == "JUnit" && row.kind == finding.RestsAsBefore) {
				t.Errorf("%s: %s says %d times %q", name, format, n, row.want)
			}
		}
	}
}
