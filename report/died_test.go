package report

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// TestWhatDiedIsSaidOnce: that an event or a transition can never happen any more is said with the difference, and not by a warning, too.
func TestWhatDiedIsSaidOnce(t *testing.T) {
	const base = `contract "c" {}
party "seller" {
  state "open" {}
  state "closed" {}
  state "shut" {}
  transition "close" {
    from = open
    to   = closed
  }
  transition "reopen" {
    from = closed
    to   = open
  }
}
party "buyer" {}
event "closing" { sync = { seller = close } }
event "thanks" {
  by         = buyer
  only_while = seller.closed
}
`
	head := strings.Replace(base, "from = open\n    to   = closed", "from = shut\n    to   = closed", 1)
	tree := func(text string) fstest.MapFS { return fstest.MapFS{"c/c.contract.hcl": {Data: []byte(text)}} }
	r := reviewOf(t, tree(base), tree(head))
	var b strings.Builder
	if err := text.Review(&b, r, text.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{b.String(), markdown.Review(r)} {
		if !strings.Contains(said, "Can never happen any more: closing; thanks; seller.reopen.") || strings.Contains(said, "can't happen") || strings.Contains(said, "seller.reopen can never") {
			t.Error(said)
		}
		if !strings.Contains(said, "seller.close can never happen") || !strings.Contains(said, "seller.shut, which is never reached") {
			t.Errorf("not why: %s", said)
		}
	}
}
