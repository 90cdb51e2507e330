package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/markdown"
)

// Of several suggested fixes, a comment says which mend the same, so that one of them is enough, and which are needed beside each other.
func TestWhichFixesAreNeeded(t *testing.T) {
	broken := func(name string, repairs ...string) finding.Finding {
		q := discharge(finding.Violated)
		q.Name = name
		f := finding.Finding{Kind: finding.New, Name: name, Head: &q}
		for _, what := range repairs {
			f.Repairs = append(f.Repairs, finding.Repair{What: what})
		}
		return f
	}
	for _, c := range []struct {
		want     string
		findings []finding.Finding
	}{
		{"one change for <code>one</code>; one of 2 changes for <code>two</code>", []finding.Finding{broken("one", "a"), broken("two", "b", "c")}},
		{"one change for <code>one</code>, <code>two</code>; or one change for <code>one</code>; one change for <code>two</code>", []finding.Finding{broken("one", "a", "b"), broken("two", "b", "c")}},
	} {
		said := markdown.Review(&finding.Review{Contracts: []finding.ContractReview{{Name: "c", Findings: c.findings}}})
		if !strings.Contains(said, "<summary><b>To mend what is broken</b>: "+c.want+"</summary>") {
			t.Errorf("no %q in\n%s", c.want, said)
		}
	}
}
