package report

import (
	"math/big"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// The samples are small results as an engine would hand them over, after the sale of Daskalopulu's
// paper with one drafting mistake each.

func at(file string, line, from, to int) hcl.Range {
	return hcl.Range{Filename: file,
		Start: hcl.Pos{Line: line, Column: from, Byte: from}, End: hcl.Pos{Line: line, Column: to, Byte: to}}
}

const saleFile = "contracts/sale/sale.contract.hcl"

func saleModel(states, arcs, dead int64) finding.Model {
	return finding.Model{Places: 10, Transitions: 8, States: big.NewInt(states), Arcs: big.NewInt(arcs), DeadEnds: big.NewInt(dead), Firing: "one", Engine: "explicit"}
}

func changed(party string, before, after []string) finding.Change {
	return finding.Change{Party: party, Before: before, After: after}
}

func ready(step int, party string) finding.Firing {
	return finding.Firing{Step: step, Parties: []string{party}, Transitions: []string{party + ".ready"},
		Changed: []finding.Change{changed(party, []string{"not ready"}, []string{"ready"})}}
}

func request(step int) finding.Firing {
	return finding.Firing{Step: step, Event: "RFG", Title: "request for goods", Clause: "2.1", Parties: []string{"seller", "purchaser"},
		Transitions: []string{"seller.SellerRFG_T", "purchaser.PurchaserRFG_T"},
		Changed:     []finding.Change{changed("seller", []string{"ready", "goods not available"}, []string{"sale started", "goods available"})}}
}

func withdraw(step int) finding.Firing {
	return finding.Firing{Step: step, Title: "seller withdraws", Parties: []string{"seller"}, Transitions: []string{"seller.withdraw"},
		Changed: []finding.Change{changed("seller", []string{"sale started", "goods available"}, []string{"not ready", "goods not available"})}}
}

func accept(step int) finding.Firing {
	return finding.Firing{Step: step, Event: "GAV", Title: "purchaser accepts the goods", Parties: []string{"seller", "purchaser"},
		Transitions: []string{"seller.GAV_T", "purchaser.GAV_T"},
		Changed:     []finding.Change{changed("purchaser", []string{"ready"}, []string{"waiting for delivery"})}}
}

func states(seller, purchaser []string) []finding.PartyState {
	return []finding.PartyState{{Party: "seller", Places: seller}, {Party: "purchaser", Places: purchaser}}
}

func kept() finding.Requirement {
	return finding.Requirement{Name: "goods-only-when-requested", Title: "The seller asserts that goods are available only after the purchaser is ready to receive them",
		Clause: "2.3", Formula: "AG ((!seller.GAV_T && EX seller.GAV_T) -> purchaser.P1)", Notation: "ctl", Verdict: finding.Holds, Source: at(saleFile, 52, 3, 30)}
}

func discharge(v finding.Verdict) finding.Requirement {
	r := finding.Requirement{Name: "discharge", Title: "The transaction can always come back to its start", Clause: "9",
		Formula: "AG EF (seller.S0 && purchaser.P0)", Notation: "ctl", Verdict: v, Source: at(saleFile, 60, 3, 20)}
	if v == finding.Violated {
		r.Trace = &finding.Trace{
			Claim:   "EF (seller.S0 && purchaser.P0) is false",
			Prefix:  []finding.Firing{ready(1, "seller"), ready(2, "purchaser"), request(3), accept(4), withdraw(5)},
			DeadEnd: true,
			End:     states([]string{"not ready", "goods not available"}, []string{"waiting for delivery"}),
		}
	}
	return r
}

func lasting() finding.Requirement {
	return finding.Requirement{Name: "goods-last", Title: "Goods stay available until the purchaser has them",
		Formula: "G(seller.GAV_T -> (seller.GAV_T AU purchaser.P3))", Notation: "table1", Verdict: finding.Violated, Source: at(saleFile, 64, 3, 20),
		Trace: &finding.Trace{
			Claim:  "seller.GAV_T -> (seller.GAV_T AU purchaser.P3) is false",
			Prefix: []finding.Firing{ready(1, "seller"), ready(2, "purchaser"), request(3)},
			End:    states([]string{"sale started", "goods available"}, []string{"ready"}),
			Then: []*finding.Trace{{
				After: 3, Claim: "seller.GAV_T AU purchaser.P3 is false", Loop: []finding.Firing{accept(4), withdraw(5), request(6)},
				End: states([]string{"sale started", "goods available"}, []string{"ready"}),
			}},
		}}
}

func hollow() finding.Requirement {
	return finding.Requirement{Name: "refund", Title: "A refund follows every cancelled sale", Clause: "Article 4(2)", Formula: "AG (purchaser.cancelled -> AF seller.refunded)",
		Notation: "ctl", Verdict: finding.Holds, Vacuous: []finding.Vacuity{{Subformula: "AF seller.refunded", Because: "purchaser.cancelled"}}, Source: at(saleFile, 70, 3, 20)}
}

func undecided() finding.Requirement {
	return finding.Requirement{Name: "completes", Title: "Every run completes", Formula: "AF done", Notation: "ctl", Verdict: finding.Unknown,
		Reason: "the limit of 1,000,000 states was reached", Source: at(saleFile, 80, 3, 20)}
}

func forgotten() finding.Diagnostic {
	return finding.Diagnostic{Code: "unused-label", Class: codes.Warning, Message: "No event mentions the label withdraw of seller",
		Detail:  "The transition may fire by itself at any time. Add the label to an event, or drop it.",
		Subject: "seller.withdraw", Source: at(saleFile, 31, 47, 55), Snippet: `    transition "withdraw" { from = S2  label = withdraw }`}
}

func contact() finding.Diagnostic {
	return finding.Diagnostic{Code: "contact", Class: codes.Error, Message: "seller.S1 would hold two tokens", Subject: "seller.ready",
		Source: at(saleFile, 20, 3, 21), Snippet: `		transition "ready" { consume = [S0] produce = [S1] }`,
		Trace: &finding.Trace{Prefix: []finding.Firing{ready(1, "seller")}, End: states([]string{"ready"}, []string{"not ready"})}}
}

func stuck(accepted string) finding.Diagnostic {
	return finding.Diagnostic{Code: "dead-end", Class: codes.Violation, Message: "The contract can come to a stop where nobody is done", Accepted: accepted,
		Source: at(saleFile, 1, 1, 16), Snippet: `contract "sale" {`,
		Trace: &finding.Trace{Prefix: []finding.Firing{ready(1, "seller")}, DeadEnd: true, End: states([]string{"ready"}, []string{"not ready"})}}
}

func sound() *finding.Result {
	return &finding.Result{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Digest: "sha256:00", Model: saleModel(10, 12, 0),
		Requirements: []finding.Requirement{kept(), discharge(finding.Holds)}}
}

func flawed() *finding.Result {
	r := sound()
	r.Digest, r.Model = "sha256:01", saleModel(12, 17, 1)
	r.Requirements = []finding.Requirement{kept(), discharge(finding.Violated), lasting(), hollow(), undecided()}
	r.Diagnostics = []finding.Diagnostic{stuck(""), forgotten()}
	return r
}

func illFormed() *finding.Result {
	r := sound()
	r.Digest, r.Model = "", finding.Model{Places: 10, Transitions: 8, Firing: "one", Engine: "explicit", Incomplete: "the contract is ill-formed"}
	r.Requirements = []finding.Requirement{{Name: "discharge", Title: "The transaction can always come back to its start", Formula: "AG EF seller.S0",
		Notation: "ctl", Verdict: finding.IllFormed, Reason: "a place would hold two tokens", Source: at(saleFile, 60, 3, 20)}}
	r.Diagnostics = []finding.Diagnostic{contact()}
	return r
}

// together fires several transitions in one step.
func together() *finding.Result {
	r := sound()
	r.Path, r.Name, r.Title, r.Model = "contracts/step", "step", "", saleModel(8, 8, 0)
	r.Model.Firing = "all"
	q := discharge(finding.Violated)
	q.Trace = &finding.Trace{Claim: "EF (seller.S0 && purchaser.P0) is false",
		Prefix: []finding.Firing{ready(1, "seller"), ready(1, "purchaser"), request(2)},
		Loop:   []finding.Firing{accept(3)}, End: states([]string{"sale started"}, []string{"ready"})}
	untitled := undecided()
	untitled.Name, untitled.Title = "untitled", ""
	r.Requirements = []finding.Requirement{q, untitled}
	r.Diagnostics = []finding.Diagnostic{stuck("the sale may be left open; both have agreed")}
	return r
}

func point[T any](v T) *T { return &v }

func amendment() *finding.Review {
	before, after := sound(), flawed()
	old := lasting()
	old.Verdict, old.Trace = finding.Holds, nil
	standing := undecided()
	standing.Verdict, standing.Reason, standing.Name = finding.Violated, "", "insured"
	wording := lasting()
	wording.Name = "goods-last-old"
	return &finding.Review{Base: "main", Head: "draft-3", Contracts: []finding.ContractReview{
		{Path: "contracts/lease", Name: "lease", Title: "Lease of a shop", Status: finding.Same},
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: finding.Changed, Base: before, Head: after, Findings: []finding.Finding{
			{Kind: finding.Kept, Name: "goods-only-when-requested", Head: point(kept()), Base: point(kept())},
			{Kind: finding.New, Name: "discharge", Head: point(discharge(finding.Violated)), Base: point(discharge(finding.Holds))},
			{Kind: finding.Kept, Name: "refund", Head: point(hollow()), Base: nil},
			{Kind: finding.Undecided, Name: "completes", Head: point(undecided())},
			{Kind: finding.Standing, Name: "insured", Head: &standing, Base: &standing},
			{Kind: finding.Weakened, Name: "goods-last-old", Head: &wording, Base: &old},
			{Kind: finding.New, Name: "dead-end", Check: point(stuck(""))},
		}},
		{Path: "contracts/old", Name: "old", Status: finding.Removed, Base: sound()},
		{Path: "contracts/step", Name: "step", Status: finding.Added, Head: sound(), Findings: []finding.Finding{
			{Kind: finding.Kept, Name: "discharge", Head: point(discharge(finding.Holds))},
		}},
	}}
}
