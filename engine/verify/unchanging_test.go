package verify_test

import (
	"fmt"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestWhatNothingBringsAbout: what no block of a contract brings about means in formulas what it means where a block brings it about that is never used.
func TestWhatNothingBringsAbout(t *testing.T) {
	const text = `contract "k" {}
party "a" {}
party "b" {}
party "c" {}
event "order" { by = b }
event "never" {
  by         = a
  only_while = p.pay.breached
}
template "debt" {
  party "payer" {}
  party "payee" {}
  event "settle" {
    by         = payer
    only_while = [note.payee, !note.nobody]
  }
  document "note" {
    holder = payee
    moves  = { settle = { from = payee } }
  }
  obligation "pay" {
    bearer       = payer
    counterparty = payee
    when         = order
    fulfil       = settle
  }
  requirement "by-role" { ctl = "AG (!pay.suspended && pay.by-payer && !pay.by-payee && pay.to-payee && !note.payer)" }
}
phase "p" {
  template = debt
  roles = {
    payer = a
    payee = b
  }
}
obligation "rent" {
  bearer       = a
  counterparty = b
  when         = order
  fulfil       = never
  times        = 2
}
`
	const never = `power "hold" {
  bearer   = a
  exercise = never
  suspends = [p.pay, rent]
  resumes  = order
}
power "assign" {
  bearer   = a
  exercise = never
  assigns  = [p.pay, rent]
  to       = c
}
power "leave" {
  bearer        = a
  exercise      = never
  ends_contract = true
}
`
	for i, formula := range []string{
		"AG !p.pay.suspended", "EF p.pay.suspended", "AF p.pay.by-a", "p.pay.by-c", "p.pay.to-b", "p.pay.to-a", "AG (p.pay.owed -> EX !p.pay.suspended)",
		"rent[1].suspended", "all r in rent: AG !r.suspended", "some r in rent: r.by-a", "some r in rent: r.by-c", "AG contract.in_force", "EF contract.ended",
		"AG (contract.ended || p.pay.by-a)", "p.note.b", "EF p.note.a", "p.note.c || p.note.nobody",
	} {
		asked := fmt.Sprintf("requirement \"r\" { ctl = %q }\n", formula)
		without, with := testkit.CheckText(t, text+asked), testkit.CheckText(t, text+never+asked)
		want := testkit.Requirement(t, with, "r").Verdict
		if got := testkit.Requirement(t, without, "r").Verdict; got != want || want == finding.Unknown {
			t.Errorf("%s: %v without, %v with what is never used", formula, got, want)
		}
		if r := testkit.Requirement(t, without, "p.by-role"); i == 0 && r.Verdict != finding.Holds {
			t.Errorf("in a template: %v", r.Verdict)
		}
	}
}
