package verify_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestEndsAreToldOnce: two dead ends that differ only in an obligation are one end to a drafter.
func TestEndsAreToldOnce(t *testing.T) {
	r := testkit.CheckText(t, `
contract "loan" {}
party "borrower" {
  state "owing" {}
  state "free" {}
  transition "repay" {
    from = owing
    to   = free
  }
}
event "repayment" {
  sync = { borrower = repay }
}
obligation "repay" {
  bearer = borrower
  fulfil = repayment
  within = 1
}
`)
	var found *finding.Proposal
	for i := range r.Proposals {
		if r.Proposals[i].Name == "comes-to-an-end" {
			found = &r.Proposals[i]
		}
	}
	if found == nil || strings.Contains(found.Formula, "||") {
		t.Errorf("%+v", r.Proposals)
	}
}

// A history place, which the formula of the final states asks for, is nobody's.
func TestEndsRememberedByFinal(t *testing.T) {
	r := testkit.CheckText(t, `
contract "loan" { final = "happened(repayment)" }
party "borrower" {
  state "owing" {}
  state "free" {}
  transition "repay" {
    from = owing
    to   = free
  }
}
event "repayment" {
  sync = { borrower = repay }
}
`)
	if len(r.Proposals) == 0 || r.Proposals[0].Formula != "AF (borrower.free)" {
		t.Errorf("%+v", r.Proposals)
	}
}

// Parties without states stand where their counters do, or nowhere that is worth saying.
func TestEndsWithoutStates(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"counter \"paid\" { to = 2 }\n transition \"pay\" {\n require = paid < 2\n set = { paid = paid + 1 }\n }", "AF (p.paid == 2)"},
		{"flag \"on\" {}\n transition \"switch\" { set = { on = true } }", ""},
	} {
		r := testkit.CheckText(t, "contract \"c\" {}\nparty \"p\" {\n"+c.body+"\n}\n")
		got := ""
		for _, p := range r.Proposals {
			if p.Name == "comes-to-an-end" {
				got = p.Formula
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}

// A path that leaves no place marked when it is over reads like its start, where only what goes on for ever is named: what holds there already is no proposal.
func TestNoProposalHoldsAtTheStart(t *testing.T) {
	const text = `contract "c" {}
party "p" {
  place "begun" { marked = true }
  transition "end" {
    consume = [begun]
    %s
  }
}
party "q" {
  state "ready" {}
}
`
	for produce, want := range map[string]string{"": "", "produce = [ended]\n  }\n  place \"ended\" {": "AF (p.ended && q.ready)"} {
		got := ""
		for _, p := range testkit.CheckText(t, strings.Replace(text, "%s", produce, 1)).Proposals {
			if p.Name == "comes-to-an-end" {
				got = p.Formula
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", produce, got, want)
		}
	}
}

// A dead end is completion only by the contract's own word: two that wait for each other complete nothing.
func TestOnlyFinalStatesAreCompletion(t *testing.T) {
	const deadlock = `
party "a" {
  state "open" {}
  state "waiting" {}
  state "served" {}
  state "free" {}
  transition "ask" {
    from = open
    to   = waiting
  }
  transition "pay" {
    from = served
    to   = free
  }
  transition "take" {
    from = waiting
    to   = served
  }
}
party "b" {
  state "waiting" {}
  state "paid" {}
  transition "get" {
    from = waiting
    to   = paid
  }
  transition "give" {
    from = paid
    to   = waiting
  }
}
event "request" { sync = { a = ask } }
event "payment" {
  sync = {
    a = pay
    b = get
  }
}
event "service" {
  sync = {
    a = take
    b = give
  }
}
`
	const end = `
party "a" {
  state "open" {}
  state "gone" { since = going }
}
event "going" { by = a }
`
	for _, c := range []struct{ contract, body, want string }{
		{"", deadlock, "comes-to-an-end: Every run comes to where nothing can happen any more: AF (a.waiting && b.waiting)"},
		{`final = "a.gone"`, end, "completes: Every run of the contract completes: AF (a.gone)"},
		{`ends = [going]`, end, "completes: Every run of the contract completes: AF (a.gone)"},
	} {
		said := ""
		if all := testkit.CheckText(t, "contract \"c\" { "+c.contract+" }"+c.body).Proposals; len(all) > 0 {
			said = all[0].Name + ": " + all[0].Title + ": " + all[0].Formula
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", c.contract, said, c.want)
		}
	}
}
