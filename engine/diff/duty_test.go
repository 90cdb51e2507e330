package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/diff"
)

// TestRenamedDuties: a norm with another name and another time is the same norm if nothing else has its parties, acts and beginning.
func TestRenamedDuties(t *testing.T) {
	const base = `contract "c" {}
party "seller" {}
party "buyer" {}
party "bank" {}
event "delivery" { by = seller }
event "notice" { by = seller }
event "payment" {
  by         = buyer
  only_while = pay.owed
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = delivery
  fulfil       = payment
  within       = "10 days"
}
`
	const again = `obligation "again" {
  bearer       = buyer
  counterparty = seller
  when         = delivery
  fulfil       = payment
  within       = "20 days"
}
`
	renamed := strings.NewReplacer(`"pay"`, `"disburse"`, "pay.owed", "disburse.owed", "10 days", "90 days").Replace(base)
	for _, c := range []struct{ name, base, head, want string }{
		{"renamed and longer", base, renamed, "renamed obligation disburse (was pay); rewired obligation disburse (was pay); within: 10 days > 90 days"},
		{"and so back", renamed, base, "renamed obligation pay (was disburse); rewired obligation pay (was disburse); within: 90 days > 10 days"},
		{"and a party renamed", base, strings.ReplaceAll(renamed, "buyer", "purchaser"), "renamed party purchaser (was buyer); renamed obligation disburse (was pay); rewired obligation disburse (was pay); within: 10 days > 90 days"},
		{"of another beginning", base, strings.Replace(renamed, "when         = delivery", "when         = notice", 1), "rewired event payment; only_while: pay.owed > disburse.owed; removed obligation pay; added obligation disburse"},
		{"to another", base, strings.Replace(renamed, "counterparty = seller", "counterparty = bank", 1), "rewired event payment; only_while: pay.owed > disburse.owed; removed obligation pay; added obligation disburse"},
		{"one of two alike", base, renamed + again, "rewired event payment; only_while: pay.owed > disburse.owed; removed obligation pay; added obligation again; added obligation disburse"},
		{"one of two, the other by its name", base + again, renamed + again, "renamed obligation disburse (was pay); rewired obligation disburse (was pay); within: 10 days > 90 days"},
	} {
		list, _ := diff.Changes(contractOf(t, c.base), contractOf(t, c.head))
		var got []string
		for _, d := range list {
			if d.Action == diff.Added || d.Action == diff.Removed {
				d.Terms = nil
			}
			got = append(got, said(d))
		}
		want := strings.Split(c.want, "; ")
		slices.Sort(want)
		if got = strings.Split(strings.Join(got, "; "), "; "); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%s: %s\nwant %s", c.name, strings.Join(got, "; "), c.want)
		}
	}
}
