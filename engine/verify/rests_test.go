package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// dealing is a promise that goods are delivered once they are paid; more stands among the seller's own.
func dealing(more string) string {
	return `
contract "trade" {}
party "buyer" {
  flag "PAID" {}
  transition "pay" { set = { PAID = true } }
}
party "seller" {
  flag "SENT" {}
  transition "send" { set = { SENT = true } }
` + more + `
}
event "payment" { sync = { buyer = pay } }
event "delivery" { sync = { seller = send } }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = payment
  fulfil       = delivery
  within       = 3
}
requirement "delivered" {
  whenever = "buyer.PAID"
  follows  = "seller.SENT"
}
requirement "in-time" {
  whenever = "deliver.owed"
  follows  = "deliver.fulfilled"
}
requirement "ends" { ctl = "AF !deliver.owed" }
requirement "done" {
  over = ideal
  ctl  = "AG (buyer.PAID -> AF deliver.fulfilled)"
}
`
}

// TestRestsOnTheSameWithALight: what goes on beside a promise changes nothing in whom it rests on.
func TestRestsOnTheSameWithALight(t *testing.T) {
	for _, text := range []string{dealing(""), dealing(testkit.Lamp)} {
		d := testkit.DraftOf(t, text)
		for _, b := range []finding.Budget{{Engine: finding.Explicit}, {Engine: finding.Symbolic}} {
			r := verify.Check(context.Background(), d, b)
			for name, want := range map[string]string{
				"delivered": "[[seller]] norms [] false",
				"in-time":   "[] norms [[deliver]] false",
				"ends":      "[[]] norms [] false", // it is not owed at first
				"done":      "[] norms [] false",   // what is delivered first is owed and can be fulfilled no more, and time stops short of the breach
			} {
				if got := testkit.RestsText(testkit.Requirement(t, r, name).Rests); got != want {
					t.Errorf("%s, %s: %s, want %s", name, b.Engine, got, want)
				}
			}
		}
	}
}

// TestTimeStandsStill: a run on which time need not pass says so, where it is for that alone.
func TestTimeStandsStill(t *testing.T) {
	r := testkit.CheckOn(t, dealing(testkit.Lamp), "")
	for name, want := range map[string]bool{"delivered": false, "in-time": false, "done": true} {
		q := testkit.Requirement(t, r, name)
		if q.Verdict != finding.Violated || q.Timely != want {
			t.Errorf("%s: %s, holds in time: %t", name, q.Verdict, q.Timely)
		}
	}
}

// TestEventNeedsAllItsParticipants: of an event that two take part in both have to act, the one that only tests as well.
func TestEventNeedsAllItsParticipants(t *testing.T) {
	r := testkit.CheckOn(t, `
contract "c" {}
party "seller" {
  state "A" {}
  state "B" {}
  flag "STALLING" {}
  transition "stall" { set = { STALLING = true } }
  transition "go" { set = { STALLING = false } }
  transition "deliver" {
    from = A
    to   = B
  }
}
party "buyer" {
  state "HERE" {}
  transition "receive" {
    from = HERE
    to   = HERE
  }
}
event "delivery" {
  sync = {
    seller = deliver
    buyer  = receive
  }
}
requirement "delivered" { ctl = "AF seller.B" }
`, "")
	if got := testkit.RestsText(r.Requirements[0].Rests); got != "[[buyer seller]] norms [] false" {
		t.Error(got)
	}
}

// TestNoRunKeepsTheContract: a promise over ideal runs that holds for want of any rests on nobody's acting, and says why.
func TestNoRunKeepsTheContract(t *testing.T) {
	r := testkit.CheckOn(t, `
contract "c" {}
party "debtor" {
  flag "PAID" {}
  flag "NEVER" {}
  transition "pay" { set = { PAID = true } }
  transition "never" { when = { NEVER = true } }
}
event "payment" { sync = { debtor = pay } }
event "other" { sync = { debtor = never } }
obligation "pay" {
  bearer = debtor
  fulfil = payment
  within = 1
}
obligation "impossible" {
  bearer = debtor
  when   = payment
  fulfil = other
  within = 1
}
requirement "all-well" {
  over = ideal
  ctl  = "AF impossible.fulfilled"
}
requirement "paid" { ctl = "AF pay.fulfilled" }
`, "")
	if q := r.Requirements[0]; q.Verdict != finding.Holds || !q.NoRuns || q.Rests != nil || q.Vacuous != nil {
		t.Errorf("%s, for want of runs %t, rests on %v; vacuous: %v", q.Verdict, q.NoRuns, q.Rests, q.Vacuous)
	}
	if q := r.Requirements[1]; q.NoRuns || testkit.RestsText(q.Rests) != "[] norms [[pay]] false" {
		t.Errorf("for want of runs %t, rests on %s", q.NoRuns, testkit.RestsText(q.Rests))
	}
}

// TestReviewRests: a lamp is no new violation; that others have to act is said both ways.
func TestReviewRests(t *testing.T) {
	joint := strings.NewReplacer("delivery\" { sync = { seller = send } }", "delivery\" {\n  sync = {\n    seller = send\n    buyer  = take\n  }\n}",
		"transition \"pay\"", "state \"HERE\" {}\n  transition \"take\" {\n    from = HERE\n    to   = HERE\n  }\n  transition \"pay\"").Replace(dealing(""))
	without := strings.Replace(dealing(testkit.Lamp), "requirement \"delivered\" {\n  whenever = \"buyer.PAID\"\n  follows  = \"seller.SENT\"\n}\n", "", 1)
	for name, c := range map[string]struct{ base, head, kind, rested string }{
		"a lamp":       {dealing(""), dealing(testkit.Lamp), "rests-as-before", ""},
		"no lamp":      {dealing(testkit.Lamp), dealing(""), "repaired", ""},
		"both":         {dealing(""), joint, "kept", "[[seller]] norms [] false"},
		"one":          {joint, dealing(""), "kept", "[[buyer seller]] norms [] false"},
		"renamed":      {joint, strings.ReplaceAll(strings.Replace(joint, "  flag \"SENT\" {}", "  flag \"SENT\" {}"+testkit.Lamp, 1), "buyer", "client"), "rests-as-before", ""},
		"given up":     {dealing(""), without, "weakened", ""},
		"said as much": {dealing(""), without + "requirement \"more\" { ctl = \"AG (buyer.PAID -> AF seller.SENT) && AG true\" }\n", "weakened", ""}, // by words that the lamp breaks
		"lamp, others": {dealing(""), strings.Replace(joint, "  flag \"SENT\" {}", "  flag \"SENT\" {}"+testkit.Lamp, 1), "new", "[[seller]] norms [] false"},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		for _, f := range review.Findings {
			if f.Name != "delivered" {
				continue
			}
			rested := ""
			if f.Rested != nil {
				rested = testkit.RestsText(f.Rested)
			}
			if f.Kind.String() != c.kind || rested != c.rested {
				t.Errorf("%s: %s, rested on %q", name, f.Kind, rested)
			}
		}
	}
}

// TestRestsOnManyMembers: of more members than sets could be tried, the sets are known nevertheless.
func TestRestsOnManyMembers(t *testing.T) {
	r := verify.Check(context.Background(), testkit.Purchasers(t, 40, petri.One, ""), finding.Budget{Engine: finding.Symbolic})
	if got := testkit.RestsText(r.Requirements[2].Rests); got != "[[purchaser seller]] norms [] false" {
		t.Error(got)
	}
}

// TestReviewOfManySets: where more sets keep a promise than are named, no other is said to have come instead.
func TestReviewOfManySets(t *testing.T) {
	any := func(first string) string {
		text, some := "contract \"c\" {}\n", []string{}
		for _, name := range []string{first, "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
			text += "party \"" + name + "\" {\n  flag \"DONE\" {}\n  transition \"do\" { set = { DONE = true } }\n}\n"
			some = append(some, name+".DONE")
		}
		return text + "requirement \"done\" { ctl = \"AF (" + strings.Join(some, " || ") + ")\" }\n"
	}
	review := blame.Compare(context.Background(), testkit.DraftOf(t, any("a")), testkit.DraftOf(t, any("z")), finding.Budget{Jobs: 1})
	f := review.Findings[0]
	if !f.Head.Rests.More || f.Rested != nil || fmt.Sprint(f.Base.Rests.Sets) == fmt.Sprint(f.Head.Rests.Sets) {
		t.Errorf("rested on %v, rests on %v", f.Rested, f.Head.Rests)
	}
}

// TestIdealRunsThatWait: a promise on ideal runs that is kept only because something forbidden happens along with what is put off otherwise.
func TestIdealRunsThatWait(t *testing.T) {
	r := testkit.CheckOn(t, `
contract "c" { firing = all }
party "debtor" {
  place "a" { marked = true }
  place "b" { marked = true }
  place "done" {}
  place "sinned" {}
  transition "wait" {
    consume = [a, b]
    produce = [a, b]
  }
  transition "work" {
    consume = [a]
    produce = [done]
  }
  transition "sin" {
    consume = [b]
    produce = [sinned]
  }
}
event "waiting" { sync = { debtor = wait } }
event "work" { sync = { debtor = work } }
event "sin" { sync = { debtor = sin } }
prohibition "no-sin" {
  bearer = debtor
  of     = sin
}
requirement "done" {
  over = ideal
  ctl  = "AF debtor.done"
}
`, "")
	if q := r.Requirements[0]; q.NoRuns || q.Rests == nil || !q.Rests.NoRuns || len(q.Rests.Sets) > 0 {
		t.Errorf("for want of runs %t, rests on %+v", q.NoRuns, q.Rests)
	}
}

// TestRestsWithoutAStateModel: a verdict that was found without a state model says why it does not say on whom the promise rests.
func TestRestsWithoutAStateModel(t *testing.T) {
	r := verify.Check(context.Background(), testkit.DraftOf(t, dealing("")), finding.Budget{Engine: finding.Local})
	for _, name := range []string{"delivered", "in-time"} {
		if q := testkit.Requirement(t, r, name); q.Verdict == finding.Unknown || q.Rests == nil || q.Rests.Unknown == "" {
			t.Errorf("%s: %s, rests on %+v", name, q.Verdict, q.Rests)
		}
	}
}

// BenchmarkRests asks for ten purchasers on whom it rests that goods stay available until each has them: 177,148 states.
func BenchmarkRests(b *testing.B) {
	d := testkit.Purchasers(b, 10, petri.One, "")
	for b.Loop() {
		r := verify.Check(context.Background(), d, finding.Budget{Engine: finding.Explicit})
		if q := r.Requirements[2]; q.Rests == nil || fmt.Sprint(q.Rests.Sets) != "[[purchaser seller]]" {
			b.Fatal(q.Rests)
		}
	}
}

// forbidden is a loan whose lender may not disclose it before it is repaid, which it is by the borrower; more stands among the terms.
const forbidden = `
contract "loan" {}
party "lender" {}
party "borrower" {}
event "repayment" { by = borrower }
event "disclosure" { by = lender }
event "pledge" { by = borrower }
prohibition "secret" {
  bearer = lender
  of     = disclosure
  until  = repayment
}
obligation "keep" {
  bearer = borrower
  fulfil = repayment
  breach = pledge
}
obligation "repay" {
  bearer = borrower
  fulfil = repayment
  within = 2
}
requirement "ideal" {
  over = ideal
  ctl  = "AF happened(repayment)"
}
requirement "told" { ctl = "AF happened(disclosure)" }
requirement "pledged" { ctl = "AF (happened(pledge) || happened(repayment))" }
requirement "answered" { ctl = "AF (repay.fulfilled || repay.breached)" }
requirement "on-the-lender" {
  ctl      = "AF (happened(disclosure) || happened(repayment))"
  rests_on = [lender]
}
requirement "on-time" {
  over     = ideal
  ctl      = "AF happened(repayment)"
  rests_on = [time]
}
`

// TestForbiddenIsNotPutOff: nobody puts off what is forbidden to them, so no promise rests on somebody who would have to breach a norm. That time
// goes on keeps nothing on runs without a breach that only a party can do.
func TestForbiddenIsNotPutOff(t *testing.T) {
	d := testkit.DraftOf(t, forbidden)
	for _, b := range []finding.Budget{{Engine: finding.Explicit}, {Engine: finding.Symbolic}} {
		r := verify.Check(context.Background(), d, b)
		for name, want := range map[string]string{
			"ideal":    "[[borrower]] norms [] false",
			"told":     "[[borrower lender]] norms [] false", // once it is repaid
			"pledged":  "[[borrower]] norms [] false",
			"answered": "[[borrower] [time]] norms [] false",
		} {
			if got := testkit.RestsText(testkit.Requirement(t, r, name).Rests); got != want {
				t.Errorf("%s, %s: %s, want %s", name, b.Engine, got, want)
			}
		}
		for _, name := range []string{"on-the-lender", "on-time"} {
			if q := testkit.Requirement(t, r, name); q.Verdict != finding.Violated || q.Trace == nil {
				t.Errorf("%s, %s: %s (%s)", name, b.Engine, q.Verdict, q.Reason)
			}
		}
	}
}

// The keeper has nothing to do but what is forbidden, and the worker has always something to do: so a run on which the work goes on for ever is
// fair to both. Whoever looks for its loop must not wait for the keeper.
func TestWhoMayOnlyBreachIsNotWaitedFor(t *testing.T) {
	d := testkit.DraftOf(t, `contract "c" {}
party "keeper" {}
party "worker" {
  state "on" {}
  state "off" {}
  state "done" {}
  transition "flip" {
    from = on
    to   = off
  }
  transition "flop" {
    from = off
    to   = on
  }
  transition "finish" {
    from = on
    to   = done
  }
}
event "leak" { by = keeper }
event "flip" { sync = { worker = flip } }
event "flop" { sync = { worker = flop } }
event "finish" { sync = { worker = finish } }
prohibition "secrecy" {
  bearer = keeper
  of     = leak
}
requirement "done" {
  over     = ideal
  ctl      = "AF worker.done"
  rests_on = [keeper, worker]
}
requirement "done-or-told" {
  ctl      = "AF (worker.done || secrecy.breached)"
  rests_on = [keeper, worker]
}
`)
	for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
		r := verify.Check(context.Background(), d, finding.Budget{Engine: engine})
		for _, name := range []string{"done", "done-or-told"} {
			q := testkit.Requirement(t, r, name)
			if q.Verdict != finding.Violated || q.Trace == nil {
				t.Fatalf("%s, %s: %s (%s)", name, engine, q.Verdict, q.Reason)
			}
			var loop []string
			for _, f := range q.Trace.Loop {
				loop = append(loop, f.Event)
			}
			if !slices.Equal(loop, []string{"flip", "flop"}) {
				t.Errorf("%s, %s: the loop is %v", name, engine, loop)
			}
		}
	}
}
