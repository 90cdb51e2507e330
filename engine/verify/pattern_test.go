package verify_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

const patternContract = `
contract "sale" {}
party "seller" {
  state "open" {}
  state "sent" {}
  state "done" {}
  transition "send" {
    from = open
    to   = sent
  }
  transition "close" {
    from = sent
    to   = done
  }
  transition "reopen" {
    from = done
    to   = open
  }
}
party "buyer" {
  count = 2
  state "waiting" {}
  state "paid" {}
  transition "pay" {
    from = waiting
    to   = paid
  }
}
event "delivery" {
  sync = { seller = send }
}
event "payment" {
  sync = { buyer = each(pay) }
}
`

// kinds and scopes of patterns, as attributes.
var (
	patternKinds = []string{
		`never = "seller.sent"`, `always = "!seller.sent"`, `sometime = "seller.done"`, "at_most = 1\n  times = \"seller.sent\"",
		"whenever = \"buyer[0].paid\"\n  follows = [\"seller.sent\", \"enabled(delivery)\"]",
		"no = [\"seller.sent\", \"seller.done\"]\n  without = [\"happened(payment[0])\", \"buyer[1].paid\"]",
		"every = \"b in buyer\"\n  no = \"seller.done\"\n  without = \"b.paid && happened(payment[b])\"",
	}
	patternScopes = []string{"", `after = "buyer[0].paid"`, `before = "seller.done"`, `until = "seller.done"`,
		"after = \"seller.sent\"\n  before = \"buyer[1].paid\"", "after = \"seller.sent\"\n  until = \"buyer[1].paid\""}
)

// A pattern is its formula written by hand: the same meaning and the same verdicts.
func TestPatternsByHand(t *testing.T) {
	sugar, hand := patternContract, patternContract
	n := 0
	for _, kind := range patternKinds {
		for _, scope := range patternScopes {
			sugar += fmt.Sprintf("requirement \"r%d\" {\n  %s\n  %s\n}\n", n, kind, scope)
			n++
		}
	}
	written := verify.Check(context.Background(), compiled(t, sugar), finding.Budget{Jobs: 1})
	held := 0
	for i, r := range written.Requirements {
		hand += fmt.Sprintf("requirement \"r%d\" {\n  ctl = %q\n}\n", i, r.Formula)
		if r.Says == "" || r.Pattern == "" || !strings.HasSuffix(r.Says, ".") {
			t.Errorf("%s: %q, %q", r.Name, r.Pattern, r.Says)
		}
		if r.Verdict == finding.Holds {
			held++
		}
	}
	if held < 5 || held > n-5 {
		t.Errorf("%d of %d hold: the comparison is hardly worth it", held, n)
	}
	byHand := verify.Check(context.Background(), compiled(t, hand), finding.Budget{Jobs: 1})
	if byHand.Digest != written.Digest {
		t.Error("the digests differ")
	}
	for i, r := range byHand.Requirements {
		if w := written.Requirements[i]; r.Verdict != w.Verdict || r.Formula != w.Formula || r.Run != w.Run {
			t.Errorf("%s: %s by hand, %s as %s\n%s", r.Formula, r.Verdict, w.Verdict, w.Says, w.Formula)
		}
	}
}

func compiled(t *testing.T, text string) *compile.Draft {
	t.Helper()
	src, err := load.Dir(fstest.MapFS{"dir/a.contract.hcl": {Data: []byte(text)}}, "dir", "dir", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	return compile.Compile(src, "dir", nil)
}

// TestWhatComesTooOften: a run that violates a promise of how often something may come ends with what came too often, in which scope and for whom.
func TestWhatComesTooOften(t *testing.T) {
	for attributes, want := range map[string]string{
		`times = "seller.sent"`:                                                   "“seller: sent” comes more than once",
		"times = \"seller.sent\"\n  before = \"buyer[0].paid\"":                   "before “buyer[0]: paid”, “seller: sent” comes more than once",
		"times = \"seller.sent\"\n  after = \"buyer[0].paid\"":                    "after “buyer[0]: paid”, “seller: sent” comes more than once",
		"times = \"seller.sent\"\n  over = ideal":                                 "“seller: sent” comes more than once, though nothing is ever breached",
		"every = \"b in buyer\"\n  times = \"seller.sent\"\n  after = \"b.paid\"": "for some buyer: after “buyer: paid”, “seller: sent” comes more than once",
		`times = "enabled(delivery)"`:                                             "more than once “delivery” can happen",
		`times = "seller.sent -> enabled(delivery)"`:                              "“seller: sent” does not hold",
	} {
		r := verify.Check(context.Background(), compiled(t, patternContract+"requirement \"r\" {\n  at_most = 1\n  "+attributes+"\n}\n"), finding.Budget{Jobs: 1})
		if q := r.Requirements[0]; q.Verdict != finding.Violated || q.Trace.Claim != want {
			t.Errorf("%s: %s, %q, not %q", attributes, q.Verdict, q.Trace.Claim, want)
		}
	}
}
