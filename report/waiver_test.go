package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
)

var (
	oneRun   = "sha256:" + strings.Repeat("1a", 32)
	otherRun = "sha256:" + strings.Repeat("2b", 32)
)

// waiving is the violated promise of a discharge, with a waiver that has come to state.
func waiving(name string, state engine.WaiverState, expires string) engine.Requirement {
	q := discharge(engine.Violated)
	q.Name, q.Run = name, oneRun
	q.Waiver = &engine.Waiver{Reason: "the parties settle such sales by hand", Approver: "R. Roe, legal", Expires: expires,
		Run: oneRun, State: state, Source: at(saleFile, 61, 3, 9)}
	if state == engine.OtherRun {
		q.Waiver.Run = otherRun
	}
	return q
}

// heldBy is a promise that fails while somebody waits.
func heldBy(name string, rests engine.Rests) engine.Requirement {
	q := lasting()
	q.Name, q.Run, q.Rests = name, oneRun, &rests
	return q
}

// timely fails while time stands still.
func timely(q engine.Requirement) engine.Requirement {
	q.Timely = true
	return q
}

func assumes(q engine.Requirement, names ...string) engine.Requirement {
	q.Assuming = names
	return q
}

// restsAlone says on whom alone it may rest.
func restsAlone(q engine.Requirement, names ...string) engine.Requirement {
	q.Resting, q.RestsOn = true, names
	return q
}

// noRuns holds for want of runs.
func noRuns() engine.Requirement {
	q := kept()
	q.NoRuns = true
	return q
}

func TestWaiverGoldens(t *testing.T) {
	r := sound()
	r.Requirements = []engine.Requirement{
		assumes(kept(), "purchaser"),
		waiving("accepted", engine.InForce, "2027-03-31"), waiving("accepted-for-good", engine.InForce, ""),
		waiving("over", engine.Expired, "2026-03-31"), waiving("undated", engine.Undated, "2027-03-31"), waiving("another", engine.OtherRun, ""),
		heldBy("one", engine.Rests{Sets: [][]string{{"purchaser"}}}), heldBy("either", engine.Rests{Sets: [][]string{{"seller"}, {"purchaser", "time"}}, More: true}),
		assumes(timely(heldBy("together", engine.Rests{Sets: [][]string{{"purchaser", "bank"}}})), "seller", "carrier"),
		heldBy("time", engine.Rests{Sets: [][]string{{"time"}}}), heldBy("nobody", engine.Rests{Sets: [][]string{{}}}), heldBy("nothing", engine.Rests{}),
		heldBy("never-ideal", engine.Rests{NoRuns: true}), heldBy("seller-and-time", engine.Rests{Sets: [][]string{{"seller", "time"}}}), assumes(heldBy("any", engine.Rests{Sets: [][]string{{"seller"}, {"time"}}}), "time"),
		heldBy("norms", engine.Rests{Norms: [][]engine.KeptNorm{{{Norm: "deliver", Bearer: "seller"}}, {{Norm: "pay", Bearer: "purchaser"}, {Norm: "lend", Bearer: "bank"}}}}),
		restsAlone(heldBy("alone", engine.Rests{Sets: [][]string{{"purchaser", "seller"}}}), "seller"), restsAlone(heldBy("whoever-waits", engine.Rests{Sets: [][]string{{"seller"}}})),
		restsAlone(noRuns(), "bank", "seller", "time"), assumes(noRuns(), "time"), noRuns(),
		heldBy("unknown", engine.Rests{Unknown: "the run was cancelled"}),
	}
	results := []*engine.Result{r}
	golden(t, "waived", map[string]string{
		"text-80": textOf(t, results, 80), "text-120": textOf(t, results, 120), "markdown": Markdown(results), "json": asJSON(t, results),
	})
}

func TestWaiverReviewGoldens(t *testing.T) {
	review := waivedAmendment()
	golden(t, "amendment-waived", map[string]string{
		"text-80": textReview(t, review, 80), "text-120": textReview(t, review, 120),
		"markdown": MarkdownReview(review), "json": reviewAsJSON(t, review),
	})
}

// waivedAmendment has each way in which a waiver matters, and a contract that is the same but for the day.
func waivedAmendment() *engine.Review {
	standing, fresh := waiving("standing", engine.InForce, "2027-03-31"), waiving("fresh", engine.InForce, "")
	over, bare := waiving("over", engine.Expired, "2026-03-31"), discharge(engine.Violated)
	bare.Run = oneRun
	r := &engine.Review{Base: "main", Head: "HEAD", Contracts: []engine.ContractReview{
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: engine.Changed, Base: sound(), Head: sound(), Acceptances: []engine.Acceptance{
			{Kind: engine.AcceptWaiver, Contract: "contracts/sale", Name: "fresh", File: "contracts/sale/a.contract.hcl", Reason: "settled", Needed: true,
				Needs: []string{"@acme/legal", "@bob"}, Commit: "c0ffee0000000000000000000000000000000000"},
			{Kind: engine.AcceptWaiver, Contract: "contracts/sale", Name: "standing", Reason: "settled", Needed: true, State: engine.ByBase},
			{Kind: engine.AcceptFinding, Contract: "contracts/sale", Name: "dead-end", Reason: "it ends there", Needed: true, State: engine.Unreadable,
				Why: "The token may not read teams."},
		}, Findings: []engine.Finding{
			{Kind: engine.Waived, Name: "standing", Head: &standing, Base: &standing},
			{Kind: engine.Waived, Name: "fresh", Head: &fresh, Base: point(discharge(engine.Holds))},
			{Kind: engine.New, Name: "taken-away", Head: &bare, Base: &standing},
			{Kind: engine.New, Name: "other", Head: point(waiving("other", engine.OtherRun, "")), Base: &standing},
		}},
		{Path: "contracts/lease", Name: "lease", Title: "Lease of a shop", Status: engine.Same, Base: sound(), Head: sound(), Findings: []engine.Finding{
			{Kind: engine.WaiverExpired, Name: "over", Head: &over, Base: &over},
		}},
	}}
	r.Link()
	return r
}

// A waiver that merely stands elsewhere in the text is not told as changed.
func TestWaiverMoved(t *testing.T) {
	was, now := waiving("accepted", engine.InForce, ""), waiving("accepted", engine.InForce, "")
	now.Waiver.Source.Start.Line++
	if said := waiverSince(engine.Finding{Kind: engine.Waived, Head: &now, Base: &was}); said != "" {
		t.Errorf("said %q", said)
	}
	now.Waiver.Approver = "J. Doe"
	if waiverSince(engine.Finding{Kind: engine.Waived, Head: &now, Base: &was}) == "" {
		t.Error("another approver is no change")
	}
}
