package verify_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestAlternativesAreOneStep: what happens in one way is one step, however many conditions allow it, and under either rule.
func TestAlternativesAreOneStep(t *testing.T) {
	const text = `contract "c" { firing = one }
party "a" {
  flag "F" { initial = true }
  flag "G" { initial = true }
  state "here" {}
  state "there" {}
  transition "go" {
    from = here
    to   = there
    when = { F = true }
    label = move
  }
  transition "run" {
    from = here
    to   = there
    label = move
  }
}
event "e" {
  by         = a
  only_while = any(a.F, a.G)
}
event "f" {
  sync = { a = move }
}
`
	for _, c := range []struct {
		rule   string
		engine finding.Engine
		steps  int64
	}{{"one", finding.Explicit, 4}, {"one", finding.Symbolic, 4}, {"all", finding.Explicit, 1}} {
		r := verify.Check(t.Context(), testkit.DraftOf(t, strings.Replace(text, "firing = one", "firing = "+c.rule, 1)), finding.Budget{Jobs: 1, Engine: c.engine})
		if r.Model.Arcs == nil || r.Model.Arcs.Int64() != c.steps {
			t.Errorf("%s, %v: %v steps, expected %d", c.rule, c.engine, r.Model.Arcs, c.steps)
		}
	}
}
