package report

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// TestAlikeContractsOnce: what a review says of several contracts word for word, but for the places of their files, is said once, with their names; of one
// that differs in a number, apart.
func TestAlikeContractsOnce(t *testing.T) {
	const contract = `contract "NAME" {}
party "seller" {}
party "buyer" {}
event "delivery" { by = seller }
event "refusal" { by = seller }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  fulfil       = delivery
  breach       = refusal
  within       = DAYS
}
requirement "kept" {
  title = "Nothing is refused after delivery"
  ctl   = "AG (happened(delivery) -> AG !enabled(refusal))"
}
`
	base, head := fstest.MapFS{}, fstest.MapFS{}
	for i := range 40 {
		name := fmt.Sprint("sale-", i+1)
		days := map[bool]string{true: "5", false: "3"}[i == 7]
		now := strings.NewReplacer("NAME", name, "DAYS", days).Replace(contract)
		was := strings.Replace(now, "event \"refusal\" { by = seller }", "event \"refusal\" {\n  by         = seller\n  only_while = deliver.owed\n}", 1)
		base["deals/"+name+"/sale.contract.hcl"], head["deals/"+name+"/sale.contract.hcl"] = &fstest.MapFile{Data: []byte(was)}, &fstest.MapFile{Data: []byte(now)}
	}
	r := reviewOf(t, base, head)
	var b strings.Builder
	if err := text.Review(&b, r, text.Style{Width: 100}); err != nil {
		t.Fatal(err)
	}
	comment := markdown.Review(r)
	for _, said := range []string{b.String(), comment} {
		if n := strings.Count(said, "The same is so of 38 other contracts, in their own files:"); n != 1 {
			t.Errorf("alike contracts are named %d times", n)
		}
		if strings.Contains(said, "Left out") {
			t.Error("something is left out")
		}
		for i := range r.Contracts {
			if c := &r.Contracts[i]; !strings.Contains(said, c.Path) {
				t.Errorf("%s is not named", c.Path)
			}
		}
	}
	if n := strings.Count(comment, "\n### "); n != 2 {
		t.Errorf("%d sections", n)
	}
	if n := strings.Count(b.String(), "✗ broken"); n != 2 {
		t.Errorf("%d times broken in\n%s", n, b.String())
	}
}
