package verify_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// TestDiagramsAreTriedBriefly: a check takes the result of decision diagrams, and reports what states one by one report, with the same runs. Where a violation
// is waived states are listed, which tell whether the waiver is of all ways. Few states are always listed.
func TestDiagramsAreTriedBriefly(t *testing.T) {
	const broken = "requirement \"never-back\" {\n  ctl = \"all p in purchaser: AG (p.P0 -> seller.S0)\"\n}\n"
	waived := strings.Replace(broken, "}", "  waiver {\n    reason = \"r\"\n    approver = \"a\"\n    run = \"sha256:"+strings.Repeat("0", 64)+"\"\n  }\n}", 1)
	for _, c := range []struct {
		n    int
		more string
		want finding.Engine
	}{{6, "", finding.Explicit}, {8, "", finding.Symbolic}, {8, broken, finding.Symbolic}, {8, waived, finding.Explicit}} {
		draft := testkit.Purchasers(t, c.n, petri.One, c.more)
		draft.Memo = compile.NewMemo()
		explicit := verify.Check(t.Context(), draft, finding.Budget{Jobs: 1, Engine: finding.Explicit})
		if slices.ContainsFunc(explicit.Requirements, func(q finding.Requirement) bool { return q.Verdict == finding.Violated }) != (c.more != "") {
			t.Fatalf("%q: %v", c.more, explicit.Requirements)
		}
		for _, from := range []string{"states listed before", "states listed now"} {
			auto := verify.Check(t.Context(), draft, finding.Budget{Jobs: 1})
			if got := auto.Model.Engine; got != string(c.want) {
				t.Errorf("%d purchasers, %s: by %s", c.n, from, got)
			}
			auto.Model = explicit.Model
			if !reflect.DeepEqual(auto, explicit) {
				t.Errorf("%d purchasers, %s: another result", c.n, from)
			}
			draft.Memo = nil
		}
	}
}
