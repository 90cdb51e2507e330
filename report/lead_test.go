package report

import (
	"testing"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/words"
)

// What a person reads first is true of every outcome.
func TestLead(t *testing.T) {
	review := func(kinds ...finding.Kind) *finding.Review {
		c := finding.ContractReview{Status: finding.Changed, Head: &finding.Result{Digest: "x"}}
		for _, k := range kinds {
			q := discharge(finding.Violated)
			c.Findings = append(c.Findings, finding.Finding{Kind: k, Head: &q})
		}
		return &finding.Review{Contracts: []finding.ContractReview{c}}
	}
	owing := func(kinds ...finding.Kind) *finding.Review {
		r := review(kinds...)
		r.Contracts[0].Difference = &finding.Difference{All: finding.Behaviour{Owed: &finding.Owed{Relation: delta.Otherwise, Unshown: 1}}}
		return r
	}
	moving := func(relation delta.Relation, kinds ...finding.Kind) *finding.Review {
		r := review(kinds...)
		r.Contracts[0].Difference = &finding.Difference{All: finding.Behaviour{Relation: relation}}
		return r
	}
	waived := review(finding.Waived)
	waived.Contracts[0].Findings[0].Name = "paid"
	waived.Contracts[0].Acceptances = []finding.Acceptance{{Kind: finding.AcceptWaiver, Name: "paid", State: finding.ByApproval}}
	waived.Link()
	pending := func(of *finding.Review, names ...string) *finding.Review {
		for i, name := range names {
			if name != "" {
				c := &of.Contracts[0]
				c.Findings[i].Name = name
				c.Acceptances = append(c.Acceptances, finding.Acceptance{Kind: finding.AcceptWaiver, Name: name, State: finding.Pending, Needs: []string{"@ada"}})
			}
		}
		of.Link()
		return of
	}
	checked := func(kinds ...finding.Kind) *finding.Review {
		r := review(kinds...)
		for i := range r.Contracts[0].Findings {
			if f := &r.Contracts[0].Findings[i]; i%2 == 1 {
				f.Head, f.Check = nil, &finding.Diagnostic{Code: "dead-end", Class: codes.Violation}
			}
		}
		return r
	}
	removed := &finding.Review{Contracts: []finding.ContractReview{{Status: finding.Removed}, {Status: finding.Same}}}
	for _, c := range []struct {
		want string
		of   *finding.Review
	}{
		{"", &finding.Review{}},
		{"The amendment changes nothing that the contracts mean.", unaltered()},
		{"The amendment changes words alone, and nothing that is checked.", inWords()},
		{"The amendment withdraws 1 promise.", review(finding.Kept, finding.Dropped)},
		{"The amendment breaks no promise.", review(finding.Kept)},
		{"The amendment breaks 1 promise.", review(finding.New, finding.Kept)},
		{"The amendment breaks 2 promises and weakens 1 promise.", review(finding.New, finding.Weakened, finding.New)},
		{"The amendment weakens 1 promise and leaves 1 promise broken whose waiver has expired.", review(finding.WaiverExpired, finding.Weakened)},
		{"The amendment mends 1 promise and breaks no promise.", review(finding.Repaired)},
		{"The amendment mends 1 promise and breaks no promise that was kept; 2 were broken before, and still are.", review(finding.Repaired, finding.Standing, finding.Standing)},
		{"The amendment breaks no promise of the contracts that remain.", removed},
		{"Whether every promise is kept could not be decided within the limits.", review(finding.Undecided, finding.Repaired)},
		{"Whether what is owed is as before could not be decided within the limits.", &finding.Review{Contracts: []finding.ContractReview{{Status: finding.Changed,
			Findings: []finding.Finding{{Kind: finding.Undecided, Check: &finding.Diagnostic{Code: "norm-changed"}}, {Kind: finding.Kept, Head: &finding.Requirement{Verdict: finding.Holds}}}}}}},
		{"The amended text has errors, so that not every promise could be checked.", review(finding.Meaningless, finding.New)},
		{"The amendment breaks 1 promise, which a waiver accepts.", waived},
		{"The amendment breaks 1 promise; this amendment waives it, not yet approved: needs @ada.", pending(review(finding.Waived), "a")},
		{"The amendment breaks 2 promises; this amendment waives 1 of them, not yet approved: needs @ada.", pending(review(finding.Waived, finding.New), "a")},
		{"The amendment breaks 3 promises and weakens 1 promise; this amendment waives 2 of the broken ones, not yet approved: needs @ada.", pending(review(finding.Waived, finding.Waived, finding.New, finding.Weakened), "a", "b")},
		{"The amendment breaks 1 promise and fails 1 check.", checked(finding.New, finding.New)},
		{"The amendment mends 1 promise, mends 1 failed check and breaks no promise.", checked(finding.Repaired, finding.Repaired)},
		{"", moving(delta.Both, finding.Kept)},
		{"The amendment mends 1 promise and breaks no promise.", moving(delta.Less, finding.Repaired)},
		{"", owing(finding.Kept)}, // the line that sums up says it
	} {
		if got := words.Lead(words.Balanced(c.of)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, c := range []struct {
		head, rest string
		of         *finding.Review
	}{
		{"No promise is broken, but what is owed changes.", "1 kept; 1 contract looked at, 1 changed.", owing(finding.Kept)},
		{"No promise is newly broken, but what is owed changes.", "1 still broken; 1 contract looked at, 1 changed.", owing(finding.Standing)},
		{"No promise is broken, but what can happen changes.", "1 kept; 1 contract looked at, 1 changed.", moving(delta.Otherwise, finding.Kept)},
		{"No promise is broken, but whether the same can happen is not decided.", "1 kept; 1 contract looked at, 1 changed.", moving(delta.Unknown, finding.Kept)},
		{"The amendment breaks no promise.", "1 kept; 1 contract looked at, 1 changed.", review(finding.Kept)},
		{"The amendment breaks 1 promise.", "1 contract looked at, 1 changed.", review(finding.New)},
		{"The amendment breaks 1 promise and fails 1 check.", "1 still broken, 1 failed check as before; 1 contract looked at, 1 changed.", checked(finding.New, finding.New, finding.Standing, finding.Standing)},
	} {
		if got := words.SumReviewed(c.of); got.Head != c.head || got.Rest != c.rest {
			t.Errorf("%q, and %q, want %q, and %q", got.Head, got.Rest, c.head, c.rest)
		}
	}
}

// TestLeadSaysWhatIsLoosened: that an amendment changes how later ones are judged is in the first line and in the last, whatever else it does.
func TestLeadSaysWhatIsLoosened(t *testing.T) {
	for _, c := range []struct {
		kinds      []finding.Kind
		failing    finding.FailOn
		state      finding.AcceptanceState
		head, line string
	}{
		{nil, finding.FailNew, finding.Idle, "the amendment breaks no promise, but changes how later ones are judged", "nothing to object to, but how later ones are judged changes"},
		{[]finding.Kind{finding.New}, finding.FailNew, finding.Idle, "the amendment breaks 1 promise and changes how later ones are judged", "1 promise broken, and how later ones are judged changes"},
		{[]finding.Kind{finding.New}, finding.FailNew, finding.Pending, "the amendment breaks 1 promise and changes how later ones are judged, not yet approved", "1 promise broken, 1 acceptance not approved, and how later ones are judged changes"},
		{[]finding.Kind{finding.Standing}, finding.FailAny, finding.ByAmendment, "1 violation that stood before, and how later ones are judged changes", "1 violation that stood before, and how later ones are judged changes"},
		{[]finding.Kind{finding.Undecided}, finding.FailNew, finding.ByApproval, "whether every promise is kept could not be decided within the limits, and the amendment changes how later ones are judged", "1 unknown, and how later ones are judged changes"},
		{[]finding.Kind{finding.Meaningless}, finding.FailNew, finding.Idle, "the amended text has errors, so that no promise could be checked, and the amendment changes how later ones are judged", "1 ill-formed, and how later ones are judged changes"},
	} {
		r := &finding.Review{On: c.failing, Contracts: []finding.ContractReview{{Status: finding.Changed, Head: &finding.Result{Digest: "x"}}},
			Unplaced: []finding.Acceptance{{Kind: finding.AcceptSetting, Name: "fail-on", State: c.state, Needs: []string{"@ada"}}}}
		for _, k := range c.kinds {
			q := discharge(finding.Violated)
			r.Contracts[0].Findings = append(r.Contracts[0].Findings, finding.Finding{Kind: k, Head: &q})
		}
		r.Link()
		b := words.Balanced(r)
		if head, line := words.VerdictLine(b), b.String(); head != c.head || line != c.line {
			t.Errorf("%v: %q and %q, want %q and %q", c.kinds, head, line, c.head, c.line)
		}
	}
}

// A waiver that nobody has approved does not make of a violation what is waived.
func TestNotYetWaivedIsViolatedNow(t *testing.T) {
	q := discharge(finding.Violated)
	q.Waiver = &finding.Waiver{State: finding.InForce}
	r := &finding.Review{Contracts: []finding.ContractReview{{Findings: []finding.Finding{{Kind: finding.Waived, Name: q.Name, Head: &q}}}}}
	for state, want := range map[finding.AcceptanceState]string{finding.Pending: "broken", finding.ByApproval: "waived"} {
		r.Contracts[0].Acceptances = []finding.Acceptance{{Kind: finding.AcceptWaiver, Name: q.Name, State: state}}
		r.Link()
		if _, now := words.BeforeAfter(r.Contracts[0].Findings[0]); now != want {
			t.Errorf("%v: %s, want %s", state, now, want)
		}
	}
}
