package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/duration"
)

// Each deadline runs from its own start. In the net all running clocks lose a tick at the same moment. Here each clock has its own ticks, at
// whole periods from the moment that started it. So a deadline does not depend on unrelated lines. Ticks that are due at the same moment
// happen together, as in the net, and before a line of that moment.

// A stopwatch is a clock of the net: left[i] is marked while i+1 ticks are left, kept[i] while it stands still with so many, and no place while it
// is off.
type stopwatch struct {
	left, kept []int
	adds       bool // it never restarts while it runs: a rise is an extension, counted from the same start
	by         int  // the schedule of what recurs, whose end starts this clock of an occurrence, or starts itself anew; -1: none
}

// A start is when a clock was started, and the ticks it had left then, with those added since. The time for which it stood still does not count.
type start struct {
	at      time.Time
	left    int
	stood   pause
	stopped time.Time // when it came to stand still; zero: it runs
}

// A pause is a time that does not count: of the calendar or, of business days, a number of these.
type pause struct {
	length time.Duration
	days   int
}

// A clock turns the times of a log into ticks.
type clock struct {
	period  *duration.Period
	tick    int // the transition that lets time pass; -1: nothing has a duration
	watches []stopwatch
	begun   bool
	now     time.Time // the last time in the log so far
}

func newClock(d *compile.Draft, p *duration.Period) *clock {
	c := &clock{period: p, tick: -1, begun: !p.Start.IsZero(), now: p.Start}
	for t := range d.Net.Transitions {
		if d.Net.Transitions[t].Moving {
			c.tick = t
		}
	}
	at := map[string]int{}
	for i, p := range d.Net.Places {
		at[p.String()] = i
	}
	extended, schedule := map[*hclspec.Party]bool{}, map[*hclspec.Party]*hclspec.Party{}
	for _, n := range d.Spec.Norms {
		extended[n.Net], schedule[n.Net] = n.Extensible > 0, n.Schedule
	}
	number := map[*hclspec.Party]int{}
	for _, party := range d.Spec.Parties {
		w := stopwatch{adds: extended[party]}
		for _, p := range party.Places {
			switch p.Kind {
			case hclspec.ClockLeft:
				w.left = append(w.left, at[party.Name+"."+p.Name])
			case hclspec.ClockKept:
				w.kept = append(w.kept, at[party.Name+"."+p.Name])
			}
		}
		if len(w.left) > 0 {
			number[party] = len(c.watches)
			c.watches = append(c.watches, w)
		}
	}
	for k := range c.watches {
		c.watches[k].by = -1
	}
	for net, of := range schedule {
		by, recurs := number[of]
		if k, runs := number[net]; recurs && runs {
			c.watches[k].by = by
		}
		if recurs {
			c.watches[by].by = by
		}
	}
	return c
}

// ticksLeft returns the ticks that a clock has left, or 0 if it does not run.
func (w stopwatch) ticksLeft(m petri.Marking) int {
	return 1 + slices.IndexFunc(w.left, m.Has)
}

// reads returns the ticks that a clock has left, and whether it stands still; 0 if it is off.
func (w stopwatch) reads(m petri.Marking) (left int, stands bool) {
	if left = w.ticksLeft(m); left > 0 {
		return left, false
	}
	left = 1 + slices.IndexFunc(w.kept, m.Has)
	return left, left > 0
}

// started returns the starts of all clocks at some moment.
func (c *clock) started(m petri.Marking, moment time.Time) []start {
	since := make([]start, len(c.watches))
	for k, w := range c.watches {
		left, stands := w.reads(m)
		if since[k] = (start{at: moment, left: left}); stands {
			since[k].stopped = moment
		}
	}
	return since
}

// restarted returns the starts of all clocks after a transition has fired at some moment. whose are the clocks of which a tick has passed by it.
func (c *clock) restarted(since []start, before, after petri.Marking, t *petri.Transition, moment time.Time, whose ...int) []start {
	next := slices.Clone(since)
	for k, w := range c.watches {
		was, _ := w.reads(before)
		is, stands := w.reads(after)
		top, s := w.left[len(w.left)-1], &next[k]
		anew := slices.ContainsFunc(t.Moves, func(v petri.Move) bool { // even if it ran before
			return v.To == top && !v.Stays() && !slices.Contains(w.kept, v.From) && !slices.ContainsFunc(v.If, func(p int) bool { return !before.Has(p) })
		})
		used, recurs := 0, w.by >= 0 && slices.Contains(whose, w.by)
		if slices.Contains(whose, k) {
			used = 1
		}
		switch {
		case is == 0:
			*s = start{}
			continue
		case was > 0 && (w.adds || recurs && w.by == k):
			s.left += max(0, is+used-was)
		case was == 0 && recurs:
			*s = start{at: since[w.by].at, left: since[w.by].left + is}
		case was == 0 || is+used > was || is == len(w.left) && anew:
			*s = start{at: moment, left: is}
		}
		switch {
		case stands && s.stopped.IsZero():
			s.stopped = moment
		case stands || s.stopped.IsZero():
		case s.stopped.Equal(s.at) && is == s.left: // it has not run
			*s = start{at: moment, left: is}
		default:
			s.stood, s.stopped = s.stood.and(c.period, s.stopped, moment), time.Time{}
		}
	}
	return next
}

// due returns the moment of the next ticks, and the clocks that tick then. There are none if no clock runs.
func (c *clock) due(s *candidate) (when time.Time, whose []int) {
	for k, w := range c.watches {
		left := w.ticksLeft(s.marking)
		if left == 0 {
			continue
		}
		at := moment(c.period, s.since[k], s.since[k].left-left+1)
		switch {
		case len(whose) == 0 || at.Before(when):
			when, whose = at, []int{k}
		case at.Equal(when):
			whose = append(whose, k)
		}
	}
	return when, whose
}

// of returns the part of a tick that concerns some clocks. A move belongs to the clock whose last tick it waits for, or else to the clock that
// it moves. One by which a token stays waits for two things at once: it belongs to all clocks whose last tick it waits for.
func (c *clock) of(t *petri.Transition, whose []int) petri.Transition {
	var mine, last []int
	for _, k := range whose {
		mine = append(mine, c.watches[k].left...)
	}
	for _, w := range c.watches {
		last = append(last, w.left[0])
	}
	part := *t
	part.Moves = nil
	for _, v := range t.Moves {
		cause := v.From
		if i := slices.IndexFunc(v.If, func(p int) bool { return slices.Contains(last, p) }); i >= 0 {
			cause = v.If[i]
		}
		another := func(p int) bool { return slices.Contains(last, p) && !slices.Contains(mine, p) }
		if slices.Contains(mine, cause) && !(v.Stays() && slices.ContainsFunc(v.If, another)) {
			part.Moves = append(part.Moves, v)
		}
	}
	return part
}

// pass lets the ticks happen that are due before a line, in each candidate by itself.
func (h *holder) pass(ctx context.Context, i int) error {
	l, c := &h.log.Lines[i], h.clock
	if slices.Contains(h.book.meant(l), c.tick) {
		return errors.New("the log lists ticks, so their length can't be given, too: leave one of the two out")
	}
	if l.Time == "" {
		return nil
	}
	now, err := ParseTime(l.Time)
	if err != nil {
		return err
	}
	if !c.begun {
		c.begun, c.now = true, now
		for _, s := range h.now {
			s.since = c.started(s.marking, now) // clocks that run already have run since the start
		}
	}
	if now.Before(c.now) {
		return errors.New("it is earlier than a line before it, or than the start")
	}
	c.now = now
	next := h.newCandidates()
	for list := h.now; len(list) > 0; list = list[1:] {
		s, err := h.until(ctx, list[0], i)
		if err != nil {
			return err
		}
		if more, err := h.byItself(s, i); err != nil {
			return err
		} else if when, whose := c.due(s); len(more) > 0 && (h.late(s) || len(whose) > 0 && !when.After(c.now)) { // it goes before the next tick
			list = append(list, more...)
			continue
		}
		if err := next.add(s); err != nil {
			return err
		}
	}
	h.now = next.list
	return nil
}

// until lets time pass in a candidate up to the clock's moment, or until something happens by itself.
func (h *holder) until(ctx context.Context, s *candidate, i int) (*candidate, error) {
	c := h.clock
	for {
		when, whose := c.due(s)
		if len(whose) == 0 || when.After(c.now) || slices.ContainsFunc(h.urgent, func(u urgent) bool { return s.marking.Has(u.due) }) {
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if h.kept++; h.kept > h.limits.Kept {
			return nil, LimitError{fmt.Sprintf("more than %d lines and ticks would have to be kept", h.limits.Kept)}
		}
		tick := &h.draft.Net.Transitions[c.tick]
		net := *h.draft.Net
		part := c.of(tick, whose)
		net.Transitions = []petri.Transition{part}
		after, contact := net.Fire(s.marking, []int{0})
		if contact >= 0 {
			return nil, fmt.Errorf("the contract is ill-formed: here %s. 'redline check' shows the steps that lead there", explain.Collision(h.draft, contact))
		}
		running := 0
		for _, w := range c.watches {
			running += min(1, w.ticksLeft(s.marking))
		}
		s = &candidate{marking: after, since: c.restarted(s.since, s.marking, after, &part, when, whose...), ticked: when,
			how: &way{from: s.how, fired: []int{c.tick}, after: after, line: i, passed: true, at: when, partly: len(whose) < running}}
	}
}
