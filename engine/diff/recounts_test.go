package diff_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestChangesOfCountersAreSaid: with the counters of others, of one of several too, and with the names of the version before; and what an event waits for.
func TestChangesOfCountersAreSaid(t *testing.T) {
	const text = `contract "c" {}
party "seller" {
  counter "money" {
    to      = 9
    changes = { any(payment, pay.lifted) = min(money + buyer[0].price + 1, 9) }
  }
}
party "buyer" {
  count = 2
  counter "price" {
    to      = 2
    changes = { view = min(price + local.step, 2) }
  }
}
event "payment" {
  by         = buyer[0]
  repeats    = true
  only_while = [happened(view[0]), !happened(view[1])]
}
event "view" {
  by      = each(buyer)
  repeats = true
}
obligation "pay" {
  bearer  = buyer[0]
  fulfil  = payment
  when    = view[1]
  require = seller.money < local.cap
}
locals {
  step = 1
  cap  = 8
}
`
	read := func(text string) *hclspec.Contract {
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(text)}, "c", nil)
		if src.Contract == nil {
			t.Fatal(src.Diagnostics)
		}
		return src.Contract
	}
	for _, c := range []struct{ from, to, said string }{
		{"buyer[0].price + 1", "buyer[1].price + 1", "changes was any(pay.lifted, payment) = min(money + buyer[0].price + 1, 9), now any(pay.lifted, payment) = min(money + buyer[1].price + 1, 9)"},
		{"any(payment, pay.lifted)", "payment", "changes was any(pay.lifted, payment) = min(money + buyer[0].price + 1, 9), now payment = min(money + buyer[0].price + 1, 9)"},
		{"!happened(view[1])", "happened(view[1])", "only_while was !happened(view[1]), happened(view[0]), now happened(view[0]), happened(view[1])"},
		{"money", "cash", "renamed"},
		{"step = 1", "step = 2", "changes was [0] view[0] = min(price + 1, 2), [1] view[1] = min(price + 1, 2), now [0] view[0] = min(price + 2, 2), [1] view[1] = min(price + 2, 2)"},
		{"cap  = 8", "cap  = 7", "require was seller.money < 8, now seller.money < 7"},
	} {
		var said []string
		changes, _ := diff.Changes(read(text), read(strings.ReplaceAll(text, c.from, c.to)))
		for _, change := range changes {
			if change.Was != "" && change.Was != change.Name {
				said = append(said, "renamed")
			}
			for _, term := range change.Terms {
				said = append(said, term.Word+" was "+term.Was+", now "+term.Now)
			}
		}
		if strings.Join(said, "; ") != c.said {
			t.Errorf("%s for %s: %q", c.to, c.from, said)
		}
	}
}
