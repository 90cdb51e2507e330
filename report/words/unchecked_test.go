package words

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestWhatALimitLeavesOutIsNamed: every built-in check that a contract can have, each once, in the words of a reader.
func TestWhatALimitLeavesOutIsNamed(t *testing.T) {
	said := func(text string, b finding.Budget) string {
		src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", ".", nil)
		if err != nil {
			t.Fatal(err)
		}
		d := compile.Compile(src, ".", nil)
		if d.Spec == nil {
			t.Fatal(src.Diagnostics)
		}
		return NotLookedFor(verify.Check(context.Background(), d, b))
	}
	const rich = `contract "c" { final = "seller.done" }
party "seller" {
  state "open" {}
  state "done" {}
  place "goods" { marked = true }
  counter "sent" {
    to      = 2
    changes = { delivery = sent + 1 }
  }
  transition "close" {
    from = open
    to   = done
  }
}
party "buyer" {}
document "title" {
  holder = seller
  moves  = { delivery = { from = seller, to = buyer } }
}
event "delivery" { by = seller }
event "expiry" { after = { delivery = "2 days" } }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  fulfil       = delivery
  within       = "3 days"
}
accept "breach-without-consequence" { reason = "none is needed" }
`
	const want = "Not looked for, so there may be some: things that would be there twice; counters out of bounds; what never happens or is never reached; " +
		"what goes on for ever and changes nothing; documents in two places; ways to get stuck; duties and rights that are forbidden, impossible or never arise; " +
		"breaches that have no consequence or can't be avoided; accept blocks that accept nothing."
	if got := said(rich, finding.Budget{Engine: finding.Explicit, States: 1}); got != want {
		t.Errorf("said: %s", got)
	}
	if got := said(rich, finding.Budget{}); got != "" {
		t.Errorf("said of a whole model: %s", got)
	}
}
