package conform_test

import (
	"context"
	"fmt"
	"github.com/redlinehq/redline/hclspec/duration"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/conform"
)

const twoDeadlines = `
contract "c" {}
party "buyer" {
  flag "ORDERED" {}
  flag "SIGNED" {}
  flag "PAID" {}
  transition "order" { set = { ORDERED = true } }
  transition "sign" { set = { SIGNED = true } }
  transition "pay" { set = { PAID = true } }
}
party "seller" {
  state "s" {}
  flag "DELIVERED" {}
  flag "MADE_GOOD" {}
  transition "deliver" { set = { DELIVERED = true } }
  transition "make-good" { set = { MADE_GOOD = true } }
  transition "talk" { read = [s] }
}
event "order" { sync = { buyer = order } }
event "sign" { sync = { buyer = sign } }
event "pay" { sync = { buyer = pay } }
event "deliver" { sync = { seller = deliver } }
event "make-good" { sync = { seller = make-good } }
event "talk" { sync = { seller = talk } }
obligation "deliver" {
  bearer     = seller
  when       = order
  fulfil     = deliver
  within     = 2
  reparation = make-good
}
obligation "make-good" {
  bearer = seller
  fulfil = make-good
  within = 1
}
obligation "pay" {
  bearer = buyer
  when   = sign
  fulfil = pay
  within = 3
}
`

// monthsAfter is the day with the same number so many months later, or the last one before it that there is.
func monthsAfter(start time.Time, n int) time.Time {
	for day := start.Day(); ; day-- {
		if t := time.Date(start.Year(), start.Month()+time.Month(n), day, 0, 0, 0, 0, time.UTC); t.Day() == day {
			return t
		}
	}
}

// TestDeadlinesRunFromWhatStartedThem compares what a log fulfils and breaches with the calendar, clause by clause: lines that have nothing to do
// with a clause make no difference to it.
func TestDeadlinesRunFromWhatStartedThem(t *testing.T) {
	outcomes := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := compiled(t, twoDeadlines)
		names := rapid.Permutation([]string{"order", "sign", "pay", "deliver", "make-good", "talk", "talk"}).Draw(t, "events")
		at, now := map[string]time.Time{}, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		log := "time,event\n"
		for _, name := range names[:rapid.IntRange(2, len(names)).Draw(t, "length")] {
			now = now.AddDate(0, 0, rapid.SampledFrom([]int{0, 1, 15, 27, 28, 29, 30, 31, 59, 62}).Draw(t, "days"))
			at[name] = now
			log += now.Format(time.DateOnly) + "," + name + "\n"
		}
		read, err := conform.Read(strings.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		period, err := duration.ParseTickLength("1mo")
		if err != nil {
			t.Fatal(err)
		}
		a, err := conform.Replay(context.Background(), d, read, period, conform.DefaultLimits())
		if err != nil || a.Deviation != nil {
			t.Fatal(err, a)
		}
		var got, want []string
		for _, due := range a.Dues {
			got = append(got, fmt.Sprintf("%s %s", due.Norm.Name, due.State))
		}
		say := func(name string, start time.Time, within int) (breach time.Time) {
			due := monthsAfter(start, within)
			done, did := at[name]
			switch {
			case did && !done.Before(start) && done.Before(due):
			case now.Before(due):
				want = append(want, name+" owed")
			default:
				want = append(want, name+" breached")
				return due
			}
			return time.Time{}
		}
		if start, ok := at["order"]; ok {
			if early(names, "deliver", "order") {
				delete(at, "deliver")
			}
			if breach := say("deliver", start, 2); !breach.IsZero() {
				say("make-good", breach, 1)
			}
		}
		if start, ok := at["sign"]; ok {
			if early(names, "pay", "sign") {
				delete(at, "pay")
			}
			say("pay", start, 3)
		}
		slices.Sort(got)
		slices.Sort(want)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s\n got %v\nwant %v", log, got, want)
		}
		for _, w := range want {
			outcomes[w]++
		}
	})
	if len(outcomes) < 6 {
		t.Errorf("only %v came about", outcomes)
	}
}

// early reports whether one event comes before another in a list.
func early(names []string, a, b string) bool { return slices.Index(names, a) < slices.Index(names, b) }

// TestMonthsOfTheCalendar: two months after 31 December are over on the last day of February.
func TestMonthsOfTheCalendar(t *testing.T) {
	d := tree(t, "../../hclspec/examples/gas-supply")
	for log, want := range map[string]string{
		"event,time\nnomination,2027-12-31\ndelivery,2028-02-28\n": "",
		"event,time\nnomination,2027-12-31\ndelivery,2028-02-29\n": "deliver",
	} {
		got := ""
		for _, due := range hold(t, d, "1mo", log).Dues {
			if due.Breached {
				got += due.Norm.Name
			}
		}
		if got != want {
			t.Errorf("%s: %q is breached, want %q", log, got, want)
		}
	}
}

const suspended = `
contract "c" {}
party "supplier" {}
event "order" { by = supplier }
event "delivery" { by = supplier }
event "hindrance" { by = supplier }
event "recovery" { by = supplier }
obligation "deliver" {
  bearer = supplier
  when   = order
  fulfil = delivery
  within = "5 days"
}
power "stop" {
  bearer   = supplier
  exercise = hindrance
  suspends = [deliver]
  resumes  = recovery
}
`

// TestTheRestOfTheTimeIsKept: a deadline of five days that was suspended after a day and a half has three and a half left when it goes on.
func TestTheRestOfTheTimeIsKept(t *testing.T) {
	stopped := "event,time\norder,2027-01-01T00:00:00Z\nhindrance,2027-01-02T12:00:00Z\n"
	for log, want := range map[string]string{
		stopped: "deliver suspended 4/5",
		stopped + "recovery,2027-06-01T06:00:00Z\n":                                "deliver owed 4/5",
		stopped + "recovery,2027-06-01T06:00:00Z\ndelivery,2027-06-04T17:59:00Z\n": "",
		stopped + "recovery,2027-06-01T06:00:00Z\ndelivery,2027-06-04T18:00:00Z\n": "deliver breached 0/5",
	} {
		if got := deliverAfter(t, suspended, "1d", log); got != want {
			t.Errorf("%s: %q, want %q", log, got, want)
		}
	}
}

// deliverAfter returns how the obligation deliver is after a log, with its ticks left and in all; empty: it does not bind.
func deliverAfter(t *testing.T, contract, tick, log string) (said string) {
	t.Helper()
	for _, due := range hold(t, draft(t, contract), tick, log).Dues {
		if due.Norm.Name == "deliver" {
			said += fmt.Sprintf("deliver %s %d/%d", due.State, due.Left, due.Within)
		}
	}
	return said
}

const extended = `contract "c" {}
party "supplier" {}
party "customer" {}
event "order" { by = customer }
event "delivery" { by = supplier }
event "change" { by = customer }
event "grace" { by = customer }
obligation "deliver" {
  bearer = supplier
  when   = order
  fulfil = delivery
  within = "1 month"
}
power "more" {
  bearer   = supplier
  exercise = change
  extends  = { deliver = "1 month" }
}
power "still-more" {
  bearer   = supplier
  exercise = grace
  extends  = { deliver = "2 months" }
}
`

// TestExtendedTimeRunsFromTheStart: a deadline that is extended is as many months after its start as there are in all, whenever it was extended.
func TestExtendedTimeRunsFromTheStart(t *testing.T) {
	changed := "event,time\norder,2027-01-31\nchange,2027-02-10\n"
	for log, want := range map[string]string{
		"event,time\norder,2027-01-31\ndelivery,2027-02-27\n": "",
		"event,time\norder,2027-01-31\nchange,2027-02-28\n":   "deliver breached 0/1",
		changed:                                             "deliver owed 2/1",
		changed + "grace,2027-03-05\n":                      "deliver owed 3/1",
		changed + "delivery,2027-03-30\n":                   "",
		changed + "delivery,2027-03-31\n":                   "deliver breached 0/1",
		changed + "grace,2027-03-05\ndelivery,2027-05-30\n": "",
		changed + "grace,2027-03-05\ndelivery,2027-05-31\n": "deliver breached 0/1",
	} {
		if got := deliverAfter(t, extended, "1mo", log); got != want {
			t.Errorf("%s: %q, want %q", log, got, want)
		}
	}
}

// TestClocksOfOccurrencesInMonths: a reparation that arises on the last tick of another, whose time is over on another day, has its time, too.
func TestClocksOfOccurrencesInMonths(t *testing.T) {
	d := compiled(t, `
contract "c" {}
party "seller" {}
party "buyer" {}
event "ship" {
  by      = seller
  repeats = true
}
event "talk" { by = seller }
obligation "pay" {
  bearer     = buyer
  when       = ship
  times      = 3
  within     = 1
  until      = rest.owed
  reparation = surcharge
}
obligation "surcharge" {
  bearer = buyer
  within = 1
  until  = rest.owed
}
obligation "rest" {
  bearer = buyer
  when   = surcharge.breached
}
`)
	read, err := conform.Read(strings.NewReader("time,event\n2027-01-01,ship\n2027-01-15,ship\n2027-02-20,surcharge\n2027-03-16,talk\n"))
	if err != nil {
		t.Fatal(err)
	}
	period, err := duration.ParseTickLength("1mo")
	if err != nil {
		t.Fatal(err)
	}
	a, err := conform.Replay(context.Background(), d, read, period, conform.DefaultLimits())
	if err != nil || a.Deviation != nil {
		t.Fatal(err, a)
	}
	var got []string
	for _, due := range a.Dues {
		got = append(got, fmt.Sprintf("%s %s", due.Norm.Name, due.State))
	}
	slices.Sort(got)
	if want := "[pay[1] breached pay[2] breached rest owed surcharge[2] breached]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

const salary = `contract "job" {}
party "employer" {}
event "start" { by = employer }
event "talk" {
  by      = employer
  repeats = true
}
event "salary" {
  by      = employer
  repeats = true
}
obligation "salary" {
  bearer = employer
  when   = start
  fulfil = salary
  times  = 4
  every  = "EVERY"
  within = "WITHIN"
}
`

// TestWhatRecursIsCountedFromTheFirst: the occurrences of an obligation, and their deadlines, are whole periods after the first, one at a time.
func TestWhatRecursIsCountedFromTheFirst(t *testing.T) {
	started := "event,time\nstart,2027-01-31\n"
	for _, c := range []struct{ every, within, log, want string }{
		{"1 month", "1 month", started + "talk,2027-02-27\n", "1 owed"},
		{"1 month", "1 month", started + "salary,2027-02-28\n", "1 breached"},
		{"1 month", "1 month", started + "salary,2027-02-01\ntalk,2027-03-30\n", "2 owed"},
		{"1 month", "1 month", started + "salary,2027-02-01\ntalk,2027-03-31\n", "2 breached, 3 owed"},
		{"1 month", "2 months", started + "talk,2027-03-30\n", "1 owed, 2 owed"},
		{"1 month", "2 months", started + "talk,2027-03-31\n", "1 breached, 2 owed, 3 owed"},
		{"2 months", "1 month", started + "salary,2027-02-01\ntalk,2027-03-30\n", ""},
		{"2 months", "1 month", started + "salary,2027-02-01\ntalk,2027-04-29\n", "2 owed"},
		{"2 months", "1 month", started + "salary,2027-02-01\ntalk,2027-04-30\n", "2 breached"},
		{"2 months", "1 month", started + "salary,2027-02-01\nsalary,2027-04-29\ntalk,2027-05-30\n", ""},
		{"2 months", "1 month", started + "salary,2027-02-01\nsalary,2027-04-29\ntalk,2027-05-31\n", "3 owed"},
		{"1 day", "1 day", "event,time\nstart,2027-01-31T12:00:00Z\nsalary,2027-02-01T13:00:00Z\ntalk,2027-02-02T11:59:00Z\n", "1 breached"},
		{"1 day", "1 day", "event,time\nstart,2027-01-31T12:00:00Z\ntalk,2027-02-02T12:00:00Z\n", "1 breached, 2 breached, 3 owed"},
	} {
		contract := strings.NewReplacer("EVERY", c.every, "WITHIN", c.within).Replace(salary)
		var got []string
		for _, due := range hold(t, draft(t, contract), duration.TickOf(draft(t, contract).Spec).String(), c.log).Dues {
			got = append(got, fmt.Sprintf("%d %s", due.Norm.Nth, due.State))
		}
		slices.Sort(got)
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("every %s, within %s: %s: %q, want %q", c.every, c.within, c.log, got, c.want)
		}
	}
}

// TestATimerBegunAnewAtItsEnd: a time of one tick that its own end begins anew ends a tick later, and not at once.
func TestATimerBegunAnewAtItsEnd(t *testing.T) {
	d := draft(t, `contract "c" {}
party "a" {}
event "start" { by = a }
event "talk" { by = a }
event "interest" { after = { any(start, interest) = "1 month" } }
`)
	a := hold(t, d, "1mo", "event,time\nstart,2027-01-15\ntalk,2027-04-20\n")
	happened := 0
	for _, step := range a.Run {
		for _, u := range step.Fired {
			if e := d.Net.Transitions[u].Event; e >= 0 && d.Events[e].Name == "interest" {
				happened++
			}
		}
	}
	if happened != 3 {
		t.Errorf("interest fell due %d times, want 3", happened)
	}
}

// TestTheTimeOfASuspensionDoesNotCount: months that are interrupted end later by as long as they were.
func TestTheTimeOfASuspensionDoesNotCount(t *testing.T) {
	again := strings.NewReplacer("5 days", "2 months", `event "hindrance" { by = supplier }`, "event \"hindrance\" {\n  by = supplier\n  repeats = true\n}", `event "recovery" { by = supplier }`, "event \"recovery\" {\n  by = supplier\n  repeats = true\n}")
	months, business := again.Replace(suspended), strings.ReplaceAll(suspended, "5 days", "4 business days")
	stopped := "event,time\norder,2027-01-15\nhindrance,2027-02-01\nrecovery,2027-05-20\n" // 108 days
	friday := "event,time\norder,2027-03-05\nhindrance,2027-03-08\nrecovery,2027-03-15\n"  // a Monday, and the next
	for _, c := range []struct{ contract, log, want string }{
		{months, stopped + "delivery,2027-06-30\n", ""},
		{months, stopped + "delivery,2027-07-01\n", "deliver breached 0/2"},
		{months, stopped + "hindrance,2027-06-30\nrecovery,2027-07-03\ndelivery,2027-07-03\n", ""},
		{months, stopped + "hindrance,2027-06-30\nrecovery,2027-07-03\ndelivery,2027-07-04\n", "deliver breached 0/2"},
		{business, friday + "delivery,2027-03-17\n", ""},
		{business, friday + "delivery,2027-03-18\n", "deliver breached 0/4"},
	} {
		if got := deliverAfter(t, c.contract, duration.TickOf(draft(t, c.contract).Spec).String(), c.log); got != c.want {
			t.Errorf("%s: %q, want %q", c.log, got, c.want)
		}
	}
}

// TestBusinessDays: business days are those from Monday to Friday, unless the calendar of the contract says otherwise.
func TestBusinessDays(t *testing.T) {
	for _, c := range []struct{ week, days, start, late string }{
		{"5", "2", "2027-03-05", "2027-03-09"}, // a Friday, the Tuesday
		{"5", "1", "2027-03-05", "2027-03-08"},
		{"5", "1", "2027-03-06", "2027-03-09"}, // a Saturday: as on Monday
		{"5", "1", "2027-03-07", "2027-03-09"},
		{"5", "5", "2027-03-03", "2027-03-10"},
		{"5", "11", "2027-03-01", "2027-03-16"},
		{"7", "2", "2027-03-05", "2027-03-07"},
	} {
		d := draft(t, strings.NewReplacer(`contract "c" {}`, `contract "c" { calendar = { week = "`+c.week+` business days" } }`, "5 days", c.days+" business days").Replace(suspended))
		late, err := time.Parse(time.DateOnly, c.late)
		if err != nil {
			t.Fatal(err)
		}
		for day, want := range map[string]bool{late.AddDate(0, 0, -1).Format(time.DateOnly): false, c.late: true} {
			a := hold(t, d, duration.TickOf(d.Spec).String(), "event,time\norder,"+c.start+"\ndelivery,"+day+"\n")
			if breached := slices.ContainsFunc(a.Dues, func(x conform.Due) bool { return x.Breached }); breached != want {
				t.Errorf("%s + %s business days, on %s: late is %v, want %v", c.start, c.days, day, breached, want)
			}
		}
	}
	six := draft(t, strings.NewReplacer(`contract "c" {}`, `contract "c" { calendar = { week = "6 business days" } }`, "5 days", "2 business days").Replace(suspended))
	if unknown := duration.TickOf(six.Spec); unknown != nil {
		t.Errorf("which six days of the week are business days is not known, and a tick is %s", unknown)
	}
}
