package conform

import (
	"context"
	"errors"
	"fmt"
	"github.com/redlinehq/redline/hclspec/duration"
	"slices"
	"time"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
)

// Limits bound the replay of a log.
type Limits struct {
	Possible int // candidates at once
	Kept     int // candidates in all
}

// DefaultLimits returns the limits of a command without flags.
func DefaultLimits() Limits { return Limits{Possible: 10_000, Kept: 2_000_000} }

// A LimitError reports that a limit ended the replay of a log.
type LimitError struct{ why string }

func (e LimitError) Error() string { return e.why }

// A candidate is a marking that the log leaves possible.
type candidate struct {
	marking petri.Marking
	chosen  []int     // if firing = all: the transitions of the step under way, sorted
	since   []start   // if the column time lets time pass: of each clock
	ticked  time.Time // and when the last tick was
	how     *way
}

// A way is the last step to a candidate, with the way before it.
type way struct {
	from    *way  // nil: the start
	fired   []int // transitions of the last step; none: the line was added to the step under way, or is a tick that changes nothing
	after   petri.Marking
	line    int       // index of the line
	passed  bool      // time has passed before that line
	idle    bool      // it is a tick that changes nothing
	at      time.Time // when that was; zero: the log's times let none pass
	partly  bool      // time has passed for some of the running clocks only, so this is no step of the net
	several bool      // there is another way to the same candidate
}

// A holder replays one log.
type holder struct {
	draft  *compile.Draft
	log    *Log
	book   *book
	limits Limits
	clock  *clock       // nil: ticks are lines of the log
	urgent []urgent     // what happens by itself
	now    []*candidate // the candidates, in the order in which they were found; no two are the same
	kept   int
}

// Replay replays a log on a contract. If period is not nil, time passes by the log's column time, one tick each period. An error is a LimitError,
// a contact, which no contract may have, an invalid time, or the cause of the context's end.
func Replay(ctx context.Context, d *compile.Draft, log *Log, period *duration.Period, limits Limits) (*Answer, error) {
	switch {
	case d.Spec == nil:
		return nil, errors.New("the contract is ill-formed: 'redline check' says where")
	case d.Unbuilt() != "":
		return nil, LimitError{d.Unbuilt()}
	case period != nil && d.Rule == petri.All:
		return nil, errors.New("where firing = all, what happens at one moment with a tick can't be told from times: log the ticks")
	}
	h := &holder{draft: d, log: log, book: index(d), limits: limits, urgent: urgentOf(d), now: []*candidate{{marking: petri.Marking(d.Net.Initial)}}}
	if period != nil {
		h.clock = newClock(d, period)
		h.now[0].since = h.clock.started(h.now[0].marking, period.Start)
	}
	for i := range log.Lines {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		deviation, err := h.line(ctx, i)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", log.Lines[i].Number, err)
		}
		if deviation != nil {
			return h.answer(ctx, deviation)
		}
	}
	deviation, err := h.end(ctx)
	if err != nil {
		return nil, err
	}
	return h.answer(ctx, deviation)
}

// line replays line i. It returns the deviation if no candidate is left.
func (h *holder) line(ctx context.Context, i int) (*Deviation, error) {
	if h.clock != nil {
		if err := h.pass(ctx, i); err != nil {
			return nil, err
		}
	}
	meant, next := h.book.meant(&h.log.Lines[i]), h.newCandidates()
	ends, err := h.settled(ctx, h.now, i, func(s *candidate) error { return h.happen(next, s, i, meant) })
	if err != nil {
		return nil, err
	}
	if len(next.list) == 0 {
		h.now = ends
		return h.deviation(ctx, i)
	}
	h.now = next.list
	return nil, nil
}

// happen adds the candidates that a line can lead to from one candidate.
func (h *holder) happen(next *candidates, s *candidate, i int, meant []int) error {
	if h.log.Lines[i].tick() {
		if err := h.idle(next, s, i, meant); err != nil {
			return err
		}
	}
	if h.draft.Rule == petri.All {
		return h.several(next, s, i, meant)
	}
	for _, t := range meant {
		if !h.draft.Net.Fireable(s.marking, t) || h.itself(t) != nil && h.late(s) {
			continue
		}
		after, err := h.fire(s.marking, []int{t})
		if err == nil {
			err = next.add(&candidate{marking: after, since: h.since(s, after, t), ticked: s.ticked, how: &way{from: s.how, fired: []int{t}, after: after, line: i}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// idle adds the candidate in which time passes and nothing waits for it, after the step under way.
func (h *holder) idle(next *candidates, s *candidate, i int, ticks []int) error {
	if len(s.chosen) > 0 {
		if h.together(i) {
			return nil
		}
		var err error
		if s, err = h.complete(s); err != nil || s == nil {
			return err
		}
	}
	if h.draft.Net.Waits(s.marking, ticks) {
		return nil
	}
	return next.add(&candidate{marking: s.marking, how: &way{from: s.how, line: i, idle: true}})
}

// since returns the starts of all clocks after a transition, which happens now or, if it does so by itself, when it was due; nil if ticks are lines
// of the log.
func (h *holder) since(s *candidate, after petri.Marking, t int) []start {
	if h.clock == nil {
		return nil
	}
	if h.itself(t) != nil && !s.ticked.IsZero() {
		return h.sinceAt(s, after, t, s.ticked)
	}
	return h.sinceAt(s, after, t, h.clock.now)
}

// fire fires a step that is enabled. The error is a contact.
func (h *holder) fire(m petri.Marking, step []int) (petri.Marking, error) {
	after, contact := h.draft.Net.Fire(m, step)
	if contact >= 0 {
		return nil, fmt.Errorf("the contract is ill-formed: here %s. 'redline check' shows the steps that lead there", explain.Collision(h.draft, contact))
	}
	return after, nil
}

// several is happen for firing = all. The line belongs to the step under way, or begins the next step if the one under way is complete.
func (h *holder) several(next *candidates, s *candidate, i int, meant []int) error {
	if len(s.chosen) == 0 || !h.apart(i) {
		if err := h.join(next, s, i, meant); err != nil {
			return err
		}
	}
	if len(s.chosen) == 0 || h.together(i) {
		return nil
	}
	after, err := h.complete(s)
	if err != nil || after == nil {
		return err
	}
	return h.join(next, after, i, meant)
}

// together reports whether the log puts a line and the one before it in one step, and apart whether in two. If the log has no steps, neither.
func (h *holder) together(i int) bool {
	return h.stepped(i) && h.log.Lines[i].Step == h.log.Lines[i-1].Step
}
func (h *holder) apart(i int) bool {
	return h.stepped(i) && h.log.Lines[i].Step != h.log.Lines[i-1].Step
}
func (h *holder) stepped(i int) bool {
	return i > 0 && h.log.Lines[i].Step != "" && h.log.Lines[i-1].Step != ""
}

// join adds the candidates in which a line is added to the step under way.
func (h *holder) join(next *candidates, s *candidate, i int, meant []int) error {
	for _, t := range meant {
		if !h.fits(s, t) {
			continue
		}
		chosen := append(slices.Clone(s.chosen), t)
		slices.Sort(chosen)
		if err := next.add(&candidate{marking: s.marking, chosen: chosen, how: &way{from: s.how, line: i}}); err != nil {
			return err
		}
	}
	return nil
}

// fits reports whether a transition can fire together with those of the step under way.
func (h *holder) fits(s *candidate, t int) bool {
	return h.draft.Net.Fireable(s.marking, t) &&
		!slices.ContainsFunc(s.chosen, func(u int) bool { return t == u || h.draft.Net.Compete(t, u) })
}

// complete takes the step under way. It returns nil if the step is not maximal.
func (h *holder) complete(s *candidate) (*candidate, error) {
	if !h.draft.Net.IsStep(s.marking, petri.All, s.chosen) {
		return nil, nil
	}
	after, err := h.fire(s.marking, s.chosen)
	if err != nil {
		return nil, err
	}
	return &candidate{marking: after, how: &way{from: s.how, fired: s.chosen, after: after, line: s.how.line}}, nil
}

// end takes the step under way at the end of the log. It returns a deviation if no candidate is left.
func (h *holder) end(ctx context.Context) (*Deviation, error) {
	next := h.newCandidates()
	for _, s := range h.now {
		after, err := s, error(nil)
		if len(s.chosen) > 0 {
			after, err = h.complete(s)
		}
		if err == nil && after != nil {
			err = next.add(after)
		}
		if err != nil {
			return nil, fmt.Errorf("at the end of the log: %w", err)
		}
	}
	if len(next.list) == 0 {
		return h.unfinished(ctx)
	}
	var err error
	h.now, err = h.settled(ctx, next.list, len(h.log.Lines)-1, nil)
	return nil, err
}
