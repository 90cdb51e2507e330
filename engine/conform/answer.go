package conform

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
)

// An Answer says whether a log conforms, and how things stand at its end; or, where it deviates, right before it does.
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
	More      bool     // and there may be more: it was too much to go through
	Run       []Step   // a run that explains the log so far
	Only      bool     // no other does
}

// A Step of a run.
type Step struct {
	Fired  []int // transitions of the composed net
	Line   *Line // the last of the log that is in it; where time has passed, the one before which it has
	Passed bool  // time has passed
}

// Final says whether a state is one in which the contract may end.
type Final uint8

const (
	Undeclared Final = iota // the contract doesn't say
	IsFinal
	NotFinal
	MaybeFinal // what is possible differs
	Undecided  // the state alone doesn't say
)

func (f Final) String() string {
	return [...]string{"undeclared", "final", "not-final", "maybe", "undecided"}[f]
}

// A Due is what somebody owes, or may or must not do, or has breached.
type Due struct {
	explain.Due
	Possible bool  // it is so in some of the possible markings only
	Since    *Line // of a breach, the line with which it came; nil: at the start
	Passed   bool  // it came as time passed, before that line
}

// An Option is something that can happen.
type Option struct {
	Name        string   // of the event; of a transition that no event mentions, its canonical name
	Event       bool     // it is an event's
	Title       string   // may be empty
	Clause      string   // likewise
	Parties     []string // that take part, as people call them
	Transitions []string // the canonical names
}

// maxLooks bounds how often it is asked whether a transition can fire, to say what can happen.
const maxLooks = 5_000_000

func (h *holder) answer(ctx context.Context, deviation *Deviation) (*Answer, error) {
	first := h.now[0]
	a := &Answer{Draft: h.draft, Lines: len(h.log.Lines), Ignored: h.log.Ignored, Deviation: deviation, Possible: len(h.now)}
	a.States = explain.PartiesAt(h.draft, first.marking)
	a.Run, a.Only = h.run(first.how)
	a.Only = a.Only && len(h.now) == 1
	a.Final = h.final()
	var err error
	if a.Next, a.More, err = h.options(ctx); err == nil {
		a.Dues, err = h.dues(ctx)
	}
	return a, err
}

// run is the way that led somewhere; alone says that there is no other, and that it is a run of the net.
func (h *holder) run(w *way) (steps []Step, alone bool) {
	alone = true
	for ; w != nil; w = w.from {
		alone = alone && !w.several && !w.partly
		if len(w.fired) > 0 {
			steps = append(steps, Step{w.fired, &h.log.Lines[w.line], w.passed})
		}
	}
	slices.Reverse(steps)
	return steps, alone
}

func (h *holder) final() Final {
	switch {
	case h.draft.Spec.Final == nil:
		return Undeclared
	case h.draft.Final == nil: // it is ill-formed, as check says
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

// options lists what can happen in what is possible, in order of the net.
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

// option adds what a transition does, unless the same is there.
func option(d *compile.Draft, t int, list []Option) []Option {
	f := explain.Firing(d, 0, t, nil)
	o := Option{Name: f.Event, Event: f.Event != "", Title: f.Title, Clause: f.Clause}
	name := explain.TransitionName(d, t)
	if !o.Event {
		o.Name = name
	}
	for _, p := range explain.Actors(d, t) {
		o.Parties = append(o.Parties, explain.Called(d, p))
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

// dues lists what is due in what is possible, each once.
func (h *holder) dues(ctx context.Context) ([]Due, error) {
	type same struct {
		norm     int
		breached bool
		left     int
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
			key := same{number[due.Norm.Name], due.Breached, due.Left}
			if count[key]++; found[key] == nil {
				found[key] = &Due{Due: due}
				all = append(all, key)
				if due.Breached {
					h.arose(found[key], s)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b same) int { return cmp.Or(a.norm-b.norm, a.left-b.left) })
	var list []Due
	for _, key := range all {
		found[key].Possible = count[key] < len(h.now)
		list = append(list, *found[key])
	}
	return list, nil
}

// arose finds the line with which a breach came, on the way to where it stands.
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
