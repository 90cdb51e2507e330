package load_test

import (
	"fmt"
	"log"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// Read a contract: who its parties are, and what it requires.
func Example() {
	src, err := load.Dir(examples.FS, "sale", "sale", nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range src.Contract.Parties {
		fmt.Println("party", p.Name)
	}
	for _, r := range src.Contract.Requirements {
		fmt.Println(r.Title)
	}
	// Output:
	// party purchaser
	// party seller
	// The sale can always come back to its start
	// The seller offers goods only when the purchaser is ready for them
	// Goods once available stay so until the purchaser has accepted them
	// The purchaser accepts goods only while they are available
}

// List all mistakes of a text, each with its place and a code that `redline explain` explains.
func Example_mistakes() {
	src := load.Text(map[string][]byte{"delivery.contract.hcl": []byte(`
contract "delivery" {}
party "seller" {
  state "paid" {}
  transition "deliver" {
    from = payed
    to   = delivered
  }
}
`)}, ".", nil)
	for _, d := range src.Diagnostics {
		fmt.Printf("%d:%d %s: %s\n", d.Subject.Start.Line, d.Subject.Start.Column, diag.CodeOf(d), d.Summary)
	}
	// Output:
	// 6:12 unknown-name: There is no state "payed" in party "seller".
	// 7:12 unknown-name: There is no state "delivered" in party "seller".
}
