package verify_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// resting is a delivery in which more may take part, and a promise with terms.
func resting(more, terms string) string {
	event := "event \"delivery\" { sync = { seller = send } }"
	if more != "" {
		event = "event \"delivery\" {\n  sync = {\n    seller = send\n    bank   = release\n  }\n}"
	}
	return `
contract "trade" {}
party "seller" {
  state "HAS" {}
  state "SENT" {}
  transition "send" {
    from = HAS
    to   = SENT
  }` + testkit.Lamp + `
}
party "bank" {
  state "B" {}
  transition "release" {
    from = B
    to   = B
  }
}
` + event + `
requirement "sent" {
  ctl = "AF seller.SENT"
` + terms + `
}
`
}

// TestRestsOn: a requirement that says on whom it may rest is kept if those alone keep it by acting, in both engines; else a run shows it on which they do.
func TestRestsOn(t *testing.T) {
	for _, c := range []struct {
		more, terms string
		want        finding.Verdict
	}{
		{"", "", finding.Violated}, // for the lamp
		{"", "rests_on = [seller]", finding.Holds},
		{"", "rests_on = [bank, seller]", finding.Holds},
		{"", "rests_on = [bank]", finding.Violated},
		{"", "rests_on = []", finding.Violated},
		{"bank", "rests_on = [seller]", finding.Violated},
		{"bank", "rests_on = [seller, bank]", finding.Holds},
	} {
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic, finding.Auto} {
			q := verify.Check(context.Background(), testkit.DraftOf(t, resting(c.more, c.terms)), finding.Budget{Engine: e}).Requirements[0]
			if q.Verdict != c.want {
				t.Errorf("%s %s, %s: %s (%s)", c.more, c.terms, e, q.Verdict, q.Reason)
			}
			if q.Resting && q.Verdict == finding.Violated && (q.Trace == nil || !q.Trace.Stops && len(q.Trace.Loop) == 0 || q.Run == "") {
				t.Errorf("%s %s, %s: no run on which somebody waits: %+v", c.more, c.terms, e, q.Trace)
			}
		}
	}
}

// TestRestsOnRefused: it is asked only where something has to come on every run, and its meaning is in the digest.
func TestRestsOnRefused(t *testing.T) {
	for _, formula := range []string{"AG !seller.SENT", "EF seller.SENT", "EG seller.HAS"} {
		text := strings.Replace(resting("", "rests_on = [seller]"), "AF seller.SENT", formula, 1)
		r := verify.Check(context.Background(), testkit.DraftOf(t, text), finding.Budget{})
		if r.Requirements[0].Verdict != finding.IllFormed || r.Diagnostics[0].Code != "bad-rests-on" {
			t.Errorf("%s: %s, %v", formula, r.Requirements[0].Verdict, r.Diagnostics)
		}
	}
	seen := map[string]string{}
	for _, terms := range []string{"", "rests_on = []", "rests_on = [seller]", "assuming = progress(seller)"} {
		digest := testkit.DraftOf(t, resting("", terms)).Digest
		if other, twice := seen[digest]; twice {
			t.Errorf("%q means the same as %q", terms, other)
		}
		seen[digest] = terms
	}
}

// TestReviewOfRestsOn: that a promise comes to rest on others is a new violation where it says that it may not, and to say no more on whom it may rest gives it up.
func TestReviewOfRestsOn(t *testing.T) {
	for name, c := range map[string]struct{ base, head, want string }{
		"others":        {resting("", "rests_on = [seller]"), resting("bank", "rests_on = [seller]"), "new"},
		"fewer":         {resting("bank", "rests_on = [seller, bank]"), resting("", "rests_on = [seller, bank]"), "kept"},
		"said now":      {resting("bank", ""), resting("bank", "rests_on = [seller]"), "standing"}, // base violates it, too, and in the same way
		"no more said":  {resting("", "rests_on = [seller]"), resting("", ""), "rests-as-before"},
		"renamed":       {resting("", "rests_on = [seller]"), strings.ReplaceAll(resting("", "rests_on = [seller]"), "seller", "vendor"), "kept"},
		"others before": {resting("bank", "rests_on = [seller]"), resting("bank", "rests_on = [bank]"), "standing"},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		if f := review.Findings[0]; f.Kind.String() != c.want {
			t.Errorf("%s: %s", name, f.Kind)
		}
		if name == "no more said" {
			if last := review.Findings[len(review.Findings)-1]; !last.Old || last.Kind != finding.Dropped {
				t.Errorf("%s: %+v", name, last)
			}
		}
	}
}

// TestRestsOnElsewhere: what has no runs that may stop leaves such a requirement out, and says so.
func TestRestsOnElsewhere(t *testing.T) {
	d := testkit.DraftOf(t, resting("", "rests_on = [seller]"))
	r := verify.Check(context.Background(), d, finding.Budget{})
	for _, c := range verify.Certify(context.Background(), d, finding.Budget{}, r) {
		if c.Requirement == "sent" && (c.Data != nil || !strings.Contains(c.Reason, "on whom it may rest")) {
			t.Errorf("certified: %s", c.Reason)
		}
	}
	var b bytes.Buffer
	if notes, err := verify.SMV(d, &b, ""); err != nil || len(notes) != 1 || !strings.Contains(notes[0], "on whom it may rest") {
		t.Errorf("%q %v", notes, err)
	}
}
