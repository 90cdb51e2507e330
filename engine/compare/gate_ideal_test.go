package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// keptByAll is a contract in which one thing is forbidden for ever, and a promise about the runs on which everybody keeps it. Offers may be made
// for ever before anything else.
const keptByAll = `contract "c" {}
party "seller" {}
party "buyer" {}
event "offer" {
  by         = seller
  repeats    = true
  only_while = pay.dormant
}
event "delivery" { by = seller }
event "payment" {
  by         = buyer
  only_while = pay.owed
}
event "disclosure" { by = buyer }
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = delivery
  fulfil       = payment
  within       = 3
}
prohibition "secrecy" {
  bearer       = buyer
  counterparty = seller
  of           = disclosure
}
requirement "paid" {
  over     = ideal
  whenever = "happened(delivery)"
  follows  = "pay.fulfilled"
}
`

// TestGateOfIdealRuns: a forbidden event that can still happen does not empty what is promised of the runs on which everybody keeps the contract. An
// amendment by which the buyer may waive its debt breaks such a promise, with and without an endless loop of offers; one that lets somebody else
// disclose does not make the runs end there, and a deadline still has to come.
func TestGateOfIdealRuns(t *testing.T) {
	waived := strings.NewReplacer("event \"disclosure\" { by = buyer }", "event \"disclosure\" { by = buyer }\nevent \"waiver\" { by = buyer }", "within       = 3", "until        = waiver")
	before, after, _ := strings.Cut(keptByAll, "event \"offer\"")
	_, after, _ = strings.Cut(after, "}\n")
	for name, base := range map[string]string{"with offers": keptByAll, "without": before + after} {
		r := amend(t, base, waived.Replace(base), "")
		c := r.Contracts[0]
		if was := c.Base.Requirements[0]; was.Verdict != finding.Holds || was.NoRuns {
			t.Errorf("%s, before: %s, no runs: %t", name, was.Verdict, was.NoRuns)
		}
		now := c.Head.Requirements[0]
		if now.Verdict != finding.Violated || r.Gate(finding.FailNew) != 1 {
			t.Fatalf("%s, now: %s, exit status %d", name, now.Verdict, r.Gate(finding.FailNew))
		}
		run := now.Trace
		if len(run.Loop) > 0 || run.DeadEnd || !run.Stops || !strings.Contains(run.Claim, "never comes, though nothing is ever breached") {
			t.Errorf("%s: loop %v, dead end %t, stops %t: %s", name, run.Loop, run.DeadEnd, run.Stops, run.Claim)
		}
	}
	for name, base := range map[string]string{
		"what another may do": strings.Replace(before+after, "event \"disclosure\" { by = buyer }", "event \"disclosure\" { by = seller }", 1),
		"all at once":         strings.Replace(before+after, "contract \"c\" {}", "contract \"c\" { firing = all }", 1),
	} {
		if was := amend(t, base, base+"event \"other\" { by = seller }\n", "").Contracts[0].Base.Requirements[0]; was.Verdict != finding.Holds || !was.NoRuns {
			t.Errorf("%s: %s, no runs: %t", name, was.Verdict, was.NoRuns)
		}
	}
}
