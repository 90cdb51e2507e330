package compare_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

const relievable = `contract "c" {
  ends = [expiry]
}
party "seller" {}
party "buyer" {}
party "shell" {}
event "order" { by = buyer }
event "payment" { by = buyer }
event "expiry" { by = [seller, buyer] }
event "walk" { by = buyer }
event "never" { sync = { court = sue } }
net "court" {
  place "summons" {}
  transition "sue" { consume = [summons] }
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = order
  fulfil       = payment
}
event "request" { by = seller }
prohibition "shelf" {
  bearer       = buyer
  counterparty = seller
  of           = walk
  from         = request
  survives     = true
}
prohibition "quiet" {
  bearer       = buyer
  counterparty = seller
  of           = walk
  from         = payment
  survives     = true
}
`

const leave = "event \"leave\" { by = buyer }\n"

// TestRelievedAtOnce: what lets several norms end is one objection, which names them.
func TestRelievedAtOnce(t *testing.T) {
	base := relievable + "obligation \"report\" {\n  bearer = seller\n  counterparty = buyer\n}\n"
	prohibited := base + "prohibition \"p\" {\n  bearer = buyer\n  of = walk\n  ends_contract = true\n}\n"
	for head, want := range map[string]string{
		prohibited: "prohibition.p",
		leave + base + "prohibition \"p\" {\n  bearer = buyer\n  of = leave\n  ends_contract = true\n}\n": "prohibition.p", // after it base has no steps to compare with
		strings.Replace(base, "[expiry]", "[expiry, walk]", 1):                                            "event.walk",
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true})
		if got := findingsOf(review); got != "new norm-changed on "+want {
			t.Errorf("%s: %q", want, got)
			continue
		}
		f := review.Findings[0]
		if !strings.Contains(f.Check.Message, "2 norms end with the contract") || !strings.Contains(f.Check.Detail, "\"pay\" of the buyer to the seller") || !strings.Contains(f.Check.Detail, "\"report\" of the seller to the buyer") {
			t.Errorf("%s %s", f.Check.Message, f.Check.Detail)
		}
		more := "obligation \"tell\" {\n  bearer = seller\n  counterparty = buyer\n}\n" // which ends, too
		if other := blame.Compare(context.Background(), testkit.DraftOf(t, base+more), testkit.DraftOf(t, head+more), finding.Budget{Jobs: 1, Owed: true}); other.Findings[0].Check.Run == f.Check.Run {
			t.Errorf("%s names what ends two norms, and what ends three", f.Check.Run)
		}
		accept := "accept \"norm-changed\" {\n  on = " + want + "\n  run = \"" + f.Check.Run + "\"\n  reason = \"agreed\"\n}\n"
		if review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head+accept), finding.Budget{Jobs: 1, Owed: true}); findingsOf(review) != "" {
			t.Errorf("%s", findingsOf(review))
		}
	}
}

// TestRelieved: under owed = "fail", whatever new can lift a norm, pass it on or end it with the contract is an objection, though the norm is written as
// before and stands as before after the same steps. What can't come about relieves nothing, nor does the end of a contract relieve what survives.
func TestRelieved(t *testing.T) {
	const pay = "new norm-changed on obligation.pay"
	power := func(does string) string {
		return relievable + "power \"p\" {\n  bearer = buyer\n  counterparty = seller\n  exercise = walk\n  until = payment\n  " + does + "\n}\n"
	}
	acting := func(does string) string { return strings.Replace(power(does), "  exercise = walk\n", "", 1) }
	const shelf = "new norm-changed on prohibition.shelf" // what begins it can't happen any more once the contract has ended
	ends := func(by string) string { return strings.Replace(relievable, "[expiry]", by, 1) }
	for _, c := range []struct{ name, head, want string }{
		{"an end by an event", ends("[expiry, walk]"), pay},
		{"an end by an event in its place", ends("[walk]"), pay},
		{"an end by nothing that can happen", ends("[expiry, never]"), ""},
		{"an end by another name", strings.ReplaceAll(relievable, "expiry", "term"), ""},
		{"a power that ends the contract", power("ends_contract = true"), pay},
		{"a power that passes on", power("assigns = [pay]\n  to = shell"), pay},
		{"an end by a new event", leave + strings.Replace(relievable, "[expiry]", "[expiry, leave]", 1), pay}, // after which base has no steps to compare with
		{"a new act that ends the contract", acting("ends_contract = true"), pay},
		{"a new act that passes on", acting("assigns = [pay]\n  to = shell"), pay},
		{"a prohibition of something new that ends the contract", leave + relievable + "prohibition \"p\" {\n  bearer = buyer\n  of = leave\n  ends_contract = true\n}\n", pay},
		{"a power that lifts", power("lifts = [pay]"), pay},
		{"a prohibition that ends the contract", relievable + "prohibition \"p\" {\n  bearer = buyer\n  of = walk\n  ends_contract = true\n}\n", pay},
		{"one that never arises", strings.Replace(relievable, "event \"never\"", "prohibition \"p\" {\n  bearer = buyer\n  of = walk\n  from = never\n  ends_contract = true\n}\nevent \"never\"", 1), ""},
		{"a permission of what begins one that survives", relievable + "permission \"p\" {\n  bearer = seller\n  of = request\n}\n", shelf},
		{"a duty that what begins one that survives begins as well", relievable + "obligation \"p\" {\n  bearer = seller\n  when = request\n  fulfil = walk\n}\n", shelf},
		{"a duty that survives as well", relievable + "obligation \"p\" {\n  bearer = seller\n  when = request\n  fulfil = walk\n  survives = true\n}\n", ""},
		{"an end by what begins one that survives", ends("[expiry, request]"), pay + ", " + shelf},
		{"a prohibition that ends nothing", relievable + "prohibition \"p\" {\n  bearer = buyer\n  of = walk\n}\n", ""},
	} {
		if got := owedFindings(t, relievable, c.head); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

const easing = `contract "c" {
  ends = [expiry, close, quiet.breached]
}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "payment" {
  by         = buyer
  only_while = pay.owed
}
event "expiry" { by = [seller, buyer] }
event "close" {
  by         = buyer
  only_while = pay.fulfilled
}
event "talk" {
  by         = buyer
  only_while = pay.fulfilled
}
event "release" {
  by         = [seller, buyer]
  only_while = pay.owed
}
event "delay" { by = buyer }
event "resumption" { by = seller }
event "deed" { by = [seller, buyer] }
obligation "hand-over" {
  bearer       = buyer
  counterparty = seller
  when         = order
  fulfil       = deed
  survives     = true
}
obligation "report-late" {
  bearer       = buyer
  counterparty = seller
  survives     = true
}
power "postpone" {
  bearer       = buyer
  counterparty = seller
  exercise     = delay
  suspends     = report-late
  resumes      = resumption
  survives     = true
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = order
  fulfil       = payment
}
obligation "report" {
  bearer       = seller
  counterparty = buyer
  fulfil       = payment
  until        = release
  survives     = true
}
prohibition "quiet" {
  bearer       = buyer
  counterparty = seller
  of           = talk
}
event "snow" { by = buyer }
event "thaw" { by = seller }
obligation "clear" {
  bearer       = buyer
  counterparty = seller
  suspended_by = snow
  resumes      = thaw
  survives     = true
}
`

// TestRelievedMoreEasily: under owed = "fail" it is an objection, too, if what ended or lifted a norm before can happen where it could not, or takes the act of fewer. A
// further condition is none, nor is one of an event that relieves nobody.
func TestRelievedMoreEasily(t *testing.T) {
	const (
		base   = easing
		ended  = "new norm-changed on obligation.pay, new norm-changed on prohibition.quiet"
		report = "new norm-changed on obligation.report"
		close  = "event \"close\" {\n  by         = buyer\n  only_while = pay.fulfilled\n}"
	)
	for _, c := range []struct{ name, old, now, want string }{
		{"without its condition", close, "event \"close\" { by = buyer }", ended},
		{"with a wider condition", close, strings.Replace(close, "pay.fulfilled", "any(pay.fulfilled, pay.owed)", 1), ended},
		{"with a further condition", close, strings.Replace(close, "by         = buyer", "by = buyer\n  not_before = { order = 1 }", 1), ""},
		{"by one alone", "event \"expiry\" { by = [seller, buyer] }", "event \"expiry\" { by = buyer }", ended},
		{"by either", "event \"expiry\" { by = [seller, buyer] }", "event \"expiry\" { by = any(seller, buyer) }", ended},
		{"by both", close, strings.Replace(close, "= buyer", "= [buyer, seller]", 1), ""},
		{"a breach that ends it", "event \"talk\" {\n  by         = buyer\n  only_while = pay.fulfilled", "event \"talk\" {\n  by = buyer", "new norm-changed on obligation.pay"},
		{"what lifts, by one alone", "by         = [seller, buyer]\n  only_while = pay.owed", "by = seller\n  only_while = pay.owed", report},
		{"what lifts, without its condition", "by         = [seller, buyer]\n  only_while = pay.owed", "by = [seller, buyer]", report},
		{"what suspends, again and again", "event \"delay\" { by = buyer }", "event \"delay\" {\n  by = buyer\n  repeats = true\n}", "new norm-changed on obligation.report-late"},
		{"what resumes, by another", "event \"resumption\" { by = seller }", "event \"resumption\" { by = buyer }", "new norm-changed on obligation.report-late"},
		{"what resumes, by either", "event \"resumption\" { by = seller }", "event \"resumption\" { by = any(seller, buyer) }", "new norm-changed on obligation.report-late"}, // the buyer can use it up before
		{"what suspends by its own words, again and again", "event \"snow\" { by = buyer }", "event \"snow\" {\n  by = buyer\n  repeats = true\n}", "new norm-changed on obligation.clear"},
		{"what suspends by its own words, by either", "event \"snow\" { by = buyer }", "event \"snow\" { by = any(seller, buyer) }", "new norm-changed on obligation.clear"},
		{"what resumes by its own words, by another", "event \"thaw\" { by = seller }", "event \"thaw\" { by = buyer }", "new norm-changed on obligation.clear"},
		{"what fulfils, by one alone", "event \"deed\" { by = [seller, buyer] }", "event \"deed\" { by = buyer }", "new norm-changed on obligation.hand-over"},
		{"what fulfils, by another", "event \"deed\" { by = [seller, buyer] }", "event \"deed\" { by = seller }", "new norm-changed on obligation.hand-over"},
		{"what begins it, which can't happen", "event \"order\" { by = buyer }", "event \"order\" {\n  by = buyer\n  only_while = pay.owed\n}", "new norm-changed on obligation.hand-over, new norm-changed on obligation.pay, new norm-changed on prohibition.quiet, " + report},
		{"what begins a debt, by either", "event \"order\" { by = buyer }", "event \"order\" { by = any(seller, buyer) }", "new norm-changed on obligation.hand-over, new norm-changed on obligation.pay"},
	} {
		head := strings.Replace(base, c.old, c.now, 1)
		if head == base {
			t.Fatalf("%s: no change", c.name)
		}
		if got := owedFindings(t, base, head); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPowersUsedMoreEasily: so it is with the event by which a power lifts a norm, passes it on or ends the contract; a prohibition may end it, too.
func TestPowersUsedMoreEasily(t *testing.T) {
	const base = `contract "c" {}
party "seller" {}
party "buyer" {}
party "shell" {}
event "waive" { by = [seller, buyer] }
event "handing" { by = [seller, buyer] }
event "quit" { by = [seller, buyer] }
event "talk" { by = [seller, buyer] }
event "caring" { by = any(buyer, shell) }
obligation "debt" {
  bearer       = buyer
  counterparty = seller
  times        = 2
  every        = 3
  within       = 1
  survives     = true
}
obligation "care" {
  bearer       = buyer
  fulfil       = caring
  counterparty = seller
  survives     = true
}
obligation "report" {
  bearer       = seller
  counterparty = buyer
}
power "forgive" {
  bearer   = seller
  exercise = waive
  lifts    = debt
  survives = true
}
power "pass" {
  bearer   = buyer
  exercise = handing
  assigns  = care
  to       = shell
  survives = true
}
power "leave" {
  bearer        = buyer
  exercise      = quit
  ends_contract = true
  survives      = true
}
prohibition "quiet" {
  bearer        = buyer
  of            = talk
  ends_contract = true
  survives      = true
}
`
	const on = "new norm-changed on "
	for event, want := range map[string]string{"waive": on + "obligation.debt", "handing": on + "obligation.care", "quit": on + "obligation.report", "talk": on + "obligation.report, " + on + "prohibition.quiet"} {
		was := "event \"" + event + "\" { by = [seller, buyer] }"
		head := strings.Replace(base, was, "event \""+event+"\" { by = buyer }", 1)
		if got := owedFindings(t, base, head); got != want {
			t.Errorf("%s: %q, want %q", event, got, want)
		}
	}
}

// TestNotRelieved: what lets nothing happen that could not, or relieves nobody, is no objection to what it fulfils, lifts or ends; nor to a further norm of which
// another is said already.
func TestNotRelieved(t *testing.T) {
	const (
		close   = "event \"close\" {\n  by         = buyer\n  only_while = pay.fulfilled\n}\n"
		release = "only_while = pay.owed\n}\nevent \"delay\""
		novel   = "event \"novel\" { by = buyer }\n" // after it the steps are no longer those of base or fewer
		pause   = "contract \"c\" {}\nparty \"seller\" {}\nparty \"buyer\" {}\nevent \"pause\" {\n  by      = buyer\n  repeats = true\n}\nobligation \"report\" {\n  bearer       = buyer\n  counterparty = seller\n}\n" +
			"event \"resumption\" { by = seller }\npower \"rest\" {\n  bearer       = buyer\n  counterparty = seller\n  exercise     = pause\n  suspends     = report\n  resumes      = resumption\n}\n"
		same   = "event \"thanks\" { by = seller }\nobligation \"release\" {\n  bearer       = seller\n  counterparty = buyer\n  fulfil       = thanks\n  survives     = true\n}\n"
		breach = "event \"reply\" { by = [seller, buyer] }\nobligation \"answer\" {\n  bearer        = seller\n  counterparty  = buyer\n  fulfil        = reply\n  breach        = talk\n  survives      = true\n  ends_contract = true\n}\n"
		on     = "new norm-changed on "
	)
	for _, c := range []struct{ name, base, old, now, want string }{
		{"a further condition", easing, close, strings.Replace(close, "by         = buyer", "by         = buyer\n  not_before = { order = 1 }", 1) + novel, ""},
		{"by both", easing, close, strings.Replace(close, "= buyer", "= [buyer, seller]", 1) + novel, ""},
		{"a condition that goes without saying", easing, release, strings.Replace(release, "pay.owed", "[pay.owed, report.owed]", 1), ""},
		{"a narrower condition", easing, release, strings.Replace(release, "pay.owed", "[pay.owed, hand-over.owed]", 1), ""},
		{"a narrower condition, and a new step", easing, release, strings.NewReplacer("pay.owed", "[hand-over.owed, pay.owed]", "event", novel+"event").Replace(release), ""},
		{"another condition, and a new step", easing, release, strings.NewReplacer("pay.owed", "hand-over.owed", "event", novel+"event").Replace(release), on + "obligation.report"},
		{"a wider condition, and a new step", easing, release, strings.NewReplacer("pay.owed", "any(hand-over.owed, pay.owed)", "event", novel+"event").Replace(release), on + "obligation.report"},
		{"no longer again and again", pause, "  repeats = true\n}\n", "}\n" + novel, on + "power.rest"},
		{"again and again, on a further condition", pause, "  repeats = true\n", "  repeats = true\n  only_while = report.owed\n", on + "power.rest"},
		{"a duty called as an event", easing + same, "= thanks\n  survives     = true\n}\n", "= [thanks, talk]\n  survives     = true\n}\n" + novel, on + "obligation.release"},
		{"another event, again and again", easing, "exercise     = delay", "exercise     = [delay, again]", on + "power.postpone, " + on + "obligation.report-late"},
		{"what is no breach", easing + breach, "reply\" { by = [seller, buyer] }", "reply\" { by = seller }", on + "obligation.answer"},
	} {
		head := strings.Replace(c.base, c.old, c.now, 1)
		if head == c.base {
			t.Fatalf("%s: no change", c.name)
		}
		if strings.Contains(head, "again]") {
			head += "event \"again\" {\n  by      = buyer\n  repeats = true\n}\n"
		}
		if got := owedFindings(t, c.base, head); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestRelievedAsBefore: what could not begin, or ended, in base is as before, also by another name. A change of the text that has no effect does not hide what
// else relieves a norm, and what comes with the first end of a contract is said of what it ends.
func TestRelievedAsBefore(t *testing.T) {
	dead := strings.Replace(relievable, "event \"order\" { by = buyer }", "event \"order\" {\n  by         = buyer\n  only_while = pay.owed\n}", 1)
	renamed := strings.NewReplacer("\"pay\"", "\"debt\"", "pay.owed", "debt.owed").Replace(dead)
	none := strings.Replace(relievable, "{\n  ends = [expiry]\n}", "{}", 1)
	breach := strings.Replace(relievable, "[expiry]", "[expiry, quiet.breached]", 1)
	hidden := strings.Replace(relievable, "event \"payment\" { by = buyer }", "event \"payment\" { by = [buyer, seller] }", 1)
	settle := relievable + "obligation \"settle\" {\n  bearer       = buyer\n  counterparty = seller\n  when         = contract.ended\n  survives     = true\n}\n"
	const debt = "obligation \"debt\" {\n  bearer       = buyer\n  counterparty = seller\n  when         = never\n}\n"
	const pay, quiet = "new norm-changed on obligation.pay", "new norm-changed on prohibition.quiet"
	for name, c := range map[string][3]string{
		"another one could not begin":           {relievable + debt, dead + debt, pay},
		"its breach by another name":            {breach, strings.NewReplacer("\"quiet\"", "\"silent\"", "expiry, quiet.", "silent.").Replace(breach), pay},
		"hidden by its own text":                {hidden, strings.Replace(relievable, "  fulfil       = payment", "  fulfil       = payment\n  until        = never", 1), pay},
		"the first end":                         {none, relievable, pay + ", " + quiet},
		"another end, and what follows the end": {settle, strings.Replace(settle, "[expiry]", "[expiry, request]", 1), pay + ", new norm-changed on obligation.settle, new norm-changed on prohibition.shelf"},
		"no end any more":                       {strings.Replace(relievable, "\"pay\"", "\"debt\"", 1), strings.Replace(none, "\"pay\"", "\"contract\"", 1), "new norm-changed on obligation.contract"},
		"a promise of its name":                 {relievable, leave + strings.Replace(relievable, "[expiry]", "[expiry, leave]", 1) + "requirement \"pay\" { ctl = \"AG !pay.breached\" }\n", "kept pay, " + pay},
		"as before":                             {dead, dead + "event \"other\" { by = buyer }\n", ""},
		"by another name":                       {dead, renamed, ""},
		"no longer":                             {relievable, dead, "new norm-changed on obligation.pay"},
	} {
		if got := owedFindings(t, c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q, want %q", name, got, c[2])
		}
	}
}

// TestOwedAndOutOfReach: an obligation that nobody can fulfil any more, or only with another, is owed otherwise; not one that was as hard to fulfil, nor a new one.
func TestOwedAndOutOfReach(t *testing.T) {
	const base = `contract "sale" {}
party "seller" {}
party "buyer" {}
event "delivery" { by = seller }
event "payment" {
  by         = buyer
  only_while = pay.owed
}
event "thanks" { by = seller }
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = delivery
  fulfil       = payment
  within       = 2
}
`
	const reply = "obligation \"reply\" {\n  bearer       = buyer\n  counterparty = seller\n  when         = delivery\n  fulfil       = thanks\n}\n"
	early := strings.Replace(base, "\n  only_while = pay.owed\n", "\n", 1) // before it is owed: then it can't be fulfilled
	barred := strings.NewReplacer("= pay.owed", "= [pay.owed, happened(thanks)]", "thanks\" { by = seller }", "thanks\" {\n  by         = seller\n  only_while = pay.fulfilled\n}").Replace(base)
	const received = "event \"receipt\" {\n  by         = buyer\n  only_while = happened(delivery)\n}\n"
	losing := strings.Replace(early, "{\n  by         = buyer\n}", "{\n  by         = buyer\n  only_while = !happened(thanks)\n}", 1) + received
	const pay, paid, receipt = "new norm-changed on obligation.pay", "event \"payment\" {\n  by         = buyer", "event \"receipt\" { by = buyer }\n"
	for _, c := range []struct{ name, base, old, now, want string }{
		{"too late", base, "only_while = pay.owed", "only_while = pay.owed\n  not_before = { delivery = 3 }", pay},
		{"in time", base, "only_while = pay.owed", "only_while = pay.owed\n  not_before = { delivery = 1 }", ""},
		{"after an act of the creditor", base, "only_while = pay.owed", "only_while = [pay.owed, happened(thanks)]", pay},
		{"after an act of one's own", base + receipt, "only_while = pay.owed", "only_while = [pay.owed, happened(receipt)]", ""},
		{"as before", base + reply, "thanks\" { by = seller }", "thanks\" {\n  by         = seller\n  not_before = { delivery = 1 }\n}", ""},
		{"too late, and used up before", early, paid, paid + "\n  not_before = { delivery = 3 }", pay},
		{"after an act of the creditor, and used up before", early, paid, paid + "\n  only_while = happened(thanks)", pay},
		{"with another, where nobody could", barred, "\n  only_while = pay.fulfilled\n", "\n", ""},
		{"where it is used up", strings.Replace(base, "pay.owed", "happened(receipt)", 1) + received, "\n  only_while = happened(delivery)\n", "\n", pay},
		{"where it is lost, and used up before", early, paid, paid + "\n  only_while = !happened(thanks)", pay},
		{"never, and lost before", losing, paid, paid + "\n  not_before = { delivery = 3 }", pay},
		{"lost, as before", losing, "!happened(thanks)", "[!happened(thanks), happened(delivery)]", ""},
		{"lost by more", losing, "!happened(thanks)", "[!happened(thanks), !happened(receipt)]", pay},
		{"never begun", base, "delivery\" { by = seller }", "delivery\" {\n  by         = seller\n  only_while = pay.owed\n}", pay},
		{"used up, as before", early + receipt, paid, paid + "\n  only_while = happened(receipt)", ""},
		{"new", base, "event \"thanks\"", reply + "event \"thanks\"", ""},
	} {
		head := strings.Replace(c.base, c.old, c.now, 1)
		if head == c.base {
			t.Fatalf("%s: no change", c.name)
		}
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true})
		if got := findingsOf(review); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, f := range review.Findings {
			if f.Check.Detail != "" {
				t.Errorf("%s: it is said twice: %s %s", c.name, f.Check.Message, f.Check.Detail)
			}
		}
	}
}
