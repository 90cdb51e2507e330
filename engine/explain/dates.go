package explain

import (
	"time"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/duration"
)

// Date sets the day to which time leads wherever it passes in a run, after so many ticks before. It sets none if the draft does not say when it starts, or how
// long a tick is. It returns the number of ticks up to each step.
func Date(d *compile.Draft, run []finding.Firing, ticks int) []int {
	start, err := time.Parse(time.DateOnly, d.Spec.Start)
	period := duration.TickOf(d.Spec)
	passed, last := []int{ticks}, 0
	for i := range run {
		f := &run[i]
		if i == 0 || f.Step != last {
			passed, last = append(passed, passed[len(passed)-1]), f.Step
		}
		if !f.Tick() {
			continue
		}
		passed[len(passed)-1]++
		if err != nil || period == nil {
			continue
		}
		at := period.After(start, passed[len(passed)-1])
		if f.Leads = at.Format(time.DateOnly); !at.Equal(at.Truncate(24 * time.Hour)) {
			f.Leads = at.Format("2006-01-02 15:04")
		}
	}
	return passed
}

// date sets the days of a run that begins after so many ticks, and of those that carry it on. A loop is repeated, so it has none.
func date(d *compile.Draft, t *finding.Trace, ticks int) {
	passed := Date(d, t.Prefix, ticks)
	for _, next := range t.Then {
		if next.After < len(passed) {
			date(d, next, passed[next.After])
		}
	}
}
