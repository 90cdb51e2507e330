package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestConstructsComeAlong: names of every construct lead to what they mean, whether the loader records
// them or not.
func TestConstructsComeAlong(t *testing.T) {
	c := start(t)
	for _, d := range []struct {
		name, needle string
		offset       int
		want         string
	}{
		{"gas-supply/norms.contract.hcl", "= deliver-late", 4, `obligation "deliver-late"`},
		{"gas-supply/norms.contract.hcl", "= supplier", 4, `party "supplier"`},
		{"gas-supply/norms.contract.hcl", "EF take-or-pay.fulfilled", 5, `obligation "take-or-pay"`},
		{"gas-supply/norms.contract.hcl", "supplier.hindered", 12, `state "hindered"`},
		{"purchasers/purchasers.contract.hcl", "p.P0", 3, `state "P0"`},
		{"purchasers/purchasers.contract.hcl", "each(PurchaserGAV_T", 7, `transition "PurchaserGAV_T"`},
		{"purchasers/purchasers.contract.hcl", "${var.n}", 6, `variable "n"`},
		{"sale-in-two-phases/sale.contract.hcl", "${param.what}", 9, `parameter "what"`},
		{"sale-in-two-phases/sale.contract.hcl", "giver = all(answer", 14, `transition "answer"`},
		{"sale-in-two-phases/sale.contract.hcl", "funds.seller.P3", 14, `state "P3"`},
		{"sale-in-two-phases/sale.contract.hcl", "= goods.finished", 10, `event "finished"`},
		{"sale-in-two-phases/sale.contract.hcl", "= exchange", 4, `template "exchange"`},
	} {
		text := c.read(d.name)
		c.open(d.name, text)
		var found []location
		c.call("textDocument/definition", c.on(d.name, text, d.needle, d.offset), &found)
		if len(found) != 1 {
			t.Errorf("%s: %s leads to %s", d.name, d.needle, c.lines(found))
			continue
		}
		to := newBuffer(c.read(strings.TrimPrefix(found[0].URI, c.uri(""))))
		if got := to.src[to.offset(found[0].Range.Start):to.offset(found[0].Range.End)]; got != d.want {
			t.Errorf("%s: %s leads to %s, want %s", d.name, d.needle, got, d.want)
		}
	}
	norms := "gas-supply/norms.contract.hcl"
	text := c.read(norms)
	for marked, want := range map[string]string{
		strings.Replace(text, "EF take-or-pay.fulfilled", "EF take-or-pay.|", 1): "fulfilled",
		strings.Replace(text, "= deliver-late", "= del|", 1):                     "deliver-late",
		strings.Replace(text, "= supplier", "= |", 1):                            "buyer",
		"obligation \"x\" {\n  b|\n}\n" + text:                                   "bearer",
	} {
		var items []completionItem
		c.call("textDocument/completion", c.at(norms, marked), &items)
		if !slices.ContainsFunc(items, func(i completionItem) bool { return i.Label == want }) {
			t.Errorf("no %q in %v", want, items)
		}
	}
}

// TestLargeContract: ten thousand places do not keep the editor waiting for an answer.
func TestLargeContract(t *testing.T) {
	var b strings.Builder
	b.WriteString("party \"large\" {\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "  place \"p%d\" {}\n", i)
	}
	b.WriteString("  transition \"t\" { read = [p1, |] }\n}\n")
	c := start(t)
	var items []completionItem
	c.call("textDocument/completion", c.at("large/large.contract.hcl", b.String()), &items)
	if len(items) != maxItems {
		t.Errorf("%d items", len(items))
	}
}

const rounds = `contract "lease" {}
party "tenant" {}
party "landlord" {}
event "signing" { by = landlord }
template "month" {
  party "debtor" {}
  party "creditor" {}
  event "payment" { by = debtor }
  obligation "pay" {
    title        = "pay the rent"
    bearer       = debtor
    counterparty = creditor
    fulfil       = payment
    within       = 5
  }
}
phase "month" {
  template = month
  roles = {
    debtor   = tenant
    creditor = landlord
  }
  after = signing
  count = 12
  until = payment
}
requirement "payable" {
  ctl = "AG (month-12.pay.owed -> EF month-12.pay.fulfilled)"
}
event "return" {
  by         = tenant
  only_while = month-12.pay.fulfilled
}
`

// TestRounds: a round of a phase with count has what its template declares.
func TestRounds(t *testing.T) {
	c := start(t)
	const name = "large/rounds.contract.hcl"
	c.open(name, rounds)
	for needle, want := range map[string]string{
		"(month-12.pay": `obligation "pay"`, "= month-12.pay": `obligation "pay"`, "(month-12": `phase "month"`, "until = payment": `event "payment"`,
	} {
		at := c.on(name, rounds, needle, len(needle)-1)
		var found []location
		c.call("textDocument/definition", at, &found)
		if len(found) != 1 {
			t.Errorf("%s leads to %v", needle, found)
			continue
		}
		to := newBuffer(rounds)
		if got := to.src[to.offset(found[0].Range.Start):to.offset(found[0].Range.End)]; got != want {
			t.Errorf("%s leads to %s, want %s", needle, got, want)
		}
		var shown *hover
		if c.call("textDocument/hover", at, &shown); shown == nil {
			t.Errorf("%s: nothing is shown", needle)
		}
	}
	for _, k := range []struct{ old, new, want, not string }{
		{"EF month-12.pay", "EF month-12.|", "pay", "month"},
		{"= month-12.pay", "= month-12.|", "pay", "month"},
		{"= month-12.pay.fulfilled", "= month-12.pay.|", "fulfilled", "pay"},
		{"until = payment", "until = |", "payment", "signing"},
		{"EF month-12.pay", "EF month-13.|", "", "pay"},
		{"EF month-12.pay", "EF month-0.|", "", "pay"},
	} {
		var items []completionItem
		c.call("textDocument/completion", c.at(name, strings.Replace(rounds, k.old, k.new, 1)), &items)
		if k.want != "" && !offered(items, k.want) || offered(items, k.not) {
			t.Errorf("%s: %v", k.new, items)
		}
		c.open(name, rounds)
	}
}
