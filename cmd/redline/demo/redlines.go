package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
)

// A wording replaces the only occurrence of a text in a file.
type wording struct{ file, old, new string }

// redlines are the amendments that the two sides propose to the example. Each by itself is sound: the buyer may pay in advance, and can't
// cancel after that; the seller may withdraw before it has delivered, when it has not been paid.
var redlines = map[string][]wording{
	"buyer": {
		{"buyer.contract.hcl", "    when = { has-car = true }\n", ""},
		{"terms.contract.hcl", "  when         = delivery\n", "  when         = order\n"},
		{"terms.contract.hcl", "  until         = delivery\n", "  until         = [delivery, payment]\n"},
	},
	"seller": {
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
	},
}

// Compare compares the redlines with the contract, in a repository that it makes in dir.
func Compare(ctx context.Context, dir string) (*finding.Negotiation, error) {
	if err := start(ctx, dir); err != nil {
		return nil, err
	}
	for _, side := range []string{"buyer", "seller"} {
		if err := amend(ctx, dir, side, redlines[side]); err != nil {
			return nil, err
		}
	}
	n, _, err := app.NegotiateTrees(ctx, dir, [3]string{"main", "buyer", "seller"}, app.ReadOptions{Jobs: 1}, engine.DefaultBudget())
	return n, err
}

func (w wording) write(dir string) error {
	name := filepath.Join(dir, w.file)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if strings.Count(string(text), w.old) != 1 {
		panic(fmt.Sprintf("the example has not one %q", w.old))
	}
	return os.WriteFile(name, []byte(strings.Replace(string(text), w.old, w.new, 1)), 0o666)
}
