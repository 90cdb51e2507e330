package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// TestAnotherBreach: a scenario that is to leave a party in breach, and does so by another norm than before, is kept, and that is said.
func TestAnotherBreach(t *testing.T) {
	const base = `contract "c" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "shipping" { by = seller }
event "notice" { by = seller }
obligation "ship" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = shipping
  within       = "5 days"
}
scenario "late" {
  events = [order, "6 days", shipping]
  breach = seller
}
`
	const notify = `obligation "notify" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = notice
  within       = "1 day"
}
`
	longer := strings.Replace(base, "5 days", "30 days", 1)
	for _, c := range []struct{ name, head, want string }{
		{"by another", longer + notify, `kept: Afterwards the seller is in breach of notify; before the amendment it was of ship.`},
		{"by another, too", base + notify, `kept: Afterwards the seller is in breach of notify and ship; before the amendment it was of ship.`},
		{"renamed", strings.Replace(base, `"ship"`, `"send"`, 1), "kept: "},
		{"as before", base + "event \"other\" { by = buyer }\n", "kept: "},
		{"by nothing", longer, "new: "},
	} {
		review := amend(t, base, c.head, "")
		f := review.Contracts[0].Findings[0]
		if got := f.Kind.String() + ": " + words.RestedText(&f); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if gate := review.Gate(finding.FailNew); (gate == finding.Clean) != (c.name != "by nothing") {
			t.Errorf("%s: %v", c.name, gate)
		}
		if worth, _ := words.Ranked([]finding.Finding{f}); f.Kind == finding.Kept && (len(worth) == 1) != (c.want != "kept: ") {
			t.Errorf("%s has a line of its own, or has none: %v", c.name, worth)
		}
	}
}
