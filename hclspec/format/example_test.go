package format_test

import (
	"fmt"
	"log"

	"github.com/redlinehq/redline/hclspec/format"
)

// Write a file in the canonical layout.
func Example() {
	text, mistakes := format.File([]byte(`party "seller" {
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
