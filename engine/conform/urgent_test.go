package conform_test

import (
	"context"
	"fmt"
	"github.com/redlinehq/redline/hclspec/duration"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/conform"
)

const byItself = `
contract "c" {}
party "lender" {}
event "payout" { by = lender }
event "call" {
  by      = lender
  repeats = true
}
event "interest" {
  after = { any(payout, interest) = "30 days" }
}
`

// TestByItselfOnItsDay: a log may name what happens by itself on the day on which it does, and on no other.
func TestByItselfOnItsDay(t *testing.T) {
	d := draft(t, byItself)
	const begun = "event,time\npayout,2027-01-01\n"
	for _, c := range []struct{ log, want string }{
		{"interest,2027-01-31\n", "conforms"},
		{"interest,2027-01-31T23:59:59Z\n", "conforms"},
		{"interest,2027-02-01\n", "3 impossible  lacks interest!: is due by itself on 2027-01-31 before 3"},
		{"interest,2027-02-15\n", "3 impossible  lacks interest!: is due by itself on 2027-01-31 before 3"},
		{"call,2027-02-15\ninterest,2027-02-15\n", "4 impossible  lacks interest!: is due by itself on 2027-01-31 before 3"},
		{"call,2027-02-15\ninterest,2027-03-02\n", "conforms"},
		{"interest,2027-01-30\n", "3 impossible  lacks interest!: is due"},
		{"interest,2027-01-31\ninterest,2027-01-31\n", "4 impossible  lacks interest!: is due"},
	} {
		a := hold(t, d, "1d", begun+c.log)
		got := deviation(a)
		if v := a.Deviation; v != nil && v.Itself != nil {
			got += fmt.Sprintf(" by itself on %s before %d", v.Itself.At.Format(time.DateOnly), v.Itself.Line.Number)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q:\n got %s\nwant %s", c.log, got, c.want)
		}
	}
}

// TestByItselfByTheCalendar: with acts on random days between, what happens by itself may be named on its days, and is found out a day or more later.
func TestByItselfByTheCalendar(t *testing.T) {
	late := 0
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2027, 1, 1, rapid.IntRange(0, 23).Draw(t, "hour"), 0, 0, 0, time.UTC)
		log := "event,time\npayout," + start.Format(time.RFC3339) + "\n"
		now, line, want := start, 2, 0
		for round := 1; round <= 4 && want == 0; round++ {
			due := start.AddDate(0, 0, 30*round)
			if calls := rapid.IntRange(0, 2).Draw(t, "calls"); calls > 0 {
				for range calls {
					now = now.Add(due.Sub(now) / 2)
					log += "call," + now.Format(time.RFC3339) + "\n"
					line++
				}
			}
			if rapid.Bool().Draw(t, "left out") {
				continue
			}
			now = due.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 1, 24, 25, 200}).Draw(t, "hours")) * time.Hour)
			log += "interest," + now.Format(time.RFC3339) + "\n"
			if line++; now.Format(time.DateOnly) != due.Format(time.DateOnly) {
				want = line
				late++
			}
		}
		read, err := conform.Read(strings.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		period, err := duration.ParseTickLength("1d")
		if err != nil {
			t.Fatal(err)
		}
		a, err := conform.Replay(context.Background(), compiled(t, byItself), read, period, conform.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		if a.Deviation != nil {
			got = a.Deviation.Line.Number
		}
		if got != want {
			t.Fatalf("%s deviates at line %d, want %d", log, got, want)
		}
	})
	if late == 0 {
		t.Error("nothing was late")
	}
}
