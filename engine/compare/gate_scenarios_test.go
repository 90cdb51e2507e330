package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestGateOfScenarios: a scenario that fails as on base is no new violation, one that fails at another step is; so where the amendment drops it, and where it
// was a requirement. A waiver takes a new one.
func TestGateOfScenarios(t *testing.T) {
	const events = `contract "c" {}
party "seller" {
  state "open" {}
  state "shut" {}
}
event "a" { by = seller }
event "b" { by = seller }
`
	const scenario = "scenario \"s\" {\n  events = [a, b]\n"
	other := events + "event \"more\" { by = seller }\n"
	without := func(text, event string) string {
		return strings.Replace(text, fmt.Sprintf("event %q { by = seller }", event), fmt.Sprintf("event %q {\n  by         = seller\n  only_while = seller.shut\n}", event), 1)
	}
	whole := scenario + "  expect = possible\n}\n"
	waived := func(run string) string {
		return scenario + "  expect = possible\n  waiver {\n    reason   = \"why\"\n    approver = \"who\"\n    run      = \"" + run + "\"\n  }\n}\n"
	}
	run := amend(t, events+whole, without(events, "b")+whole, "").Contracts[0].Findings[0].Head.Run
	for _, c := range []struct {
		name, base, head, want string
	}{
		{"as before", without(events, "b") + whole, without(other, "b") + whole, "standing; 0"},
		{"sooner", without(events, "b") + whole, without(events, "a") + whole, "new; 1"},
		{"later", without(events, "a") + whole, without(events, "b") + whole, "new; 1"},
		{"not at all before", events + whole, without(events, "b") + whole, "new; 1"},
		{"at its end before", events + scenario + "  breach = seller\n}\n", without(events, "b") + scenario + "  breach = seller\n}\n", "new; 1"},
		{"dropped, as before", without(events, "b") + whole, without(other, "b"), "standing (old); 0"},
		{"dropped, sooner", without(events, "b") + whole, without(events, "a"), "weakened (old); 1"},
		{"was a requirement", events + "requirement \"s\" { ctl = \"AG !happened(a)\" }\n", without(events, "b") + whole, "new, standing (old); 1"},
		{"waived", events + whole, without(events, "b") + waived(run), "waived; 1"},
		{"waived, and fails elsewhere", events + whole, without(events, "a") + waived(run), "new; 1"},
	} {
		r := amend(t, c.base, c.head, "")
		var kinds []string
		for _, f := range r.Contracts[0].Findings {
			if f.Check == nil {
				kinds = append(kinds, f.Kind.String()+map[bool]string{true: " (old)"}[f.Old])
			}
		}
		if got := fmt.Sprintf("%s; %d", strings.Join(kinds, ", "), r.Gate(finding.FailNew)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
