package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestHover(t *testing.T) {
	c := start(t)
	text, formulas := c.read(parties), c.read(deal)
	c.open(parties, text)
	c.open(deal, formulas)
	c.untilClean(deal)
	c.edit(deal, strings.Replace(formulas, "AF buyer.has", "AG !buyer.has", 1)) // so that a result is there
	formulas = strings.Replace(formulas, "AF buyer.has", "AG !buyer.has", 1)
	c.untilCode(deal, "violated")
	for _, h := range []struct {
		name, text, needle string
		offset             int
		want               []string
	}{
		{parties, text, "= done", 3, []string{"**state** `seller.done`", "— done", "Nothing is left to do.", "Clause 3", "Can be reached."}},
		{parties, text, `"lost"`, 2, []string{"**state** `seller.lost`", "never reached"}},
		{parties, text, "{ PAID", 3, []string{"**flag** `seller.PAID`", "paid"}},
		{parties, text, "[goods", 2, []string{"**place** `seller.goods`", "Can be marked."}},
		{deal, formulas, "buyer  =", 2, []string{"**party** `buyer`", "Buyer"}},
		{deal, formulas, "hand-over", 2, []string{"**transition** `seller.hand-over`", "the seller hands over", "Can happen."}},
		{deal, formulas, "receive", 2, []string{"**transition** `buyer.get`"}},
		{deal, formulas, `"delivery"`, 2, []string{"**event** `delivery`", "the goods change hands", "Clause 2.1"}},
		{deal, formulas, "!buyer.has", 8, []string{"**state** `buyer.has`", "has the goods"}},
		{deal, formulas, "seller.PAID", 1, []string{"**party** `seller`"}},
		{deal, formulas, "local.both", 8, []string{"**local** `both`"}},
		{deal, formulas, `"goods-come"`, 2, []string{"**requirement** `goods-come`", "`AG !buyer.has`", "**violated**", "```text\nA run that shows it:\n   1. "}},
		{deal, formulas, `"paid-with-goods"`, 2, []string{"holds"}},
		{deal, formulas, `"state-never-reached"`, 2, []string{"**accept**"}},
		{deal, formulas, "seller.lost", 9, []string{"**state** `seller.lost`"}},
	} {
		var got *hover
		c.call("textDocument/hover", c.on(h.name, h.text, h.needle, h.offset), &got)
		if got == nil {
			t.Errorf("%s: nothing", h.needle)
			continue
		}
		for _, want := range h.want {
			if !strings.Contains(got.Contents.Value, want) {
				t.Errorf("%s: got %q, want %q in it", h.needle, got.Contents.Value, want)
			}
		}
	}
	var none *hover
	c.call("textDocument/hover", c.on(parties, text, "Nothing is", 2), &none)
	if none != nil {
		t.Errorf("prose means nothing; got %+v", none)
	}
}

// lines shows locations as file:line, both counted as people do.
func (c *client) lines(all []location) string {
	var list []string
	for _, l := range all {
		list = append(list, fmt.Sprintf("%s:%d", filepath.Base(strings.TrimPrefix(l.URI, c.uri(""))), l.Range.Start.Line+1))
	}
	return strings.Join(list, " ")
}

func TestDefinitionAndReferences(t *testing.T) {
	c := start(t)
	text, formulas := c.read(parties), c.read(deal)
	c.open(parties, text)
	c.open(deal, formulas)
	for _, d := range []struct {
		name, text, needle string
		offset             int
		definition, uses   string
	}{
		{parties, text, "from    = open", 11, "parties.contract.hcl:4", "parties.contract.hcl:4 parties.contract.hcl:16"},
		{parties, text, "= done", 2, "parties.contract.hcl:5", "parties.contract.hcl:5 parties.contract.hcl:17 small.contract.hcl:3 small.contract.hcl:7"},
		{deal, formulas, "buyer  =", 0, "parties.contract.hcl:23", "parties.contract.hcl:23 small.contract.hcl:7 small.contract.hcl:15 small.contract.hcl:22"},
		{deal, formulas, "receive", 7, "parties.contract.hcl:28", "parties.contract.hcl:28 small.contract.hcl:15"},
		{deal, formulas, "seller.PAID", 8, "parties.contract.hcl:11", "parties.contract.hcl:11 parties.contract.hcl:18 small.contract.hcl:27"},
		{deal, formulas, "local.both", 8, "small.contract.hcl:7", "small.contract.hcl:7 small.contract.hcl:27"},
		{deal, formulas, "seller.lost", 8, "parties.contract.hcl:10", "parties.contract.hcl:10 small.contract.hcl:31"},
		{deal, formulas, "reason", 2, "", ""},
	} {
		at := c.on(d.name, d.text, d.needle, d.offset)
		at.Context.IncludeDeclaration = true
		var def, refs []location
		c.call("textDocument/definition", at, &def)
		c.call("textDocument/references", at, &refs)
		if got := c.lines(def); got != d.definition {
			t.Errorf("%s is defined at %q, want %q", d.needle, got, d.definition)
		}
		if got := c.lines(refs); got != d.uses {
			t.Errorf("%s is used at %q, want %q", d.needle, got, d.uses)
		}
	}
}

func TestCompletion(t *testing.T) {
	c := start(t)
	text, formulas := c.read(parties), c.read(deal)
	put := func(text, old, new string) string {
		t.Helper()
		if !strings.Contains(text, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for _, k := range []struct {
		what, name, marked string
		want, not          []string
	}{
		{"a state", parties, put(text, "to      = done", "to      = |"), []string{"open", "done", "lost"}, []string{"goods", "PAID", "waits"}},
		{"a state half written", parties, put(text, "to      = done", "to      = do|"), []string{"done"}, []string{"waits"}},
		{"a flag", parties, put(text, "{ PAID = true }", "{ | }"), []string{"PAID"}, []string{"open"}},
		{"a flag that is not closed", parties, put(text, "{ PAID = true }", "{ |"), []string{"PAID"}, []string{"open"}},
		{"a flag's value", parties, put(text, "PAID = true", "PAID = |"), []string{"true", "false"}, []string{"PAID"}},
		{"a place", parties, put(text, "[goods]", "[|"), []string{"goods"}, []string{"open"}},
		{"an attribute", parties, put(text, "    from    = open\n", "    |\n"), []string{"from", "read", "title"}, []string{"state"}},
		{"a block", parties, put(text, "  state \"lost\" {}\n", "  st|\n"), []string{"state", "flag", "transition", "title"}, []string{"from"}},
		{"a block outside", deal, formulas + "\nreq|", []string{"requirement", "party", "event"}, []string{"state"}},
		{"a party", deal, put(formulas, "    buyer  = receive\n", "    |\n"), []string{"buyer", "seller"}, []string{"delivery"}},
		{"a label", deal, put(formulas, "buyer  = receive", "buyer  = |"), []string{"receive"}, []string{"get", "hand-over"}},
		{"a party in a formula", deal, put(formulas, "AF buyer.has", "AF |"), []string{"buyer", "seller", "delivery"}, []string{"has", "goods-come"}},
		{"an atom", deal, put(formulas, "AF buyer.has", "AF buyer.|"), []string{"waits", "has"}, []string{"get", "open"}},
		{"an atom half written", deal, put(formulas, "AF buyer.has", "A[!seller.P|"), []string{"PAID"}, []string{"hand-over", "waits"}},
		{"a local in a formula", deal, put(formulas, "${local.both}", "${local.|}"), []string{"both"}, []string{"seller"}},
		{"a code", deal, put(formulas, "accept \"state-never-reached\"", "accept \"|\""), []string{"dead-end", "state-never-reached"}, []string{"syntax"}},
		{"what is accepted", deal, put(formulas, "on     = seller.lost", "on     = |"), []string{"seller", "event", "requirement"}, []string{"lost"}},
		{"what of it", deal, put(formulas, "on     = seller.lost", "on     = seller.|"), []string{"lost", "hand-over"}, []string{"waits"}},
		{"an event that is accepted", deal, put(formulas, "on     = seller.lost", "on     = event.|"), []string{"delivery"}, []string{"seller"}},
		{"what ends the contract", deal, put(formulas, "  final =", "  ends = [|]\n  final ="), []string{"delivery"}, []string{"one", "fulfilled"}},
		{"a firing rule", deal, put(formulas, "  final =", "  firing = |\n  final ="), []string{"one", "all"}, nil},
		{"a type", deal, formulas + "\ntemplate \"x\" {\n  parameter \"p\" {\n    type = |\n  }\n}\n", []string{"number", "duration"}, []string{"seller"}},
		{"prose", deal, put(formulas, "has delivered", "has |"), nil, []string{"seller", "both"}},
		{"a comment", deal, put(formulas, "locals", "# |\nlocals"), nil, []string{"party", "seller"}},
	} {
		var items []completionItem
		c.call("textDocument/completion", c.at(k.name, k.marked), &items)
		var names []string
		for _, i := range items {
			names = append(names, i.Label)
		}
		for _, w := range k.want {
			if !slices.Contains(names, w) {
				t.Errorf("%s: no %q in %v", k.what, w, names)
			}
		}
		for _, n := range k.not {
			if slices.Contains(names, n) {
				t.Errorf("%s: %q in %v", k.what, n, names)
			}
		}
		c.open(k.name, strings.Replace(k.marked, "|", "", 1))
		c.open(parties, text)
		c.open(deal, formulas)
	}
}

func TestFormatting(t *testing.T) {
	c := start(t)
	text := c.read(parties)
	for _, messy := range []string{
		strings.Replace(text, "    from    = open", " from=open", 1),
		"\n\n" + text, text + "\n\n", strings.ReplaceAll(text, "\n", "\r\n"),
		strings.Replace(text, "Seller", "Séller 𝒳", 1) + "net \"n\" {\n}", strings.TrimSpace(text),
	} {
		c.open(parties, messy)
		var edits []textEdit
		c.call("textDocument/formatting", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &edits)
		got := newBuffer(messy)
		for _, e := range edits {
			got = got.change(contentChange{&e.Range, e.NewText})
		}
		var again []textEdit
		c.open(parties, got.src)
		c.call("textDocument/formatting", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &again)
		if len(edits) != 1 || len(again) != 0 {
			t.Errorf("%q: %d edits, then %d, to %q", messy[:20], len(edits), len(again), got.src)
		}
	}
	c.open(parties, "party {")
	var edits []textEdit
	c.call("textDocument/formatting", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &edits)
	if len(edits) != 0 {
		t.Errorf("what cannot be parsed stays as it is; got %v", edits)
	}
}

func TestSymbols(t *testing.T) {
	c := start(t)
	c.open(parties, c.read(parties))
	var got []documentSymbol
	c.call("textDocument/documentSymbol", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &got)
	if len(got) != 2 || got[0].Name != "seller" || got[0].Detail != "party: Seller" || len(got[0].Children) != 6 || got[1].Children[2].Name != "get" {
		t.Errorf("got %+v", got)
	}
	if r := got[0].Children[1].Range; r.Start.Line != 4 || r.End.Line != 8 {
		t.Errorf("a symbol is its whole block; got %v", r)
	}
}
