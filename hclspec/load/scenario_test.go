package load

import (
	"testing"
	"testing/fstest"
)

// TestShorterTicks reads a contract in months with a tick of a day: a tick in a scenario is still a month.
func TestShorterTicks(t *testing.T) {
	src, err := Dir(fstest.MapFS{"dir/a.contract.hcl": {Data: []byte(`contract "c" { calendar = { month = "30 days" } }
party "p" {}
event "e" { by = p }
obligation "o" {
  bearer = p
  fulfil = e
  within = "2 months"
}
scenario "s" {
  events = [tick, e, "2 ticks", e, "1 quarter"]
  expect = impossible
}
`)}}, "dir", "c", nil)
	if err != nil {
		t.Fatal(err)
	}
	for unit, want := range map[string]string{"month": "1 month, e, 2 months, e, 3 months", "day": "30 days, e, 60 days, e, 90 days"} {
		got := src.WithTick(unit)
		if got.Diagnostics.HasErrors() {
			t.Fatal(got.Diagnostics)
		}
		if s := got.Contract.Requirements[0].Formula.Scenario.String(); s != want {
			t.Errorf("with a tick of a %s: %s, want %s", unit, s, want)
		}
	}
}
