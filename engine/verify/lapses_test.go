package verify_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestWhatLapsesWithABreach: nothing follows a breach, but for what could happen only before it.
func TestWhatLapsesWithABreach(t *testing.T) {
	const text = `contract "c" {}
party "buyer" {
  state "ready" {}
  state "waiting" {}
}
event "return" { by = buyer }
obligation "send-back" {
  bearer = buyer
  fulfil = return
  within = 3
}
`
	for only, want := range map[string]string{
		"":                                 `When the obligation "send-back" is breached, nothing follows.`,
		"only_while = send-back.owed":      `When the obligation "send-back" is breached, "return" can't happen any more, and nothing else follows.`,
		"only_while = !send-back.breached": `When the obligation "send-back" is breached, "return" can't happen any more, and nothing else follows.`,
		"only_while = any(send-back.owed, send-back.breached)":      `When the obligation "send-back" is breached, nothing follows.`,
		"only_while = any(send-back.fulfilled, send-back.breached)": "", // which the breach makes possible
		"only_while = any(send-back.breached, buyer.waiting)":       "",
	} {
		d := testkit.DraftOf(t, strings.Replace(text, `{ by = buyer }`, "{\n  by = buyer\n  "+only+"\n}", 1))
		said := ""
		for _, x := range verify.Check(t.Context(), d, finding.Budget{Jobs: 1}).Diagnostics {
			if x.Code == "breach-without-consequence" {
				said = x.Message
			}
		}
		if said != want {
			t.Errorf("%s: it is said: %s, not: %s", only, said, want)
		}
	}
}
