package published

import "github.com/redlinehq/redline/hclspec/examples"

// Amendments lists amendments to the contracts, three to each. They are reviewed word by word in the command's scripts.
var Amendments = []examples.Amendment{
	{
		Name: "secrecy-ends", Example: "mutual-nda", Title: "Confidentiality ends when the MNDA is terminated",
		Why:   "The parties want a clean end: who terminates owes nothing from then on.",
		Edits: []examples.Edit{{File: "information.contract.hcl", Old: "    lasts        = var.confidentiality\n", New: "    lasts        = var.confidentiality\n    until        = [termination-by-1, termination-by-2]\n"}},
	}, {
		Name: "slow-return", Example: "mutual-nda", Title: "Half a year to return what was disclosed",
		Why:   "The receiver needs more time to find and destroy all copies.",
		Edits: []examples.Edit{{File: "information.contract.hcl", Old: "    within       = \"1 quarter\"\n", New: "    within       = \"2 quarters\"\n"}},
	}, {
		Name: "notice-period", Example: "mutual-nda", Title: "No termination in the first half year",
		Why: "Party 1 invests in the talks and wants Party 2 not to leave them at once.",
		Edits: []examples.Edit{{File: "mutual-nda.contract.hcl", Old: "  by         = second-party\n  only_while = mnda.running\n",
			New: "  by         = second-party\n  not_before = { effective = \"2 quarters\" }\n  only_while = mnda.running\n"}},
	}, {
		Name: "higher-cap", Example: "late-delivery", Title: "A penalty of up to 60 %",
		Why: "The buyer wants the penalty to go on growing for longer.",
		Edits: []examples.Edit{
			{File: "late-delivery.contract.hcl", Old: "min(220, ", New: "min(240, "},
			{File: "late-delivery.contract.hcl", Old: "    to    = 220\n", New: "    to    = 240\n"},
		},
	}, {
		Name: "out-after-ten", Example: "late-delivery", Title: "The buyer may terminate after ten days",
		Why:   "The buyer wants a way out earlier.",
		Edits: []examples.Edit{{File: "late-delivery.contract.hcl", Old: "seller.delay >= 15", New: "seller.delay >= 10"}},
	}, {
		Name: "no-excuse", Example: "late-delivery", Title: "Force majeure does not excuse a delay",
		Why:   "The buyer drops the exception, so that it need not argue about what kept the seller.",
		Edits: []examples.Edit{{File: "late-delivery.contract.hcl", Old: "seller.due && seller.delay > 0", New: "seller.delay > 0"}},
	}, {
		Name: "no-grace", Example: "promissory-note", Title: "No days of grace",
		Why:   "The lender wants the penalty from the first day on which an instalment is late.",
		Edits: []examples.Edit{{File: "promissory-note.contract.hcl", Old: "  within       = \"40 days\"\n", New: "  within       = \"1 month\"\n"}},
	}, {
		Name: "on-demand", Example: "promissory-note", Title: "The rest is due only when the lender demands it",
		Why: "The borrower wants to be told before a late instalment makes the whole loan due.",
		Edits: []examples.Edit{
			{File: "promissory-note.contract.hcl", Old: "  when         = penalty.breached\n", New: "  when         = demand\n"},
			{File: "promissory-note.contract.hcl", Old: "obligation \"balance\" {\n", New: `event "demand" {
  title      = "the lender demands all that is outstanding"
  by         = lender
  only_while = penalty.breached
}

obligation "balance" {
`},
		},
	}, {
		Name: "early-payment", Example: "promissory-note", Title: "The borrower may repay everything early",
		Why: "The borrower wants to be able to pay the loan off at any time.",
		Edits: []examples.Edit{
			{File: "promissory-note.contract.hcl", Old: "obligation \"instalment\" {\n", New: `event "balance" {
  title      = "the borrower pays all that is outstanding"
  by         = borrower
  only_while = any(balance.owed, instalment.owed)
}

obligation "instalment" {
`},
			{File: "promissory-note.contract.hcl", Old: "  every        = \"1 month\"\n  within       = \"40 days\"\n  until        = balance.owed\n", New: "  every        = \"1 month\"\n  within       = \"40 days\"\n  until        = [balance.owed, balance]\n"},
		},
	}, {
		Name: "slow-answer", Example: "supply-agreement", Title: "A week for DAN to answer an order",
		Why:   "DAN has to ask its own suppliers before it can accept an order.",
		Edits: []examples.Edit{{File: "supply-agreement.contract.hcl", Old: "  within       = \"2 business days\"\n", New: "  within       = \"1 week\"\n"}},
	}, {
		Name: "late-cancellation", Example: "supply-agreement", Title: "Orders may be cancelled up to 5 business days before the Delivery Date",
		Why: "PETER wants to be able to react to the weather.",
		Edits: []examples.Edit{{File: "supply-agreement.contract.hcl", Old: "{ deliver.owed = \"${var.days - 9} business days\" }",
			New: "{ deliver.owed = \"${var.days - 4} business days\" }"}},
	}, {
		Name: "clean-end", Example: "supply-agreement", Title: "No obligation survives the end of the Term",
		Why: "PETER wants to owe nothing once it has not renewed.",
		Edits: []examples.Edit{
			{File: "supply-agreement.contract.hcl", Old: "  within       = \"3 business days\"\n  survives     = true\n", New: "  within       = \"3 business days\"\n"},
			{File: "supply-agreement.contract.hcl", Old: "  within       = \"1 business day\"\n  survives     = true\n", New: "  within       = \"1 business day\"\n"},
		},
	}, {
		Name: "paid-first", Example: "meat-sale-smv", Title: "The meat is delivered once it is paid",
		Why: "CBEEF does not want to deliver on credit.",
		Edits: []examples.Edit{{File: "meat-sale-smv.contract.hcl", Old: "  when         = effective\n  within       = \"4 days\"\n",
			New: "  when         = [pay, pay-late]\n  within       = \"4 days\"\n"}},
	}, {
		Name: "a-week-late", Example: "meat-sale-smv", Title: "A week for a late payment",
		Why:   "COSTCO wants more time before it is in default for good.",
		Edits: []examples.Edit{{File: "meat-sale-smv.contract.hcl", Old: "  counterparty = seller\n  within       = \"2 days\"\n}\n", New: "  counterparty = seller\n  within       = \"1 week\"\n}\n"}},
	}, {
		Name: "free-to-tell", Example: "meat-sale-smv", Title: "CBEEF may talk about a contract that was terminated",
		Why:   "CBEEF wants to tell other buyers why the sale failed.",
		Edits: []examples.Edit{{File: "meat-sale-smv.contract.hcl", Old: "  of           = seller-discloses\n  from         = effective\n  lasts        = \"5 days\"\n  survives     = true\n", New: "  of           = seller-discloses\n  from         = effective\n  lasts        = \"5 days\"\n"}},
	}, {
		Name: "one-hour", Example: "transactive-energy", Title: "A fine is paid within an hour",
		Why:   "CAISO wants to know sooner whether a fine is paid.",
		Edits: []examples.Edit{{File: "bid.contract.hcl", Old: "\"6 hours\"", New: "\"1 hour\""}},
	}, {
		Name: "nothing-after-the-end", Example: "transactive-energy", Title: "Nothing is paid after the end",
		Why:   "CAISO wants to close its books when the agreement ends.",
		Edits: []examples.Edit{{File: "bid.contract.hcl", Old: "    within       = \"4 hours\"\n    survives     = true\n", New: "    within       = \"4 hours\"\n"}},
	}, {
		Name: "stay-while-owing", Example: "transactive-energy", Title: "DERP may not leave while it owes energy",
		Why: "CAISO counts on the energy of the bids that it has accepted.",
		Edits: []examples.Edit{{File: "transactive-energy.contract.hcl", Old: "  by    = [derp, caiso]\n",
			New: "  by    = [derp, caiso]\n\n  only_while = [!b1.supply.owed, !b2.supply.owed, !b3.supply.owed]\n"}},
	},
}
