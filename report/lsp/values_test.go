package lsp

import (
	"slices"
	"strings"
	"testing"
)

// TestValues: an attribute is offered what it takes and nothing else, in the gas supply contract.
func TestValues(t *testing.T) {
	c := start(t)
	terms, deal, papers := "gas-supply/norms.contract.hcl", "gas-supply/gas-supply.contract.hcl", "letter-of-credit/documents.contract.hcl"
	for _, k := range []struct {
		name, old, new string
		want, not      []string
	}{
		{terms, "= [nomination, recovery]", "= |", []string{"nomination", "deliver"}, []string{"buyer", "true", "max"}},
		{terms, "= [nomination, recovery]", "= [nomination, |", []string{"recovery"}, []string{"buyer"}},
		{terms, "= [nomination, recovery]", "= deliver-late.|", []string{"breached", "fulfilled"}, []string{"left-1", "buyer"}},
		{terms, "until        = shortfall", "until = |", []string{"shortfall", "take-or-pay"}, []string{"buyer"}},
		{terms, "fulfil       = delivery", "fulfil = d|", []string{"delivery"}, []string{"deliver", "buyer", "true"}},
		{terms, "= deliver-late", "= |", []string{"deliver-late"}, []string{"contest", "delivery"}},
		{terms, "= [deliver, deliver-late]", "= [|", []string{"deliver"}, []string{"contest", "delivery"}},
		{terms, "fulfil       = delivery\n  within       = 2\n", "before = { |", []string{"deliver", "delivery"}, []string{"contest"}}, // its own act, since it names none
		{terms, "within       = 2", "within = |", []string{"var", "min"}, []string{"delivery", "true"}},
		{terms, "ends_contract = true", "ends_contract = |", []string{"true", "false"}, []string{"delivery"}},
		{terms, "exercise = force-majeure", "exercise = |", []string{"force-majeure"}, []string{"deliver"}},
		{terms, "from   = payment", "from = |", []string{"payment", "deliver"}, []string{"buyer"}},
		{terms, "over  = ideal", "over = |", []string{"ideal", "all"}, []string{"buyer"}},
		{terms, "over  = ideal", "assuming = progress(|", []string{"buyer"}, []string{"delivery"}},
		{terms, `"AG EF take-or-pay.fulfilled"`, `"AG |`, []string{"buyer", "deliver", "ideal", "contract", "happened"}, nil},
		{terms, `"AG EF take-or-pay.fulfilled"`, `"AG happened(|`, []string{"delivery"}, []string{"buyer", "deliver", "ideal"}},
		{terms, `"AG EF take-or-pay.fulfilled"`, `"AG contract.|`, []string{"in_force", "ended"}, nil},
		{terms, "over  = ideal", "title = \"When\n over = |", []string{"ideal"}, []string{"buyer"}},
		{deal, "only_while = contest.held", "only_while = |", []string{"contest", "contract", "buyer", "any"}, []string{"payment"}},
		{deal, "only_while = contest.held", "only_while = contest.|", []string{"held", "exercised"}, []string{"buyer"}},
		{deal, "only_while = contest.held", "only_while = [contest.held, contract.|", []string{"in_force"}, []string{"buyer"}},
		{deal, "{ payment = 3 }", "{ |", []string{"payment", "contest", "any"}, []string{"buyer"}},
		{deal, "{ payment = 3 }", "{ contest.|", []string{"held", "exercised"}, []string{"payment"}},
		{deal, "{ payment = 3 }", "{ payment = |", []string{"var"}, []string{"buyer", "payment"}},
		{papers, "title = ", "holder = |", []string{"seller"}, []string{"t1"}},
		{papers, "title = ", "moves = { |", []string{"t1"}, []string{"seller"}},
		{papers, "title = ", "moves = { t1 = { |", []string{"from", "to"}, []string{"seller"}},
		{papers, "title = ", "moves = { t1 = { to = |", []string{"seller"}, []string{"t1"}},
	} {
		text := c.read(k.name)
		if !strings.Contains(text, k.old) {
			t.Fatalf("no %q in %s", k.old, k.name)
		}
		c.open(k.name, text)
		c.until(k.name, "what was opened", func(p publishDiagnosticsParams) bool { return p.Version != nil && *p.Version == c.next })
		before, after, _ := strings.Cut(k.new, "|")
		at := strings.Index(text, k.old) + len(before)
		text = strings.Replace(text, k.old, before+after, 1)
		c.open(k.name, text)
		var items []completionItem
		c.call("textDocument/completion", c.point(k.name, text, at), &items)
		for _, w := range k.want {
			if !offered(items, w) {
				t.Errorf("%s: no %q in %v", k.new, w, items)
			}
		}
		for _, n := range k.not {
			if offered(items, n) {
				t.Errorf("%s: %q is offered", k.new, n)
			}
		}
	}
}

func offered(items []completionItem, name string) bool {
	return slices.ContainsFunc(items, func(i completionItem) bool { return i.Label == name })
}

// TestValuesOfCounters: what set gives a counter is computed, and not true or false.
func TestValuesOfCounters(t *testing.T) {
	c := start(t)
	const name = "gas-supply/buyer.contract.hcl"
	whole := strings.Replace(c.read(name), "party \"buyer\" {\n", "party \"buyer\" {\n  counter \"paid\" { to = 2 }\n  transition \"x\" {\n    set = { paid = 1 }\n  }\n", 1)
	c.open(name, whole)
	c.until(name, "what was opened", func(p publishDiagnosticsParams) bool { return p.Version != nil && *p.Version == c.next })
	text := strings.Replace(whole, "{ paid = 1 }", "{ paid = ", 1)
	c.open(name, text)
	var items []completionItem
	c.call("textDocument/completion", c.point(name, text, strings.Index(text, "{ paid = ")+len("{ paid = ")), &items)
	for _, w := range []string{"paid", "between", "floor", "var"} {
		if !offered(items, w) {
			t.Errorf("no %q in %v", w, items)
		}
	}
	if offered(items, "true") || offered(items, "seller") {
		t.Errorf("too much in %v", items)
	}
}
