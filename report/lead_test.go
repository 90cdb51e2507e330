package report

import (
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// What a person reads first is true of every outcome.
func TestLead(t *testing.T) {
	review := func(kinds ...engine.Kind) *engine.Review {
		c := engine.ContractReview{Status: engine.Changed, Head: &engine.Result{Digest: "x"}}
		for _, k := range kinds {
			q := discharge(engine.Violated)
			c.Findings = append(c.Findings, engine.Finding{Kind: k, Head: &q})
		}
		return &engine.Review{Contracts: []engine.ContractReview{c}}
	}
	owing := func(kinds ...engine.Kind) *engine.Review {
		r := review(kinds...)
		r.Contracts[0].Difference = &engine.Difference{All: engine.Behaviour{Owed: &engine.Owed{Relation: delta.Otherwise, Unshown: 1}}}
		return r
	}
	waived := review(engine.Waived)
	waived.Contracts[0].Findings[0].Name = "paid"
	waived.Contracts[0].Acceptances = []engine.Acceptance{{Kind: engine.AcceptWaiver, Name: "paid", State: engine.ByApproval}}
	waived.Link()
	removed := &engine.Review{Contracts: []engine.ContractReview{{Status: engine.Removed}, {Status: engine.Same}}}
	for _, c := range []struct {
		want string
		of   *engine.Review
	}{
		{"", &engine.Review{}},
		{"The amendment changes nothing that the contracts mean.", unaltered()},
		{"The amendment withdraws 1 promise.", review(engine.Kept, engine.Dropped)},
		{"The amendment breaks no promise.", review(engine.Kept)},
		{"The amendment breaks 1 promise.", review(engine.New, engine.Kept)},
		{"The amendment breaks 2 promises and weakens 1 promise.", review(engine.New, engine.Weakened, engine.New)},
		{"The amendment weakens 1 promise and leaves 1 promise broken whose waiver has expired.", review(engine.WaiverExpired, engine.Weakened)},
		{"The amendment mends 1 promise and breaks no promise.", review(engine.Repaired)},
		{"The amendment mends 1 promise and breaks no promise that was kept; 2 were broken before, and still are.", review(engine.Repaired, engine.Standing, engine.Standing)},
		{"The amendment breaks no promise of the contracts that remain.", removed},
		{"Whether every promise is kept could not be decided within the limits.", review(engine.Undecided, engine.Repaired)},
		{"The amended text has errors, so that not every promise could be checked.", review(engine.Meaningless, engine.New)},
		{"The amendment breaks 1 promise, by a waiver that counts.", waived},
		{"", owing(engine.Kept)}, // the line that sums up says it
	} {
		if got := lead(balanced(c.of)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, c := range []struct {
		head, rest string
		of         *engine.Review
	}{
		{"No promise is broken, but what is owed changes.", "1 kept; 1 contract looked at, 1 changed.", owing(engine.Kept)},
		{"No promise is newly broken, but what is owed changes.", "1 still violated; 1 contract looked at, 1 changed.", owing(engine.Standing)},
		{"The amendment breaks no promise.", "Nothing to object to; 1 kept; 1 contract looked at, 1 changed.", review(engine.Kept)},
		{"The amendment breaks 1 promise.", "1 new violation; 1 contract looked at, 1 changed.", review(engine.New)},
	} {
		if got := SumReviewed(c.of); got.Head != c.head || got.Rest != c.rest {
			t.Errorf("%q, and %q, want %q, and %q", got.Head, got.Rest, c.head, c.rest)
		}
	}
}
