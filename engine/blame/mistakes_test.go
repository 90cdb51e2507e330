package blame_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestDraftingMistakes holds reviews of the drafting mistakes of the paper's sales, and others like them, to what an independent
// evaluation of Table 1 gave: how many states there are and which promises break; and to whom and what
// the review points: the step that base refuses, those who take it, and the line that did it.
func TestDraftingMistakes(t *testing.T) {
	for _, row := range []struct {
		name, example string
		edits         []testkit.Edit
		states        string
		want          []string // promise; the refused step, by whom, or where the run stops; what is to blame
	}{
		{"the seller may withdraw during the sale", "sale", testkit.Before("seller.contract.hcl", `  transition "end" {`, "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n"), "12", []string{
			`goods-not-withdrawn: step 4 seller.withdraw by seller; added party "seller" / transition "withdraw", seller.contract.hcl:30`,
			`accept-only-available: step 5 seller.withdraw by seller; added party "seller" / transition "withdraw", seller.contract.hcl:30`,
		}},
		{"the purchaser accepts without waiting", "sale", testkit.Before("purchaser.contract.hcl", `  transition "take" {`, "  transition \"grab\" {\n    from = P1\n    to   = P3\n  }\n"), "10", []string{
			`accept-only-available: step 2 purchaser.grab by purchaser; added party "purchaser" / transition "grab", purchaser.contract.hcl:27`,
		}},
		{"the purchaser cancels the request", "sale", testkit.Before("purchaser.contract.hcl", `  transition "take" {`, "  transition \"cancel\" {\n    from = P1\n    to   = P0\n  }\n"), "11", []string{
			`goods-not-withdrawn: step 4 purchaser.cancel by purchaser; added party "purchaser" / transition "cancel", purchaser.contract.hcl:27`,
		}},
		{"a test on a state instead of the flag", "sale", []testkit.Edit{{File: "seller.contract.hcl", Old: `when  = { GAV = false }`, New: "from  = S0\n    to    = S0"}}, "10", []string{
			`discharge: ends with [{purchaser  [goods accepted]} {seller  [ready to sell goods available (no)]}]; changed party "seller" / transition "SellerGAV_F": from, to, seller.contract.hcl:42`,
		}},
		{"a labelled self-loop that no event mentions any more", "sale", []testkit.Edit{{File: "sale.contract.hcl", Old: "event \"P_GAV_F\" {\n  title = \"the purchaser sees that no more goods are available\"\n  sync = {\n    seller    = SellerGAV_F\n    purchaser = PurchaserGAV_F\n  }\n}\n\n", New: ""}}, "16", []string{
			`goods-not-withdrawn: step 7 purchaser.PurchaserGAV_F by purchaser; removed event "P_GAV_F", sale.contract.hcl:33`,
			`accept-only-available: step 7 purchaser.PurchaserGAV_F by purchaser; removed event "P_GAV_F", sale.contract.hcl:33`,
		}},
		{"payment before documents", "letter-of-credit", testkit.PaymentFirst, "13", []string{
			`documents-before-payment: step 2 t3 by bank, seller; changed party "bank" / transition "t3": consume, bank.contract.hcl:29; changed party "seller" / transition "t3": consume, seller.contract.hcl:39`,
			`bank-pays-against-documents: step 2 t3 by bank, seller; changed party "bank" / transition "t3": consume, bank.contract.hcl:29; changed party "seller" / transition "t3": consume, seller.contract.hcl:39`,
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			base, head := testkit.Example(t, row.example), testkit.Example(t, row.example, row.edits...)
			c := compareFiles(t, base, head)
			if got := c.Head.Model.States.String(); got != row.states {
				t.Errorf("%s states, not %s", got, row.states)
			}
			var got []string
			for _, f := range c.Findings {
				if f.Kind == finding.New || f.Kind == finding.Weakened {
					got = append(got, f.Name+": "+pointed(&f))
				}
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}

// pointed says what a review points at.
func pointed(f *finding.Finding) string {
	parts := []string{stepOf(f)}
	for _, b := range f.Blame.Blocks {
		at, terms := b.Source, ""
		if b.Action == "removed" {
			at = b.Was
		}
		if b.Terms != nil {
			terms = ": " + strings.Join(b.Terms, ", ")
		}
		parts = append(parts, fmt.Sprintf("%s %s%s, %s:%d", b.Action, b.Name, terms, strings.TrimPrefix(at.Filename, "x/"), at.Start.Line))
	}
	return strings.Join(parts, "; ")
}

// stepOf is the step that base refuses, or else where the run ends.
func stepOf(f *finding.Finding) string {
	trace := runOfFinding(f)
	for f.Refusal != nil && trace != nil {
		for _, s := range slices.Concat(trace.Prefix, trace.Loop) {
			if s.Step == f.Refusal.Step {
				return fmt.Sprintf("step %d %s by %s", s.Step, cmp.Or(s.Event, strings.Join(s.Transitions, " ")), strings.Join(s.Parties, ", "))
			}
		}
		trace = trace.Then[0]
	}
	return fmt.Sprintf("ends with %v", trace.End)
}
