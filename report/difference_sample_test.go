package report

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

const sellerFile = "contracts/sale/seller.contract.hcl"

func lines(file string, from, to int) hcl.Range {
	return hcl.Range{Filename: file, Start: hcl.Pos{Line: from, Column: 1, Byte: 10 * from}, End: hcl.Pos{Line: to, Column: 1, Byte: 10 * to}}
}

// withdrawing is the amendment by which the seller may withdraw during the sale.
func withdrawing() *engine.Review {
	head := sound()
	head.Digest, head.Model = "sha256:01", saleModel(12, 17, 1)
	head.Requirements = []engine.Requirement{kept(), discharge(engine.Violated)}
	block := engine.Block{Name: `party "seller" / transition "withdraw"`, Action: "added", Source: at(sellerFile, 31, 3, 26)}
	mended := engine.Repair{What: `Take the transition "withdraw" of the seller out again`, Edits: []engine.Edit{{
		Range: lines(sellerFile, 31, 36), Old: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n",
	}}}
	guarded := engine.Repair{What: `Let "withdraw" happen only while no purchase has started`, Edits: []engine.Edit{{
		Range: lines(sellerFile, 31, 36), Old: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n",
		New: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    when = { started = false }\n    set  = { GAV = false }\n  }\n",
	}}}
	return &engine.Review{Base: "main", Head: "HEAD", Contracts: []engine.ContractReview{{
		Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: engine.Changed, Base: sound(), Head: head,
		Findings: []engine.Finding{
			{Kind: engine.Kept, Name: "goods-only-when-requested", Head: point(kept()), Base: point(kept())},
			{Kind: engine.New, Name: "discharge", Head: point(discharge(engine.Violated)), Base: point(discharge(engine.Holds)),
				Refusal: &engine.Refusal{Step: 5, Instead: []string{"delivery is accepted", "the goods are taken; or not"}},
				Guilt:   &engine.Guilt{Blocks: []engine.Block{block}, Smallest: true}, Repairs: []engine.Repair{mended, guarded}},
			{Kind: engine.New, Name: "dead-end", Check: point(stuck("")), Refusal: &engine.Refusal{Step: 1},
				Guilt: &engine.Guilt{Blocks: []engine.Block{block, {Name: `event "GAC"`, Action: "removed", Source: at(saleFile, 1, 1, 16), Was: at(saleFile, 40, 1, 12)},
					{Name: `party "seller" / transition "end"`, Action: "changed", Terms: []string{"from", "set"}, Source: at(sellerFile, 20, 3, 20), Was: at(sellerFile, 20, 3, 20)}}}},
		},
		Difference: withdrawal(),
	}}}
}

func withdrawal() *engine.Difference {
	run := []engine.Firing{ready(1, "seller"), ready(2, "purchaser"), request(3), withdraw(4)}
	gone := []engine.Firing{ready(1, "seller"), request(2)}
	return &engine.Difference{
		Changes: []delta.Change{
			{Action: delta.Renamed, Element: delta.State, Name: "seller.S1", Was: "seller.ready-to-sell", Base: at(sellerFile, 4, 3, 20), Head: at(sellerFile, 4, 3, 13), Fingerprint: "r1"},
			{Action: delta.Added, Element: delta.Transition, Name: "seller.withdraw", Head: at(sellerFile, 31, 3, 26), Fingerprint: "a1"},
			{Action: delta.Added, Element: delta.Transition, Name: "purchaser.cancel", Head: at(saleFile, 31, 3, 26), Fingerprint: "a2"},
			{Action: delta.Rewired, Element: delta.Transition, Name: "seller.end", Terms: []delta.Term{{Word: "from", Was: "S3", Now: "S2"}, {Word: "when", Now: "GAV"}, {Word: "set", Was: "GAV = false"}}, Fingerprint: "w1"},
			{Action: delta.Removed, Element: delta.Event, Name: "GAC", Base: at(saleFile, 40, 1, 12), Fingerprint: "d1"},
		},
		All: engine.Behaviour{Relation: delta.Both, MoreThan: 2,
			Possible: []engine.Sequence{{Run: run, Refused: "seller.withdraw", Instead: []string{"delivery is accepted", "purchaser accepts the goods"}},
				{Run: append(run[:3:3], accept(4), withdraw(5)), Refused: "seller.withdraw"}},
			Impossible: []engine.Sequence{{Run: gone, Refused: "GAC"}}},
		Views: []engine.View{
			{Party: "broker", In: delta.InHead},
			{Party: "carrier", Behaviour: engine.Behaviour{Relation: delta.Same}},
			{Party: "purchaser", Behaviour: engine.Behaviour{Relation: delta.Unknown, Reason: "the limit of 1,000 states was reached"}},
			{Party: "seller", Behaviour: engine.Behaviour{Relation: delta.More, Possible: []engine.Sequence{{Run: run, Refused: "seller.withdraw"}}}},
		},
		States: engine.States{Appeared: 2, Vanished: 1, NewDead: 4, LostDead: 1,
			AppearedShown: []engine.Situation{{Run: run, End: states([]string{"not ready"}, []string{"waiting for delivery"})}},
			NewDeadEnds:   []engine.Situation{{Run: run, End: states([]string{"not ready"}, []string{"waiting for delivery"})}},
			LostDeadEnds:  []engine.Situation{{End: states([]string{"not ready"}, []string{"not ready"})}},
			Died:          []engine.Clause{{Name: "GAC", Title: "delivery is accepted", Clause: "2.2", Source: at(saleFile, 40, 1, 12)}},
			Alive:         []engine.Clause{{Name: "seller.end"}}},
		Exposure: []engine.Exposure{
			{Party: "purchaser", Base: &engine.Exposed{States: 4, Of: 10, From: []string{"purchaser pays"}, To: []string{"delivery is accepted"}, Ends: true},
				Head: &engine.Exposed{States: 6, Of: 12, From: []string{"purchaser pays"}, To: []string{"delivery is accepted", "seller withdraws"}}},
			{Party: "seller", Base: &engine.Exposed{States: 2, Of: 10, From: []string{"goods are sent"}, To: []string{"purchaser pays"}, Ends: true},
				Head: &engine.Exposed{States: 2, Of: 12, From: []string{"goods are sent"}, To: []string{"purchaser pays"}, Ends: true}},
			{Party: "bank", Head: &engine.Exposed{Of: 12}},
		},
		Picture: samplePicture(),
	}
}

func samplePicture() *engine.Picture {
	return &engine.Picture{
		States: []engine.PictureState{
			{Words: states([]string{"not ready"}, []string{"not ready"}), Start: true},
			{Words: states([]string{"sale started", "goods available (yes)"}, []string{"ready"})},
			{Words: states([]string{"not ready"}, []string{"waiting for delivery"}), Stuck: true, In: delta.InHead},
			{Words: states(nil, []string{"ready"}), In: delta.InBase},
		},
		Arcs: []engine.PictureArc{
			{From: 0, To: 1, Label: "request for goods"}, {From: 1, To: 0, Label: "seller withdraws", In: delta.InHead},
			{From: 1, To: 2, Label: "seller withdraws", In: delta.InHead}, {From: 1, To: 2, Label: "seller gives up", In: delta.InHead},
			{From: 1, To: 3, Label: "delivery is accepted", In: delta.InBase},
		},
	}
}

// comparing is a review whose only content is a difference.
func comparing(d *engine.Difference) *engine.Review {
	return &engine.Review{Base: "main", Head: "HEAD", Contracts: []engine.ContractReview{{
		Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: engine.Changed, Base: sound(), Head: sound(),
		Findings:   []engine.Finding{{Kind: engine.Kept, Name: "discharge", Head: point(discharge(engine.Holds)), Base: point(discharge(engine.Holds))}},
		Difference: d,
	}}}
}

// reworded is an amendment that changes the text and nothing that can happen.
func rewordedOnly() *engine.Review {
	return comparing(&engine.Difference{
		Changes: []delta.Change{{Action: delta.Added, Element: delta.Requirement, Name: "discharge", Head: at(saleFile, 60, 3, 20), Fingerprint: "a"}},
		All:     engine.Behaviour{Relation: delta.Same}, Views: []engine.View{{Party: "purchaser", Behaviour: engine.Behaviour{Relation: delta.Same}}},
		Picture: &engine.Picture{States: samplePicture().States[:2], Arcs: samplePicture().Arcs[:1]},
	})
}

// choosing leaves other choices open.
func choosing() *engine.Review {
	return comparing(&engine.Difference{
		All: engine.Behaviour{Observed: []string{"RFG", "GAC"}, Relation: delta.Otherwise,
			Choice: &engine.Choice{Run: []engine.Firing{ready(1, "seller"), request(2)}, Head: true, Next: []string{"delivery is accepted"},
				Others: [][]string{{"delivery is accepted", "seller withdraws"}, {}}}},
		Views:  []engine.View{{Party: "seller", Behaviour: engine.Behaviour{Relation: delta.Otherwise}}},
		States: engine.States{Unknown: "the limit of 1,000 states was reached"},
	})
}

// released drops a duty and brings another sooner; after that nothing else can happen than before.
func released() *engine.Review {
	owed := func(ticks int) engine.NormState {
		return engine.NormState{State: "owed", Bearer: "seller", Counterparty: "purchaser", Ticks: ticks}
	}
	deliver := engine.NormDifference{Norm: "deliver", Kind: "obligation", Title: "deliver the goods", Side: delta.InBase, Run: []engine.Firing{ready(1, "seller"), request(2)},
		End: states([]string{"not ready"}, []string{"ready"}), Was: []engine.NormState{owed(3)}, Now: []engine.NormState{{}}, Better: []string{"seller"}, Worse: []string{"purchaser"}}
	refund := engine.NormDifference{Norm: "refund", Kind: "obligation", Side: delta.InHead, Was: []engine.NormState{owed(9), {}}, Now: []engine.NormState{owed(1)},
		Better: []string{"purchaser"}, Worse: []string{"seller"}}
	over := engine.NormDifference{Norm: "contract", Kind: "contract", Side: delta.InHead, Was: []engine.NormState{{}}, Now: []engine.NormState{{State: "ended"}}}
	all := engine.Behaviour{Relation: delta.Same, Owed: &engine.Owed{Relation: delta.Both, Norms: []engine.NormDifference{over, deliver, refund}, Unshown: 1}}
	return comparing(&engine.Difference{
		All: all,
		Views: []engine.View{{Party: "bank", Behaviour: engine.Behaviour{Relation: delta.Same}},
			{Party: "carrier", Behaviour: engine.Behaviour{Relation: delta.Same, Owed: &engine.Owed{Reason: "the limit of 1,000 states was reached"}}},
			{Party: "purchaser", Behaviour: all}, {Party: "seller", Behaviour: all}},
	})
}

// outgrown is a difference of which little is known.
func outgrown() *engine.Review {
	r := comparing(&engine.Difference{
		All:    engine.Behaviour{Relation: delta.Unknown, Reason: "the limit of 1,000,000 states was reached"},
		States: engine.States{Unknown: "the limit of 1,000,000 states was reached"},
	})
	r.Contracts[0].Findings = []engine.Finding{{Kind: engine.New, Name: "discharge", Head: point(discharge(engine.Violated)), Base: point(discharge(engine.Holds)),
		Guilt: &engine.Guilt{Reason: "the time for it was up"}}}
	return r
}
