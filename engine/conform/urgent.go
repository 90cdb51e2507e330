package conform

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/petri"
)

// A log may leave out what happens by itself: it happens when it is due, before any other line. A log may also name it, before time goes on:
// with times, on the day on which it is due.

// An urgent event happens by itself while a place is marked.
type urgent struct {
	due         int
	transitions []int
}

// urgentOf returns the events that happen by themselves, in the order in which they do.
func urgentOf(d *compile.Draft) (all []urgent) {
	at := d.PlacesAt()
	for _, e := range d.Urgent() {
		u := urgent{due: at[e.Due.Now]}
		for t := range d.Net.Transitions {
			if of := d.Net.Transitions[t].Event; of >= 0 && d.Events[of] == e {
				u.transitions = append(u.transitions, t)
			}
		}
		all = append(all, u)
	}
	return all
}

// byItself returns the candidates after the event that happens by itself next, before line i; none if none is due or it can't happen.
func (h *holder) byItself(s *candidate, i int) (list []*candidate, err error) {
	if h.draft.Rule == petri.All {
		return nil, nil // then the step of each is a line's matter
	}
	for _, u := range h.urgent {
		if !s.marking.Has(u.due) {
			continue
		}
		for _, t := range u.transitions {
			if !h.draft.Net.Fireable(s.marking, t) {
				continue
			}
			after, err := h.fire(s.marking, []int{t})
			if err != nil {
				return nil, err
			}
			if h.kept++; h.kept > h.limits.Kept {
				return nil, LimitError{fmt.Sprintf("more than %d lines and ticks would have to be kept", h.limits.Kept)}
			}
			list = append(list, &candidate{marking: after, since: h.sinceAt(s, after, t, s.ticked), ticked: s.ticked,
				how: &way{from: s.how, fired: []int{t}, after: after, line: i, passed: true, at: s.ticked}})
		}
		return list, nil
	}
	return nil, nil
}

// itself returns the event that happens by itself by a transition; nil if it is none's.
func (h *holder) itself(t int) *urgent {
	i := slices.IndexFunc(h.urgent, func(u urgent) bool { return slices.Contains(u.transitions, t) })
	if i < 0 {
		return nil
	}
	return &h.urgent[i]
}

// late reports whether the day on which something became due in a candidate is over; where ticks are shorter than a day, that tick.
func (h *holder) late(s *candidate) bool {
	if h.clock == nil || s.ticked.IsZero() {
		return false
	}
	if next := h.clock.period.After(s.ticked, 1); next.Before(s.ticked.AddDate(0, 0, 1)) {
		return !h.clock.now.Before(next)
	}
	return h.clock.now.Format(time.DateOnly) != s.ticked.Format(time.DateOnly)
}

// settled returns what candidates come to when all that is due happens by itself before line i. If way is given, it gets the candidates before
// that, too.
func (h *holder) settled(ctx context.Context, list []*candidate, i int, way func(*candidate) error) (ends []*candidate, err error) {
	if len(h.urgent) == 0 && way == nil {
		return list, nil
	}
	next := h.newCandidates()
	for list := list; len(list) > 0; list = list[1:] {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := list[0]
		after, err := h.byItself(s, i)
		if err == nil && way != nil {
			err = way(s)
		}
		switch {
		case err != nil || len(after) > 0:
		case len(h.urgent) == 0:
			next.list = append(next.list, s)
		default:
			err = next.add(s)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, after...)
	}
	return next.list, nil
}

// sinceAt returns when each clock was started, after a transition at some moment; nil if ticks are lines of the log.
func (h *holder) sinceAt(s *candidate, after petri.Marking, t int, moment time.Time) []start {
	if h.clock == nil {
		return nil
	}
	return h.clock.restarted(s.since, s.marking, after, &h.draft.Net.Transitions[t], moment)
}
