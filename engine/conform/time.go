package conform

import (
	"fmt"
	"slices"
	"time"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/duration"
)

// TimedOnly reports whether a log says when things happened by its times alone: it has times, and no ticks of its own.
func (l *Log) TimedOnly() bool {
	return slices.ContainsFunc(l.Lines, func(x Line) bool { return x.Time != "" }) && !slices.ContainsFunc(l.Lines, func(x Line) bool { return x.Event == hclspec.Tick })
}

// Twofold returns the first tick of a log and the first line with a date, if it has both: its dates say how much time passes, and its ticks do. It returns nil
// for each otherwise. A time that is no date says nothing.
func (l *Log) Twofold() (tick, dated *Line) {
	for i := range l.Lines {
		line := &l.Lines[i]
		if _, err := ParseTime(line.Time); err == nil && dated == nil {
			dated = line
		}
		if line.tick() && tick == nil {
			tick = line
		}
	}
	if tick == nil || dated == nil {
		return nil, nil
	}
	return tick, dated
}

// moment returns when the nth tick of a clock has passed.
func moment(p *duration.Period, s start, n int) time.Time {
	if p.Business > 0 {
		return p.BusinessDaysAfter(s.at, n*p.Business+s.stood.days)
	}
	return p.After(s.at, n).Add(s.stood.length)
}

// and returns a pause and another one, from one moment to another.
func (x pause) and(p *duration.Period, from, to time.Time) pause {
	if p.Business == 0 {
		return pause{length: x.length + to.Sub(from)}
	}
	return pause{days: x.days + p.BusinessDaysBetween(from, to)}
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
