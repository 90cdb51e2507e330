package examples

import (
	"fmt"
	"strings"
)

// An Amendment changes the text of an example. Those of Amendments are reviewed word by word in the command's scripts, and shown in the
// gallery of the site.
type Amendment struct {
	Name, Example string
	Title         string // what a drafter would call it
	Why           string // what it was meant for
	Given         string // values of variables, as in purchasers = 2; empty: the defaults
	Edits         []Edit
}

// An Edit replaces the only occurrence of a text in a file of the example.
type Edit struct{ File, Old, New string }

// Amend returns the text of a file as the amendment has it. The error says which text does not occur exactly once.
func (a Amendment) Amend(file, text string) (string, error) {
	for _, e := range a.Edits {
		if e.File != file {
			continue
		}
		if n := strings.Count(text, e.Old); n != 1 {
			return "", fmt.Errorf("%s: %q occurs %d times, want once", file, e.Old, n)
		}
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	return text, nil
}

// First is the amendment that readers meet first.
var First = Amendment{
	Name: "cancel", Example: "car-sale", Title: "The buyer may cancel until it has paid",
	Why: "The buyer wants to cancel for longer, and a week more to pay. Once it has the car, it can cancel instead of paying.",
	Edits: []Edit{
		{"terms.contract.hcl", "  until         = delivery\n", "  until         = payment\n"},
		{"terms.contract.hcl", "  within       = \"1 week\"\n", "  within       = \"2 weeks\"\n"},
	},
}

// Amendments lists an amendment of each example that breaks something.
var Amendments = []Amendment{
	First,
	{
		Name: "withdraw", Example: "sale", Title: "The seller may withdraw goods",
		Why: "The seller wants a way out while the purchaser has not taken the goods.",
		Edits: []Edit{{"seller.contract.hcl", `  transition "end" {`, `  transition "withdraw" {
    title = "the seller withdraws the goods"
    from  = S2
    to    = S0
    set   = { GAV = false }
  }
  transition "end" {`}},
	}, {
		Name: "any-accepts", Example: "sale-in-two-phases", Title: "One purchaser's acceptance is enough", Given: "purchasers = 2",
		Why:   "With one purchaser nothing changes. With two, the sale can be closed before both have their goods.",
		Edits: []Edit{{"sale.contract.hcl", `taker = all(acceptance)`, `taker = any(acceptance)`}},
	}, {
		Name: "payment-first", Example: "letter-of-credit", Title: "Payment before documents",
		Why: "Seller and bank agree that the bank pays as soon as the credit is open, and gets the documents later.",
		Edits: []Edit{
			{"seller.contract.hcl", "    consume = [dispatch_cert, title]\n    produce = [awaiting_pay]", "    consume = [paid0, title]\n    produce = [paid]"},
			{"seller.contract.hcl", "    consume = [awaiting_pay]\n    produce = [paid]", "    consume = [dispatch_cert]\n    produce = [paid0]"},
			{"seller.contract.hcl", "  place \"awaiting_pay\" {\n    title   = \"awaiting payment\"\n    exposed = true\n  }",
				`  place "paid0" { title = "paid, documents still to come" }`},
			{"bank.contract.hcl", `    consume = [open]`, `    consume = [open2]`},
			{"bank.contract.hcl", "    consume = [docs]\n    produce = [out_of_pocket]", "    consume = [open]\n    produce = [out_of_pocket, open2]"},
			{"bank.contract.hcl", `  place "docs"`, "  place \"open2\" { title = \"documents still to come\" }\n  place \"docs\""},
		},
	}, {
		Name: "force-majeure", Example: "gas-supply", Title: "Force majeure no longer excuses a late delivery",
		Why:   "The buyer wants force majeure to lift a delivery that is not yet late, and no other.",
		Edits: []Edit{{"norms.contract.hcl", `[deliver, deliver-late]`, `[deliver]`}},
	}, {
		Name: "interest", Example: "meat-sale", Title: "A second late payment ends nothing",
		Why: "Late payment with interest is no longer a reason to end the contract when it, too, is missed.",
		Edits: []Edit{{"norms.contract.hcl", "  fulfil        = [payment, late-payment]\n  within        = 2\n  ends_contract = true\n",
			"  fulfil       = [payment, late-payment]\n  within       = 2\n"}},
	},
}

// Redlines are the amendments that the two sides propose to the sale of a used car. Each by itself is sound: the buyer may pay in advance, and can't
// cancel after that; the seller may withdraw before it has delivered, when it has not been paid.
var Redlines = []Amendment{
	{Name: "buyer", Example: "car-sale", Edits: []Edit{
		{"buyer.contract.hcl", "    when = { has-car = true }\n", ""},
		{"terms.contract.hcl", "  when         = delivery\n", "  when         = order\n"},
		{"terms.contract.hcl", "  until         = delivery\n", "  until         = [delivery, payment]\n"},
	}},
	{Name: "seller", Example: "car-sale", Edits: []Edit{
		{"seller.contract.hcl", `  transition "take-back" {`, `  transition "withdraw" {
    from = bound
    to   = selling
  }

  transition "take-back" {`},
		{"car-sale.contract.hcl", `event "repossession" {`, `event "withdrawal" {
  title      = "the seller withdraws from the sale"
  clause     = "7 (new)"
  only_while = withdraw.held
  sync = {
    seller = withdraw
  }
}

event "repossession" {`},
		{"terms.contract.hcl", `power "take-back" {`, `power "withdraw" {
  title         = "withdraw from the sale"
  clause        = "7 (new)"
  bearer        = seller
  counterparty  = buyer
  exercise      = withdrawal
  when          = order
  until         = delivery
  ends_contract = true
}

power "take-back" {`},
	}},
}
