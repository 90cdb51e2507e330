package engine_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
)

// TestEndsAreToldOnce: two dead ends that differ only in an obligation are one end to a drafter.
func TestEndsAreToldOnce(t *testing.T) {
	r := checkText(t, `
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
	var found *engine.Proposal
	for i := range r.Proposals {
		if r.Proposals[i].Name == "completes" {
			found = &r.Proposals[i]
		}
	}
	if found == nil || strings.Contains(found.Formula, "||") {
		t.Errorf("%+v", r.Proposals)
	}
}
