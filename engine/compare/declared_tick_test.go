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

// TestWhatIsSaidOfTime: a norm that runs at other times says how its time is counted as before, and what differs; of what happens after a time it is said once.
func TestWhatIsSaidOfTime(t *testing.T) {
	text := func(terms, events, norm string) string {
		return "contract \"c\" {\n" + terms + "}\nparty \"s\" {}\nparty \"b\" {}\nevent \"delivery\" { by = s }\n" + events + norm
	}
	norm := func(kind, more string) string {
		return kind + " \"o\" {\n  bearer = s\n  counterparty = b\n" + more + "}\n"
	}
	const month, day, later = "  calendar = { month = \"30 days\" }\n", "  start = \"2027-01-01\"\n", "  start = \"2027-02-01\"\n"
	const order, late, due = "event \"order\" { by = b }\n", "event \"late\" {\n  by = b\n  not_before = { order = \"2 months\" }\n}\n", "event \"lapse\" { after = { order = \"2 months\" } }\n"
	const changes, another = "The amendment changes the obligation \"o\" of the s to the b. ", "The obligation \"o\" of the s to the b is written as before, but is at another time. "
	const longer = "A tick was a month, and is a month of 30 days now, so it is for another time. "
	const once = "What is owed depends on what happens after a time, and time is counted otherwise. "
	ending := strings.TrimSuffix(norm("obligation", "  fulfil = delivery\n  within = \"2 months\"\n"), "}\n")
	delivered, lasting := norm("obligation", "  fulfil = delivery\n"), norm("obligation", "  when = order\n  fulfil = delivery\n  within = \"2 months\"\n")
	for _, c := range []struct {
		name, base, head string
		want             []string
	}{
		{"changed without effect", text(day, order, ending+"}\n"), text(later, order, ending+"  survives = true\n}\n"), []string{changes + "In its text survives was left out, now true. Counted from the start it is as before: proved. But the start was 2027-01-01, now 2027-02-01, so it is on other days. "}},
		{"changed elsewhere", text(day, order, ending+"  ends_contract = true\n}\n"), text(later, order, ending+"}\n"), []string{changes + "In its text ends_contract was true, now left out. Counted from the start: After every run that both versions have it stands as it did before: proved. What differs is something else, such as what follows from it or how it can end. But the start was 2027-01-01, now 2027-02-01, so it is on other days. "}},
		{"a number, now months", text("", order, strings.Replace(lasting, "\"2 months\"", "2", 1)), text("", order, lasting), []string{changes + "In its text within was 2, now 2 months. Counted in ticks it is as before: proved. Before, nothing said how long a tick is; now it is a month. Whether that is as long is not known. "}},
		{"start alone", text(day, order, delivered), text(later, order, delivered), []string{another + "The start was 2027-01-01, now 2027-02-01, so it is on other days. "}},
		{"start alone, of what begins by an event that others may bring about", text("  start = \"2027-01-01\"\n", order, lasting), text(later, "event \"order\" { by = any(b, s) }\n", lasting), nil},
		{"a longer tick", text(month, order, lasting), text("", order, lasting), []string{another + "A tick was a month of 30 days, and is a month now, so it is for another time. "}},
		{"a timer", text("", order+late, delivered), text(month, order+late, delivered), []string{once + longer}},
		{"a timer of nothing owed", text("", order+late, ""), text(month, order+late, ""), nil},
		{"a timer that has a unit now", text("", order+strings.Replace(late, "\"2 months\"", "2", 1), delivered), text("", order+late, delivered), []string{once + "Before, nothing said how long a tick is; now it is a month. Whether that is as long is not known. "}},
		{"a timer that has no unit any more", text("", order+late, delivered), text("", order+strings.Replace(late, "\"2 months\"", "2", 1), delivered), []string{once + "A tick was a month; now nothing says how long it is. Whether that is as long is not known. "}},
		{"what happens by itself", text("", order+due, lasting), text(month, order+due, lasting), []string{another + longer, once + longer}},
		{"nothing by itself", text("", order+late, lasting), text(month, order+late, lasting), []string{another + longer}},
	} {
		if got := remarksOf(t, c.base, c.head); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s", c.name, strings.Join(got, "\n"))
		}
	}
	runs := map[string]bool{}
	for _, calendar := range []string{month, strings.Replace(month, "30", "31", 1)} {
		review := blame.Compare(t.Context(), testkit.DraftOf(t, text("", order+late, delivered)), testkit.DraftOf(t, text(calendar, order+late, delivered)), finding.Budget{Jobs: 1, Owed: true})
		runs[review.Findings[0].Check.Run] = true
	}
	if len(runs) != 2 {
		t.Errorf("who accepts one calendar has accepted another: %v", runs)
	}
}
