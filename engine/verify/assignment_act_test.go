package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestAnActOfWhoBearsItNow: an obligation that can be passed on, twice and back, and has an act of its own is as one with an event for each party that can come to
// bear it, which can happen while that party does. The states and steps are the same, and so is who takes part in them.
func TestAnActOfWhoBearsItNow(t *testing.T) {
	const text = `contract "c" {}
party "seller" {}
party "carrier" {}
party "driver" {}
party "buyer" {}
event "order" {
  by      = buyer
  repeats = true
}
event "delegation" { by = seller }
event "further" { by = carrier }
event "back" { by = driver }
EVENTS
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  within       = 3
  FULFIL
}
power "delegate" {
  bearer   = seller
  exercise = delegation
  assigns  = deliver
  to       = carrier
}
power "pass-on" {
  bearer   = carrier
  exercise = further
  assigns  = deliver
  to       = driver
}
power "give-back" {
  bearer   = driver
  exercise = back
  assigns  = deliver
  to       = seller
}
`
	events := ""
	for _, p := range []string{"seller", "carrier", "driver"} {
		events += "event \"by-" + p + "\" {\n  by         = " + p + "\n  repeats    = true\n  only_while = [deliver.owed, deliver.by-" + p + "]\n}\n"
	}
	requirement := "requirement \"r\" { ctl = \"AG (deliver.owed -> EX deliver.fulfilled) && EF (deliver.by-driver && deliver.fulfilled)\" }\n"
	own := testkit.CheckText(t, strings.NewReplacer("EVENTS", "", "FULFIL", "").Replace(text)+requirement)
	each := testkit.CheckText(t, strings.NewReplacer("EVENTS", events, "FULFIL", "fulfil = [by-seller, by-carrier, by-driver]").Replace(text)+requirement)
	if a, b := testkit.Size(own), testkit.Size(each); a != b || testkit.Fails(own) != "" || testkit.Fails(each) != "" {
		t.Errorf("of its own: %s %s; of each: %s %s", a, testkit.Fails(own), b, testkit.Fails(each))
	}
	d := testkit.DraftOf(t, strings.NewReplacer("EVENTS", "", "FULFIL", "").Replace(text))
	for _, tr := range d.Net.Transitions {
		if tr.Event < 0 || d.Events[tr.Event].Name != "deliver" {
			continue
		}
		for _, p := range tr.Parts {
			for _, read := range tr.Read {
				if name := d.Net.Places[read].Name; strings.HasPrefix(name, "by-") && name != "by-"+d.Parties[p.Net].Name {
					t.Errorf("%s delivers while it is %s", d.Parties[p.Net].Name, name)
				}
			}
		}
	}
	symbolic := verify.Check(context.Background(), d, finding.Budget{Engine: finding.Symbolic})
	if testkit.Size(symbolic) != testkit.Size(own) {
		t.Errorf("diagrams: %s", testkit.Size(symbolic))
	}
}
