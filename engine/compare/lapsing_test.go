package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

const lapsing = `contract "c" {
  ends = [expiry]
}
party "seller" {}
party "buyer" {}
party "bank" {}
event "order" { by = buyer }
event "payment" { by = buyer }
event "expiry" { by = [seller, buyer] }
event "walk" { by = buyer }
event "talk" { by = buyer }
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = order
  fulfil       = payment
}
obligation "report" {
  bearer       = seller
  counterparty = buyer
}
prohibition "quiet" {
  bearer       = buyer
  counterparty = seller
  of           = talk
}
`

// TestSeveralLapse: norms that stand otherwise only since one new event ends the contract are one objection, with the first of the shortest runs that show it. It
// takes in nothing that else could be about, and its run names exactly what it says.
func TestSeveralLapse(t *testing.T) {
	const (
		rent    = "event \"transfer\" { by = buyer }\nobligation \"rent\" {\n  bearer       = buyer\n  counterparty = seller\n  fulfil       = transfer\n  times        = 2\n  every        = 3\n  within       = 1\n}\n"
		promise = "requirement \"told\" { ctl = \"AG !report.breached\" }\n"
		waiver  = "power \"forgive\" {\n  bearer       = buyer\n  counterparty = seller\n  exercise     = order\n  lifts        = report\n}\n"
		pay     = "obligation.pay: owed by the buyer to the seller; now lifted"
		report  = "obligation.report: owed by the seller to the buyer; now lifted"
		quiet   = "prohibition.quiet: in force for the buyer towards the seller; now expired"
		walk    = "event.walk: owed by the seller to the buyer; now lifted"
	)
	ends := func(by string, edits ...string) string {
		return strings.NewReplacer(append([]string{"[expiry]", by}, edits...)...).Replace(lapsing)
	}
	runs := map[string]string{} // what is said, by what names it
	for _, c := range []struct{ name, base, head, want string }{
		{"one event", lapsing, ends("[expiry, walk]"), walk},
		{"and a promise is changed", lapsing + promise, ends("[expiry, walk]") + strings.Replace(promise, "AG", "EF AG", 1), walk},
		{"another duty", strings.Replace(lapsing, "bearer       = seller\n  counterparty = buyer", "bearer       = seller\n  counterparty = bank", 1),
			ends("[expiry, walk]", "bearer       = seller\n  counterparty = buyer", "bearer       = seller\n  counterparty = bank"), "event.walk: owed by the seller to the bank; now lifted"},
		{"two events", lapsing, ends("[expiry, walk, talk]"), pay + " | " + quiet + " | " + report},
		{"a breach", lapsing, ends("[expiry, quiet.breached]"), pay + " | " + report + " | prohibition.quiet: none"},
		{"an event in place of another", lapsing, ends("[walk]"), pay + " | " + quiet + " | " + report},
		{"an event has another condition", lapsing, ends("[expiry, walk]", "event \"talk\" { by = buyer }", "event \"talk\" {\n  by         = buyer\n  only_while = pay.owed\n}"), pay + " | " + quiet + " | " + report},
		{"an event takes another act", lapsing, ends("[expiry, walk]", "event \"talk\" { by = buyer }", "event \"talk\" { by = seller }"), pay + " | " + quiet + " | " + report},
		{"and is lifted otherwise", lapsing, ends("[expiry, walk]") + waiver, "event.walk: in force for the buyer towards the seller; now expired | " + report},
		{"a norm is another", lapsing, ends("[expiry, walk]", "bearer       = seller\n  counterparty = buyer", "bearer = seller\n  counterparty = buyer\n  within = 3"), "obligation.report: owed by the seller to the buyer; now lifted | " + pay + " | " + quiet},
		{"occurrences, and two events", lapsing + rent, ends("[expiry, walk, talk]") + rent, pay + " | " + quiet + " | obligation.rent[1]: owed by the buyer to the seller, 1 tick left; now lifted | obligation.rent[2]: owed by the buyer to the seller, 1 tick left; now not owed | " + report},
		{"occurrences", lapsing + rent, ends("[expiry, walk]") + rent, walk},
	} {
		review := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Owed: true})
		var got []string
		for _, f := range review.Findings {
			if f.Check == nil {
				continue
			}
			claim := "none"
			if f.Check.Trace != nil {
				claim = strings.TrimPrefix(f.Check.Trace.Claim, "before the amendment ")
			}
			got = append(got, f.Check.Subject+": "+claim)
			said := f.Check.Message + f.Check.Detail
			if was, known := runs[f.Check.Run]; f.Check.Run == "" || known && was != said {
				t.Errorf("%s: %q does not name this alone: %s", c.name, f.Check.Run, said)
			}
			runs[f.Check.Run] = said
		}
		if strings.Join(got, " | ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, " | "), c.want)
		}
	}
}

// TestOccurrencesAreRelieved: the occurrences of a norm are relieved as one.
func TestOccurrencesAreRelieved(t *testing.T) {
	const (
		transfer = "event \"transfer\" { by = [seller, buyer] }\n"
		rent     = "obligation \"rent\" {\n  bearer       = buyer\n  counterparty = seller\n  when         = order\n  fulfil       = transfer\n  times        = 2\n  every        = 3\n  within       = 1\n  survives     = true\n}\n"
		pass     = "power \"pass\" {\n  bearer       = buyer\n  counterparty = seller\n  until        = payment\n  assigns      = rent\n  to           = shell\n}\n"
		whole    = "on obligation.rent: The amendment lets the obligation \"rent\" of the buyer to the seller "
	)
	base := relievable + transfer + rent
	_, mortal, _ := strings.Cut(relievable[:strings.Index(relievable, "event \"request\"")], "}\n")
	ending := strings.Replace(base, "  survives     = true\n}\n", "}\n", 3) // not shelf and quiet only
	for _, c := range []struct{ name, base, head, want string }{
		{"by one alone", base, strings.Replace(base, transfer, "event \"transfer\" { by = buyer }\n", 1), whole + "be fulfilled: by transfer, which takes the act of others than before."},
		{"by one alone, and later", base, strings.NewReplacer(transfer, "event \"transfer\" { by = buyer }\n", "= 3", "= 4").Replace(base), "on obligation.rent: The amendment changes the obligation \"rent\" of the buyer to the seller."},
		{"by an end", ending, leave + strings.Replace(ending, "[expiry]", "[expiry, leave]", 1), "on event.leave: The amendment lets 4 norms end with the contract: by leave, which did not end it before."},
		{"by a first end", "contract \"c\" {}\n" + mortal, "contract \"c\" {\n  ends = [leave]\n}\n" + leave + mortal, "on obligation.pay: The amendment lets the obligation \"pay\" of the buyer to the seller end with the contract: by leave, which did not end it before."},
		{"passed on", base, base + pass, whole + "be passed on: by the new power \"pass\"."},
	} {
		review := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Owed: true})
		var got []string
		for _, f := range review.Findings {
			got = append(got, "on "+f.Check.Subject+": "+f.Check.Message)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, " "), c.want)
		}
	}
}
