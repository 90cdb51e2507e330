package explain_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestQuantifiersInPatterns: what a pattern says of some or all of several is told in words where they say just that, and as written elsewhere: of the
// rounds of a phase, and of what has no words.
func TestQuantifiersInPatterns(t *testing.T) {
	const text = `contract "c" {}
party "buyer" {
  count = 2
  state "waiting" { title = "waits" }
  state "in" { title = "is in" }
  state "out" { title = "is out" }
}
party "z" {}
template "m" {
  party "x" {}
  event "done" { by = x }
  obligation "pay" {
    bearer = x
    fulfil = done
    within = 3
  }
}
event "start" { by = z }
obligation "rent" {
  title  = "pay the rent"
  bearer = z
  when   = start
  times  = 3
  every  = 2
  within = 2
}
phase "month" {
  template = m
  roles    = { x = z }
  count    = 2
  until    = done
}
`
	for pattern, want := range map[string]string{
		`always = "all b in buyer: b.waiting"`:                        "Always “every buyer: waits”.",
		`always = "all b in buyer: b.waiting || b.in"`:                "Always for every buyer “buyer: waits” or “buyer: is in”.",
		`never = "some b in buyer: b.out || b.in"`:                    "Never “some buyer: is out” or “some buyer: is in”.",
		`never = "some b in buyer: b.out && !b.in"`:                   "Never for some buyer “buyer: is out” and not “buyer: is in”.",
		`always = "all b in buyer: b.in -> b.out"`:                    "Always all b in buyer: b.in -> b.out.",
		`always = "all b in buyer: b.in || buyer[0].out"`:             "Always all b in buyer: b.in || buyer[0].out.",
		`always = "all b in buyer: b.in || (some c in buyer: c.out)"`: "Always all b in buyer: b.in || (some c in buyer: c.out).",
		`always = "all m in month: m.pay.owed"`:                       "Always all m in month: m.pay.owed.",
		`always = "all m in month: m.pay.owed || m.pay.dormant"`:      "Always all m in month: m.pay.owed || m.pay.dormant.",
		`always = "all i in rent: i.owed"`:                            "Always “every rent: owed”.",
		`never = "some i in rent: i.owed && i.breached"`:              "Never for some rent “rent: owed” and “rent: breached”.",
		`always = "all i in rent: i.breached -> buyer[0].out"`:        "Always all i in rent: i.breached -> buyer[0].out.",
	} {
		r := testkit.CheckWithin(t, text+"requirement \"r\" { "+pattern+" }\n", finding.Budget{})
		if got := testkit.Requirement(t, r, "r").Says; got != want {
			t.Errorf("%s: %q, expected %q", pattern, got, want)
		}
	}
}
