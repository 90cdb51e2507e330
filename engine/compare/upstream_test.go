package compare_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestActsBeforeANorm: a norm is owed otherwise if one side of it can't bring about alone what it comes to, or keep it from coming, by an event that comes before its own.
func TestActsBeforeANorm(t *testing.T) {
	const begins = `event "conditions" { by = borrower }
event "inspection" { by = [borrower, lender] }
event "news" { by = bank }
event "request" {
  by         = borrower
  only_while = [happened(conditions), happened(inspection), !happened(news)]
}
event "advance" { by = lender }
obligation "advance" {
  bearer       = lender
  counterparty = borrower
  when         = request
  fulfil       = advance
}
`
	const ends = `event "excuse" { by = [borrower, lender] }
event "release" {
  by         = lender
  not_before = { excuse = 2 }
}
event "claim" { by = [borrower, lender] }
event "pause" {
  by         = lender
  only_while = happened(claim)
}
event "repair" { by = borrower }
event "clearance" {
  by         = borrower
  only_while = happened(repair)
}
event "advance" { by = lender }
obligation "advance" {
  bearer       = lender
  counterparty = borrower
  fulfil       = advance
  until        = release
  suspended_by = pause
  resumes      = clearance
}
`
	const over = `event "consent" { by = [borrower, lender] }
event "exit" {
  by         = lender
  only_while = happened(consent)
}
event "licence" { by = [borrower, lender] }
event "sale" { by = borrower }
event "approval" {
  by         = lender
  only_while = happened(licence)
}
prohibition "no-sale" {
  bearer       = borrower
  counterparty = lender
  of           = sale
  until        = approval
}
power "leave" {
  bearer        = lender
  counterparty  = borrower
  exercise      = exit
  ends_contract = true
}
`
	const used = `event "notice" { by = borrower }
event "cancellation" {
  by         = borrower
  not_before = { notice = 1 }
}
power "cancel" {
  bearer       = borrower
  counterparty = lender
  exercise     = cancellation
}
`
	const on = "new norm-changed on "
	for _, c := range []struct{ text, event, was, now, want string }{
		{begins, "conditions", "borrower", "[borrower, lender]", on + "obligation.advance"},
		{begins, "conditions", "borrower", "any(borrower, bank)", ""}, // the borrower still can, and the lender never had a say
		{begins, "inspection", "[borrower, lender]", "borrower", on + "obligation.advance"},
		{begins, "inspection", "[borrower, lender]", "[borrower, lender, bank]", ""}, // neither could alone, and both are still needed
		{begins, "news", "bank", "lender", ""},                                       // what it keeps from coming is foreseen, with a run
		{ends, "excuse", "[borrower, lender]", "lender", on + "obligation.advance"},
		{ends, "claim", "[borrower, lender]", "lender", on + "obligation.advance"},
		{ends, "claim", "[borrower, lender]", "borrower", ""},
		{ends, "repair", "borrower", "[borrower, lender]", on + "obligation.advance"},
		{over, "consent", "[borrower, lender]", "lender", on + "power.leave"},
		{over, "licence", "[borrower, lender]", "borrower", on + "prohibition.no-sale"},
		{used, "notice", "borrower", "[borrower, lender]", on + "power.cancel"},
		{used, "notice", "borrower", "any(borrower, lender)", ""},
	} {
		base := "contract \"loan\" {}\nparty \"borrower\" {}\nparty \"lender\" {}\nparty \"bank\" {}\n" + c.text
		old := fmt.Sprintf("event %q { by = %s }", c.event, c.was)
		head := strings.Replace(base, old, fmt.Sprintf("event %q { by = %s }", c.event, c.now), 1)
		if head == base {
			t.Fatalf("%s: no change", c.event)
		}
		if got := owedFindings(t, base, head); got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.event, c.now, got, c.want)
		}
	}
}
