package conform

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
)

// An Answer reports whether a log conforms, and the state of the contract at its end. If the log deviates, it is the state before that.
type Answer struct {
	Draft     *compile.Draft
	Lines     int      // of the log
	Ignored   []string // columns that were not read
	Deviation *Deviation
	Possible  int                  // how many markings are possible
	States    []finding.PartyState // of each party, in the first of them
	Final     Final
	Dues      []Due
	Next      []Option // what can happen
	More      bool     // Next may lack some: there was too much to try
	Run       []Step   // a run that explains the log so far
	Only      bool     // no other run explains it
	partly    bool     // some tick of it is one of some deadlines only
}

// A Step is one step of a run.
type Step struct {
	Fired  []int     // transitions of the composed net; none: time has passed, and that changes nothing
	Line   *Line     // the last line of the log in it; if only time has passed, the line before which it has
	Passed bool      // time has passed, or something has happened by itself
	At     time.Time // if Passed, when; zero: the log's times let no time pass
}

// Final reports whether the contract may end in the possible states.
type Final uint8

const (
	Undeclared Final = iota // the contract declares no final states
	IsFinal
	NotFinal
	MaybeFinal // in some of the possible markings only
	Undecided  // the state alone does not decide it
)

func (f Final) String() string {
	return [...]string{"undeclared", "final", "not-final", "maybe", "undecided"}[f]
}

// A Due is an obligation, permission, prohibition or power that binds or is held, or a breach.
type Due struct {
	explain.Due
	Possible bool  // in some of the possible markings only
	Since    *Line // of a breach, the line with which it came; nil: at the start
	Passed   bool  // it came as time passed, before that line
}

// An Option is something that can happen next.
type Option struct {
	Name        string   // of the event; of a transition that no event mentions, its canonical name
	Event       bool     // Name is that of an event
	Title       string   // may be empty
	Clause      string   // likewise
	Parties     []string // that take part, as lists call them; none where it happens by itself
	Itself      bool     // it happens by itself
	Transitions []string // the canonical names
}

// maxLooks bounds the tests for enabled transitions that find the options.
const maxLooks = 5_000_000

func (h *holder) answer(ctx context.Context, deviation *Deviation) (*Answer, error) {
	first := h.now[0]
	a := &Answer{Draft: h.draft, Lines: len(h.log.Lines), Ignored: h.log.Ignored, Deviation: deviation, Possible: len(h.now)}
	a.States = explain.PartiesAt(h.draft, first.marking)
	var several bool
	a.Run, several, a.partly = h.run(first.how)
	a.Only = !several && !a.partly && len(h.now) == 1
	a.Final = h.final()
	var err error
	if a.Next, a.More, err = h.options(ctx); err == nil {
		a.Dues, err = h.dues(ctx)
	}
	return a, err
}

// run returns the run that led to a candidate. several reports that another run does, too, and partly that this is none of the net.
func (h *holder) run(w *way) (steps []Step, several, partly bool) {
	for ; w != nil; w = w.from {
		several, partly = several || w.several, partly || w.partly
		if len(w.fired) > 0 || w.idle {
			steps = append(steps, Step{w.fired, &h.log.Lines[w.line], w.passed, w.at})
		}
	}
	slices.Reverse(steps)
	return steps, several, partly
}

func (h *holder) final() Final {
	switch {
	case h.draft.Spec.Final == nil:
		return Undeclared
	case h.draft.Final == nil: // it is ill-formed, which check reports
		return Undecided
	}
	yes, no := 0, 0
	for _, s := range h.now {
		switch value, known := explain.Truth(h.draft, s.marking, h.draft.Final); {
		case !known:
			return Undecided
		case value:
			yes++
		default:
			no++
		}
	}
	switch {
	case no == 0:
		return IsFinal
	case yes == 0:
		return NotFinal
	}
	return MaybeFinal
}

// options returns the possible next steps in all candidates, in order of the net. more reports that there may be others.
func (h *holder) options(ctx context.Context) (list []Option, more bool, err error) {
	can, looks := map[int]bool{}, 0
	for _, s := range h.now {
		if looks += len(h.draft.Net.Transitions); looks > maxLooks && s != h.now[0] {
			more = true
			break
		}
		if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		after := s
		if len(s.chosen) > 0 {
			if after, err = h.complete(s); err != nil {
				return nil, false, err
			}
		}
		for t := range h.draft.Net.Transitions {
			if h.fits(s, t) || after != nil && after != s && h.draft.Net.Fireable(after.marking, t) {
				can[t] = true
			}
		}
	}
	for t := range h.draft.Net.Transitions {
		if can[t] {
			list = option(h.draft, t, list)
		}
	}
	return list, more, nil
}

// option adds the option of a transition, unless the list has it.
func option(d *compile.Draft, t int, list []Option) []Option {
	f := explain.Firing(d, 0, t, nil)
	o := Option{Name: f.Event, Event: f.Event != "", Title: f.Title, Clause: f.Clause}
	name := explain.TransitionName(d, t)
	if !o.Event {
		o.Name = name
	}
	if e := explain.Event(d, t); e != nil && e.Due != nil {
		o.Itself = true
	} else {
		for _, p := range explain.Actors(d, t) {
			o.Parties = append(o.Parties, explain.Called(d, p))
		}
	}
	for i := range list {
		if same := &list[i]; same.Name == o.Name && same.Event == o.Event && slices.Equal(same.Parties, o.Parties) {
			if !slices.Contains(same.Transitions, name) {
				same.Transitions = append(same.Transitions, name)
			}
			return list
		}
	}
	o.Transitions = []string{name}
	return append(list, o)
}

// dues returns the norms that bind or are breached in any candidate, each once.
func (h *holder) dues(ctx context.Context) ([]Due, error) {
	type same struct {
		norm  int
		state string
		left  int
	}
	number, duties := map[string]int{}, explain.DutiesOf(h.draft)
	for i, n := range h.draft.Spec.Norms {
		number[n.Name] = i
	}
	found, count, all := map[same]*Due{}, map[same]int{}, []same{}
	for _, s := range h.now {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for _, due := range duties.In(s.marking) {
			key := same{number[due.Norm.Name], due.State, due.Left}
			if found[key] != nil {
				found[key].Idle = found[key].Idle && due.Idle
			}
			if count[key]++; found[key] == nil {
				found[key] = &Due{Due: due}
				all = append(all, key)
				if due.Breached {
					h.arose(found[key], s)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b same) int { return cmp.Or(a.norm-b.norm, a.left-b.left, cmp.Compare(a.state, b.state)) })
	var list []Due
	for _, key := range all {
		found[key].Possible = count[key] < len(h.now)
		list = append(list, *found[key])
	}
	return list, nil
}

// arose finds the line with which a breach came, on the run to a candidate.
func (h *holder) arose(due *Due, s *candidate) {
	breached := explain.Breached(h.draft, due.Norm)
	for w := s.how; w != nil; w = w.from {
		if len(w.fired) == 0 {
			continue
		}
		if !w.after.Has(breached) {
			return
		}
		due.Since, due.Passed = &h.log.Lines[w.line], w.passed
	}
}
