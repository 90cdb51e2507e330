package lsp

import (
	"strings"
	"testing"
)

// TestFileAlone: an editor without a folder has the directory of each file for one, until there is a folder.
func TestFileAlone(t *testing.T) {
	c := dial(t, quick)
	c.call("initialize", initializeParams{}, new(initializeResult))
	c.notify("initialized", struct{}{})
	text := c.read(deal)
	c.open(deal, strings.Replace(text, "AF buyer.has", "AG buyer.has", 1))
	c.untilCode(deal, "violated") // the parties are in another file
	var def []location
	c.call("textDocument/definition", c.on(deal, text, "buyer  =", 2), &def)
	if got := c.lines(def); got != "parties.contract.hcl:23" {
		t.Errorf("the other file's party is at %q", got)
	}
	other := "sale/sale.contract.hcl"
	c.open(other, c.read(other))
	c.untilClean(other)

	var p didChangeWorkspaceFoldersParams
	p.Event.Added = []workspaceFolder{{c.uri("gas-supply")}}
	c.notify("workspace/didChangeWorkspaceFolders", p)
	outside := "purchasers/purchasers.contract.hcl"
	c.open(outside, c.read(outside))
	var symbols []documentSymbol
	c.call("textDocument/documentSymbol", documentParams{TextDocument: textDocument{URI: c.uri(outside)}}, &symbols)
	if len(symbols) != 0 {
		t.Error("a file outside of the folder is read")
	}
}
