package verify

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/load"
)

// emptied is a promise over ideal runs that holds since no ideal run comes to where it asks for something.
const emptied = `contract "c" {}
party "buyer" {}
party "seller" {}
event "order" { by = buyer }
event "delivery" { by = seller }
obligation "deliver" {
  bearer = seller
  when   = order
  fulfil = delivery
  within = 3
}
prohibition "no-order" {
  bearer = buyer
  of     = order
}
requirement "served" {
  over = ideal
  ctl  = "AG (happened(order) -> AF deliver.fulfilled)"
}
`

func draftOf(t *testing.T, text string) *compile.Draft {
	t.Helper()
	src, err := load.Dir(fstest.MapFS{"a.contract.hcl": {Data: []byte(text)}}, ".", ".", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	return compile.Compile(src, ".", nil)
}

// TestEmptinessIsNotLost: however few sets of states there is memory for, a promise that holds only because it is empty is never said to hold otherwise.
func TestEmptinessIsNotLost(t *testing.T) {
	f := Decide(t.Context(), draftOf(t, emptied), finding.Budget{Jobs: 1}, nil, ProposeNothing)
	held, open := 0, 0
	for sets := range 60 {
		c, req := Listing(f.Draft, f.Listed.Graph, finding.Bytes(4*8*(sets+1)*(f.Listed.Graph.Len()/64+1))), requirement(f.Draft, 0)
		switch c.Decide(t.Context(), f.Draft.Formulas[0], &req, finding.Budget{}); {
		case req.Verdict == finding.Holds && req.Empty:
			held++
		case req.Verdict == finding.Unknown && req.Reason != "":
			open++
		default:
			t.Errorf("with %d sets it %s, empty: %t", sets+1, req.Verdict, req.Empty)
		}
	}
	if held == 0 || open == 0 {
		t.Errorf("%d hold, %d are unknown", held, open)
	}
}

// formulaAlone is a method that decides one formula, and no other.
type formulaAlone struct{ of *ctl.Formula }

func (f formulaAlone) decide(_ context.Context, q *question) nearby {
	if q.formula == f.of {
		return nearby{engine: "one", holds: true}
	}
	return nearby{}
}

// TestNearbyEmptinessIsNotLost: without a state model a review has no verdict on a promise of which it is not known whether it is empty. A check has one.
func TestNearbyEmptinessIsNotLost(t *testing.T) {
	d, other := draftOf(t, emptied), draftOf(t, emptied+"net \"n\" {}\n")
	for _, c := range []struct {
		m    *compile.Amendment
		want finding.Engine
	}{{nil, "one"}, {compile.Amend(other, d), ""}} {
		if got := near(t.Context(), d, finding.Budget{}, c.m, []decider{formulaAlone{d.Formulas[0]}}).own[0]; got.engine != c.want {
			t.Errorf("reviewed %t: decided by %q, want %q", c.m != nil, got.engine, c.want)
		}
	}
}
