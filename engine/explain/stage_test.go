package explain_test

import (
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestStagedRunsFire: every run of the examples and of amendments to them is found again as transitions that fire, told in the same words.
func TestStagedRunsFire(t *testing.T) {
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	var drafts []*compile.Draft
	for _, name := range names {
		for _, rule := range []petri.Rule{petri.One, petri.All} {
			if testing.Short() && rule == petri.All {
				continue
			}
			drafts = append(drafts, testkit.Draft(t, testkit.Example(t, name), rule))
		}
	}
	drafts = append(drafts, testkit.Draft(t, testkit.Example(t, "letter-of-credit", testkit.PaymentFirst...), petri.One),
		testkit.Draft(t, testkit.Example(t, "sale", testkit.Before("purchaser.contract.hcl", `  transition "take" {`, "  transition \"cancel\" {\n    from = P1\n    to   = P0\n  }\n")...), petri.One))
	staged := 0
	for _, d := range drafts {
		r := verify.Check(t.Context(), d, finding.Budget{Jobs: 2})
		var runs []*finding.Trace
		for i := range r.Requirements {
			if run := r.Requirements[i].Trace; run != nil {
				runs = append(runs, run)
			}
		}
		for i := range r.Diagnostics {
			if run := r.Diagnostics[i].Trace; run != nil {
				runs = append(runs, run)
			}
		}
		for i, s := range explain.Stage(d, runs) {
			if s == nil {
				t.Errorf("%s: run %d is not found again", d.Path, i)
				continue
			}
			staged += replayed(t, d, s)
		}
	}
	if staged < 20 {
		t.Errorf("only %d steps were staged", staged)
	}
}

// replayed fires a staged run, and counts its steps.
func replayed(t *testing.T, d *compile.Draft, s *explain.Staged) int {
	t.Helper()
	m, n := s.Start, len(s.Steps)
	told := slices.Concat(s.Of.Prefix, s.Of.Loop)
	for i, step := range s.Steps {
		for _, tr := range step {
			if !d.Net.Fireable(m, tr) {
				t.Fatalf("%s: step %d can't fire", d.Path, i)
			}
			if f := explain.Firing(d, told[0].Step, tr, m); f.Event != told[0].Event || !slices.Equal(f.Transitions, told[0].Transitions) {
				t.Errorf("%s: step %d is told as %v and fires %v", d.Path, i, told[0], f)
			}
			told = told[1:]
		}
		m, _ = d.Net.Fire(m, step)
	}
	for _, then := range s.Then {
		n += replayed(t, d, then)
	}
	return n
}
