package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// What a role does, who plays it does.

// lending is a template of one act of its role, which may wait for ever, and two phases of it that the same
// party plays.
const lending = `contract "c" {}
party "bank" { title = "Bank" }
template "loan" {
  party "lender" {
    state "idle" {}
    state "lent" {}
    transition "lend" {
      from = idle
      to   = lent
    }
  }
  net "clock" {
    place "p" { marked = true }
    transition "turn" {
      consume = [p]
      produce = [q]
    }
    transition "back" {
      consume = [q]
      produce = [p]
    }
    place "q" {}
  }
  event "loan" { sync = { lender = lend } }
}
phase "first" {
  template = loan
  roles    = { lender = bank }
}
phase "second" {
  template = loan
  roles    = { lender = bank }
  after    = first.loan
}
`

func parts(t *testing.T, more string) *finding.Result {
	t.Helper()
	return testkit.Checked(testkit.DraftOf(t, lending+more))
}

// TestProgressOfAParty: a party makes progress if it acts in some phase; so do its parts, one by one. That a phase
// begins is no act of those that play in it.
func TestProgressOfAParty(t *testing.T) {
	r := parts(t, `
requirement "part" {
  ctl      = "AF first.bank.lent"
  assuming = progress(first.bank)
}
requirement "party" {
  ctl      = "AF first.bank.lent && AF second.bank.lent"
  assuming = progress(bank)
}
requirement "beginner" {
  ctl      = "AF first.bank.lent"
  assuming = progress(second.bank)
}
requirement "waits" { ctl = "AF second.bank.lent" }
`)
	for name, want := range map[string]finding.Verdict{"part": finding.Holds, "party": finding.Holds, "beginner": finding.Violated, "waits": finding.Violated} {
		if q := testkit.Requirement(t, r, name); q.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", name, q.Verdict, q.Reason, want)
		}
	}
	if q := testkit.Requirement(t, r, "waits"); q.Rests == nil || fmt.Sprint(q.Rests.Sets) != "[[bank]]" {
		t.Errorf("it rests on %v", q.Rests)
	}
}

// TestNormsOfAParty: what a party owes and what its part in a phase is forbidden meet in the party; and what the part
// does fulfils the party's obligation.
func TestNormsOfAParty(t *testing.T) {
	r := parts(t, `
obligation "lend" {
  bearer = bank
  fulfil = first.loan
}
obligation "lend-again" {
  bearer = bank
  fulfil = second.loan
}
prohibition "no-loan" {
  bearer        = second.bank
  of            = second.loan
  from          = first.loan
  ends_contract = true
}
`)
	var found []string
	for _, d := range r.Diagnostics {
		found = append(found, string(d.Code)+" "+d.Subject)
	}
	if !slices.Contains(found, "obliged-and-forbidden obligation.lend-again") {
		t.Errorf("the bank owes a second loan, its part in the second phase is forbidden it, and that is not seen: %v", found)
	}
	if slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, "obligation-cannot-fulfil") }) {
		t.Errorf("the bank can lend by its parts: %v", found)
	}
}

// TestRoleOfOneOrSeveral: a template says all, any and each of its roles, and quantifies over them, however many
// play them.
func TestRoleOfOneOrSeveral(t *testing.T) {
	for count, states := range map[string]string{"": "4", "count = 1": "4", "count = 2": "8"} {
		r := testkit.Checked(testkit.DraftOf(t, `contract "c" {}
party "seller" {}
party "purchaser" { `+count+` }
template "exchange" {
  party "giver" {
    state "S0" {}
    transition "give" { read = [S0] }
  }
  party "taker" {
    state "P0" {}
    state "P1" {}
    transition "take" {
      from = P0
      to   = P1
    }
  }
  event "given" {
    sync = {
      giver = any(give)
      taker = each(take)
    }
  }
  requirement "by-giving" { ctl = "all t in taker: AG (t.P1 <-> happened(given[t]))" }
  requirement "possible" { ctl = "EF (all t in taker: some g in giver: t.P1 && g.S0)" }
}
phase "goods" {
  template = exchange
  roles = {
    giver = seller
    taker = purchaser
  }
}
phase "funds" {
  template = exchange
  roles = {
    giver = purchaser
    taker = seller
  }
}
`))
		if testkit.Fails(r) != "" || len(r.Requirements) != 4 {
			t.Errorf("%q: %d requirements, fails: %s", count, len(r.Requirements), testkit.Fails(r))
		}
		if got, want := r.Model.States.String(), states; got != want {
			t.Errorf("%q: %s states, want %s", count, got, want)
		}
	}
}
