package compare_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestGateOfAnExpiredWaiver: it is an objection, whoever amends what, and whatever is violated besides.
func TestGateOfAnExpiredWaiver(t *testing.T) {
	states, sale := "s ok bad x", []string{"s ok", "s bad"}
	run := runOf(t, one(states, sale, promise("AG !a.bad")))
	text := waiving("AG !a.bad", "why", "2027-03-31", run)
	for name, head := range map[string]string{"left as it is": one(states, sale, text), "amended": one(states, append(sale, "ok x"), text)} {
		for day, want := range map[finding.Date]finding.ExitStatus{"2027-03-31": finding.Clean, "2027-04-01": finding.Violations} {
			r := amend(t, one(states, sale, text), head, day)
			if got := r.Gate(finding.FailNew); got != want {
				t.Errorf("%s, %q: %d, want %d", name, day, got, want)
			}
			if found := r.Contracts[0].Findings; want == finding.Violations && (len(found) == 0 || found[0].Kind != finding.WaiverExpired) {
				t.Errorf("%s: %v", name, found)
			}
		}
	}
}

// TestUndatedWaiverIsListed: a waiver that expires is listed where nobody says what day it is, also of a contract that is left as it is.
func TestUndatedWaiverIsListed(t *testing.T) {
	states, sale := "s ok bad x", []string{"s ok", "s bad"}
	text := waiving("AG !a.bad", "why", "2027-03-31", runOf(t, one(states, sale, promise("AG !a.bad"))))
	for name, head := range map[string]string{"left as it is": one(states, sale, text), "amended": one(states, append(sale, "ok x"), text)} {
		found := amend(t, one(states, sale, text), head, "").Contracts[0].Findings
		if len(found) != 1 || found[0].Kind != finding.Standing || found[0].Head.Waiver.State != finding.Undated {
			t.Errorf("%s: %v", name, found)
		}
	}
}
