package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
)

// The paper's tables: each row is a claim of Daskalopulu's "Model Checking Contractual Protocols"
// or of the reconstruction of its nets, checked here against the examples we ship.

// edit changes one file of an example, which must contain the old text exactly once.
type edit struct{ file, old, new string }

func example(t *testing.T, name string, edits ...edit) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	entries, err := fs.ReadDir(examples.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(examples.FS, path.Join(name, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = &fstest.MapFile{Data: text}
	}
	for _, e := range edits {
		text := string(files[e.file].Data)
		if strings.Count(text, e.old) != 1 {
			t.Fatalf("%s: %q stands there %d times", e.file, e.old, strings.Count(text, e.old))
		}
		files[e.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, e.old, e.new, 1))}
	}
	return files
}

func draft(t *testing.T, files fs.FS, rule petri.Rule) *engine.Draft {
	t.Helper()
	src, err := hclspec.Load(files, ".", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if src.Contract == nil {
		t.Fatal(src.Diagnostics)
	}
	return engine.Compile(src, "x", &rule)
}

func check(t *testing.T, files fs.FS, rule petri.Rule) *engine.Result {
	t.Helper()
	return draft(t, files, rule).Check(context.Background(), engine.Budget{Jobs: 2})
}

// fails lists the requirements that are not kept, and the built-in checks that object.
func fails(r *engine.Result) string {
	var names []string
	for _, q := range r.Requirements {
		if q.Verdict != engine.Holds {
			names = append(names, fmt.Sprintf("%s %s", q.Name, q.Verdict))
		}
	}
	return strings.Join(names, ", ")
}

func size(r *engine.Result) string {
	return fmt.Sprintf("%d states, %d arcs, %d dead ends", r.Model.States, r.Model.Arcs, r.Model.DeadEnds)
}

func TestSaleSizes(t *testing.T) {
	for rule, want := range map[petri.Rule]string{
		petri.One: "10 states, 12 arcs, 0 dead ends",
		petri.All: "8 states, 8 arcs, 0 dead ends",
	} {
		r := check(t, example(t, "sale"), rule)
		if got := size(r); got != want || r.Model.Transitions != 8 {
			t.Errorf("rule %s: %s, %d transitions; want %s, 8 transitions", rule, got, r.Model.Transitions, want)
		}
	}
}

// TestSaleVerdicts is the table of section "Sale, phase 1", in both notations.
func TestSaleVerdicts(t *testing.T) {
	rows := []struct {
		table1, ctl string
		one, all    engine.Verdict
	}{
		{"G(E F(seller.S0 & A purchaser.P0))", "AG EX EF (seller.S0 && AX purchaser.P0)", engine.Violated, engine.Holds},
		{"G(F(seller.S0 & purchaser.P0))", "AG EF (seller.S0 && purchaser.P0)", engine.Holds, engine.Violated},
		{"G((!seller.GAV & E seller.GAV) -> purchaser.P1)", "AG (!seller.GAV && EX seller.GAV -> purchaser.P1)", engine.Holds, engine.Holds},
		{"G(seller.GAV -> (seller.GAV AU purchaser.P3))", "AG (seller.GAV -> A[seller.GAV U purchaser.P3])", engine.Holds, engine.Holds},
		{"G((!purchaser.P3 & E purchaser.P3) -> seller.GAV)", "AG (!purchaser.P3 && EX purchaser.P3 -> seller.GAV)", engine.Holds, engine.Holds},
	}
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "requirement \"t%d\" { table1 = %q }\nrequirement \"c%d\" { ctl = %q }\n", i, row.table1, i, row.ctl)
	}
	files := example(t, "sale").(fstest.MapFS)
	files["table.contract.hcl"] = &fstest.MapFile{Data: []byte(b.String())}
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		r := check(t, files, rule)
		for i, row := range rows {
			want := map[petri.Rule]engine.Verdict{petri.One: row.one, petri.All: row.all}[rule]
			for _, name := range []string{fmt.Sprintf("t%d", i), fmt.Sprintf("c%d", i)} {
				if got := requirement(t, r, name); got.Verdict != want {
					t.Errorf("rule %s, %s (%s): %s, want %s", rule, name, row.table1, got.Verdict, want)
				}
			}
		}
	}
}

func requirement(t *testing.T, r *engine.Result, name string) *engine.Requirement {
	t.Helper()
	for i := range r.Requirements {
		if r.Requirements[i].Name == name {
			return &r.Requirements[i]
		}
	}
	t.Fatalf("there is no requirement %q", name)
	return nil
}

// TestSaleMistakes is the table of drafting mistakes, under rule one.
func TestSaleMistakes(t *testing.T) {
	for _, row := range []struct {
		name   string
		edits  []edit
		states int64
		fails  string
	}{
		{"the seller may withdraw during the sale",
			[]edit{{"seller.contract.hcl", `transition "end" {`, "transition \"withdraw\" {\n from = S2\n to = S0\n set = { GAV = false }\n}\ntransition \"end\" {"}},
			12, "goods-not-withdrawn violated, accept-only-available violated"},
		{"the purchaser accepts without waiting",
			[]edit{{"purchaser.contract.hcl", `transition "take" {`, "transition \"grab\" {\n from = P1\n to = P3\n}\ntransition \"take\" {"}},
			10, "accept-only-available violated"},
		{"the purchaser cancels the request",
			[]edit{{"purchaser.contract.hcl", `transition "take" {`, "transition \"cancel\" {\n from = P1\n to = P0\n}\ntransition \"take\" {"}},
			11, "goods-not-withdrawn violated"},
		{"the test of GAV_F put on S0",
			[]edit{{"seller.contract.hcl", "when  = { GAV = false }", "from = S0\n to = S0"}},
			10, "discharge violated"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := check(t, example(t, "sale", row.edits...), petri.One)
			if fails(r) != row.fails || r.Model.States.Int64() != row.states {
				t.Errorf("%d states, fails: %s; want %d, %s", r.Model.States, fails(r), row.states, row.fails)
			}
		})
	}
}

// TestSaleIdles is the last drafting mistake: the event that uses a self-loop is removed. Every
// requirement that something must come fails, and the warning stands before.
func TestSaleIdles(t *testing.T) {
	files := example(t, "sale", edit{"sale.contract.hcl", `event "P_GAV_F" {
  title = "the purchaser sees that no more goods are available"
  sync = {
    seller    = SellerGAV_F
    purchaser = PurchaserGAV_F
  }
}
`, ""})
	r := check(t, files, petri.One)
	if got := requirement(t, r, "goods-not-withdrawn").Verdict; got != engine.Holds && got != engine.Violated {
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
		r := check(t, example(t, name), petri.One)
		if size(r) != want || fails(r) != "" {
			t.Errorf("%s: %s, fails: %s; want %s, none", name, size(r), fails(r), want)
		}
	}
}

// TestLetterOfCredit is the section on figure 11.
func TestLetterOfCredit(t *testing.T) {
	files := example(t, "letter-of-credit")
	one, all := check(t, files, petri.One), check(t, files, petri.All)
	if size(one) != "12 states, 13 arcs, 1 dead ends" || fails(one) != "" || len(one.Requirements) != 9 {
		t.Errorf("rule one: %s, %d requirements, fails: %s", size(one), len(one.Requirements), fails(one))
	}
	if all.Model.States.Int64() != 9 {
		t.Errorf("rule all: %s", size(all))
	}
	exposed := 0
	d := draft(t, files, petri.One)
	g, err := d.Explore(context.Background(), engine.Budget{})
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

// paymentFirst is the mistake of figure 11: bank and seller both let payment come before documents.
var paymentFirst = []edit{
	{"seller.contract.hcl", `    consume = [dispatch_cert, title]
    produce = [awaiting_pay]`, `    consume = [paid0, title]
    produce = [paid]`},
	{"seller.contract.hcl", `    consume = [awaiting_pay]
    produce = [paid]`, `    consume = [dispatch_cert]
    produce = [paid0]`},
	{"seller.contract.hcl", "place \"awaiting_pay\" {\n    title   = \"awaiting payment\"\n    exposed = true\n  }", `place "paid0" { title = "paid, documents still to be presented" }`},
	{"bank.contract.hcl", `consume = [open]`, `consume = [open2]`},
	{"bank.contract.hcl", `    consume = [docs]
    produce = [out_of_pocket]`, `    consume = [open]
    produce = [out_of_pocket, open2]`},
	{"bank.contract.hcl", `place "docs"`, `place "open2" { title = "paid, awaiting documents" }
  place "docs"`},
}

func TestPaymentBeforeDocuments(t *testing.T) {
	r := check(t, example(t, "letter-of-credit", paymentFirst...), petri.One)
	for _, name := range []string{"documents-before-payment", "bank-pays-against-documents"} {
		if got := requirement(t, r, name); got.Verdict != engine.Violated || got.Trace == nil {
			t.Errorf("%s: %s", name, got.Verdict)
		}
	}
	if r.Model.States.Int64() != 13 {
		t.Errorf("%s, want 13 states", size(r))
	}
}
