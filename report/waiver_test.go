package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

var (
	oneRun   = "sha256:" + strings.Repeat("1a", 32)
	otherRun = "sha256:" + strings.Repeat("2b", 32)
)

// waiving is the violated promise of a discharge, with a waiver that has come to state.
func waiving(name string, state finding.WaiverState, expires string) finding.Requirement {
	q := discharge(finding.Violated)
	q.Name, q.Run = name, oneRun
	q.Waiver = &finding.Waiver{Reason: "the parties settle such sales by hand", Approver: "R. Roe, legal", Expires: expires,
		Run: oneRun, State: state, Source: at(saleFile, 61, 3, 9)}
	if state == finding.OtherRun {
		q.Waiver.Run = otherRun
	}
	return q
}

// heldBy is a promise that fails while somebody waits.
func heldBy(name string, rests finding.Rests) finding.Requirement {
	q := lasting()
	q.Name, q.Run, q.Rests = name, oneRun, &rests
	return q
}

// timely fails while time stands still.
func timely(q finding.Requirement) finding.Requirement {
	q.Timely = true
	return q
}

func assumes(q finding.Requirement, names ...string) finding.Requirement {
	q.Assuming = names
	return q
}

// restsAlone says on whom alone it may rest.
func restsAlone(q finding.Requirement, names ...string) finding.Requirement {
	q.Resting, q.RestsOn = true, names
	return q
}

// noRuns holds for want of runs.
func noRuns() finding.Requirement {
	q := kept()
	q.NoRuns = true
	return q
}

func TestWaiverGoldens(t *testing.T) {
	r := sound()
	r.Requirements = []finding.Requirement{
		assumes(kept(), "purchaser"),
		waiving("accepted", finding.InForce, "2027-03-31"), waiving("accepted-for-good", finding.InForce, ""),
		waiving("over", finding.Expired, "2026-03-31"), waiving("undated", finding.Undated, "2027-03-31"), waiving("another", finding.OtherRun, ""),
		heldBy("one", finding.Rests{Sets: [][]string{{"purchaser"}}}), heldBy("either", finding.Rests{Sets: [][]string{{"seller"}, {"purchaser", "time"}}, More: true}),
		assumes(timely(heldBy("together", finding.Rests{Sets: [][]string{{"purchaser", "bank"}}})), "seller", "carrier"),
		heldBy("time", finding.Rests{Sets: [][]string{{"time"}}}), heldBy("nobody", finding.Rests{Sets: [][]string{{}}}), heldBy("nothing", finding.Rests{}),
		heldBy("never-ideal", finding.Rests{NoRuns: true}), heldBy("seller-and-time", finding.Rests{Sets: [][]string{{"seller", "time"}}}), assumes(heldBy("any", finding.Rests{Sets: [][]string{{"seller"}, {"time"}}}), "time"),
		heldBy("norms", finding.Rests{Norms: [][]finding.KeptNorm{{{Norm: "deliver", Bearer: "seller"}}, {{Norm: "pay", Bearer: "purchaser"}, {Norm: "lend", Bearer: "bank"}}}}),
		restsAlone(heldBy("alone", finding.Rests{Sets: [][]string{{"purchaser", "seller"}}}), "seller"), restsAlone(heldBy("whoever-waits", finding.Rests{Sets: [][]string{{"seller"}}})),
		restsAlone(noRuns(), "bank", "seller", "time"), assumes(noRuns(), "time"), noRuns(),
		heldBy("unknown", finding.Rests{Unknown: "the run was cancelled"}),
	}
	results := []*finding.Result{r}
	golden(t, "waived", map[string]string{
		"text-80": textOf(t, results, 80), "text-120": textOf(t, results, 120), "markdown": markdown.Results(results), "json": asJSON(t, results),
	})
}

func TestWaiverReviewGoldens(t *testing.T) {
	review := waivedAmendment()
	golden(t, "amendment-waived", map[string]string{
		"text-80": textReview(t, review, 80), "text-120": textReview(t, review, 120),
		"markdown": markdown.Review(review), "json": reviewAsJSON(t, review),
	})
}

// waivedAmendment has each way in which a waiver matters, and a contract that is the same but for the day.
func waivedAmendment() *finding.Review {
	standing, fresh := waiving("standing", finding.InForce, "2027-03-31"), waiving("fresh", finding.InForce, "")
	over, bare := waiving("over", finding.Expired, "2026-03-31"), discharge(finding.Violated)
	bare.Run = oneRun
	r := &finding.Review{Base: "main", Head: "HEAD", Contracts: []finding.ContractReview{
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: finding.Changed, Base: sound(), Head: sound(), Acceptances: []finding.Acceptance{
			{Kind: finding.AcceptWaiver, Contract: "contracts/sale", Name: "fresh", File: "contracts/sale/a.contract.hcl", Reason: "settled", Needed: true,
				Needs: []string{"@acme/legal", "@bob"}, Commit: "c0ffee0000000000000000000000000000000000"},
			{Kind: finding.AcceptWaiver, Contract: "contracts/sale", Name: "standing", Reason: "settled", Needed: true, State: finding.ByBase},
			{Kind: finding.AcceptFinding, Contract: "contracts/sale", Name: "dead-end", Reason: "it ends there", Needed: true, State: finding.Unreadable,
				Why: "The token may not read teams."},
		}, Findings: []finding.Finding{
			{Kind: finding.Waived, Name: "standing", Head: &standing, Base: &standing},
			{Kind: finding.Waived, Name: "fresh", Head: &fresh, Base: point(discharge(finding.Holds))},
			{Kind: finding.New, Name: "taken-away", Head: &bare, Base: &standing},
			{Kind: finding.New, Name: "other", Head: point(waiving("other", finding.OtherRun, "")), Base: &standing},
		}},
		{Path: "contracts/lease", Name: "lease", Title: "Lease of a shop", Status: finding.Same, Base: sound(), Head: sound(), Findings: []finding.Finding{
			{Kind: finding.WaiverExpired, Name: "over", Head: &over, Base: &over},
		}},
	}}
	r.Link()
	return r
}

// A waiver that merely stands elsewhere in the text is not told as changed.
func TestWaiverMoved(t *testing.T) {
	was, now := waiving("accepted", finding.InForce, ""), waiving("accepted", finding.InForce, "")
	now.Waiver.Source.Start.Line++
	if said := words.WaiverSince(finding.Finding{Kind: finding.Waived, Head: &now, Base: &was}); said != "" {
		t.Errorf("said %q", said)
	}
	now.Waiver.Approver = "J. Doe"
	if words.WaiverSince(finding.Finding{Kind: finding.Waived, Head: &now, Base: &was}) == "" {
		t.Error("another approver is no change")
	}
	was.Waiver.Approver, was.Verdict, was.Waiver.State = "J. Doe", finding.Holds, finding.Needless
	if said := words.WaiverSince(finding.Finding{Kind: finding.Waived, Head: &now, Base: &was}); said != "Base has this waiver already, so it counts." {
		t.Errorf("of a waiver of base for a promise that held: %q", said)
	}
}
