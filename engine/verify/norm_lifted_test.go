package verify_test

import (
	"context"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// TestNoTimeRunsUnlessOwed: an occurrence that would arise on the very tick that ends it never does, and its time does not run either.
func TestNoTimeRunsUnlessOwed(t *testing.T) {
	d := testkit.DraftOf(t, `contract "note" {}
party "borrower" {}
event "payout" { by = borrower }
event "payment" {
  by         = borrower
  repeats    = true
  only_while = rent.owed
}
obligation "rent" {
  bearer     = borrower
  when       = payout
  fulfil     = payment
  until      = rest.owed
  times      = 3
  every      = 3
  within     = 2
  reparation = late
}
obligation "late" {
  bearer = borrower
  fulfil = payment
  within = 1
  until  = rest.owed
}
obligation "rest" {
  bearer = borrower
  when   = late.breached
  fulfil = payment
}
`)
	g, err := space.Explore(context.Background(), d.Net, petri.One, space.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for s := range g.Len() {
		on, runs := map[*hclspec.Party]bool{}, map[*hclspec.Party]bool{}
		for _, p := range g.Marking(s) {
			if p >= len(d.Owners) {
				continue // history
			}
			if net, place := d.Owners[p], d.AllPlaces[p]; construct.IsNorm(net.Made) {
				on[net] = on[net] || place.Name == "owed"
				runs[net] = runs[net] || place.Kind == hclspec.ClockLeft
			}
		}
		for net := range runs {
			if runs[net] && !on[net] {
				t.Fatalf("%s is not owed, and its time runs", net.Name)
			}
		}
	}
}
