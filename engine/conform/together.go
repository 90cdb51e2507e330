package conform

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/duration"
)

// Together returns an answer about the same log whose run is one of the net, in which a tick is one of all deadlines. If period is nil, a is one.
// Otherwise ticks are counted from the first time in the log, as a calendar does, or else where the deadlines have them, as long as the same is owed
// and breached at the end. The error says that neither is so. Of a log that deviates the run is that of the lines before.
func Together(ctx context.Context, a *Answer, log *Log, period *duration.Period, limits Limits) (*Answer, error) {
	if period == nil || newClock(a.Draft, period).tick < 0 {
		return a, nil
	}
	lines := log.Lines
	if a.Deviation != nil {
		lines = lines[:1+slices.IndexFunc(lines, func(l Line) bool { return l.Number == a.Deviation.Line.Number })]
	}
	calendar := calendarTicks(lines, period)
	ways := []struct {
		ticks []int // before each line
		left  bool  // the same time is left of each deadline, too
	}{{calendar, true}, {a.deadlineTicks(lines), true}, {calendar, false}}
	for _, w := range ways {
		if w.ticks == nil {
			continue
		}
		b, err := Replay(ctx, a.Draft, a.ticked(lines, w.ticks), nil, limits)
		if err != nil {
			return nil, err
		}
		if b.Deviation == nil && slices.EqualFunc(a.Dues, b.Dues, func(x, y Due) bool {
			return x.Norm == y.Norm && x.State == y.State && (x.Left == y.Left || !w.left)
		}) {
			return b, nil
		}
	}
	return nil, errors.New("the deadlines of this log end on days of their own, and no run in which time passes for all of them at once comes to the same: 'redline replay' tells what was owed")
}

// ticked returns the log of some lines with so many ticks before each. Of a log that deviates the last line is only a moment.
func (a *Answer) ticked(lines []Line, ticks []int) *Log {
	log := &Log{}
	for i, l := range lines {
		for range ticks[i] {
			log.Lines = append(log.Lines, Line{Number: l.Number, Event: hclspec.Tick})
		}
		if a.Deviation == nil || i < len(lines)-1 {
			log.Lines = append(log.Lines, l)
		}
	}
	return log
}

// calendarTicks returns the whole periods that have passed before each line since the one before, counted from the start or the first time; nil if
// they are more than a scenario has.
func calendarTicks(lines []Line, p *duration.Period) []int {
	ticks, from, passed := make([]int, len(lines)), p.Start, 0
	for i, l := range lines {
		now, err := ParseTime(l.Time)
		if err != nil { // it has none
			continue
		}
		if from.IsZero() {
			from = now
		}
		for ; !p.After(from, passed+1).After(now); passed++ {
			if ticks[i]++; passed == hclspec.MaxSteps {
				return nil
			}
		}
	}
	return ticks
}

// deadlineTicks returns the ticks of the deadlines before each line; nil if some tick was not one of all of them.
func (a *Answer) deadlineTicks(lines []Line) []int {
	if a.partly {
		return nil
	}
	ticks, at := make([]int, len(lines)), map[*Line]int{}
	for i := range lines {
		at[&lines[i]] = i
	}
	for _, step := range a.Run {
		if step.Passed && explain.Event(a.Draft, step.Fired[0]).Due == nil {
			ticks[at[step.Line]]++
		}
	}
	return ticks
}
