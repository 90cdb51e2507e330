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

// TestGateOfEmptiedScenarios: a scenario that was impossible from its last step on, and is so from an earlier one now, does not ask any more what it
// asked. That is given up as a promise over ideal runs is; what was so before, or is reworded for it, is not.
func TestGateOfEmptiedScenarios(t *testing.T) {
	const late = `contract "c" {}
party "seller" {}
party "buyer" {
  state "waiting" {}
  state "served" { since = delivery }
}
event "delivery" { by = seller }
event "complaint" {
  by     = buyer
  within = { delivery = 2 }
}
scenario "late" {
  events = [delivery, tick, tick, complaint]
  expect = impossible
}
`
	ordered := strings.Replace(late, "event \"delivery\" { by = seller }", "event \"order\" { by = buyer }\nevent \"delivery\" {\n  by        = seller\n  not_before = { order = 1 }\n}", 1)
	longer := strings.Replace(ordered, "within = { delivery = 2 }", "within = { delivery = 4 }", 1)
	for _, c := range []struct {
		name, base, head string
		want             finding.ExitStatus
	}{
		{"an order comes first", late, longer, 1},
		{"and what it is about is as before", late, ordered, 1},
		{"it says so", late, strings.Replace(ordered, "[delivery, tick", "[order, tick, delivery, tick", 1), 1}, // no other wording implies the old one
		{"it was so", ordered, longer, 0},
		{"no more", ordered, late, 0},
		{"as before", late, late + "event \"other\" { by = buyer }\n", 0},
	} {
		r := amend(t, c.base, c.head, "")
		if got := r.Gate(finding.FailNew); got != c.want {
			t.Errorf("%s: exit status %d, findings %+v", c.name, got, r.Contracts[0].Findings)
		}
	}
}
