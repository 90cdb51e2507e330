package engine_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/petri"
)

// one file of an example, as the only one of a contract.
func rewritten(t *testing.T, name, file string, rewrite func(string) string) fs.FS {
	t.Helper()
	text, err := fs.ReadFile(example(t, name), file)
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
		phase, sale := check(t, goods, rule), check(t, example(t, "sale"), rule)
		if size(phase) != size(sale) {
			t.Errorf("rule %s: %s in a phase, %s by hand", rule, size(phase), size(sale))
		}
		for name, by := range map[string]string{"goods.discharge": "discharge", "goods.not-withdrawn": "goods-not-withdrawn"} {
			if a, b := requirement(t, phase, name), requirement(t, sale, by); a.Verdict != b.Verdict {
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
	if r := check(t, side, petri.One); r.Model.States.Int64() != 100 {
		t.Errorf("side by side: %s", size(r))
	}
	sequence := check(t, example(t, "sale-in-two-phases"), petri.One)
	if sequence.Model.States.Int64() != 10+100 || fails(sequence) != "" {
		t.Errorf("in sequence: %s, fails: %s", size(sequence), fails(sequence))
	}
}
