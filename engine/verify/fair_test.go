package verify_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestRandomProgress compares verdicts under assumptions of progress with the definition, on random
// contracts. A lasso that is not fair would not replay, and leave the verdict unknown.
func TestRandomProgress(t *testing.T) {
	draws.Only(t, 50)
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			spec := testkit.DrawContract(t)
			assumeProgress(t, spec)
			d := compile.Compile(&load.Source{Contract: spec}, "x", nil)
			g, markings, ok := testkit.ExploreForProgress(d)
			if !ok {
				continue
			}
			compareProgress(t, d, verify.Check(context.Background(), d, finding.Budget{Jobs: 1}), g, markings)
			if d.Rule == petri.One {
				compareProgress(t, d, verify.Check(context.Background(), d, finding.Budget{Engine: finding.Symbolic}), g, markings)
			}
		}
	})
}

func compareProgress(t *rapid.T, d *compile.Draft, got *finding.Result, g naive.Graph, markings []petri.Marking) {
	for i, q := range got.Requirements {
		verdict := finding.Violated
		if naive.FairSat(g, testkit.ProgressOf(d, false, q.Assuming, markings), d.Formulas[i])[0] {
			verdict = finding.Holds
		}
		if q.Verdict != verdict {
			t.Fatalf("%s assuming %v: %s (%s); naively %s\n%s", q.Formula, q.Assuming, q.Verdict, q.Reason, verdict, testkit.Describe(d))
		}
		if q.Verdict == finding.Violated && len(q.Run) != len("sha256:")+64 {
			t.Fatalf("the run of %s has no fingerprint", q.Formula)
		}
	}
}
