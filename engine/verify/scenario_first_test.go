package verify_test

import (
	"context"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// A state model that takes all the time there is leaves no scenario open.
func TestScenariosComeBeforeTheStateModel(t *testing.T) {
	d := testkit.DraftOf(t, `contract "c" {}
party "p" {
  state "a" {}
  state "b" {}
  transition "t" {
    from = a
    to   = b
  }
}
event "e" { sync = { p = t } }
scenario "s" {
  events = [e]
  ends   = "p.b"
}
requirement "r" { ctl = "AG !p.b" }
`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := verify.Check(ctx, d, finding.Budget{Jobs: 1, Progress: func(int, int) { cancel() }})
	for _, q := range r.Requirements {
		if want := map[string]finding.Verdict{"s": finding.Holds, "r": finding.Unknown}[q.Name]; q.Verdict != want || want == finding.Unknown && q.Reason == "" {
			t.Errorf("%s is %s (%s), want %s", q.Name, q.Verdict, q.Reason, want)
		}
	}
}
