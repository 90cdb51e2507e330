package compare_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestTheActOfOthers: a norm is owed otherwise if the event that fulfils, uses or brings it about takes others, and if one that breaches it may come without some; and a
// power that can't be used where it is held, a prohibition of what can't happen. It is as before if further parties may do so, too.
func TestTheActOfOthers(t *testing.T) {
	const base = `contract "lease" {}
party "landlord" {}
party "tenant" {}
event "request" { by = tenant }
event "repair" { by = landlord }
event "exit" { by = tenant }
event "look" { by = landlord }
event "inspection" { by = [landlord, tenant] }
event "sublease" { by = tenant }
event "storm" { by = any(landlord, tenant) }
obligation "mend" {
  bearer       = landlord
  counterparty = tenant
  when         = request
  fulfil       = repair
  breach       = inspection
}
power "leave" {
  bearer       = tenant
  counterparty = landlord
  when         = request
  exercise     = exit
}
permission "visit" {
  bearer       = landlord
  counterparty = tenant
  of           = look
}
prohibition "no-sublease" {
  bearer       = tenant
  counterparty = landlord
  of           = sublease
}
`
	const on = "new norm-changed on "
	for _, c := range []struct{ name, old, now, want string }{
		{"begins with others", `event "request" { by = tenant }`, `event "request" { by = landlord }`, on + "obligation.mend, " + on + "power.leave"},
		{"begins by either", `event "request" { by = tenant }`, `event "request" { by = any(landlord, tenant) }`, ""},
		{"fulfilled with others", `"repair" { by = landlord }`, `"repair" { by = [landlord, tenant] }`, on + "obligation.mend"},
		{"used with others", `"exit" { by = tenant }`, `"exit" { by = [landlord, tenant] }`, on + "power.leave"},
		{"used by either", `"exit" { by = tenant }`, `"exit" { by = any(landlord, tenant) }`, on + "power.leave"}, // the landlord can use it up before
		{"permitted with others", `"look" { by = landlord }`, `"look" { by = [landlord, tenant] }`, on + "permission.visit"},
		{"breached by one alone", `by = [landlord, tenant]`, `by = tenant`, on + "obligation.mend"},
		{"breached by more", `"inspection" { by = [landlord, tenant] }`, "\"inspection\" {\n  by   = [landlord, tenant]\n  only_while = happened(storm)\n}", ""},
		{"a breach by others", `"sublease" { by = tenant }`, `"sublease" { by = landlord }`, on + "prohibition.no-sublease"},
		{"can't be used", `"exit" { by = tenant }`, "\"exit\" {\n  by         = tenant\n  only_while = !happened(request)\n}", on + "power.leave"},
		{"is forbidden", "permission", "prohibition \"no-exit\" {\n  bearer = tenant\n  of = exit\n}\npermission", on + "power.leave"},
		{"forbids nothing", `"sublease" { by = tenant }`, "\"sublease\" {\n  by         = tenant\n  only_while = [leave.exercised, !happened(request)]\n}", on + "prohibition.no-sublease"},
		{"no norm's event", `"storm" { by = any(landlord, tenant) }`, `"storm" { by = [landlord, tenant] }`, ""},
	} {
		head := strings.Replace(base, c.old, c.now, 1)
		if head == base {
			t.Fatalf("%s: no change", c.name)
		}
		if got := owedFindings(t, base, head); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPassedOnToWhoCanPay: a duty that a new power passes on is owed otherwise, also if the new debtor can perform it.
func TestPassedOnToWhoCanPay(t *testing.T) {
	const base = `contract "sale" {}
party "seller" {}
party "buyer" {}
party "shell" {}
event "payment" { by = any(buyer, shell) }
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  fulfil       = payment
}
`
	const power = "power \"p\" {\n  bearer       = buyer\n  counterparty = seller\n  assigns      = [pay]\n  to           = shell\n}\n"
	if got := owedFindings(t, base, base+power); got != "new norm-changed on obligation.pay" {
		t.Error(got)
	}
}

// TestEachDifferenceIsNamed: the run of a norm that stands otherwise names all its differences, not only the first.
func TestEachDifferenceIsNamed(t *testing.T) {
	const base = `contract "sale" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "talk" { by = buyer }
event "walk" { by = buyer }
event "rest" {
  by         = buyer
  only_while = happened(walk)
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = order
  within       = 3
}
prohibition "quiet" {
  bearer       = buyer
  counterparty = seller
  of           = talk
}
obligation "report" {
  bearer       = seller
  counterparty = buyer
  when         = order
  until        = [pay.breached, quiet.breached]
}
`
	runs := map[string]bool{}
	for _, edits := range [][]string{{"within       = 3", "within       = 2"}, {"within       = 3", "within       = 2", "of           = talk", "of           = talk\n  until        = rest"}} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, strings.NewReplacer(edits...).Replace(base)), finding.Budget{Jobs: 1, Owed: true})
		for _, f := range review.Findings {
			if f.Check != nil && f.Check.Subject == "obligation.report" {
				runs[f.Check.Run] = true
			}
		}
	}
	if len(runs) != 2 {
		t.Errorf("%d runs, want 2", len(runs))
	}
}

// TestResumedByAnotherOnDiagrams: a duty that another resumes now stands otherwise, also where states are not listed and what can still come about is not asked.
func TestResumedByAnotherOnDiagrams(t *testing.T) {
	head := strings.Replace(easing, "event \"resumption\" { by = seller }", "event \"resumption\" { by = buyer }", 1)
	review := blame.Compare(context.Background(), testkit.DraftOf(t, easing), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic})
	if got, want := findingsOf(review), "new norm-changed on obligation.report-late"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
