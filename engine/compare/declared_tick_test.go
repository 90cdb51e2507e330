package compare_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/report/text"
)

// TestTickOfAnotherLength: states are counted in ticks, so a tick that stands for another time changes what is owed though it changes no state.
func TestTickOfAnotherLength(t *testing.T) {
	timed := func(calendar, within, more string) string {
		return "contract \"c\" {\n" + calendar + "\n}\nparty \"s\" {}\nparty \"b\" {}\nevent \"order\" { by = b }\nevent \"delivery\" { by = s }\n" +
			"obligation \"o\" {\n  bearer = s\n  counterparty = b\n  when = order\n  fulfil = delivery\n  " + within + "\n}\n" + more
	}
	const month, week, timer = "  calendar = { month = \"30 days\" }", "  calendar = { month = \"7 days\" }", "event \"late\" {\n  by = b\n  not_before = { order = \"2 months\" }\n}\n"
	const changed, other, unsure = "new norm-changed on obligation.o", "new norm-changed", "undecided norm-changed on obligation.o"
	for _, c := range []struct {
		name, base, head string
		want             string
		exit             finding.ExitStatus
	}{
		{"as it was", timed(month, `within = "2 months"`, ""), timed(month, `within = "2 months"`, ""), "", finding.Clean},
		{"a calendar", timed("", `within = "2 months"`, ""), timed(week, `within = "2 months"`, ""), changed, finding.Violations},
		{"no calendar any more", timed(month, `within = "2 months"`, ""), timed("", `within = "2 months"`, ""), changed, finding.Violations},
		{"another calendar", timed(month, `within = "2 months"`, ""), timed(week, `within = "2 months"`, ""), changed, finding.Violations},
		{"what the calendar says", timed(week, `within = "2 months"`, ""), timed("", `within = "14 days"`, ""), "", finding.Clean},
		{"what the calendar does not say", timed("", `within = "2 months"`, ""), timed(week, `within = "14 days"`, ""), "", finding.BadInput},
		{"of a unit that is not written", timed("", `within = "2 months"`, ""), timed(`  calendar = { week = "5 days" }`, `within = "2 months"`, ""), "", finding.Clean},
		{"a longer unit, which is that of the calendar", timed("", `within = "1 year"`, ""), timed(month, `within = "12 months"`, ""), changed, finding.Violations},
		{"a week of five days", timed("", `within = "2 weeks"`, ""), timed(`  calendar = { week = "5 days" }`, `within = "2 weeks"`, ""), changed, finding.Violations},
		{"a week of seven days", timed("", `within = "2 weeks"`, ""), timed(`  calendar = { week = "7 days" }`, `within = "2 weeks"`, ""), "", finding.Clean},
		{"a unit for a number", timed("", "within = 2", ""), timed("", `within = "2 years"`, ""), unsure, finding.OutOfLimit},
		{"a number for a unit", timed("", `within = "2 months"`, ""), timed("", "within = 2", ""), unsure, finding.OutOfLimit},
		{"another number for a unit", timed("", "within = 2", ""), timed("", `within = "3 years"`, ""), changed, finding.Violations},
		{"a timer", timed("", "", timer), timed(week, "", timer), other, finding.Violations},
		{"no time at all", timed("", "", ""), timed(week, "", ""), "", finding.Clean},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Owed: true})
		if got := findingsOf(review); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := approvedBy(t, review, finding.AcceptApproved, false); got != c.exit {
			t.Errorf("%s: exit status %d, want %d", c.name, got, c.exit)
		}
		var shown strings.Builder
		if err := text.Review(&shown, &finding.Review{Contracts: []finding.ContractReview{review}}, text.Style{}); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(strings.Fields(shown.String()), " ")
		for _, claim := range []string{"The contract behaves as before", "no party can see a change", "Nothing to object to", "Without effect"} {
			if c.want != "" && strings.Contains(said, claim) {
				t.Errorf("%s: %s\n%s", c.name, claim, said)
			}
		}
	}
}

// TestTimesBesides: of a norm that is changed, stands otherwise or is relieved, and runs at other times as well, the remark says both. Who has accepted the one has not
// accepted the other.
func TestTimesBesides(t *testing.T) {
	const base = `contract "c" {
  start    = "2027-01-01"
  calendar = { month = "30 days" }
}
party "s" {}
party "b" {}
event "order" { by = b }
event "delivery" { by = s }
event "thanks" { by = b }
event "never" { sync = { court = sue } }
net "court" {
  place "summons" {}
  transition "sue" { consume = [summons] }
}
obligation "o" {
  bearer       = s
  counterparty = b
  fulfil       = delivery
  within       = "2 months"
}
`
	for name, change := range map[string][2]string{
		"changed":                 {"\"2 months\"", "\"3 months\""},
		"changed, without effect": {"\"2 months\"", "\"2 months\"\n  until        = never"},
		"stands otherwise":        {"event \"delivery\" { by = s }", "event \"delivery\" {\n  by         = s\n  only_while = happened(thanks)\n}"},
		"relieved":                {"event \"thanks\"", "event \"mercy\" { by = s }\npower \"release\" {\n  bearer   = s\n  exercise = mercy\n  lifts    = o\n}\nevent \"thanks\""},
	} {
		alone := strings.Replace(base, change[0], change[1], 1)
		runs := map[string]string{}
		for of, time := range map[string][2]string{"as before": {"", ""}, "start": {"2027-01-01", "2027-02-01"}, "calendar": {"30 days", "7 days"}, "tick": {"  calendar = { month = \"30 days\" }\n", ""}} {
			review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, strings.Replace(alone, time[0], time[1], 1)), finding.Budget{Jobs: 1, Owed: true})
			i := slices.IndexFunc(review.Findings, func(f finding.Finding) bool { return f.Check.Subject == "obligation.o" })
			if i < 0 {
				if of != "as before" {
					t.Errorf("%s, %s: no objection", name, of)
				}
				continue
			}
			one := review.Findings[i].Check
			if other, double := runs[one.Run]; double {
				t.Errorf("%s, %s: accepted with %s: %s", name, of, other, one.Detail)
			}
			if runs[one.Run] = of; of == "start" && !strings.Contains(one.Detail, "start was 2027-01-01, now 2027-02-01") || of == "tick" && !strings.Contains(one.Detail, "tick was a month of 30 days") {
				t.Errorf("%s, %s: %s", name, of, one.Detail)
			}
		}
	}
}
