package duration_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/duration"
)

// TestBusinessDays: business days are counted as one does in a calendar, day by day.
func TestBusinessDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := time.Date(rapid.IntRange(1965, 2040).Draw(t, "year"), 12, rapid.IntRange(1, 31).Draw(t, "day"), rapid.IntRange(0, 23).Draw(t, "hour"), 30, 0, 0, time.UTC)
		c := &hclspec.Contract{Tick: "business day"}
		for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 45), 0, 30, func(n int) int { return n }).Draw(t, "holidays") {
			c.Holidays = append(c.Holidays, first.AddDate(0, 0, n).Format(time.DateOnly))
		}
		slices.Sort(c.Holidays)
		p, n := duration.TickOf(c), rapid.IntRange(0, 60).Draw(t, "business days")
		off := func(at time.Time) bool {
			return at.Weekday() == time.Saturday || at.Weekday() == time.Sunday || slices.Contains(c.Holidays, at.Format(time.DateOnly))
		}
		want, counted := first, 0
		for off(want) {
			want = time.Date(want.Year(), want.Month(), want.Day()+1, 0, 0, 0, 0, time.UTC)
		}
		for k := 0; k < n; {
			if want = want.AddDate(0, 0, 1); !off(want) {
				k++
			}
		}
		if got := p.After(first, n); !got.Equal(want) {
			t.Fatalf("%d business days after %s: %s, want %s; holidays %v", n, first, got, want, c.Holidays)
		}
		for at := first; at.Format(time.DateOnly) < want.Format(time.DateOnly); at = at.AddDate(0, 0, 1) {
			if !off(at) {
				counted++
			}
		}
		if got := p.BusinessDaysBetween(first, want); got != counted || got != n {
			t.Fatalf("%d business days from %s to %s, want %d and %d; holidays %v", got, first, want, counted, n, c.Holidays)
		}
	})
}

func ExamplePeriod_After() {
	p := duration.TickOf(&hclspec.Contract{Tick: "business day", Holidays: []string{"2026-12-25", "2026-12-28"}})
	fmt.Println(p.After(time.Date(2026, 12, 23, 0, 0, 0, 0, time.UTC), 2).Format(time.DateOnly))
	// Output: 2026-12-29
}

// TestDayBefore: so long before a day, by the calendar. A month that lacks such a day ends then. What is no day, and what counts otherwise, is none.
func TestDayBefore(t *testing.T) {
	for text, want := range map[string]string{
		"2027-12-31":                  "2027-12-31",
		"30 days before 2027-12-31":   "2027-12-01",
		"1 day before 2028-03-01":     "2028-02-29",
		"2 weeks before 2027-01-10":   "2026-12-27",
		"1 month before 2027-03-31":   "2027-02-28",
		"1 month before 2028-01-15":   "2027-12-15",
		"1 quarter before 2027-05-31": "2027-02-28",
		"1 year before 2028-02-29":    "2027-02-28",
		"2 years before 2027-12-31":   "2025-12-31",
	} {
		if got, ok := duration.DayIn(text); !ok || got.Format(time.DateOnly) != want {
			t.Errorf("%s: %v %t, want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "30 days", "30 days before", "30 days before 2027-02-30", "0 days before 2027-12-31", "5 hours before 2027-12-31", "5 business days before 2027-12-31", "30 days before 31 days before 2027-12-31", "99999 years before 2027-12-31"} {
		if got, ok := duration.DayIn(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}
