package compare_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestTurned: a norm that begins, is used or ends by an event of both versions, after steps after which the other version refuses that event, is owed otherwise,
// however the amendment brings it about. Each case is decided on states one by one and on diagrams.
func TestTurned(t *testing.T) {
	const base = `contract "sale" {}
party "seller" {
  state "well" {}
  state "ill" {}
  transition "fall" {
    from = well
    to   = ill
  }
  transition "hurry" {
    from = ill
    to   = ill
  }
}
party "buyer" {}
event "illness" { sync = { seller = fall } }
event "excuse" { sync = { seller = hurry } }
event "order" { by = buyer }
event "notice" { by = seller }
event "delivery" {
  by         = seller
  only_while = happened(order)
}
event "claim" {
  by         = buyer
  repeats    = true
  only_while = [happened(delivery), !repair.owed]
}
event "repairs" {
  by         = seller
  repeats    = true
  only_while = repair.owed
}
event "cancelling" {
  by         = buyer
  only_while = cancel.held
}
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = delivery
  until        = excuse
}
obligation "repair" {
  bearer       = seller
  counterparty = buyer
  when         = claim
  fulfil       = repairs
}
power "cancel" {
  bearer       = buyer
  counterparty = seller
  when         = order
  exercise     = cancelling
  until        = delivery
  lifts        = deliver
}
`
	const rain = "event \"rain\" { by = seller }\nevent \"sun\" {\n  by         = seller\n  only_while = deliver.suspended\n}\npower \"wait\" {\n  bearer       = seller\n  counterparty = buyer\n  exercise     = rain\n  suspends     = deliver\n  resumes      = sun\n}\n"
	const more, fewer = " in more cases: by ", " in fewer cases: by "
	for _, c := range []struct{ name, old, now, norm, says string }{
		{"a suspension until a notice", "only_while = deliver.suspended", "only_while = [deliver.suspended, happened(notice)]", "obligation.deliver", "be resumed" + fewer + "“sun”"},
		{"as before", "", "", "", ""},
		{"a state in which one is excused", "  transition \"hurry\" {\n    from = ill\n    to   = ill\n", "  transition \"hurry\" {\n    from = well\n    to   = ill\n", "obligation.deliver", "end, be suspended or extended" + more + "“excuse”"},
		{"a claim only after a notice", "!repair.owed]", "!repair.owed, happened(notice)]", "obligation.repair", "begin" + fewer + "“claim”"},
		{"a claim once", "  by         = buyer\n  repeats    = true\n", "  by         = buyer\n", "obligation.repair", "begin" + fewer + "“claim”"},
		{"a claim before the delivery", "[happened(delivery), !repair.owed]", "!repair.owed", "obligation.repair", "begin" + more + "“claim”"},
		{"a power after a notice", "only_while = cancel.held", "only_while = [cancel.held, happened(notice)]", "power.cancel", "be used" + fewer + "“cancelling”"},
		{"a fulfilment where nothing is owed", "only_while = repair.owed", "only_while = any(repair.owed, happened(delivery))", "", ""},
		{"a new step before what ends it", "event \"excuse\" { sync = { seller = hurry } }", "event \"storm\" { by = buyer }\nevent \"excuse\" {\n  by         = seller\n  only_while = happened(storm)\n}", "obligation.deliver", "end, be suspended or extended" + more + "“excuse”"},
		{"a new step before what fulfils what base does not owe", "event \"claim\" {\n  by         = buyer\n  repeats    = true\n  only_while = [happened(delivery), !repair.owed]", "event \"storm\" { by = buyer }\nevent \"claim\" {\n  by         = buyer\n  repeats    = true\n  only_while = [any(happened(delivery), happened(storm)), !repair.owed]", "", ""},
		{"a further step", "event \"notice\"", "event \"chat\" { by = buyer }\nevent \"notice\"", "", ""},
	} {
		base := base + rain
		head := strings.Replace(base, c.old, c.now, 1)
		if head == base && c.old != "" {
			t.Fatalf("%s: no change", c.name)
		}
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: engine})
			want := ""
			if c.norm != "" {
				want = "new norm-changed on " + c.norm
			}
			if got := findingsOf(review); got != want && !strings.Contains(got, want+", ") {
				t.Errorf("%s, %s: %q, want %q", c.name, engine, got, want)
				continue
			}
			for _, f := range review.Findings {
				if f.Check.Subject == c.norm && (!strings.Contains(f.Check.Message, c.says) || f.Check.Trace == nil) {
					t.Errorf("%s, %s: %s", c.name, engine, f.Check.Message)
				}
			}
		}
	}
}
