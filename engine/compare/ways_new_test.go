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

// TestConsentIsNoOtherStep: where an event needs another's consent, too, what it led to is what it led to before. Where it needs a consent less, that is a way
// which base did not have.
func TestConsentIsNoOtherStep(t *testing.T) {
	sale := func(by string) string {
		return `contract "k" {}
party "seller" {}
party "buyer" {}
net "court" {
  place "free" { marked = true }
  transition "hear" { consume = [free] }
}
event "order" {
  by = ` + by + `
}
obligation "deliver" {
  bearer = seller
  when   = order
  within = 2
}
requirement "comes" { ctl = "AG (happened(order) -> EF deliver.fulfilled)" }
`
	}
	for _, c := range []struct {
		was, now string
		want     finding.Kind
	}{
		{"buyer", "[buyer, seller]", finding.Standing},
		{"[buyer, seller]", "buyer", finding.New},
		{"buyer", "seller", finding.New},
		{"buyer", "any(buyer, seller)", finding.New},
		{"buyer", "[buyer, seller]\n  sync = { court = hear }\n", finding.New}, // the court does more than consent
	} {
		r := blame.Compare(t.Context(), testkit.DraftOf(t, sale(c.was)), testkit.DraftOf(t, sale(c.now)), finding.Budget{Jobs: 1})
		if f := r.Findings[0]; f.Kind != c.want {
			t.Errorf("from %s to %s: %s, want %s", c.was, c.now, f.Kind, c.want)
		}
	}
}

// TestRenamedActsAreTheSame: what a party does for an event is the same step where the party or the event has another name now, so what was broken before is not broken in
// a new way.
func TestRenamedActsAreTheSame(t *testing.T) {
	const base = `contract "c" {}
party "seller" {}
party "buyer" {
  state "idle" {}
  transition "order" {
    from = idle
    to   = idle
  }
}
event "order" { by = buyer }
event "delivery" {
  by         = seller
  only_while = happened(order)
}
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = delivery
  within       = 3
}
requirement "punctual" { ctl = "AG (happened(order) -> AF deliver.fulfilled)" }
`
	for _, names := range [][]string{{"buyer", "customer"}, {"seller", "vendor"}, {"order", "request"}, {"delivery", "supply"}, {"buyer", "customer", "order", "request"}} {
		head := strings.NewReplacer(names...).Replace(base)
		f := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Findings[0]
		if f.Kind != finding.Standing {
			t.Errorf("%s: %s", names, f.Kind)
		}
	}
}
