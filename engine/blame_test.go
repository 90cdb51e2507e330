package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
)

// compareExample reviews edits of an example.
func compareExample(t *testing.T, name string, edits ...edit) engine.ContractReview {
	t.Helper()
	return compareFiles(t, example(t, name), example(t, name, edits...))
}

func compareFiles(t *testing.T, base, head fs.FS) engine.ContractReview {
	t.Helper()
	return engine.Compare(context.Background(), draft(t, base, petri.One), draft(t, head, petri.One), engine.Budget{Jobs: 2})
}

// blamed says of each new violation what is to blame.
func blamed(c engine.ContractReview) string {
	var b strings.Builder
	for _, f := range c.Findings {
		if f.Kind != engine.New && f.Kind != engine.Weakened {
			continue
		}
		fmt.Fprintf(&b, "%s:", f.Name)
		if f.Guilt == nil {
			fmt.Fprintln(&b, " no guilt")
			continue
		}
		for _, block := range f.Guilt.Blocks {
			fmt.Fprintf(&b, " %s %s", block.Action, block.Name)
			if block.Terms != nil {
				fmt.Fprintf(&b, " (%s)", strings.Join(block.Terms, ", "))
			}
			fmt.Fprint(&b, ";")
		}
		if f.Guilt.Smallest {
			fmt.Fprint(&b, " smallest")
		}
		fmt.Fprintln(&b, f.Guilt.Reason)
		for _, r := range f.Repairs {
			fmt.Fprintf(&b, "  %s\n", r.What)
		}
	}
	return b.String()
}

var mistakes = []struct {
	name, example string
	edits         []edit
}{
	{"withdraw", "sale", []edit{{"seller.contract.hcl", `transition "end" {`, "transition \"withdraw\" {\n from = S2\n to = S0\n set = { GAV = false }\n}\ntransition \"end\" {"}}},
	{"grab", "sale", []edit{{"purchaser.contract.hcl", `transition "take" {`, "transition \"grab\" {\n from = P1\n to = P3\n}\ntransition \"take\" {"}}},
	{"cancel", "sale", []edit{{"purchaser.contract.hcl", `transition "take" {`, "transition \"cancel\" {\n from = P1\n to = P0\n}\ntransition \"take\" {"}}},
	{"test on state", "sale", []edit{{"seller.contract.hcl", `when  = { GAV = false }`, "from = S0\n to = S0"}}},
	{"idle", "sale", []edit{{"sale.contract.hcl", "event \"P_GAV_F\" {\n  title = \"the purchaser sees that no more goods are available\"\n  sync = {\n    seller    = SellerGAV_F\n    purchaser = PurchaserGAV_F\n  }\n}\n\n", ""}}},
	{"payment first", "letter-of-credit", []edit{
		{"seller.contract.hcl", "consume = [dispatch_cert, title]\n    produce = [awaiting_pay]", "consume = [paid0, title]\n    produce = [paid]"},
		{"seller.contract.hcl", "consume = [awaiting_pay]\n    produce = [paid]", "consume = [dispatch_cert]\n    produce = [paid0]"},
		{"seller.contract.hcl", `place "awaiting_pay" { title = "awaiting payment" }`, `place "paid0" { title = "paid, documents still to come" }`},
		{"bank.contract.hcl", "consume = [open]", "consume = [open2]"},
		{"bank.contract.hcl", "consume = [docs]\n    produce = [out_of_pocket]", "consume = [open]\n    produce = [out_of_pocket, open2]"},
		{"bank.contract.hcl", `  place "docs"`, "  place \"open2\" { title = \"documents still to come\" }\n  place \"docs\""},
	}},
}

func TestBlame(t *testing.T) {
	for _, m := range mistakes {
		t.Log(m.name + "\n" + blamed(compareExample(t, m.example, m.edits...)))
	}
}
