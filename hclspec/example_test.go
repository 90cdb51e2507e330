package hclspec_test

import (
	"fmt"
	"log"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
)

// Read a contract: who its parties are, and what it requires.
func Example() {
	src, err := hclspec.Load(examples.FS, "sale", "sale", nil)
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
	src := hclspec.LoadText(map[string][]byte{"delivery.contract.hcl": []byte(`
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
		fmt.Printf("%d:%d %s: %s\n", d.Subject.Start.Line, d.Subject.Start.Column, hclspec.CodeOf(d), d.Summary)
	}
	// Output:
	// 6:12 unknown-name: There is no state "payed" in party "seller".
	// 7:12 unknown-name: There is no state "delivered" in party "seller".
}

// Write a file in the canonical layout.
func Example_format() {
	text, mistakes := hclspec.Format([]byte(`party "seller" {
state "paid" {}
      state "delivered" {}
  transition "deliver" {
  from=paid
  to=delivered
}
}`), "seller.contract.hcl")
	if mistakes.HasErrors() {
		log.Fatal(mistakes)
	}
	fmt.Print(string(text))
	// Output:
	// party "seller" {
	//   state "paid" {}
	//   state "delivered" {}
	//
	//   transition "deliver" {
	//     from = paid
	//     to   = delivered
	//   }
	// }
}

// Suggest what a misspelt name may have meant.
func ExampleNearest() {
	fmt.Println(hclspec.Nearest("delivred", []string{"paid", "delivered", "refused"}))
	// Output:
	// delivered
}
