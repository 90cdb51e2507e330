package verify

import (
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestEarly: the steps for the reachable states bound these alone, and what else is asked of diagrams has the steps of patience.
func TestEarly(t *testing.T) {
	text := warranties(5, 60) + "requirement \"r\" {\n  ctl = \"AG (o0.owed -> EF o0.breached)\"\n}\n"
	src, err := load.Dir(fstest.MapFS{"a.contract.hcl": {Data: []byte(text)}}, ".", ".", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	d := compile.Compile(src, ".", nil)
	whole := int64(1)
	for ; ; whole *= 2 {
		f := byDiagrams(t.Context(), d, finding.Budget{Memory: 1 << 30, Reach: whole}, nil)
		if !f.late {
			if !f.Settled() {
				t.Fatal(f.Result.Model.Incomplete)
			}
			break
		}
		if f.Result.Model.States != nil || f.Settled() {
			t.Fatal("late, and yet it has the states")
		}
	}
	if whole == 1 {
		t.Fatal("never late")
	}
	f := byDiagrams(t.Context(), d, finding.Budget{Memory: 1 << 30, Patience: whole}, nil)
	if f.Settled() || f.late {
		t.Errorf("the reachable states take all of %d steps: settled %t, late %t", whole, f.Settled(), f.late)
	}
}
