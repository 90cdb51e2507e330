package engine_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestEnginesAgree: states one by one and decision diagrams say the same of every example and of every mistake in one,
// but for which of several shortest runs they show.
func TestEnginesAgree(t *testing.T) {
	draws.Only(t, 30)
	names := []string{"sale", "car-sale", "letter-of-credit", "sale-in-two-phases", "gas-supply", "meat-sale", "purchasers"}
	for _, name := range names {
		agree(t, testkit.ExampleText(t, name))
	}
	all := amendedExamples(t, names...)
	rapid.Check(t, func(t *rapid.T) {
		agree(t, all[rapid.IntRange(0, len(all)-1).Draw(t, "mistake")].head)
	})
}

// TestEnginesAgreeOnChanges: so they do of counters that follow events, changes of norms and other counters, also out of their bounds.
func TestEnginesAgreeOnChanges(t *testing.T) {
	const text = `contract "c" {}
party "seller" {
  state "S0" {}
  state "S1" { since = payment }
  counter "price" {
    from    = 1
    to      = 3
    initial = 3
    changes = { deliver.breached = price - 1 }
  }
  counter "money" {
    to      = 5000
    changes = { payment = money + 1000 * price }
  }
}
party "buyer" {
  counter "paid" {
    to = 2
    changes = {
      payment       = min(paid + 1, 2)
      pay.fulfilled = 0
    }
  }
}
event "order" { by = buyer }
event "payment" {
  by         = buyer
  repeats    = true
  only_while = CONDITION
}
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  within       = 2
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = deliver
  fulfil       = payment
}
requirement "paid" { ctl = "AF (buyer.paid > 0)" }
requirement "rich" { ctl = "EF (seller.money == 5000)" }
requirement "reduced" { ctl = "AG (deliver.breached -> seller.price < 3)" }
`
	for condition, code := range map[string]string{"seller.money <= 2000": "", "!(seller.money > 4000)": "counter-out-of-bounds", "seller.money == 0": "", "buyer.paid < 2": "counter-out-of-bounds"} {
		files := map[string][]byte{"c.contract.hcl": []byte(strings.Replace(text, "CONDITION", condition, 1))}
		agree(t, files)
		d := compile.Compile(load.Text(files, "c", nil), "c", nil)
		r := verify.Check(context.Background(), d, finding.Budget{})
		if slices.ContainsFunc(r.Diagnostics, func(x finding.Diagnostic) bool { return x.Code == "counter-out-of-bounds" }) != (code != "") {
			t.Errorf("%s: %v", condition, r.Diagnostics)
		}
	}
}

func agree(t rapid.TB, text map[string][]byte) {
	t.Helper()
	files := fstest.MapFS{}
	for name, src := range text {
		files[name] = &fstest.MapFile{Data: src}
	}
	src, err := load.Dir(files, ".", ".", nil)
	if err != nil {
		t.Fatal(err)
	}
	one := petri.One
	d := compile.Compile(src, ".", &one)
	want := verify.Check(context.Background(), d, finding.Budget{Engine: finding.Explicit})
	got := verify.Check(context.Background(), d, finding.Budget{Engine: finding.Symbolic})
	contact := func(e finding.Diagnostic) bool { return e.Code == "contact" && e.Trace != nil }
	if slices.ContainsFunc(want.Diagnostics, contact) && slices.ContainsFunc(got.Diagnostics, contact) {
		return // there may be several: each shows one
	}
	if a, b := facts(got), facts(want); a != b {
		t.Fatalf("diagrams say %s", apart(a, b))
	}
}

// facts are what a result says, runs apart: of those of the built-in checks only how long they are. What a formula needs
// further runs for depends on where the first one ends, and so may their length.
func facts(r *finding.Result) string {
	own := *r
	own.Model.Engine, own.Model.Stats, own.Proposals = "", nil, nil
	own.Requirements = append([]finding.Requirement(nil), r.Requirements...)
	lengths := map[string]int{}
	for i := range own.Requirements {
		q := &own.Requirements[i]
		q.Trace, q.Run = nil, ""
	}
	own.Diagnostics = append([]finding.Diagnostic(nil), r.Diagnostics...)
	for i := range own.Diagnostics {
		e := &own.Diagnostics[i]
		e.Run = ""
		if e.Trace != nil {
			lengths[string(e.Code)+e.Subject] = stepsIn(e.Trace)
		}
		e.Trace, e.Run = nil, ""
		if e.Code == "document-held-twice" { // who held it last, and so where that is written, depends on the run
			e.Source, e.Snippet, e.Detail = hcl.Range{}, "", ""
		}
	}
	slices.SortStableFunc(own.Diagnostics, func(a, b finding.Diagnostic) int {
		return strings.Compare(string(a.Code)+a.Subject, string(b.Code)+b.Subject)
	})
	text, _ := json.MarshalIndent(struct {
		finding.Result
		Lengths map[string]int
	}{own, lengths}, "", " ")
	return string(text)
}

// stepsIn is how many steps a run has.
func stepsIn(t *finding.Trace) int {
	if len(t.Prefix) == 0 {
		return 0
	}
	return t.Prefix[len(t.Prefix)-1].Step
}
