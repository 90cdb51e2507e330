package conform_test

import (
	"context"
	"fmt"
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
		period, err := conform.ParseTickLength("1mo")
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

// TestTheRestOfTheTimeIsKept: a deadline that was suspended after a day and a half has four days left when it goes on.
func TestTheRestOfTheTimeIsKept(t *testing.T) {
	stopped := "event,time\norder,2027-01-01T00:00:00Z\nhindrance,2027-01-02T12:00:00Z\n"
	for log, want := range map[string]string{
		stopped: "deliver suspended 4/5",
		stopped + "recovery,2027-06-01T06:00:00Z\n":                                "deliver owed 4/5",
		stopped + "recovery,2027-06-01T06:00:00Z\ndelivery,2027-06-05T05:59:00Z\n": "",
		stopped + "recovery,2027-06-01T06:00:00Z\ndelivery,2027-06-05T06:00:00Z\n": "deliver breached 0/5",
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
	period, err := conform.ParseTickLength("1mo")
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
