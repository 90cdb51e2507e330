package verify_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// A delivery of parts with a document, a counter and norms, as it is written in a template and
// outside. PHASE, in names, is where a phase's name stands.
const deliveryParties = `
party "giver" {
  counter "sent" { to = 2 }
  flag "PAID" {}
  transition "send" {
    require = sent < 2
    set     = { sent = sent + 1 }
  }
  transition "pay" { set = { PAID = true } }
}
party "taker" {
  MANY
  state "P0" {}
  state "P1" {}
  transition "take" {
    from = P0
    to   = P1
  }
}
`

const deliveryRest = `
event "sending" {
  sync = {
    giver = send
    taker = each(take)
  }
}
event "payment" {
  sync       = { giver = pay }
  only_while = [pay.owed, keep.given]
}
event "late-payment" {
  sync       = { giver = pay }
  not_before = { sending[0] = 1 }
}
document "slip" {
  holder = giver
  moves  = { sending[0] = { from = giver, to = taker } }
}
obligation "sending" {
  bearer       = giver
  counterparty = taker[0]
  fulfil       = sending[0]
  until        = sending[1]
  within       = 2
  reparation   = pay
}
obligation "pay" {
  bearer = giver
  fulfil = [payment, late-payment]
}
permission "keep" {
  bearer = taker[1]
  of     = sending[1]
  from   = sending.breached
}
power "let-off" {
  bearer   = taker[1]
  exercise = sending[1]
  lifts    = [pay]
}
prohibition "too-soon" {
  bearer = giver
  of     = late-payment
  until  = [sending.fulfilled, sending[1]]
}
requirement "somebody-has-it" { ctl = "AG (slip.giver || slip.taker[0])" }
requirement "somebody-never-has-it" { ctl = "AG !slip.taker[0]" }
requirement "counted" { ctl = "AG (giver.sent == 2 -> taker[0].P1 && taker[1].P1)" }
requirement "before" { ctl = "before(sending[0], sending[1])" }
requirement "both" { ctl = "EF (all t in taker: t.P1)" }
net "t" {
  place "P1" { marked = true }
}
requirement "shadowed" { ctl = "EF (all t in taker: t.P1)" }
requirement "kept" {
  over = ideal
  ctl  = "AG (sending.owed -> AF sending.fulfilled)"
}
requirement "repaired" {
  assuming = progress(giver, taker[0])
  whenever = "sending.breached"
  follows  = "pay.fulfilled"
}
requirement "each" {
  never = "t.P1"
  every = "t in taker"
}
`

const castTemplate = `
party "giver" {}
party "taker" { count = 2 }
phase "p" {
  template = delivery
  roles = {
    giver = giver
    taker = taker
  }
}
`

func delivery(t *testing.T, text string, rule petri.Rule) *finding.Result {
	t.Helper()
	r := testkit.Check(t, fstest.MapFS{"x.contract.hcl": {Data: []byte("contract \"x\" {}\n" + text)}}, rule)
	if len(r.Requirements) == 0 {
		t.Fatal(r.Diagnostics)
	}
	return r
}

// TestPhaseOfNormsIsTheSameByHand compares a phase whose template has documents, counters and norms, and a
// role that several play, with the same written out: the same state model, verdicts and remarks.
func TestPhaseOfNormsIsTheSameByHand(t *testing.T) {
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		hand := delivery(t, strings.Replace(deliveryParties, "MANY", "count = 2", 1)+deliveryRest, rule)
		phase := delivery(t, "template \"delivery\" {\n"+strings.Replace(deliveryParties, "MANY", "", 1)+deliveryRest+"}\n"+castTemplate, rule)
		if testkit.Size(phase) != testkit.Size(hand) {
			t.Errorf("rule %s: %s in a phase, %s by hand", rule, testkit.Size(phase), testkit.Size(hand))
		}
		verdicts := map[finding.Verdict]bool{}
		for _, q := range hand.Requirements {
			verdicts[q.Verdict] = true
			if got := testkit.Requirement(t, phase, "p."+q.Name); got.Verdict != q.Verdict {
				t.Errorf("rule %s, %s: %s in a phase, %s by hand", rule, q.Name, got.Verdict, q.Verdict)
			}
		}
		if !verdicts[finding.Holds] || !verdicts[finding.Violated] {
			t.Errorf("rule %s: the verdicts %v decide nothing", rule, verdicts)
		}
		if a, b := said(phase), strings.ReplaceAll(said(hand), " ", " p."); a != b {
			t.Errorf("rule %s: in a phase\n%s\nby hand\n%s", rule, a, b)
		}
	}
}

// said lists the remarks of the built-in checks and what they are on.
func said(r *finding.Result) string {
	var b strings.Builder
	for _, d := range r.Diagnostics {
		kind, name, _ := strings.Cut(d.Subject, ".")
		b.WriteString(string(d.Code) + "/" + kind + " " + name + "\n")
	}
	return b.String()
}

// TestNormsOfAPhaseThatWaits: what binds from the start binds once the phase begins, and only once; a reparation
// still waits for its breach; the outside can speak of both.
func TestNormsOfAPhaseThatWaits(t *testing.T) {
	r := delivery(t, "template \"delivery\" {\n"+strings.Replace(deliveryParties, "MANY", "", 1)+deliveryRest+"}\n"+
		strings.Replace(castTemplate, "template = delivery\n", "template = delivery\n  after = go\n", 1)+`
party "starter" {
  state "s" {}
  transition "shoot" {
    from = s
    to   = s
  }
}
event "go" {
  sync = { starter = shoot }
}
obligation "watch" {
  bearer = p.giver
  when   = [p.sending[0], p.sending.breached]
  fulfil = p.payment
  until  = p.pay.fulfilled
}
obligation "answer" {
  bearer     = starter
  fulfil     = go
  within     = 4
  reparation = p.pay
}
requirement "dormant" { ctl = "p.sending.dormant && p.pay.dormant && p.too-soon.dormant && p.let-off.dormant" }
requirement "holder" { ctl = "p.slip.giver" }
requirement "begins" { ctl = "AG (p.giver.waiting <-> p.too-soon.dormant)" }
requirement "runs" { ctl = "A[p.sending.dormant W p.sending.owed]" }
requirement "once" { ctl = "AG (p.sending.lifted -> AG !p.sending.owed)" }
requirement "paid-for-breach-only" { ctl = "A[p.pay.dormant W p.sending.breached || answer.breached]" }
`, petri.One)
	for _, name := range []string{"dormant", "holder", "begins", "runs", "once", "paid-for-breach-only", "p.somebody-has-it"} {
		if got := testkit.Requirement(t, r, name); got.Verdict != finding.Holds {
			t.Errorf("%s: %s", name, got.Verdict)
		}
	}
}
