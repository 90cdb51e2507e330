package conform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/duration"
)

// A Period is the length of a tick: a number of calendar months, or a duration.
type Period struct {
	Start  time.Time // when the contract begins; zero: with the first line that has a time
	months int
	length time.Duration
}

// shortest is the shortest period. No contract has shorter ones.
const shortest = time.Second

// ParseTickLength reads 12h, 90m, 1d (of 24 hours), 2w or 1mo.
func ParseTickLength(text string) (*Period, error) {
	for _, unit := range []struct {
		word string
		is   Period
	}{{"mo", lengths["month"]}, {"w", lengths["week"]}, {"d", lengths["day"]}} {
		if digits, ok := strings.CutSuffix(text, unit.word); ok {
			n, err := strconv.Atoi(digits)
			if err != nil || n < 1 || n > 10_000 {
				break
			}
			return &Period{months: n * unit.is.months, length: time.Duration(n) * unit.is.length}, nil
		}
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < shortest {
		return nil, fmt.Errorf("%q is no length of a tick: write 12h, 1d, 2w or 1mo", text)
	}
	return &Period{length: length}, nil
}

// lengths has the period of each unit of time that has a usual length.
var lengths = map[string]Period{"minute": {length: time.Minute}, "hour": {length: time.Hour}, "day": {length: day}, "week": {length: 7 * day}, "month": {months: 1}, "quarter": {months: 3}, "year": {months: 12}}

const day = 24 * time.Hour

// TickOf returns the period of a contract's unit of time, if the log has times and no ticks of its own: as long as the contract's calendar says,
// or else as usual. It returns nil for a unit without a usual length, as for business days.
func (l *Log) TickOf(c *hclspec.Contract) *Period {
	is := duration.Length{N: 1, Unit: c.Tick}
	if x, said := duration.Parse(c.TickLength); said {
		is = x
	}
	p, known := lengths[is.Unit]
	if !known || !l.TimedOnly() {
		return nil
	}
	p.months, p.length = p.months*is.N, p.length*time.Duration(is.N)
	return &p
}

// TimedOnly reports whether a log says when things happened by its times alone: it has times, and no ticks of its own.
func (l *Log) TimedOnly() bool {
	return slices.ContainsFunc(l.Lines, func(x Line) bool { return x.Time != "" }) && !slices.ContainsFunc(l.Lines, func(x Line) bool { return x.Event == hclspec.Tick })
}

// after returns the moment n periods after another. A month later is the same day of the month or, if that month is shorter, its last day: one
// month after 31 January is 28 February, and two months after it are 31 March.
func (p *Period) after(start time.Time, n int) time.Time {
	if p.months == 0 {
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

// forms lists the formats of times. A time without a zone is in UTC.
var forms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"}

// ParseTime reads a time in any of forms.
func ParseTime(text string) (time.Time, error) {
	for _, form := range forms {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: write it as 2027-03-31 or 2027-03-31T15:04:05Z", text)
}
