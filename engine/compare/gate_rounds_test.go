package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

const repeated = `contract "rent" {}
party "tenant" {}
party "landlord" {}
template "month" {
  party "debtor" {}
  party "creditor" {}
  event "payment" { by = debtor }
  event "receipt" { by = creditor }
  obligation "pay" {
    bearer       = debtor
    counterparty = creditor
    fulfil       = payment
    within       = 2
  }
  obligation "report" {
    bearer       = creditor
    counterparty = debtor
    when         = payment
    fulfil       = receipt
  }
}
phase "month" {
  template = month
  roles = {
    debtor   = tenant
    creditor = landlord
  }
  count = 2
  until = receipt
}
accept "breach-without-consequence" { reason = "x" }
`

// TestOfRoundsNothingGetsPast: a promise on every round of a phase, or on some, is given up by the same amendments as the one that names each round. What is renamed
// throughout is no objection; what means something else is one.
func TestOfRoundsNothingGetsPast(t *testing.T) {
	renamed := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	idle := renamed(`obligation "pay"`, `obligation "settle"`, `  obligation "report"`, `  net "court" {
    place "summons" {}
    transition "sue" { consume = [summons] }
  }
  event "never" { sync = { court = sue } }
  obligation "pay" {
    bearer = debtor
    when   = never
    fulfil = payment
  }
  obligation "report"`)
	phase := renamed(`phase "month"`, `phase "moon"`, "month-", "moon-", "in month", "in moon")
	for _, c := range []struct {
		name   string
		amends func(string) string
		lost   bool
	}{
		{"nothing", renamed("contract \"rent\"", "contract \"rent\""), false},
		{"the phase renamed", phase, false},
		{"what the template has renamed", renamed(`obligation "pay"`, `obligation "settle"`, ".pay.", ".settle."), false},
		{"both renamed", func(s string) string {
			return renamed(`obligation "pay"`, `obligation "settle"`, ".pay.", ".settle.")(phase(s))
		}, false},
		{"an event renamed", renamed("payment", "transfer"), false},
		{"a namesake that is idle", idle, true},
		{"a namesake that is idle, in another phase", func(s string) string { return idle(phase(s)) }, true},
		{"names exchanged", renamed(`obligation "pay"`, `obligation "report"`, `obligation "report"`, `obligation "pay"`), true},
		{"one round less", renamed("count = 2", "count = 1", " && (AG !(happened(month-2.payment) && month-2.pay.owed))", "", " || (AG !(happened(month-2.payment) && month-2.pay.owed))", ""), true},
	} {
		for op, sign := range map[string]string{"all": "&&", "some": "||"} {
			for form, formula := range map[string]string{
				"quantified":  op + " m in month: AG !(happened(m.payment) && m.pay.owed)",
				"written out": "(AG !(happened(month-1.payment) && month-1.pay.owed)) " + sign + " (AG !(happened(month-2.payment) && month-2.pay.owed))",
			} {
				base := repeated + fmt.Sprintf("requirement \"r\" { ctl = %q }\n", formula)
				want := finding.Clean
				if c.lost && (c.name != "one round less" || op == "all" || form == "written out") { // some of fewer is more
					want = finding.Violations
				}
				review := amend(t, base, c.amends(base), "")
				if got := review.Gate(finding.FailNew); got != want {
					t.Errorf("%s, %s %s: exit status %d, want %d; %s", c.name, op, form, got, want, findingsOf(review.Contracts[0]))
				}
			}
		}
	}
}
