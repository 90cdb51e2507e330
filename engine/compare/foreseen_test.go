package compare_test

import (
	"strings"
	"testing"
)

// TestForeseen: a norm is owed otherwise if a new step, one that takes fewer, or one at a new time takes away for good that it begins, is used or is fulfilled: unless who
// gains by it takes that step.
func TestForeseen(t *testing.T) {
	const base = `contract "rental" {}
party "owner" {}
party "renter" {}
event "handover" { by = owner }
event "damage" { by = renter }
event "complaint" { by = renter }
event "release" { by = [owner, renter] }
event "payment" {
  by         = owner
  only_while = !happened(release)
}
event "notice" {
  by         = renter
  only_while = !happened(release)
}
event "exit" {
  by         = renter
  only_while = !happened(release)
}
event "removal" {
  by         = owner
  only_while = happened(damage)
}
event "archive" { by = owner }
event "claim" {
  by         = renter
  only_while = [!happened(release), !happened(archive)]
}
obligation "refund" {
  bearer       = owner
  counterparty = renter
  when         = claim
  fulfil       = payment
}
power "leave" {
  bearer       = renter
  counterparty = owner
  when         = notice
  exercise     = exit
}
`
	const refund, leave = "new norm-changed on obligation.refund", "new norm-changed on power.leave"
	for _, c := range []struct {
		name string
		edit []string
		want string
	}{
		{"nothing", []string{"rental", "rent"}, ""},
		{"a new event of the debtor", []string{`event "handover"`, "event \"close\" { by = owner }\nevent \"handover\"", "!happened(archive)", "!happened(archive), !happened(close)"}, refund},
		{"a new event of the creditor", []string{`event "handover"`, "event \"close\" { by = renter }\nevent \"handover\"", "!happened(archive)", "!happened(archive), !happened(close)"}, ""},
		{"a new event that takes nothing", []string{`event "handover"`, "event \"close\" { by = owner }\nevent \"handover\""}, ""},
		{"fewer consent", []string{"[owner, renter]", "owner"}, leave + ", " + refund},
		{"those who gain consent", []string{"[owner, renter]", "renter"}, ""},
		{"at a new time", []string{"\n  only_while = happened(damage)", "\n  only_while = happened(handover)", "happened(release)", "happened(removal)", "[owner, renter]", "owner"}, leave + ", " + refund},
		{"another event instead", []string{`event "claim"`, `event "request"`, "when         = claim", "when         = request"}, ""},
		{"another who could before", []string{"\"archive\" { by = owner }", "\"archive\" { by = any(owner, insurer) }", `party "renter" {}`, "party \"renter\" {}\nparty \"insurer\" {}"}, ""},
	} {
		head := strings.NewReplacer(c.edit...).Replace(base)
		if head == base {
			t.Fatalf("%s: no change", c.name)
		}
		if got := owedFindings(t, base, head); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
