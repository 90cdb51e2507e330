package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// TestOccurrencesThatDifferAlike: the occurrences of a duty that differ alike are one row, those that differ otherwise another, and what is left out is counted
// right below the table.
func TestOccurrencesThatDifferAlike(t *testing.T) {
	var norms []finding.NormDifference
	owed := func(name, title, bearer string) finding.NormDifference {
		return finding.NormDifference{Norm: name, Kind: "obligation", Title: title, Side: diff.InHead, Was: []finding.NormState{{}},
			Run: []finding.Firing{{Step: 1, Event: "start", Title: "the lease begins"}},
			Now: []finding.NormState{{State: "owed", Bearer: bearer, Counterparty: "landlord"}}, Better: []string{"landlord"}, Worse: []string{bearer}}
	}
	for i := 1; i <= 12; i++ {
		bearer := "tenant"
		if i == 3 {
			bearer = "guarantor"
		}
		norms = append(norms, owed(fmt.Sprintf("pay[%d]", i), fmt.Sprintf("pay the rent (%s)", hclspec.Ordinal(i)), bearer))
	}
	for i := range 5 {
		norms = append(norms, owed(fmt.Sprintf("clean%d", i), "", "tenant"))
	}
	r := &finding.Review{Contracts: []finding.ContractReview{{Path: "x", Name: "lease", Status: finding.Changed, Base: &finding.Result{}, Head: &finding.Result{},
		Difference: &finding.Difference{All: finding.Behaviour{Relation: delta.Same, Owed: &finding.Owed{Relation: delta.Otherwise, Norms: norms}}}}}}
	var plain strings.Builder
	if err := text.Review(&plain, r, text.Style{Width: 200}); err != nil {
		t.Fatal(err)
	}
	comment := markdown.Review(r)
	for what, row := range map[string][2]string{
		"text":    {plain.String(), "pay the rent (obligation [pay]), 1st, 2nd, 4th to 12th, the 1st after 1 step"},
		"comment": {comment, "| pay the rent (obligation `pay`), 1st, 2nd, 4th to 12th, the 1st after 1 step: before: not owed; now: owed by the tenant to the landlord |"},
		"alone":   {comment, "| pay the rent (3rd) (obligation `pay[3]`), after 1 step: before: not owed; now: owed by the guarantor to the landlord |"},
		"left":    {comment, " |\n\n2 other differences in what is owed not shown: --format json has all.\n"},
	} {
		if !strings.Contains(row[0], row[1]) {
			t.Errorf("%s does not say %q:\n%s", what, row[1], row[0])
		}
	}
	if n := strings.Count(comment, "not shown"); n != 1 {
		t.Errorf("what is left out is counted %d times:\n%s", n, comment)
	}
}
