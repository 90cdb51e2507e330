package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/load"
)

// Durations in words mean so many ticks of the finest unit among them.
func TestDurationsInWords(t *testing.T) {
	const text = `contract "c" {
  CALENDAR
}
party "p" {}
event "e" { by = p }
event "f" {
  by     = p
  within = { e = F }
}
obligation "o" {
  bearer = p
  when   = f
  fulfil = e
  within = O
}
`
	compiled := func(calendar, f, o string) *Draft {
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(strings.NewReplacer("CALENDAR", calendar, "= F ", "= "+f+" ", "= O", "= "+o).Replace(text))}, "c", nil)
		if src.Contract == nil {
			t.Fatal(src.Diagnostics)
		}
		return Compile(src, "c", nil)
	}
	for _, c := range []struct {
		calendar, f, o, tick string
		fTicks, oTicks       int
	}{
		{"", "3 days", "2 weeks", "day", 3, 14},
		{"", "12 hours", "1 day", "hour", 12, 24},
		{"", "1 year", "2 quarters", "quarter", 4, 2},
		{"", "1 quarter", "1 month", "month", 3, 1},
		{`calendar = { month = "30 days" }`, "1 year", "1 day", "day", 360, 1},
		{`calendar = { month = "30 days" }`, "2 weeks", "1 month", "day", 14, 30},
		{`calendar = { month = "30 days" }`, "2 months", "1 month", "month", 2, 1},
		{`calendar = { week = "5 business days" }`, "2 weeks", "1 business day", "business day", 10, 1},
	} {
		words, ticks := compiled(c.calendar, fmt.Sprintf("%q", c.f), fmt.Sprintf("%q", c.o)), compiled("", fmt.Sprint(c.fTicks), fmt.Sprint(c.oTicks))
		if !SameNet(words, ticks) {
			t.Errorf("%s and %s are not %d and %d ticks", c.f, c.o, c.fTicks, c.oTicks)
		}
		if words.Spec.Tick != c.tick || words.Digest == ticks.Digest {
			t.Errorf("%s and %s: a tick is a %q", c.f, c.o, words.Spec.Tick)
		}
	}
}
