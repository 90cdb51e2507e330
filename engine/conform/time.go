package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redlinehq/redline/engine"
)

// A Period is how long a tick is: so many of the calendar's months, or a length of time.
type Period struct {
	months int
	length time.Duration
}

// shortest is the shortest period: nobody promises to the millisecond.
const shortest = time.Second

// ParsePeriod reads 12h, 90m, 1d (of 24 hours), 2w or 1mo.
func ParsePeriod(text string) (*Period, error) {
	for _, unit := range []struct {
		word string
		is   Period
	}{{"mo", Period{months: 1}}, {"w", Period{length: 7 * 24 * time.Hour}}, {"d", Period{length: 24 * time.Hour}}} {
		if digits, ok := strings.CutSuffix(text, unit.word); ok {
			n, err := strconv.Atoi(digits)
			if err != nil || n < 1 || n > 10_000 {
				break
			}
			return &Period{n * unit.is.months, time.Duration(n) * unit.is.length}, nil
		}
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < shortest {
		return nil, fmt.Errorf("%q is no length of a tick: write 12h, 1d, 2w or 1mo", text)
	}
	return &Period{length: length}, nil
}

// gone is how many periods have gone by from start to now. A month is over on the day that has the number of the first, or,
// where a month has no such day, as many days later as it lacks.
func (p *Period) gone(start, now time.Time) int {
	if p.months == 0 {
		return int(now.Sub(start) / p.length)
	}
	n := max(0, ((now.Year()-start.Year())*12+int(now.Month())-int(start.Month()))/p.months-1)
	for !start.AddDate(0, (n+1)*p.months, 0).After(now) {
		n++
	}
	return n
}

// A clock turns the times of a log into ticks.
type clock struct {
	period      *Period
	ticks       []int // the transitions that time passes by
	begun       bool
	start, last time.Time
	gone        int // ticks since then
}

func newClock(d *engine.Draft, p *Period) *clock {
	c := &clock{period: p}
	for t := range d.Net.Transitions {
		if d.Net.Transitions[t].Moving {
			c.ticks = append(c.ticks, t)
		}
	}
	return c
}

// forms are those in which a time is read; one without a zone is in UTC.
var forms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"}

func parseTime(text string) (time.Time, error) {
	for _, form := range forms {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: write it as 2027-03-31 or 2027-03-31T15:04:05Z", text)
}

// pass lets so many ticks happen as have gone by before a line. One that can't happen is time that passes unseen.
func (h *holder) pass(ctx context.Context, i int) error {
	l, c := &h.log.Lines[i], h.clock
	if slices.ContainsFunc(h.book.meant(l), func(t int) bool { return slices.Contains(c.ticks, t) }) {
		return errors.New("the log has ticks of its own, so how long one is can't be said besides")
	}
	if l.Time == "" {
		return nil
	}
	now, err := parseTime(l.Time)
	if err != nil {
		return err
	}
	if !c.begun {
		c.begun, c.start, c.last = true, now, now
	}
	if now.Before(c.last) {
		return errors.New("it is earlier than a line before it")
	}
	c.last = now
	for gone := c.period.gone(c.start, now); c.gone < gone; c.gone++ {
		ticked, err := h.tick(ctx, i)
		if err != nil {
			return err
		}
		if !ticked {
			c.gone = gone
			break
		}
	}
	return nil
}

// tick lets time pass by one in every stand in which it can; it says whether there is one.
func (h *holder) tick(ctx context.Context, i int) (bool, error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	next, ticked := h.stands(), false
	for _, s := range h.now {
		after := s
		for _, t := range h.clock.ticks {
			if !h.draft.Net.Fireable(s.marking, t) {
				continue
			}
			m, err := h.fire(s.marking, []int{t})
			if err != nil {
				return false, err
			}
			after, ticked = &stand{marking: m, how: &way{from: s.how, fired: []int{t}, line: i, passed: true}}, true
		}
		if err := next.add(after); err != nil {
			return false, err
		}
	}
	h.now = next.list
	return ticked, nil
}
