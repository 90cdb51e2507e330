package explain_test

import (
	"strings"
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
  state "gone" { title = "has gone as ${count.index + 1}" }
  counter "paid" {
    title = "amount ${count.index + 1}"
    to    = 2
  }
}
event "bid" { by = each(buyer) }
event "win" {
  title = "buyer ${count.index + 1} wins"
  by    = each(buyer)
}
event "leave" {
  title = "leaves"
  by    = each(buyer)
}
event "join" { by = each(seller) }
party "seller" { count = 2 }
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
phase "share" {
  template = m
  roles    = { x = each(buyer) }
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

		`every = "b in buyer", always = "b.waiting || b.in"`:                                         "For every buyer: always “buyer: waits” or “buyer: is in”.",
		`every = "b in buyer", no = "b.in", without = "b.out"`:                                       "For every buyer: no “buyer: is in” without “buyer: is out” first.",
		`every = "b in buyer", no = "b.in", without = "some c in buyer: c.out"`:                      "For every buyer b: no “buyer: is in” without some c in buyer: c.out first.",
		`every = "b in buyer", always = "b.in -> b.out"`:                                             "For every buyer b: always b.in -> b.out.",
		`every = "i in rent", never = "i.breached"`:                                                  "For every occurrence of rent: never “rent: breached”.",
		`every = "m in month", always = "m.pay.owed"`:                                                "For every round m of month: always m.pay.owed.",
		`ctl = "all b in buyer: some c in buyer: AG (b.in -> !c.out)"`:                               "For every buyer b, for some buyer c: AG (b.in -> !c.out)",
		`ctl = "all i in rent: AF i.fulfilled", over = ideal`:                                        "On runs on which nothing is ever breached, for every occurrence i of rent: AF i.fulfilled",
		`every = "b in buyer", no = "b.in", without = "happened(bid[b])"`:                            "For every buyer: no “buyer: is in” without “bid” of that buyer first.",
		`every = "b in buyer", no = "b.in", without = "happened(bid[0])"`:                            "For every buyer: no “buyer: is in” without “bid[0]” first.",
		`every = "b in buyer", no = "happened(win[b])", without = "happened(leave[b])"`:              "For every buyer: no “win” of that buyer without “leaves” of that buyer first.",
		`every = "b in buyer", whenever = "happened(bid[b]) && !enabled(win[b])", follows = "b.out"`: "For every buyer: whenever “bid” of that buyer has happened and “win” of that buyer can't happen, then “buyer: is out” follows.",
		`every = "b in buyer", no = "happened(bid[b]) && happened(bid[0])", without = "b.in"`:        "For every buyer b: no happened(bid[b]) && happened(bid[0]) without “buyer: is in” first.",
		`every = "b in buyer", never = "happened(join[b])"`:                                          "For every buyer b: never happened(join[b]).",
		`always = "all b in buyer: happened(bid[b])"`:                                                "Always for every buyer “bid” of that buyer has happened.",
		`every = "b in buyer", never = "b.gone"`:                                                     "For every buyer b: never b.gone.",
		`every = "b in buyer", never = "b.paid > 1"`:                                                 "For every buyer b: never b.paid > 1.",
		`never = "some b in buyer: b.gone"`:                                                          "Never some b in buyer: b.gone.",
		`every = "s in share", always = "s.pay.owed"`:                                                "For every phase s of share: always s.pay.owed.",
		`ctl = "some s in share: AG !s.pay.breached"`:                                                "For some phase s of share: AG !s.pay.breached",
		`ctl = "all m in month: AG !m.pay.breached"`:                                                 "For every round m of month: AG !m.pay.breached",
		`ctl = "AG all b in buyer: b.in"`:                                                            "",
	} {
		pattern = strings.ReplaceAll(pattern, ", ", "\n")
		r := testkit.CheckWithin(t, text+"requirement \"r\" {\n"+pattern+"\n}\n", finding.Budget{})
		if got := testkit.Requirement(t, r, "r").Says; got != want {
			t.Errorf("%s: %q, expected %q", pattern, got, want)
		}
	}
}
