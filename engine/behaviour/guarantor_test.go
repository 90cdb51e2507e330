package behaviour_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestFewerBearers: a creditor is worse off who has one debtor less, and a party against which one less may act is better off, each with the run.
func TestFewerBearers(t *testing.T) {
	of := func(kind, act, bearer string) string {
		return `
contract "loan" {}
party "lender" {}
party "borrower" {}
party "guarantor" {}
event "payout" { by = lender }
event "act" { by = any(borrower, guarantor) }
` + kind + ` "n" {
  bearer       = ` + bearer + `
  counterparty = lender
  ` + act + `
}
`
	}
	for _, c := range []struct{ kind, act, was, now, better, worse string }{
		{"obligation", "when = payout\n  fulfil = act\n  within = 3", "[borrower, guarantor]", "borrower", "[guarantor]", "[lender]"},
		{"obligation", "when = payout\n  fulfil = act\n  within = 3", "borrower", "[borrower, guarantor]", "[lender]", "[guarantor]"},
		{"obligation", "when = payout\n  fulfil = act\n  within = 3", "borrower", "guarantor", "[borrower]", "[guarantor]"},
		{"prohibition", "from = payout\n  of = act", "[borrower, guarantor]", "borrower", "[guarantor]", "[lender]"},
		{"power", "when = payout\n  exercise = act", "[borrower, guarantor]", "borrower", "[lender]", "[guarantor]"},
	} {
		base, head := of(c.kind, c.act, c.was), of(c.kind, c.act, c.now)
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1})
		norms := review.Difference.All.Owed.Norms
		if len(norms) == 0 || fmt.Sprint(norms[0].Better) != c.better || fmt.Sprint(norms[0].Worse) != c.worse || len(norms[0].Run) != 1 {
			t.Errorf("%s of %s, now of %s: %+v", c.kind, c.was, c.now, norms)
		}
	}
}

// TestWhoPerformsADuty: no party gains by being the only one that can perform a duty, or loses by being relieved of it. A party that needs others for its duty now loses.
func TestWhoPerformsADuty(t *testing.T) {
	of := func(bearer, by string) string {
		return `
contract "loan" {}
party "lender" {}
party "borrower" {}
party "guarantor" {}
event "payment" { by = ` + by + ` }
obligation "pay" {
  bearer       = ` + bearer + `
  counterparty = lender
  fulfil       = payment
  within       = 3
}
`
	}
	both, either := "[borrower, guarantor]", "any(borrower, guarantor)"
	for _, c := range []struct{ was, by, now, byNow, better, worse string }{
		{both, either, "borrower", "borrower", "[]", "[]"},
		{"borrower", either, "borrower", "borrower", "[]", "[guarantor]"},
		{"borrower", "borrower", both, either, "[guarantor]", "[]"},
		{both, either, both, "[borrower, guarantor]", "[]", "[borrower guarantor]"},
		{"borrower", "[borrower, lender]", "borrower", "borrower", "[borrower]", "[lender]"},
	} {
		acts := blame.Compare(context.Background(), testkit.DraftOf(t, of(c.was, c.by)), testkit.DraftOf(t, of(c.now, c.byNow)), finding.Budget{Jobs: 1}).Difference.Acts
		if len(acts) != 1 || fmt.Sprint(acts[0].Better) != c.better || fmt.Sprint(acts[0].Worse) != c.worse {
			t.Errorf("of %s by %s, now of %s by %s: %+v", c.was, c.by, c.now, c.byNow, acts)
		}
	}
}

// TestWhomAPowerFavours: a power over what another owes is that other's to gain or lose.
func TestWhomAPowerFavours(t *testing.T) {
	of := func(act, within string) string {
		return `contract "c" {}
party "supplier" {}
party "customer" {}
event "delivery" { by = supplier }
event "grant" { by = customer }
event "resume" { by = customer }
obligation "deliver" {
  bearer       = supplier
  counterparty = customer
  fulfil       = delivery
  within       = 3
}
obligation "own" {
  bearer       = customer
  counterparty = supplier
  fulfil       = resume
  within       = 3
}
power "grant" {
  bearer       = customer
  counterparty = supplier
  exercise     = grant
  ` + within + `
  ` + act + `
}
`
	}
	for _, c := range []struct{ act, better, worse string }{
		{"extends = { deliver = 2 }", "[]", "[supplier]"},
		{"lifts = [deliver]", "[]", "[supplier]"},
		{"suspends = [deliver]\n  resumes = resume", "[]", "[supplier]"},
		{"extends = { own = 2 }", "[supplier]", "[customer]"},
		{"lifts = [deliver, own]", "[supplier]", "[customer]"},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, of(c.act, "")), testkit.DraftOf(t, of(c.act, "within = 1")), finding.Budget{Jobs: 1})
		found := false
		for _, n := range review.Difference.All.Owed.Norms {
			if n.Norm == "grant" {
				found = true
				if fmt.Sprint(n.Better) != c.better || fmt.Sprint(n.Worse) != c.worse {
					t.Errorf("%s: better for %s, worse for %s", c.act, n.Better, n.Worse)
				}
			}
		}
		if !found {
			t.Errorf("%s: nothing is told of the power", c.act)
		}
	}
}

// TestWhoUsesOrGivesUpANorm: no party is better or worse off if a power is held again instead of in use, or if those who gain by a norm can end it by another act now, or no longer can.
func TestWhoUsesOrGivesUpANorm(t *testing.T) {
	const parties = "contract \"c\" {}\nparty \"contractor\" {}\nparty \"employer\" {}\nevent \"payment\" { by = employer }\nevent \"order\" { by = employer }\nevent \"act\" { by = %s }\n"
	const stop = "obligation \"complete\" {\n  bearer = contractor\n  counterparty = employer\n}\npower \"stop\" {\n  bearer = contractor\n  counterparty = employer\n  suspends = complete\n  resumes = %s\n}\n"
	const repay = "obligation \"repay\" {\n  bearer = employer\n  counterparty = contractor\n  fulfil = %s\n}\n"
	const claim = "event \"notice\" { by = contractor }\npower \"claim\" {\n  bearer = contractor\n  counterparty = employer\n  exercise = %s\n}\n"
	for _, c := range []struct{ norm, text, by, change, better, worse string }{
		{"stop", stop, "employer", "⟨payment|[payment, order]⟩", "[]", "[]"},
		{"stop", stop, "employer", "⟨[payment, order]|payment⟩", "[]", "[]"},
		{"complete", stop, "employer", "⟨payment|[payment, order]⟩", "[employer]", "[contractor]"},
		{"repay", repay, "contractor", "⟨payment|[payment, act]⟩", "[]", "[]"},
		{"repay", repay, "contractor", "⟨[payment, act]|payment⟩", "[]", "[]"},
		{"repay", repay, "[contractor, employer]", "⟨payment|[payment, act]⟩", "[]", "[]"},
		{"repay", repay, "employer", "⟨payment|[payment, act]⟩", "[employer]", "[contractor]"},
		{"repay", repay, "any(contractor, employer)", "⟨payment|[payment, act]⟩", "[employer]", "[contractor]"},
		{"claim", claim, "contractor", "⟨notice|[notice, act]⟩", "[]", "[]"},
	} {
		base, head := amendment(fmt.Sprintf(parties+c.text, c.by, c.change))
		list := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Difference.All.Owed.Norms
		at := slices.IndexFunc(list, func(d finding.NormDifference) bool { return d.Norm == c.norm })
		if at < 0 || fmt.Sprint(list[at].Better) != c.better || fmt.Sprint(list[at].Worse) != c.worse {
			t.Errorf("%s by %s, %s: %+v", c.norm, c.by, c.change, list)
		}
	}
}

// TestBeginningOfPhaseIsNoAct: an event that begins a phase takes no act of those who play in it, so no party gains or loses a say in it if another event begins the phase.
func TestBeginningOfPhaseIsNoAct(t *testing.T) {
	of := func(after string) string {
		return `
contract "sale" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "delivery" { by = seller }
template "price" {
  party "payer" {}
  party "payee" {}
  obligation "pay" {
    bearer       = payer
    counterparty = payee
    within       = 2
  }
}
phase "price" {
  template = price
  roles = {
    payer = buyer
    payee = seller
  }
  after = ` + after + `
}
`
	}
	review := blame.Compare(context.Background(), testkit.DraftOf(t, of("delivery")), testkit.DraftOf(t, of("order")), finding.Budget{Jobs: 1})
	for _, a := range review.Difference.Acts {
		if len(a.Better)+len(a.Worse) > 0 || fmt.Sprint(a.Was) != fmt.Sprint(a.Now) {
			t.Errorf("%s: before %v, now %v, better %v, worse %v", a.Event, a.Was, a.Now, a.Better, a.Worse)
		}
	}
}
