package report

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// TestPartiesByTheirTitles: a party is called by its title in steps and in what is owed, and one whose title is but its name by its name.
func TestPartiesByTheirTitles(t *testing.T) {
	const contract = `contract "sale" {}
party "seller" {
  title = "Seller Ltd"
  state "open" {}
  state "shipped" { since = deliver.fulfilled }
}
party "buyer" { title = "the Buyer" }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  within       = 3
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = deliver.fulfilled
  within       = 3
}
`
	tree := func(text string) fstest.MapFS { return fstest.MapFS{"c/c.contract.hcl": {Data: []byte(text)}} }
	r := reviewOf(t, tree(contract), tree(strings.Replace(contract, "within       = 3", "within       = 5", 1)))
	var b strings.Builder
	if err := text.Review(&b, r, text.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{b.String(), markdown.Review(r)} {
		if !strings.Contains(said, "owed by Seller Ltd to the buyer") || strings.Contains(said, "the seller") {
			t.Error(said)
		}
	}
}
