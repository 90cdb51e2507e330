package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestNewWayOfRestingPromise: a promise that rests on nobody is broken where nobody acts any more; what else leads there is a new way.
func TestNewWayOfRestingPromise(t *testing.T) {
	const base = `contract "k" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "delivery" { by = seller }
requirement "comes" {
  ctl      = "AG (happened(order) -> AF happened(delivery))"
  rests_on = []
}
`
	for by, want := range map[string]finding.Kind{"[buyer, seller]": finding.Standing, "any(buyer, seller)": finding.New} {
		head := strings.Replace(base, "= buyer", "= "+by, 1)
		if f := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Findings[0]; f.Kind != want {
			t.Errorf("by %s: %s, want %s", by, f.Kind, want)
		}
	}
}
