package engine_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/expr"
)

// Check a directory, and read the verdicts. Of a directory on disk, FS is os.DirFS(".").
func Example() {
	results, err := engine.Check(context.Background(), engine.Tree{FS: examples.FS, Root: "sale"}, engine.DefaultBudget())
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		for _, q := range r.Requirements {
			fmt.Println(r.Name, q.Name, q.Verdict)
		}
	}
	// Output:
	// sale discharge holds
	// sale goods-only-on-request holds
	// sale goods-not-withdrawn holds
	// sale accept-only-available holds
}

// delivery has one contract; clause is in it, too.
func delivery(clause string) engine.Tree {
	text := `
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
`
	return engine.Tree{FS: fstest.MapFS{"delivery/delivery.contract.hcl": {Data: []byte(text)}}}
}

// Review an amendment, and print what it newly breaks, with the run that shows it. Of two revisions of a git repository, each FS is a gitfs.Open.
func ExampleReview() {
	base := delivery("")
	head := delivery(`
  state "refused" {}
  transition "refuse" {
    from = paid
    to   = refused
  }`)
	r, err := engine.Review(context.Background(), base, head, engine.DefaultBudget())
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range r.Contracts {
		for _, f := range c.Findings {
			fmt.Println(c.Path, f.Name, f.Kind)
			if f.Kind == finding.New {
				for _, step := range f.Head.Trace.Prefix {
					fmt.Println("  step", step.Step, step.Transitions)
				}
			}
		}
	}
	fmt.Println("exit status", r.Gate(finding.FailNew))
	// Output:
	// delivery goods-come new
	//   step 1 [seller.refuse]
	// exit status 1
}

// What is wrong with a text is no error: each mistake is a diagnostic, with its place and a code.
func ExampleCheck_mistake() {
	results, err := engine.Check(context.Background(), delivery(`
  transition "return" {
    from = delivered
    to   = payed
  }`), engine.DefaultBudget())
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range results[0].Diagnostics {
		fmt.Printf("%s:%d: %s[%s]: %s\n", d.Source.Filename, d.Source.Start.Line, d.Class, d.Code, d.Message)
	}
	fmt.Println("exit status", finding.StatusOf(results))
	// Output:
	// delivery/delivery.contract.hcl:14: error[unknown-name]: There is no state "payed" in party "seller".
	// exit status 2
}

// A limit that is reached makes a verdict unknown.
func ExampleCheck_limit() {
	b := engine.DefaultBudget()
	b.States, b.Engine = 10, finding.Explicit
	results, err := engine.Check(context.Background(), engine.Tree{FS: examples.FS, Root: "letter-of-credit"}, b)
	if err != nil {
		log.Fatal(err)
	}
	q := results[0].Requirements[0]
	fmt.Println(q.Name, q.Verdict)
	fmt.Println(q.Reason)
	// Output:
	// every-run-completes unknown
	// the limit of 10 states was reached (--max-states)
}

// What a contract leaves open is given a value.
func ExampleTree_values() {
	for _, n := range []string{"1", "2", "3"} {
		t := engine.Tree{FS: examples.FS, Root: "purchasers", Values: expr.Values{"n": {Text: n, From: "the example"}}}
		results, err := engine.Check(context.Background(), t, engine.DefaultBudget())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(n, results[0].Model.States, finding.StatusOf(results))
	}
	// Output:
	// 1 10 0
	// 2 28 0
	// 3 82 0
}
