package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
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
		if f := amend(t, waived.Replace(base), waived.Replace(base)+"event \"other\" { by = seller }\n", "").Contracts[0].Findings[0]; f.Kind != finding.Standing {
			t.Errorf("%s, broken as before: %s %+v", name, f.Kind, f.Way)
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

// TestGateOfEmptiedPromises: an amendment after which every run breaches something before it comes to where a promise over ideal runs asks for
// something gives that promise up, reworded or not. One after which no run at all comes there does not, nor does one of a promise that was empty.
func TestGateOfEmptiedPromises(t *testing.T) {
	const owes = `contract "c" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "delivery" { by = seller }
event "other" { by = buyer }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = delivery
  within       = 3
}
requirement "served" {
  over = ideal
  ctl  = "AG (happened(order) -> AF deliver.fulfilled)"
}
`
	const forbidden = "prohibition \"no-order\" {\n  bearer = buyer\n  of     = order\n}\n"
	late := strings.Replace(owes, "{ by = seller }", "{\n  by = seller\n  only_while = deliver.breached\n}", 1)
	never := strings.Replace(owes, "{ by = buyer }", "{\n  by = buyer\n  only_while = deliver.breached\n}", 1)
	reworded := func(text string) string {
		return strings.Replace(text, "AF deliver.fulfilled)", "AF (deliver.fulfilled && happened(order)))", 1)
	}
	digest := func(r *finding.Review) string {
		for _, f := range r.Contracts[0].Findings {
			if f.Kind == finding.Dropped {
				return f.Promise
			}
		}
		return ""
	}
	for _, c := range []struct {
		name, base, head string
		emptied          bool
	}{
		{"what is owed is forbidden", owes, owes + forbidden, true},
		{"it can't be fulfilled in time", owes, late, true},
		{"reworded as well", owes, reworded(owes) + forbidden, true},
		{"reworded alone", owes, reworded(owes), false},
		{"no run comes there", owes, never, false},
		{"it was empty", owes + forbidden, late + forbidden, false},
		{"violated before, and reworded", strings.Replace(owes, "AF deliver.fulfilled)", "AX deliver.fulfilled)", 1), owes + forbidden, false},
		{"no more empty", owes + forbidden, owes, false},
		{"empty from the beginning", owes[:strings.Index(owes, "requirement")] + forbidden, owes + forbidden, false},
	} {
		r := amend(t, c.base, c.head, "")
		if got := r.Gate(finding.FailNew) == 1; got != c.emptied || (digest(r) != "") != c.emptied {
			t.Errorf("%s: exit status %d, findings %+v", c.name, r.Gate(finding.FailNew), r.Contracts[0].Findings)
		}
		local := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Engine: finding.Local})
		if got := (&finding.Review{Contracts: []finding.ContractReview{local}}).Gate(finding.FailNew) == 1; got != c.emptied {
			t.Errorf("%s, without a state model: emptied %t, findings %+v", c.name, got, local.Findings)
		}
		if !c.emptied {
			continue
		}
		retired := c.head + "retire \"served\" {\n  digest = \"" + digest(r) + "\"\n  reason = \"The buyer buys elsewhere.\"\n}\n"
		if got := accepted(t, amend(t, c.base, retired, ""), finding.AcceptancePolicy{}); got != "pending 1, pending 1, by-amendment 0" {
			t.Errorf("%s: given up: %s", c.name, got)
		}
	}
}
