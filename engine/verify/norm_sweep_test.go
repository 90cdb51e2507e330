package verify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestFulfilmentUsedUp: what fulfils an obligation may have happened already. Then the warning says so, and what mends it does; where
// something else is in the way it does not.
func TestFulfilmentUsedUp(t *testing.T) {
	of := func(order, delivery, fulfil string) string {
		return `
contract "c" {}
party "seller" {
  state "in" {}
  state "out" { since = refusal }
}
party "buyer" {}
event "order" {
  by      = buyer` + order + `
}
event "refusal" { by = seller }
event "parcel" { by = seller }
event "delivery" {
  by = seller` + delivery + `
}
obligation "deliver" {
  bearer = seller
  when   = order
  fulfil = ` + fulfil + `
}
`
	}
	for _, c := range []struct{ name, order, delivery, fulfil, said string }{
		{"before", "", "", "delivery", `"delivery" has happened already, and happens only once. Keep it from happening before it is owed, with only_while = deliver.owed, or let it happen again, with repeats = true.`},
		{"the first remedy", "", "\n  only_while = deliver.owed", "delivery", "no warning"},
		{"the second remedy", "", "\n  repeats = true", "delivery", "no warning"},
		{"it arises again", "\n  repeats = true", "", "delivery", `"delivery" has happened already, and happens only once. Let it happen again, with repeats = true.`},
		{"any of two", "", "", "[delivery, parcel]", `"delivery" and "parcel" have happened already, and happen only once. Keep them from happening before it is owed, with only_while = deliver.owed, or let them happen again, with repeats = true.`},
		{"both of two", "", "", "all(delivery, parcel)", `"delivery" has happened already, and happens only once. Keep it from happening before it is owed, with only_while = deliver.owed, or let it happen again, with repeats = true.`},
		{"in a state only", "", "\n  only_while = seller.out", "delivery", `"delivery" has happened already, and happens only once. Keep it from happening before it is owed, with deliver.owed in only_while as well, or let it happen again, with repeats = true.`},
		{"another reason", "", "\n  repeats = true\n  only_while = seller.in", "delivery", `It could be if "delivery" did not need seller.in (x/c.contract.hcl:16).`},
		{"two reasons", "", "\n  only_while = seller.in", "delivery", `"delivery" has happened already, and happens only once. Keep it from happening before it is owed, with deliver.owed in only_while as well, or let it happen again, with repeats = true.`},
	} {
		d := testkit.DraftOf(t, of(c.order, c.delivery, c.fulfil))
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			got := "no warning"
			r := verify.Check(t.Context(), d, finding.Budget{Engine: e})
			if at := slices.IndexFunc(r.Diagnostics, func(d finding.Diagnostic) bool {
				return d.Code == "obligation-cannot-fulfil" && strings.Contains(d.Message, "nobody can")
			}); at >= 0 {
				got = r.Diagnostics[at].Detail
			}
			if got != c.said {
				t.Errorf("%s, %s: %q, expected %q", c.name, e, got, c.said)
			}
		}
	}
}

// TestUseForWantOfAnEvent: that nobody can fulfil an obligation, or use a power, whose event never happens follows from what that event is in want of. Where
// another event fulfils it, too, it does not.
func TestUseForWantOfAnEvent(t *testing.T) {
	of := func(fulfil string) string {
		return `
contract "c" {}
party "seller" {
  state "in" {}
  state "out" { since = refusal }
  state "never" {}
  transition "deliver" {
    from = never
    to   = in
  }
}
party "buyer" {}
event "order" { by = buyer }
event "refusal" { by = seller }
event "delivery" {
  sync = { seller = deliver }
}
event "parcel" {
  by         = seller
  only_while = seller.in
}
obligation "deliver" {
  bearer = seller
  when   = order
  fulfil = ` + fulfil + `
}
power "leave" {
  bearer   = seller
  exercise = delivery
}
`
	}
	for fulfil, want := range map[string]string{"delivery": "seller.never", "[delivery, parcel]": "", "all(delivery, parcel)": "seller.never"} {
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			follows := map[string]string{}
			for _, d := range verify.Check(t.Context(), testkit.DraftOf(t, of(fulfil)), finding.Budget{Engine: e}).Diagnostics {
				follows[string(d.Code)+" "+d.Subject] = d.Follows
			}
			got, there := follows["obligation-cannot-fulfil obligation.deliver"]
			if !there || got != want {
				t.Errorf("%s, %s: it follows from %q, expected %q; %v", fulfil, e, got, want, follows)
			}
			if got := follows["power-never-usable power.leave"]; got != "seller.never" {
				t.Errorf("%s, %s: that the power can't be used follows from %q", fulfil, e, got)
			}
		}
	}
}
