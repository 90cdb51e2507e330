package scenario_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/engine/scenario"
)

// A scenario is decided where the states of the contract are far too many to be listed: what its events do not touch does not matter.
func TestScenarioOfALargeContract(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for i := range 70 {
		fmt.Fprintf(&b, "party \"p%[1]d\" {\n  state \"a\" {}\n  state \"b\" {}\n  transition \"t\" {\n    from = a\n    to   = b\n  }\n  transition \"u\" {\n    from = b\n    to   = a\n  }\n}\n"+
			"event \"e%[1]d\" {\n  sync = { p%[1]d = t }\n}\nevent \"f%[1]d\" {\n  sync = { p%[1]d = u }\n}\n", i)
	}
	b.WriteString("scenario \"back\" {\n  events = [e0, e69, f0, e0]\n  ends   = \"p0.b && p69.b\"\n}\nscenario \"twice\" {\n  events = [e0, e69, e0]\n  expect = possible\n}\n")
	r := testkit.CheckWithin(t, b.String(), finding.Budget{Jobs: 1, States: 1000})
	if v := r.Requirements[0].Verdict; v != finding.Holds {
		t.Errorf("back: %s, %s", v, r.Requirements[0].Reason)
	}
	q := r.Requirements[1]
	if q.Verdict != finding.Violated || q.Scenario.Stops != 3 || fmt.Sprint(q.Scenario.Lacks) != "[{p0  [a]}]" || fmt.Sprint(q.Scenario.There) != "[{p0  [b]}]" || len(q.Trace.Prefix) != 2 {
		t.Errorf("twice: %s, %+v", q.Verdict, q.Scenario)
	}
}

// What happens without events can lead to more states than are looked at: then the verdict is unknown, and says why.
func TestScenarioWithinLimits(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("contract \"c\" {}\nevent \"e\" {\n  sync = { p0 = t }\n}\nscenario \"s\" {\n  events = [e]\n  ends   = \"p1.b\"\n}\n")
	for i := range 20 {
		fmt.Fprintf(&b, "party \"p%d\" {\n  state \"a\" {}\n  state \"b\" {}\n  transition \"t\" {\n    from = a\n    to   = b\n  }\n}\n", i)
	}
	d := testkit.DraftOf(t, b.String())
	s := phrase.ScriptOf(d.Formulas[0])
	for _, limits := range []scenario.Limits{{Markings: 500, Tokens: 1e9, Tries: 1e9}, {Markings: 1e9, Tokens: 5_000, Tries: 1e9}, {Markings: 1e9, Tokens: 1e9, Tries: 5_000}} {
		_, err := scenario.Decide(t.Context(), d, s, limits)
		var limit *scenario.LimitError
		if !errors.As(err, &limit) || limit.Markings > 2_000 {
			t.Errorf("%+v: %v", limits, err)
		}
	}
	r := testkit.CheckWithin(t, b.String(), finding.Budget{Jobs: 1, States: 100, Engine: finding.Explicit})
	if q := r.Requirements[0]; q.Verdict != finding.Unknown || q.Reason != "the steps of the scenario can go through too many states; 200000 were looked at" {
		t.Errorf("%s: %s", q.Verdict, q.Reason)
	}
}

// Any of several events is meant by its name without an index; a tick where no clock runs changes nothing, and time that something holds up
// does not pass.
// lent is a contract whose loans are uses of one template.
const lent = `contract "c" {}
party "lender" {}
party "borrower" {}
event "signing" { by = [lender, borrower] }
event "pledge" { by = borrower }
template "loan" {
  parameter "term" { type = duration }
  party "giver" {}
  party "taker" {}
  event "loan" { by = giver }
  event "return" {
    title = "the loan is paid back"
    by    = taker
  }
  obligation "repay" {
    bearer       = taker
    counterparty = giver
    when         = loan
    fulfil       = return
    within       = param.term
  }
  scenario "in-time" {
    events = [loan, return]
    ends   = fulfilled
  }
  scenario "late" {
    events = [loan, param.term]
    breach = taker
  }
  scenario "named" {
    events = [loan]
    ends   = "repay.owed"
  }
  scenario "first-things-first" {
    events = [return, loan]
    ends   = "!repay.owed"
  }
}
phase "small" {
  template = loan
  roles = {
    giver = lender
    taker = borrower
  }
  with = { term = %[1]s }
}
phase "large" {
  template = loan
  roles = {
    giver = lender
    taker = borrower
  }
  with  = { term = %[1]s }
  after = [pledge, signing]
}
obligation "thank" {
  bearer = borrower
  fulfil = pledge
}
`

// TestScenariosOfTemplates: a scenario of a template is checked in every phase, and begins with the phase. That nothing is owed is said of the phase alone.
func TestScenariosOfTemplates(t *testing.T) {
	t.Parallel()
	for _, term := range []string{"3", `"3 days"`} {
		var got []string
		for _, q := range testkit.CheckText(t, fmt.Sprintf(lent, term)).Requirements {
			got = append(got, fmt.Sprintf("%s %s %q %d", q.Name, q.Verdict, q.Scenario.Steps, q.Scenario.Stops))
		}
		time := map[string]string{"3": "3 ticks", `"3 days"`: "3 days"}[term]
		want := strings.ReplaceAll(`small.in-time holds ["small.loan" "small.return"] 0
small.late holds ["small.loan" "3 days"] 0
small.named holds ["small.loan"] 0
small.first-things-first violated ["small.return" "small.loan"] 0
large.in-time holds ["anything until pledge or signing" "large.loan" "large.return"] 0
large.late holds ["anything until pledge or signing" "large.loan" "3 days"] 0
large.named holds ["anything until pledge or signing" "large.loan"] 0
large.first-things-first violated ["anything until pledge or signing" "large.return" "large.loan"] 0`, "3 days", time)
		if have := strings.Join(got, "\n"); have != want {
			t.Errorf("%s:\n%s", term, have)
		}
	}
}

func TestStepsOfScenarios(t *testing.T) {
	t.Parallel()
	text := `contract "c" {}
party "p" {
  count = 2
  state "a" {}
  state "b" {}
  transition "t" {
    from = a
    to   = b
  }
}
event "e" {
  sync = { p = each(t) }
}
scenario "any" {
  events = [e, e]
  ends   = "p[0].b && p[1].b"
}
scenario "one" {
  events = [e[1], e]
  ends   = "p[0].b && p[1].b"
}
scenario "either" {
  events = [e]
  ends   = "p[0].b"
}
scenario "too-many" {
  events = [tick, e, "5 ticks", e, e]
  expect = impossible
}
scenario "nothing-is-owed" {
  events = [e]
  breach = p[0]
}
`
	want := map[string]finding.Verdict{"any": finding.Holds, "one": finding.Holds, "either": finding.Violated, "too-many": finding.Holds, "nothing-is-owed": finding.Violated}
	for _, q := range testkit.CheckText(t, text).Requirements {
		if q.Verdict != want[q.Name] {
			t.Errorf("%s: %s", q.Name, q.Verdict)
		}
	}
}

// Where all that can happen together does, a step that can only happen with others says so, and with which.
func TestAStepThatCantHappenAlone(t *testing.T) {
	t.Parallel()
	const text = `contract "c" { firing = all }
party "a" {}
party "b" {}
event "go" { by = a }
event "reply" { by = b }
event "ack" {
  title = "the b acknowledges"
  by    = b
}
event "late" {
  by         = a
  only_while = answer.breached
}
obligation "answer" {
  bearer = b
  when   = go
  fulfil = ack
  within = 2
}
scenario "s" { %s }
`
	for steps, want := range map[string]string{
		"events = [go]":        "go can't happen alone: at the same moment, reply",
		"events = [go, reply]": "",
		"events = [reply]":     "reply can't happen alone: at the same moment, for example, “the b acknowledges”",
		"events = [late]":      "late can't happen here",
	} {
		q := testkit.CheckText(t, fmt.Sprintf(text, "\n  "+steps+"\n  expect = possible\n")).Requirements[0]
		if have := ""; want != "" && (q.Trace == nil || q.Trace.Claim != want) || want == "" && q.Verdict != finding.Holds {
			if q.Trace != nil {
				have = q.Trace.Claim
			}
			t.Errorf("%s: %s, %q, not %q", steps, q.Verdict, have, want)
		}
	}
}

// TestTheNextOccurrenceIsLacking: a step that can't happen lacks the next occurrence of an obligation, which is not owed yet, or after the last the last.
func TestTheNextOccurrenceIsLacking(t *testing.T) {
	t.Parallel()
	const text = `contract "c" {}
party "tenant" {}
event "start" { by = tenant }
obligation "rent" {
  bearer = tenant
  when   = start
  every  = 3
  times  = 3
  within = 2
}
scenario "s" {
  events = [%s]
  expect = possible
}
`
	for steps, want := range map[string]string{
		`rent`:                               "rent[1]",
		`start, rent, rent`:                  "rent[2]",
		`start, rent, "3 ticks", rent, rent`: "rent[3]",
		`start, rent, "3 ticks", rent, "3 ticks", rent, rent`: "rent[3]",
		`start, "3 ticks", rent, rent`:                        "rent[3]",
	} {
		q := testkit.CheckText(t, fmt.Sprintf(text, steps)).Requirements[0]
		if q.Verdict != finding.Violated || len(q.Scenario.Lacks) != 1 || q.Scenario.Lacks[0].Party != want {
			t.Errorf("%s: %s, lacks %v, not %s", steps, q.Verdict, q.Scenario.Lacks, want)
		}
	}
}

// TestBreachOfANorm: a scenario may name what is breached. Of a norm with occurrences it means any of them.
func TestBreachOfANorm(t *testing.T) {
	t.Parallel()
	const text = `contract "c" {}
party "tenant" {}
party "landlord" {}
event "handover" { by = [tenant, landlord] }
event "resale" { by = tenant }
event "payment" {
  by         = tenant
  repeats    = true
  only_while = rent.owed
}
obligation "rent" {
  bearer       = tenant
  counterparty = landlord
  when         = handover
  fulfil       = payment
  times        = 3
  every        = 2
  within       = 1
}
obligation "report" {
  bearer = landlord
  when   = handover
  within = 4
}
prohibition "no-resale" {
  bearer = tenant
  of     = resale
}
permission "move" {
  bearer = tenant
  of     = resale
}
scenario "s" {
  events = %s
  breach = %s
}
`
	for _, c := range []struct {
		events, breach string
		want           finding.Verdict
	}{
		{`[handover, "2 ticks"]`, "rent", finding.Holds},
		{`[handover, "2 ticks"]`, "rent[1]", finding.Holds},
		{`[handover, "2 ticks"]`, "rent[2]", finding.Violated},
		{`[handover, payment, "2 ticks"]`, "rent", finding.Violated},
		{`[handover, payment, "2 ticks"]`, "report", finding.Violated},
		{`[handover, payment, "4 ticks"]`, "report", finding.Holds},
		{`[resale]`, "no-resale", finding.Holds},
		{`[payment]`, "rent", finding.Violated}, // it is not possible
		{`[resale]`, "rent[4]", finding.IllFormed},
		{`[resale]`, "report[1]", finding.IllFormed},
		{`[resale]`, "move", finding.IllFormed},
	} {
		have := finding.IllFormed
		if all := testkit.CheckText(t, fmt.Sprintf(text, c.events, c.breach)).Requirements; len(all) > 0 {
			have = all[0].Verdict
		}
		if have != c.want {
			t.Errorf("%s, breach = %s: %s", c.events, c.breach, have)
		}
	}
}
