package verify_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
)

// one file of an example, as the only one of a contract.
func rewritten(t *testing.T, name, file string, rewrite func(string) string) fs.FS {
	t.Helper()
	text, err := fs.ReadFile(testkit.Example(t, name), file)
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{file: {Data: []byte(rewrite(string(text)))}}
}

// TestPhaseIsTheSale compares one phase of the template with the sale written out: the same state
// model, the same verdicts.
func TestPhaseIsTheSale(t *testing.T) {
	goods := rewritten(t, "sale-in-two-phases", "sale.contract.hcl", func(text string) string {
		text, _, _ = strings.Cut(text, "phase \"funds\"")
		return text
	})
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		phase, sale := testkit.Check(t, goods, rule), testkit.Check(t, testkit.Example(t, "sale"), rule)
		if testkit.Size(phase) != testkit.Size(sale) {
			t.Errorf("rule %s: %s in a phase, %s by hand", rule, testkit.Size(phase), testkit.Size(sale))
		}
		for name, by := range map[string]string{"goods.discharge": "discharge", "goods.not-withdrawn": "goods-not-withdrawn"} {
			if a, b := testkit.Requirement(t, phase, name), testkit.Requirement(t, sale, by); a.Verdict != b.Verdict {
				t.Errorf("rule %s, %s: %s in a phase, %s by hand", rule, name, a.Verdict, b.Verdict)
			}
		}
	}
}

// TestPhasesSideBySideAndInSequence: side by side the state model is the product, 10 times 10; in
// sequence the second phase waits, and everything of the first that comes before is the same.
func TestPhasesSideBySideAndInSequence(t *testing.T) {
	side := rewritten(t, "sale-in-two-phases", "sale.contract.hcl", func(text string) string {
		return strings.Replace(text, "  after = goods.finished\n", "", 1)
	})
	if r := testkit.Check(t, side, petri.One); r.Model.States.Int64() != 100 {
		t.Errorf("side by side: %s", testkit.Size(r))
	}
	sequence := testkit.Check(t, testkit.Example(t, "sale-in-two-phases"), petri.One)
	if sequence.Model.States.Int64() != 10+100 || testkit.Fails(sequence) != "" {
		t.Errorf("in sequence: %s, fails: %s", testkit.Size(sequence), testkit.Fails(sequence))
	}
}

// among checks the sale in two phases with n purchasers.
func among(t *testing.T, files fs.FS, n int, rule petri.Rule) *finding.Result {
	t.Helper()
	src, err := load.Dir(files, ".", "x", expr.Values{"purchasers": {Text: fmt.Sprint(n), From: "the test"}})
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	return verify.Check(context.Background(), compile.Compile(src, "x", &rule), finding.Budget{Jobs: 2})
}

// anyAccepts is the amendment that one purchaser's acceptance is enough.
func anyAccepts(text string) string {
	return strings.Replace(text, "all(acceptance)", "any(acceptance)", 1)
}

func same(text string) string { return text }

// TestSaleAmongSeveral is the sale with both phases and n purchasers, as drafted and as amended. The sizes were counted
// by a program of its own, from the composed transitions written out by hand. With one purchaser the amendment
// changes nothing.
func TestSaleAmongSeveral(t *testing.T) {
	for _, row := range []struct {
		n     int
		rule  petri.Rule
		draft func(string) string
		size  string
		fails string
	}{
		{1, petri.One, same, "110 states, 252 arcs, 0 dead ends", ""},
		{2, petri.One, same, "580 states, 1888 arcs, 0 dead ends", ""},
		{3, petri.One, same, "3818 states, 16964 arcs, 0 dead ends", ""},
		{1, petri.All, same, "15 states, 15 arcs, 0 dead ends", "goods.discharge violated, funds.discharge violated"},
		{2, petri.All, same, "103 states, 119 arcs, 0 dead ends", "goods.discharge violated, funds.discharge violated"},
		{3, petri.All, same, "224 states, 304 arcs, 0 dead ends", "goods.discharge violated, funds.discharge violated"},
		{1, petri.One, anyAccepts, "110 states, 252 arcs, 0 dead ends", ""},
		{2, petri.One, anyAccepts, "912 states, 3209 arcs, 0 dead ends", "goods.not-withdrawn violated, goods-before-funds violated"},
		{3, petri.One, anyAccepts, "8012 states, 39018 arcs, 0 dead ends", "goods.not-withdrawn violated, goods-before-funds violated"},
	} {
		r := among(t, rewritten(t, "sale-in-two-phases", "sale.contract.hcl", row.draft), row.n, row.rule)
		if testkit.Size(r) != row.size || testkit.Fails(r) != row.fails {
			t.Errorf("%d purchasers, rule %s: %s, fails: %s; want %s, %s", row.n, row.rule, testkit.Size(r), testkit.Fails(r), row.size, row.fails)
		}
	}
}

// TestPhaseIsTheSaleAmongSeveral: one phase of the template with n takers is the sale to n purchasers, written out.
func TestPhaseIsTheSaleAmongSeveral(t *testing.T) {
	goods := rewritten(t, "sale-in-two-phases", "sale.contract.hcl", func(text string) string {
		text, _, _ = strings.Cut(text, "phase \"funds\"")
		return text
	})
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		for n := 1; n <= 4; n++ {
			phase := among(t, goods, n, rule)
			sale := verify.Check(context.Background(), testkit.Purchasers(t, n, rule, ""), finding.Budget{Jobs: 2})
			if testkit.Size(phase) != testkit.Size(sale) {
				t.Errorf("%d purchasers, rule %s: %s in a phase, %s by hand", n, rule, testkit.Size(phase), testkit.Size(sale))
			}
		}
	}
}
