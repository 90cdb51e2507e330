package duration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redlinehq/redline/hclspec"
)

// A Period is the length of a tick: a number of calendar months, of business days, or a duration.
type Period struct {
	Start    time.Time // when the contract begins; zero: with the first line that has a time
	months   int
	Business int // days from Monday to Friday that are no holidays
	length   time.Duration
	holidays []int // from Monday to Friday, in order, as days since 1970
}

func (p *Period) String() string {
	switch {
	case p.months > 0:
		return fmt.Sprintf("%dmo", p.months)
	case p.Business > 0:
		return fmt.Sprintf("%dbd", p.Business)
	case p.length%(7*day) == 0:
		return fmt.Sprintf("%dw", p.length/(7*day))
	case p.length%day == 0:
		return fmt.Sprintf("%dd", p.length/day)
	}
	text := p.length.String() // 1h30m0s
	for _, zero := range []string{"m0s", "h0m"} {
		if short, ok := strings.CutSuffix(text, zero); ok {
			text = short + zero[:1]
		}
	}
	return text
}

// Observe has a period of business days keep the holidays of a contract.
func (p *Period) Observe(c *hclspec.Contract) *Period {
	p.holidays = nil
	for _, text := range c.Holidays {
		if at, err := time.Parse(time.DateOnly, text); err == nil && !weekend(at) {
			p.holidays = append(p.holidays, dayOf(at))
		}
	}
	return p
}

// Is reports whether two ticks are equally long.
func (p *Period) Is(q *Period) bool {
	return p.months == q.months && p.Business == q.Business && p.length == q.length
}

// shortest is the shortest period. No contract has shorter ones.
const shortest = time.Second

// ParseTickLength reads 12h, 90m, 1d (of 24 hours), 1bd (a day from Monday to Friday), 2w or 1mo.
func ParseTickLength(text string) (*Period, error) {
	for _, unit := range []struct {
		word string
		is   Period
	}{{"mo", lengths["month"]}, {"w", lengths["week"]}, {"bd", lengths["business day"]}, {"d", lengths["day"]}} {
		if digits, ok := strings.CutSuffix(text, unit.word); ok {
			n, err := strconv.Atoi(digits)
			if err != nil || n < 1 || n > 10_000 {
				break
			}
			return unit.is.times(n), nil
		}
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < shortest {
		return nil, fmt.Errorf("%q is no length of a tick: write 12h, 1d, 1bd, 2w or 1mo", text)
	}
	return &Period{length: length}, nil
}

// lengths has the period of each unit of time.
var lengths = map[string]Period{"minute": {length: time.Minute}, "hour": {length: time.Hour}, "day": {length: day}, "business day": {Business: 1}, "week": {length: 7 * day},
	"month": {months: 1}, "quarter": {months: 3}, "year": {months: 12}}

const day = 24 * time.Hour

// times returns a period that is n times as long.
func (p Period) times(n int) *Period {
	return &Period{months: n * p.months, Business: n * p.Business, length: time.Duration(n) * p.length}
}

// TickOf returns the period of a contract's unit of time: as long as the contract's calendar says, or else as usual. It returns nil where durations
// have no units, and for business days of which a week has neither five nor seven: it is not known which. Its business days are those of the contract.
func TickOf(c *hclspec.Contract) *Period {
	is := Length{N: 1, Unit: c.Tick}
	if x, said := Parse(c.TickLength); said {
		is = x
	}
	for _, line := range c.Calendar {
		if week, said := strings.CutPrefix(line, "week = "); said && is.Unit == "business day" {
			switch x, _ := Parse(week); {
			case x.Unit != is.Unit:
			case x.N == 7:
				is.Unit = "day"
			case x.N != 5:
				return nil
			}
		}
	}
	if p, known := lengths[is.Unit]; known {
		return p.times(is.N).Observe(c)
	}
	return nil
}

// After returns the moment n periods after another. A month later is the same day of the month or, if that month is shorter, its last day: one
// month after 31 January is 28 February, and two months after it are 31 March.
func (p *Period) After(start time.Time, n int) time.Time {
	switch {
	case p.Business > 0:
		return p.BusinessDaysAfter(start, n*p.Business)
	case p.months == 0:
		t := start
		for range n { // a product could be too long for a time.Duration
			t = t.Add(p.length)
		}
		return t
	}
	day := start.Day()
	month := start.AddDate(0, 0, 1-day).AddDate(0, n*p.months, 0)
	last := month.AddDate(0, 1, -1).Day()
	return month.AddDate(0, 0, min(day, last)-1)
}

// Business days are those from Monday to Friday that are no holidays. All that turns them into dates, or counts them, is here.

// dayOf returns the day of a moment, counted from 1970 in UTC.
func dayOf(t time.Time) int { return int(t.Truncate(day).Unix() / int64(day/time.Second)) }

// weekend reports whether a moment is on a Saturday or a Sunday.
func weekend(t time.Time) bool { return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday }

// off reports whether a moment is on no business day.
func (p *Period) off(t time.Time) bool {
	_, holiday := slices.BinarySearch(p.holidays, dayOf(t))
	return holiday || weekend(t)
}

// holidaysBefore returns how many holidays from Monday to Friday are before a day.
func (p *Period) holidaysBefore(day int) int {
	n, _ := slices.BinarySearch(p.holidays, day)
	return n
}

// BusinessDaysAfter returns the moment n business days after another: two after a Friday is the Tuesday, if neither it nor the Monday is a holiday. What
// begins on no business day begins with the next one.
func (p *Period) BusinessDaysAfter(start time.Time, n int) time.Time {
	for p.off(start) {
		start = start.Truncate(day).AddDate(0, 0, 1)
	}
	for n > 0 { // for each holiday on the way a day more
		from := dayOf(start) + 1
		start = weekdaysAfter(start, n)
		n = p.holidaysBefore(dayOf(start)+1) - p.holidaysBefore(from)
	}
	return start
}

// weekdaysAfter returns the moment n days from Monday to Friday after one on such a day.
func weekdaysAfter(start time.Time, n int) time.Time {
	start = start.AddDate(0, 0, n/5*7)
	for n %= 5; n > 0; n-- {
		for start = start.AddDate(0, 0, 1); weekend(start); {
			start = start.AddDate(0, 0, 1)
		}
	}
	return start
}

// BusinessDaysBetween returns the number of business days from the day of a moment on, up to the day of a later one.
func (p *Period) BusinessDaysBetween(from, to time.Time) int {
	from, to = from.Truncate(day), to.Truncate(day)
	n := p.holidaysBefore(dayOf(from)) - p.holidaysBefore(dayOf(to))
	weeks := (dayOf(to) - dayOf(from)) / 7
	n += 5 * weeks
	for from = from.AddDate(0, 0, 7*weeks); from.Before(to); from = from.AddDate(0, 0, 1) {
		if !weekend(from) {
			n++
		}
	}
	return n
}

// Observed returns the holidays of a contract that counts time in business days, or in units of so many of them; none of any other.
func Observed(c *hclspec.Contract) []string {
	x, said := Parse(c.TickLength)
	if said && x.Unit == businessDay || !said && c.Tick == businessDay {
		return c.Holidays
	}
	return nil
}

const businessDay = "business day"

// mostBefore is how long before a day another may be named, in units: more leads out of what a contract can last.
const mostBefore = 4_000

// DayIn reads a day, 2027-12-31, or one that is so long before a day: 30 days before 2027-12-31. A month that has no such day ends then.
func DayIn(text string) (time.Time, bool) {
	before, of, given := strings.Cut(text, " before ")
	if !given {
		before, of = "", text
	}
	day, err := time.Parse(time.DateOnly, of)
	if err != nil || !hclspec.IsDay(of) || !given {
		return day, err == nil && hclspec.IsDay(of)
	}
	x, ok := Parse(before)
	if !ok || x.N > mostBefore {
		return time.Time{}, false
	}
	switch x.Unit {
	case "day", "week":
		return day.AddDate(0, 0, -x.N*map[string]int{"day": 1, "week": 7}[x.Unit]), true
	case "month", "quarter", "year":
		first := time.Date(day.Year(), day.Month()-time.Month(x.N*map[string]int{"month": 1, "quarter": 3, "year": 12}[x.Unit]), 1, 0, 0, 0, 0, time.UTC)
		return first.AddDate(0, 0, min(day.Day(), first.AddDate(0, 1, -1).Day())-1), true
	}
	return time.Time{}, false
}
