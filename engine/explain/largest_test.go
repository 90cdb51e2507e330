package explain_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// Each part's states are counted by hand: three states, twice for the flag, five times for the counter; four ticks of being owed, and four
// more states of the duty; three parties of two states each.
func TestLargestParts(t *testing.T) {
	d := testkit.DraftOf(t, `
contract "c" {}
party "seller" {
  state "open" {}
  state "sold" {}
  state "gone" {}
  flag "paid" {}
  counter "visits" { to = 4 }
  transition "sell" {
    from = open
    to   = sold
    set  = { paid = true, visits = visits + 1 }
  }
  transition "leave" {
    from = sold
    to   = gone
  }
}
party "guest" {
  count = 3
  state "out" {}
  state "in" {}
  transition "enter" {
    from = out
    to   = in
  }
}
event "sale" { sync = { seller = sell } }
obligation "pay" {
  bearer = seller
  fulfil = sale
  within = 4
}
`)
	if got, want := explain.LargestParts(d), "States multiply over what can change side by side: seller has 30 by itself, guest 2 (3 times), pay 8"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	alone := testkit.DraftOf(t, "contract \"c\" {}\nparty \"a\" {\n  state \"s\" {}\n  state \"u\" {}\n  transition \"t\" {\n    from = s\n    to   = u\n  }\n}\n")
	if got := explain.LargestParts(alone); got != "" {
		t.Errorf("of one part: %s", got)
	}
}
