package markdown_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/markdown"
)

// lead is how a text begins: its heading, and the paragraph below.
func lead(text string) string {
	return strings.Join(strings.SplitN(text, "\n\n", 3)[:2], "\n\n")
}

// What was found of a contract, as a job summary has it.
func ExampleResults() {
	results, err := engine.Check(context.Background(), engine.Tree{FS: examples.FS, Root: "sale"}, engine.DefaultBudget())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lead(markdown.Results(results)))
	// Output:
	// ## ✓ redline: every requirement holds
	//
	// 1 contract: 4 requirements hold.
}

// What an amendment does, as a comment on a pull request has it.
func ExampleReview() {
	delivery := func(clause string) engine.Tree {
		return engine.Tree{FS: fstest.MapFS{"delivery.contract.hcl": {Data: []byte(`
contract "delivery" {}
party "seller" {
  state "paid" {}
  state "delivered" {}
  transition "deliver" {
    from = paid
    to   = delivered
  }
` + clause + `
}
requirement "goods-come" { ctl = "AF seller.delivered" }
`)}}}
	}
	review, err := engine.Review(context.Background(), delivery(""), delivery(`
  state "refused" {}
  transition "refuse" {
    from = paid
    to   = refused
  }`), engine.DefaultBudget())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lead(markdown.Review(review)))
	// Output:
	// ## ✗ redline: the amendment breaks 1 promise
	//
	// 1 contract looked at, 1 changed.
}
