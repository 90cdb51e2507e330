package verify_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// The paper's tables: each row is a claim of Daskalopulu's "Model Checking Contractual Protocols"
// or of the reconstruction of its nets, checked here against the examples we ship.

func TestSaleSizes(t *testing.T) {
	for rule, want := range map[petri.Rule]string{
		petri.One: "10 states, 12 arcs, 0 dead ends",
		petri.All: "8 states, 8 arcs, 0 dead ends",
	} {
		r := testkit.Check(t, testkit.Example(t, "sale"), rule)
		if got := testkit.Size(r); got != want || r.Model.Transitions != 8 {
			t.Errorf("rule %s: %s, %d transitions; want %s, 8 transitions", rule, got, r.Model.Transitions, want)
		}
	}
}

// TestSaleVerdicts is the table of section "Sale, phase 1", in both notations.
func TestSaleVerdicts(t *testing.T) {
	rows := []struct {
		table1, ctl string
		one, all    finding.Verdict
	}{
		{"G(E F(seller.S0 & A purchaser.P0))", "AG EX EF (seller.S0 && AX purchaser.P0)", finding.Violated, finding.Holds},
		{"G(F(seller.S0 & purchaser.P0))", "AG EF (seller.S0 && purchaser.P0)", finding.Holds, finding.Violated},
		{"G((!seller.GAV & E seller.GAV) -> purchaser.P1)", "AG (!seller.GAV && EX seller.GAV -> purchaser.P1)", finding.Holds, finding.Holds},
		{"G(seller.GAV -> (seller.GAV AU purchaser.P3))", "AG (seller.GAV -> A[seller.GAV U purchaser.P3])", finding.Holds, finding.Holds},
		{"G((!purchaser.P3 & E purchaser.P3) -> seller.GAV)", "AG (!purchaser.P3 && EX purchaser.P3 -> seller.GAV)", finding.Holds, finding.Holds},
	}
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "requirement \"t%d\" { table1 = %q }\nrequirement \"c%d\" { ctl = %q }\n", i, row.table1, i, row.ctl)
	}
	files := testkit.Example(t, "sale").(fstest.MapFS)
	files["table.contract.hcl"] = &fstest.MapFile{Data: []byte(b.String())}
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		r := testkit.Check(t, files, rule)
		for i, row := range rows {
			want := map[petri.Rule]finding.Verdict{petri.One: row.one, petri.All: row.all}[rule]
			for _, name := range []string{fmt.Sprintf("t%d", i), fmt.Sprintf("c%d", i)} {
				if got := testkit.Requirement(t, r, name); got.Verdict != want {
					t.Errorf("rule %s, %s (%s): %s, want %s", rule, name, row.table1, got.Verdict, want)
				}
			}
		}
	}
}

// TestSaleMistakes is the table of drafting mistakes, under rule one.
func TestSaleMistakes(t *testing.T) {
	for _, row := range []struct {
		name   string
		edits  []testkit.Edit
		states int64
		fails  string
	}{
		{"the seller may withdraw during the sale",
			[]testkit.Edit{{File: "seller.contract.hcl", Old: `transition "end" {`, New: "transition \"withdraw\" {\n from = S2\n to = S0\n set = { GAV = false }\n}\ntransition \"end\" {"}},
			12, "goods-not-withdrawn violated, accept-only-available violated"},
		{"the purchaser accepts without waiting",
			[]testkit.Edit{{File: "purchaser.contract.hcl", Old: `transition "take" {`, New: "transition \"grab\" {\n from = P1\n to = P3\n}\ntransition \"take\" {"}},
			10, "accept-only-available violated"},
		{"the purchaser cancels the request",
			[]testkit.Edit{{File: "purchaser.contract.hcl", Old: `transition "take" {`, New: "transition \"cancel\" {\n from = P1\n to = P0\n}\ntransition \"take\" {"}},
			11, "goods-not-withdrawn violated"},
		{"the test of GAV_F put on S0",
			[]testkit.Edit{{File: "seller.contract.hcl", Old: "when  = { GAV = false }", New: "from = S0\n to = S0"}},
			10, "discharge violated"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := testkit.Check(t, testkit.Example(t, "sale", row.edits...), petri.One)
			if testkit.Fails(r) != row.fails || r.Model.States.Int64() != row.states {
				t.Errorf("%d states, fails: %s; want %d, %s", r.Model.States, testkit.Fails(r), row.states, row.fails)
			}
		})
	}
}

// TestSaleIdles is the last drafting mistake: the event that uses a self-loop is removed. Every
// requirement that something must come fails, and the warning stands before.
func TestSaleIdles(t *testing.T) {
	files := testkit.Example(t, "sale", testkit.Edit{File: "sale.contract.hcl", Old: `event "P_GAV_F" {
  title = "the purchaser sees that no more goods are available"
  sync = {
    seller    = SellerGAV_F
    purchaser = PurchaserGAV_F
  }
}
`, New: ""})
	r := testkit.Check(t, files, petri.One)
	if got := testkit.Requirement(t, r, "goods-not-withdrawn").Verdict; got != finding.Holds && got != finding.Violated {
		t.Errorf("goods-not-withdrawn: %s", got)
	}
	found := false
	for _, d := range r.Diagnostics {
		found = found || d.Code == "idle-self-loop" && d.Subject == "seller.SellerGAV_F"
	}
	if !found {
		t.Errorf("no idle-self-loop on seller.SellerGAV_F: %v", r.Diagnostics)
	}
}

// TestFigures are figures 3, 6, 7 and 10.
func TestFigures(t *testing.T) {
	for name, want := range map[string]string{
		"nets/figure-3":       "2 states, 1 arcs, 1 dead ends",
		"nets/figure-6-and-7": "3 states, 2 arcs, 1 dead ends",
		"nets/figure-10":      "3 states, 4 arcs, 1 dead ends",
	} {
		r := testkit.Check(t, testkit.Example(t, name), petri.One)
		if testkit.Size(r) != want || testkit.Fails(r) != "" {
			t.Errorf("%s: %s, fails: %s; want %s, none", name, testkit.Size(r), testkit.Fails(r), want)
		}
	}
}

// TestLetterOfCredit is the section on figure 11.
func TestLetterOfCredit(t *testing.T) {
	files := testkit.Example(t, "letter-of-credit")
	one, all := testkit.Check(t, files, petri.One), testkit.Check(t, files, petri.All)
	if testkit.Size(one) != "12 states, 13 arcs, 1 dead ends" || testkit.Fails(one) != "" || len(one.Requirements) != 9 {
		t.Errorf("rule one: %s, %d requirements, fails: %s", testkit.Size(one), len(one.Requirements), testkit.Fails(one))
	}
	if all.Model.States.Int64() != 9 {
		t.Errorf("rule all: %s", testkit.Size(all))
	}
	exposed := 0
	d := testkit.Draft(t, files, petri.One)
	g, err := verify.Explore(context.Background(), d, finding.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	for s := range g.Len() {
		for _, p := range g.Marking(s) {
			if d.Net.Places[p].String() == "bank.out_of_pocket" {
				exposed++
			}
		}
	}
	if exposed != 2 {
		t.Errorf("the bank is out of pocket in %d states, want 2", exposed)
	}
}

func TestPaymentBeforeDocuments(t *testing.T) {
	r := testkit.Check(t, testkit.Example(t, "letter-of-credit", testkit.PaymentFirst...), petri.One)
	for _, name := range []string{"documents-before-payment", "bank-pays-against-documents"} {
		if got := testkit.Requirement(t, r, name); got.Verdict != finding.Violated || got.Trace == nil {
			t.Errorf("%s: %s", name, got.Verdict)
		}
	}
	if r.Model.States.Int64() != 13 {
		t.Errorf("%s, want 13 states", testkit.Size(r))
	}
}
