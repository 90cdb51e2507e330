package report

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
)

const sellerFile = "contracts/sale/seller.contract.hcl"

func lines(file string, from, to int) hcl.Range {
	return hcl.Range{Filename: file, Start: hcl.Pos{Line: from, Column: 1, Byte: 10 * from}, End: hcl.Pos{Line: to, Column: 1, Byte: 10 * to}}
}

// withdrawing is the amendment by which the seller may withdraw during the sale.
func withdrawing() *finding.Review {
	head := sound()
	head.Digest, head.Model = "sha256:01", saleModel(12, 17, 1)
	head.Requirements = []finding.Requirement{kept(), discharge(finding.Violated)}
	block := finding.Block{Name: `party "seller" / transition "withdraw"`, Action: "added", Source: at(sellerFile, 31, 3, 26)}
	mended := finding.Repair{What: `Take the transition "withdraw" of the seller out again`, Edits: []finding.Edit{{
		Range: lines(sellerFile, 31, 36), Old: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n",
	}}}
	guarded := finding.Repair{What: `Let "withdraw" happen only while no purchase has started`, Edits: []finding.Edit{{
		Range: lines(sellerFile, 31, 36), Old: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n",
		New: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    when = { started = false }\n    set  = { GAV = false }\n  }\n",
	}}}
	return &finding.Review{Base: "main", Head: "HEAD", Contracts: []finding.ContractReview{{
		Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: finding.Changed, Base: sound(), Head: head,
		Findings: []finding.Finding{
			{Kind: finding.Kept, Name: "goods-only-when-requested", Head: point(kept()), Base: point(kept())},
			{Kind: finding.New, Name: "discharge", Head: point(discharge(finding.Violated)), Base: point(discharge(finding.Holds)),
				Refusal: &finding.Refusal{Step: 5, Instead: []string{"delivery is accepted", "the goods are taken; or not"}},
				Blame:   &finding.Blame{Blocks: []finding.Block{block}, Smallest: true}, Repairs: []finding.Repair{mended, guarded}},
			{Kind: finding.New, Name: "dead-end", Check: point(stuck("")), Refusal: &finding.Refusal{Step: 1},
				Blame: &finding.Blame{Blocks: []finding.Block{block, {Name: `event "GAC"`, Action: "removed", Source: at(saleFile, 1, 1, 16), Was: at(saleFile, 40, 1, 12)},
					{Name: `party "seller" / transition "end"`, Action: "changed", Terms: []string{"from", "set"}, Source: at(sellerFile, 20, 3, 20), Was: at(sellerFile, 20, 3, 20)}}}},
		},
		Difference: withdrawal(),
	}}}
}

func withdrawal() *finding.Difference {
	run := []finding.Firing{ready(1, "seller"), ready(2, "purchaser"), request(3), withdraw(4)}
	gone := []finding.Firing{ready(1, "seller"), request(2)}
	return &finding.Difference{
		Changes: []diff.Change{
			{Action: diff.Renamed, Element: diff.State, Name: "seller.S1", Was: "seller.ready-to-sell", Base: at(sellerFile, 4, 3, 20), Head: at(sellerFile, 4, 3, 13), Fingerprint: "r1"},
			{Action: diff.Added, Element: diff.Transition, Name: "seller.withdraw", Head: at(sellerFile, 31, 3, 26), Fingerprint: "a1"},
			{Action: diff.Added, Element: diff.Transition, Name: "purchaser.cancel", Head: at(saleFile, 31, 3, 26), Fingerprint: "a2"},
			{Action: diff.Rewired, Element: diff.Transition, Name: "seller.end", Terms: []diff.Term{{Word: "from", Was: "S3", Now: "S2"}, {Word: "when", Now: "GAV"}, {Word: "set", Was: "GAV = false"}}, Fingerprint: "w1"},
			{Action: diff.Removed, Element: diff.Event, Name: "GAC", Base: at(saleFile, 40, 1, 12), Fingerprint: "d1"},
		},
		All: finding.Behaviour{Relation: delta.Both, MoreThan: 2,
			Possible: []finding.Sequence{{Run: run, Refused: "seller.withdraw", Instead: []string{"delivery is accepted", "purchaser accepts the goods"}},
				{Run: append(run[:3:3], accept(4), withdraw(5)), Refused: "seller.withdraw"}},
			Impossible: []finding.Sequence{{Run: gone, Refused: "GAC"}}},
		Views: []finding.View{
			{Party: "broker", In: diff.InHead},
			{Party: "carrier", Behaviour: finding.Behaviour{Relation: delta.Same}},
			{Party: "purchaser", Behaviour: finding.Behaviour{Relation: delta.Unknown, Reason: "the limit of 1,000 states was reached"}},
			{Party: "seller", Behaviour: finding.Behaviour{Relation: delta.More, Possible: []finding.Sequence{{Run: run, Refused: "seller.withdraw"}}}},
		},
		States: finding.States{Appeared: 2, Vanished: 1, NewDead: 4, LostDead: 1,
			AppearedShown: []finding.Situation{{Run: run, End: states([]string{"not ready"}, []string{"waiting for delivery"})}},
			NewDeadEnds:   []finding.Situation{{Run: run, End: states([]string{"not ready"}, []string{"waiting for delivery"})}},
			LostDeadEnds:  []finding.Situation{{End: states([]string{"not ready"}, []string{"not ready"})}},
			Died:          []finding.Clause{{Name: "GAC", Title: "delivery is accepted", Clause: "2.2", Source: at(saleFile, 40, 1, 12)}},
			Alive:         []finding.Clause{{Name: "seller.end"}}},
		Exposure: []finding.Exposure{
			{Party: "purchaser", Base: &finding.Exposed{States: 4, Of: 10, From: []string{"purchaser pays"}, To: []string{"delivery is accepted"}, Ends: true, Early: true},
				Head: &finding.Exposed{States: 6, Of: 12, From: []string{"purchaser pays"}, To: []string{"delivery is accepted", "seller withdraws"}}},
			{Party: "seller", Base: &finding.Exposed{States: 2, Of: 10, From: []string{"goods are sent"}, To: []string{"purchaser pays"}, Ends: true},
				Head: &finding.Exposed{States: 2, Of: 12, From: []string{"goods are sent"}, To: []string{"purchaser pays"}, Ends: true}},
			{Party: "bank", Head: &finding.Exposed{Of: 12}},
			{Party: "guarantor", Base: &finding.Exposed{States: 1, Of: 10, From: []string{"goods are sent"}, To: []string{"purchaser pays"}, Ends: true},
				Head: &finding.Exposed{Of: 12, Ends: true, None: true, Owes: true, Owed: true}},
		},
		Picture: samplePicture(),
	}
}

func samplePicture() *finding.Picture {
	return &finding.Picture{
		States: []finding.PictureState{
			{Words: states([]string{"not ready"}, []string{"not ready"}), Start: true},
			{Words: states([]string{"sale started", "goods available (yes)"}, []string{"ready"})},
			{Words: states([]string{"not ready"}, []string{"waiting for delivery"}), Stuck: true, In: diff.InHead},
			{Words: states(nil, []string{"ready"}), In: diff.InBase},
		},
		Arcs: []finding.PictureArc{
			{From: 0, To: 1, Label: "request for goods"}, {From: 1, To: 0, Label: "seller withdraws", In: diff.InHead},
			{From: 1, To: 2, Label: "seller withdraws", In: diff.InHead}, {From: 1, To: 2, Label: "seller gives up", In: diff.InHead},
			{From: 1, To: 3, Label: "delivery is accepted", In: diff.InBase},
		},
	}
}

// comparing is a review whose only content is a difference.
func comparing(d *finding.Difference) *finding.Review {
	return &finding.Review{Base: "main", Head: "HEAD", Contracts: []finding.ContractReview{{
		Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: finding.Changed, Base: sound(), Head: sound(),
		Findings:   []finding.Finding{{Kind: finding.Kept, Name: "discharge", Head: point(discharge(finding.Holds)), Base: point(discharge(finding.Holds))}},
		Difference: d,
	}}}
}

// reworded is an amendment that changes the text and nothing that can happen.
func rewordedOnly() *finding.Review {
	return comparing(&finding.Difference{
		Changes: []diff.Change{{Action: diff.Added, Element: diff.Requirement, Name: "discharge", Head: at(saleFile, 60, 3, 20), Fingerprint: "a"}},
		All:     finding.Behaviour{Relation: delta.Same}, Views: []finding.View{{Party: "purchaser", Behaviour: finding.Behaviour{Relation: delta.Same}}},
		Picture: &finding.Picture{States: samplePicture().States[:2], Arcs: samplePicture().Arcs[:1]},
	})
}

// choosing leaves other choices open.
func choosing() *finding.Review {
	return comparing(&finding.Difference{
		All: finding.Behaviour{Observed: []string{"RFG", "GAC"}, Relation: delta.Otherwise,
			Choice: &finding.Choice{Run: []finding.Firing{ready(1, "seller"), request(2)}, Head: true, Next: []string{"delivery is accepted"},
				Others: [][]string{{"delivery is accepted", "seller withdraws"}, {}}}},
		Views:  []finding.View{{Party: "seller", Behaviour: finding.Behaviour{Relation: delta.Otherwise}}},
		States: finding.States{Unknown: "the limit of 1,000 states was reached"},
	})
}

// released drops a duty and brings another sooner; after that nothing else can happen than before.
func released() *finding.Review {
	owed := func(ticks int) finding.NormState {
		return finding.NormState{State: "owed", Bearer: "seller", Counterparty: "purchaser", Ticks: ticks}
	}
	deliver := finding.NormDifference{Norm: "deliver", Kind: "obligation", Title: "deliver the goods", Side: diff.InBase, Run: []finding.Firing{ready(1, "seller"), request(2)},
		End: states([]string{"not ready"}, []string{"ready"}), Was: []finding.NormState{owed(3)}, Now: []finding.NormState{{}}, Better: []string{"seller"}, Worse: []string{"purchaser"}}
	refund := finding.NormDifference{Norm: "refund", Kind: "obligation", Side: diff.InHead, Was: []finding.NormState{owed(9), {}}, Now: []finding.NormState{owed(1)},
		Better: []string{"purchaser"}, Worse: []string{"seller"}}
	over := finding.NormDifference{Norm: "contract", Kind: "contract", Side: diff.InHead, Was: []finding.NormState{{}}, Now: []finding.NormState{{State: "ended"}}}
	all := finding.Behaviour{Relation: delta.Same, Owed: &finding.Owed{Relation: delta.Both, Norms: []finding.NormDifference{over, deliver, refund}, Unshown: 1}}
	return comparing(&finding.Difference{
		All: all,
		Views: []finding.View{{Party: "bank", Behaviour: finding.Behaviour{Relation: delta.Same}},
			{Party: "carrier", Behaviour: finding.Behaviour{Relation: delta.Same, Owed: &finding.Owed{Reason: "the limit of 1,000 states was reached"}}},
			{Party: "purchaser", Behaviour: all}, {Party: "seller", Behaviour: all}},
	})
}

// outgrown is a difference of which little is known.
func outgrown() *finding.Review {
	r := comparing(&finding.Difference{
		All:    finding.Behaviour{Relation: delta.Unknown, Reason: "the limit of 1,000,000 states was reached"},
		States: finding.States{Unknown: "the limit of 1,000,000 states was reached"},
	})
	r.Contracts[0].Findings = []finding.Finding{{Kind: finding.New, Name: "discharge", Head: point(discharge(finding.Violated)), Base: point(discharge(finding.Holds)),
		Blame: &finding.Blame{Reason: "the time for it was up"}}}
	return r
}
