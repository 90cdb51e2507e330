package behaviour

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// This file finds the first step of a new violation's run that base would have refused. It follows base through all markings that it can be
// in.

// MaxFollowing bounds the transitions that are tried on base to follow one run.
const MaxFollowing = 5_000_000

// Refuse sets Refusal or Lost of each new violation.
func (v *Versions) Refuse(ctx context.Context, findings []finding.Finding) {
	if v.Base.Draft.Failure != "" || v.Head.Draft.Failure != "" {
		return
	}
	x := ObservablesOf(v.Base.Draft, v.Head.Draft, v.Names)
	var group errgroup.Group
	group.SetLimit(max(v.Budget.Jobs, 1))
	for i := range findings {
		f := &findings[i]
		if trace := NovelRun(f); trace != nil {
			group.Go(func() error {
				if ctx.Err() == nil {
					ends := f.Head != nil && f.Head.Scenario != nil && f.Head.Scenario.Stops == 0 // a scenario that is possible goes no further
					if f.Refusal = v.Refusal(x, trace); f.Refusal == nil && !ends {
						f.Lost = v.lost(x, trace)
					}
				}
				return nil
			})
		}
	}
	_ = group.Wait() // none fails
}

// NovelRun returns the run of a violation that base did not have, or nil.
func NovelRun(f *finding.Finding) *finding.Trace {
	switch {
	case !f.Novel():
		return nil
	case f.Head != nil:
		return f.Head.Trace
	}
	return f.Check.Trace
}

// Refusal returns the first step of a run of head that base refuses. It returns nil if base refuses none, or if that takes too much work.
func (v *Versions) Refusal(x *Observables, trace *finding.Trace) *finding.Refusal {
	r := v.follow(x, 0)
	start, err := r.start()
	if err != nil {
		return nil
	}
	return r.along(trace, start)
}

// A runFollower follows base, or head, along a run of head.
type runFollower struct {
	*follower
	*Observables
	actions map[Action]int
	draft   *compile.Draft // head
}

// maxRounds is how often base is followed around a loop that it does not refuse.
const maxRounds = 100

// along follows base through a run, its loop, and its continuation.
func (r *runFollower) along(trace *finding.Trace, at crowd) *finding.Refusal {
	places := []crowd{at} // by number of steps taken
	for _, step := range r.observed(trace.Prefix) {
		next, refusal := r.take(places[len(places)-1], step)
		if next == nil {
			return refusal
		}
		places = append(places, next)
	}
	loop := r.observed(trace.Loop)
	at = places[len(places)-1]
	for round := 0; round < maxRounds && len(loop) > 0; round++ {
		began := at
		for _, step := range loop {
			next, refusal := r.take(at, step)
			if next == nil {
				if refusal != nil {
					refusal.Again = round > 0
				}
				return refusal
			}
			if at = next; round == 0 {
				places = append(places, at)
			}
		}
		if sameCrowd(began, at) {
			break
		}
	}
	if len(trace.Then) != 1 || trace.Then[0].After >= len(places) {
		return nil
	}
	return r.along(trace.Then[0], places[trace.Then[0].After])
}

// An observedStep is a step of a run, with its observation.
type observedStep struct {
	number int
	seen   Observation
}

// take returns the markings of base after one more step, or the refusal. Both are nil if that is unknown.
func (r *runFollower) take(at crowd, step observedStep) (crowd, *finding.Refusal) {
	if len(step.seen) == 0 {
		return at, nil
	}
	next, err := r.after(at, step.seen)
	if err != nil || len(next) > 0 {
		return next, nil
	}
	instead, err := r.next(at, false)
	if err != nil {
		return nil, nil
	}
	return nil, &finding.Refusal{Step: step.number, Instead: r.describeAll(instead), Later: r.Observables.later(r.follower.later(at, step.seen))}
}

// observed returns the observations of firings of head, step by step.
func (r *runFollower) observed(firings []finding.Firing) []observedStep {
	var list []observedStep
	for _, f := range firings {
		if len(list) == 0 || list[len(list)-1].number != f.Step {
			list = append(list, observedStep{number: f.Step})
		}
		if d := r.actionOf(f); d != r.Time || !r.blind {
			last := &list[len(list)-1]
			last.seen = append(last.seen, d)
			slices.Sort(last.seen)
		}
	}
	return list
}

// actionOf returns the action of a firing of head.
func (r *runFollower) actionOf(f finding.Firing) int {
	if f.Event == "" {
		return r.actions[Action{Kind: TransitionAction, Name: f.Transitions[0]}]
	}
	kind := EventAction
	if e := r.draft.Event(f.Event); e.Moving {
		kind = TimeAction
	}
	return r.actions[Action{Kind: kind, Name: f.Event}]
}

// sameCrowd reports whether two crowds have the same markings.
func sameCrowd(a, b crowd) bool {
	return len(a) == len(b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// If base refuses no step of a violation's run, the versions differ at its end: base has next actions there that head does not have.

// lost returns the titles of the actions that are possible next on base at the end of such a run, and not on head, sorted. It returns nil if
// that takes too much work.
func (v *Versions) lost(x *Observables, trace *finding.Trace) []string {
	if len(trace.Loop)+len(trace.Then) > 0 {
		return nil
	}
	then, told := v.ending(x, trace, 0)
	now, known := v.ending(x, trace, 1)
	if !told || !known {
		return nil
	}
	have := map[string]bool{}
	for _, what := range now {
		have[what] = true
	}
	var list []string
	for _, what := range then {
		if !have[what] {
			list = append(list, what)
		}
	}
	return list
}

// ending returns what can be observed next on one side at the end of a run of head.
func (v *Versions) ending(x *Observables, trace *finding.Trace, side int) ([]string, bool) {
	r := v.follow(x, side)
	at, err := r.start()
	for _, step := range r.observed(trace.Prefix) {
		if len(step.seen) > 0 && err == nil {
			at, err = r.after(at, step.seen)
		}
	}
	if err != nil {
		return nil, false
	}
	next, err := r.next(at, false)
	return r.describeAll(next), err == nil
}

// follow returns a follower of one side for runs of head.
func (v *Versions) follow(x *Observables, side int) *runFollower {
	draft := [2]*compile.Draft{v.Base.Draft, v.Head.Draft}[side]
	f := NewFollower(draft, x.idle, MaxFollowing)
	for t, s := range x.Of[side] {
		if x.seen(nil, x.All[s]) {
			f.Seen[t] = x.All[s].Action
		}
	}
	return &runFollower{follower: f, Observables: x, actions: Positions(x.Actions), draft: v.Head.Draft}
}
