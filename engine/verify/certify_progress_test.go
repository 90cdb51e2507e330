package verify_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
)

// works is a clock that never stops, beside workers who begin again and builders who don't: 2 * 12^n states. Without an assumption
// nobody but the clock need do anything.
const works = `
contract "works" {
  title  = "Work beside a clock"
  firing = one
}

variable "n" { type = number }

party "clock" {
  state "tick" {}
  state "tock" {}
  transition "on" {
    from = tick
    to   = tock
  }
  transition "off" {
    from = tock
    to   = tick
  }
}

party "worker" {
  count = var.n
  state "idle" {}
  state "asked" {}
  state "busy" {}
  state "done" {}
  transition "accept" {
    from = idle
    to   = asked
  }
  transition "begin" {
    from = asked
    to   = busy
  }
  transition "finish" {
    from = busy
    to   = done
  }
  transition "rest" {
    from = done
    to   = idle
  }
}

party "builder" {
  count = var.n
  state "plan" {}
  state "site" {}
  state "house" {}
  transition "begin" {
    from = plan
    to   = site
  }
  transition "finish" {
    from = site
    to   = house
  }
}

requirement "each-again" {
  title    = "Each worker is done again and again"
  ctl      = "all w in worker: AG AF w.done"
  assuming = progress(worker)
}

requirement "clock-alone" {
  title    = "So it is if only the clock goes on"
  ctl      = "all w in worker: AG AF w.done"
  assuming = progress(clock)
}

requirement "together" {
  title    = "All are done at the same time"
  ctl      = "AF (all w in worker: w.done)"
  assuming = progress(worker, clock)
}

requirement "built" {
  title    = "All houses are built, and stay"
  ctl      = "AF AG (all b in builder: b.house)"
  assuming = progress(builder)
}

requirement "site-for-ever" {
  title    = "All others can go on while one builder does nothing"
  ctl      = "AG (builder[0].plan -> EG builder[0].plan)"
  assuming = progress(worker, clock)
}
`

// TestProgressOfManyHasCertificates: verdicts that assume progress are proved where there are far more states than could be listed.
func TestProgressOfManyHasCertificates(t *testing.T) {
	const n = 12
	files := fstest.MapFS{"works.contract.hcl": {Data: []byte(works)}}
	src, err := load.Dir(files, ".", "x", expr.Values{"n": {Text: fmt.Sprint(n), From: "the test"}})
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	d, b := compile.Compile(src, "x", nil), finding.Budget{Jobs: 1, Engine: finding.Symbolic}
	r := verify.Check(context.Background(), d, b)
	states := new(big.Int).Exp(big.NewInt(12), big.NewInt(n), nil)
	if states.Lsh(states, 1); r.Model.States == nil || r.Model.States.Cmp(states) != 0 {
		t.Errorf("%v states, expected %v", r.Model.States, states)
	}
	for i, holds := range []bool{true, false, false, true, true} {
		if q := r.Requirements[i]; (q.Verdict == finding.Holds) != holds || (q.Verdict == finding.Violated) == holds {
			t.Errorf("%s: %s", q.Name, q.Verdict)
		}
	}
	list := verify.Certify(context.Background(), d, b, r)
	if len(list) != 1+len(r.Requirements) {
		t.Errorf("%d certificates of %d requirements", len(list), len(r.Requirements))
	}
	for _, c := range list {
		certified(t, d, c)
	}
}

// TestProgressInExamplesHasCertificates assumes of everybody in the examples to make progress, and proves all their verdicts on diagrams.
func TestProgressInExamplesHasCertificates(t *testing.T) {
	drafts, err := engine.Tree{FS: examples.FS, Root: "."}.Drafts(context.Background(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drafts {
		if d.Path == "gas-supply" && !draws.All() {
			continue // half a minute under the race detector
		}
		for _, r := range d.Spec.Requirements {
			r.Assuming = nil
			for _, p := range d.Spec.Parties {
				r.Assuming = append(r.Assuming, &hclspec.Progress{Name: p.Name, Parties: []*hclspec.Party{p}})
			}
		}
		one := petri.One
		d := compile.Compile(&load.Source{Contract: d.Spec}, d.Path, &one)
		b := finding.Budget{Jobs: 1, Engine: finding.Symbolic}
		list := verify.Certify(context.Background(), d, b, verify.Check(context.Background(), d, b))
		if len(list) != len(d.Spec.Requirements)+1 {
			t.Errorf("%s: %d certificates of %d requirements", d.Path, len(list), len(d.Spec.Requirements))
		}
		for _, c := range list {
			certified(t, d, c)
		}
	}
}
