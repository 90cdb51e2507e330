package behaviour_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/report/words"
)

const deposit = `contract "c" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "deposit" {
  by         = buyer
  only_while = happened(order)
}
event "delivery" {
  by         = seller
  only_while = happened(deposit)
}
event "insolvency" { by = seller }
obligation "deposit" {
  bearer       = buyer
  counterparty = seller
  when         = order
  fulfil       = deposit
  within       = 5
}
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = deposit
  fulfil       = delivery
}
obligation "thanks" {
  bearer       = buyer
  counterparty = seller
  when         = delivery
}
`

// TestOwnPerformanceIsNotWeighed: a party that need not, or can't, perform any more what exposed it is neither better nor worse off by that.
func TestOwnPerformanceIsNotWeighed(t *testing.T) {
	const span = "from “deposit” to “delivery”: "
	at := strings.Index(deposit, "obligation \"deposit\"")
	waits := strings.Replace(deposit, "happened(deposit)\n", "[happened(deposit), !happened(insolvency)]\n", 1)
	for _, c := range []struct{ name, base, head, want string }{
		{"the duty is dropped", deposit, deposit[:at] + deposit[strings.Index(deposit, "obligation \"deliver\""):], span + "before it ends if the seller acts; now never."},
		{"it can't be fulfilled in time", deposit, strings.Replace(deposit, "happened(order)\n", "happened(order)\n  not_before = { order = 7 }\n", 1), span + "before it ends if the seller acts; now never."},
		{"only where the seller is insolvent, or whenever a day passes", waits, strings.Replace(waits, "happened(insolvency)]\n", "happened(insolvency)]\n  within = { deposit = 1 }\n", 1),
			span + "before it may stay so for ever, as after “deposit” or “insolvency”; now it may stay so for ever, as after “deposit” or “insolvency” or “time passes”."},
	} {
		d := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1}).Difference
		i := slices.IndexFunc(d.Exposure, func(e finding.Exposure) bool { return e.Party == "buyer" })
		if got := words.BeforeAndNow(&d.Exposure[i], d, words.Terminal); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
