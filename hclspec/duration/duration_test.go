package duration_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/duration"
)

func Example() {
	x, _ := duration.Parse("2 weeks")
	days, _ := duration.Calendar{}.In(x, "day")
	_, fixed := duration.Calendar{}.In(duration.Length{N: 1, Unit: "month"}, "day")
	fmt.Println(x, "=", days, "days; months have a fixed number of days:", fixed)
	// Output: 2 weeks = 14 days; months have a fixed number of days: false
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{"30 days": "30 days", "1 day": "1 day", "1 weeks": "1 week", "2  business days": "2 business days",
		"0 days": "", "": "", "days": "", "-1 day": "", "1.5 days": "", "1 fortnight": "", "1000000 days": "1000000 days",
		"999999999999 days": "999999999999 days", "1000000000000 days": ""} {
		x, ok := duration.Parse(text)
		if got := x.String(); ok != (want != "") || ok && got != want {
			t.Errorf("Parse(%q) = %q, %t; want %q", text, got, ok, want)
		}
	}
}

func TestAdvise(t *testing.T) {
	const another = `Write a whole number and a unit, as in "30 days", "2 weeks", "1 month" or "2 business days".`
	for text, want := range map[string]string{
		"0 days": `Write "1 day" or more.`, "-2 weeks": `Write "1 week" or more.`, "0": another, "-3": another, "": another, "two weeks": another,
		"3": `Write the unit, too, as in "3 days".`, "1.5 weeks": "Write a whole number; for a part of a week, one of a shorter unit.",
		"0.5 minutes": "Write a whole number.", "5days": `Write "5 days".`, "5 business  days": `Write "5 business days".`, "2 WEEKS": `Write "2 weeks".`,
		"3 dys": `Did you mean "3 days"?`, "1 moth": `Did you mean "1 month"?`,
		"1 fortnight": "There is no such unit. There are: minutes, hours, days, business days, weeks, months, quarters, years.",
		"2027-03-31":  "This is a day.", "1000000000000 days": "It has too many digits.",
	} {
		if got := duration.Advise(text); got != want {
			t.Errorf("Advise(%q) = %s\nwant %s", text, got, want)
		}
	}
}

// What is advised for two units that do not fit makes them fit.
func TestCalendarExample(t *testing.T) {
	all := strings.Split("minute, hour, day, business day, week, month, quarter, year", ", ")
	misfits := 0
	for _, a := range all {
		for _, b := range all {
			both := []duration.Length{{N: 1, Unit: a}, {N: 1, Unit: b}}
			unit, misfit := duration.Calendar{}.Tick(both)
			if misfit < 0 {
				continue
			}
			misfits++
			name := both[misfit].Unit
			if _, still := (duration.Calendar{name: duration.Usual(name, unit)}).Tick(both); still >= 0 || duration.Rank(duration.Usual(name, unit).Unit) >= duration.Rank(name) {
				t.Errorf("%s and %s do not fit with %s = %s", a, b, name, duration.Usual(name, unit))
			}
		}
	}
	if misfits < 20 {
		t.Error("only", misfits, "misfits")
	}
}

// A tick is the finest unit that is written, or of the calendar where the written ones do not fit.
func TestTick(t *testing.T) {
	for _, c := range []struct {
		all, calendar string
		unit          string
		misfit        int
	}{
		{unit: "", misfit: -1},
		{all: "4 weeks", unit: "week", misfit: -1},
		{all: "4 weeks, 30 days", unit: "day", misfit: -1},
		{all: "30 days, 1 month", unit: "day", misfit: 1},
		{all: "30 days, 1 month", calendar: "month = 30 days", unit: "day", misfit: -1},
		{all: "2 weeks, 1 month", calendar: "month = 30 days", unit: "day", misfit: -1},
		{all: "1 year, 3 months", unit: "month", misfit: -1},
		{all: "1 day, 1 business day", unit: "day", misfit: 1},
	} {
		calendar := duration.Calendar{}
		for name, is := range pairs(t, c.calendar) {
			calendar[name] = is
		}
		if unit, misfit := calendar.Tick(lengths(t, c.all)); unit != c.unit || misfit != c.misfit {
			t.Errorf("of %q with %q: tick %q, misfit %d; want %q, %d", c.all, c.calendar, unit, misfit, c.unit, c.misfit)
		}
	}
}

// lengths reads durations in words, separated by commas.
func lengths(t *testing.T, text string) (all []duration.Length) {
	for _, word := range split(text) {
		x, ok := duration.Parse(word)
		if !ok {
			t.Fatalf("%q is no duration", word)
		}
		all = append(all, x)
	}
	return all
}

// pairs reads a calendar of one unit: month = 30 days.
func pairs(t *testing.T, text string) map[string]duration.Length {
	name, is, given := strings.Cut(text, " = ")
	if !given {
		return nil
	}
	return map[string]duration.Length{name: lengths(t, is)[0]}
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}
