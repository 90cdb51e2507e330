package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
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

// TestFixesBeforeAcceptances: a comment and a text offer to mend what is broken, by each of its fixes, before they say how to accept it.
func TestFixesBeforeAcceptances(t *testing.T) {
	r := manyBroken(t, 1, 3)
	for i := range r.Contracts[0].Findings {
		f := &r.Contracts[0].Findings[i]
		f.Repairs = append(f.Repairs, finding.Repair{What: "another change", Edits: f.Repairs[0].Edits})
	}
	var page bytes.Buffer
	if err := text.Review(&page, r, text.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, f := range strings.Split(page.String(), "Kept before the amendment")[1:] {
		if mend, or, accept := strings.Index(f, "To mend it"), strings.Index(f, "Or: another change"), strings.Index(f, "To accept "); mend < 0 || or < mend || accept < or {
			t.Errorf("to mend %d, or %d, to accept %d:\n%s", mend, or, accept, f)
		}
	}
	said := markdown.Review(r)
	if run, mend, accept := strings.LastIndex(said, ": how it can happen</summary>"), strings.LastIndex(said, "another change"), strings.Index(said, "How to accept each of the 3</summary>"); run < 0 || mend < run || accept < mend {
		t.Errorf("a run %d, a fix %d, to accept %d:\n%s", run, mend, accept, said)
	}
	if n := strings.Count(said, ": to accept this violation"); n != 3 {
		t.Errorf("%d findings can be accepted:\n%s", n, said)
	}
}
