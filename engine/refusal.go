package engine

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Which step of the run of a new violation base would have refused. Base is followed by all the markings
// it can be in after what happened so far.

// maxFollowing bounds the transitions that are tried on base to follow one run.
const maxFollowing = 5_000_000

// refuse says of each new violation where base would have refused its run.
func (v *versions) refuse(ctx context.Context, findings []Finding) {
	if v.base.draft.unbuilt != "" || v.head.draft.unbuilt != "" {
		return
	}
	x := sightsOf(v.base.draft, v.head.draft, v.names)
	var group errgroup.Group
	group.SetLimit(max(v.budget.Jobs, 1))
	for i := range findings {
		f := &findings[i]
		if trace := f.newRun(); trace != nil {
			group.Go(func() error {
				if ctx.Err() == nil {
					if f.Refusal = v.refusal(x, trace); f.Refusal == nil {
						f.Lost = v.lost(x, trace)
					}
				}
				return nil
			})
		}
	}
	_ = group.Wait() // none fails
}

// newRun is the run of a violation that base did not have; nil where there is none.
func (f *Finding) newRun() *Trace {
	switch {
	case f.Kind != New && f.Kind != Weakened:
		return nil
	case f.Head != nil:
		return f.Head.Trace
	}
	return f.Check.Trace
}

// refusal follows base along a run of head. It is nil, too, where that is too much work.
func (v *versions) refusal(x *sights, trace *Trace) *Refusal {
	r := v.follow(x, 0)
	start, err := r.start()
	if err != nil {
		return nil
	}
	return r.along(trace, start)
}

// refusing is base on its way along a run of head.
type refusing struct {
	*follower
	*sights
	deeds map[deed]int
	draft *Draft // head
	blind bool   // time is not observed
}

// overlookTime is for steps of many transitions: time is then observed only if both drafts have clocks,
// and passes only where one runs.
func (r *refusing) overlookTime() {
	ticks := func(side int) bool {
		return slices.ContainsFunc(r.of[side], func(s int) bool { return r.all[s].deed == r.sights.time })
	}
	r.follower.time = -1
	r.blind = !ticks(0) || !ticks(1)
	for t, seen := range r.seen {
		if r.blind && seen == r.sights.time {
			r.seen[t] = -1
		}
	}
}

// maxRounds is how often base is led round a loop that it has not refused.
const maxRounds = 100

// along follows base through a run, its loop, and what continues it.
func (r *refusing) along(trace *Trace, at crowd) *Refusal {
	places := []crowd{at} // after so many steps
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
	if len(trace.Then) != 1 || trace.Then[0].after >= len(places) {
		return nil
	}
	return r.along(trace.Then[0], places[trace.Then[0].after])
}

// observedStep is a step of a run.
type observedStep struct {
	number int
	seen   observation
}

// take is where base can be after one more step; else how it refuses it, nil where that is unknown.
func (r *refusing) take(at crowd, step observedStep) (crowd, *Refusal) {
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
	return nil, &Refusal{Step: step.number, Instead: r.says(instead)}
}

// observed is what is observed of firings of head, step by step.
func (r *refusing) observed(firings []Firing) []observedStep {
	var list []observedStep
	for _, f := range firings {
		if len(list) == 0 || list[len(list)-1].number != f.Step {
			list = append(list, observedStep{number: f.Step})
		}
		if d := r.deedOf(f); d != r.sights.time || !r.blind {
			last := &list[len(list)-1]
			last.seen = append(last.seen, d)
			slices.Sort(last.seen)
		}
	}
	return list
}

// deedOf is what a firing of head does.
func (r *refusing) deedOf(f Firing) int {
	if f.Event == "" {
		return r.deeds[deed{kind: transitionDeed, name: f.Transitions[0]}]
	}
	kind := eventDeed
	if e := r.draft.event(f.Event); e.Moving {
		kind = timeDeed
	}
	return r.deeds[deed{kind: kind, name: f.Event}]
}

// sameCrowd reports whether two crowds are of the same markings.
func sameCrowd(a, b crowd) bool {
	return len(a) == len(b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
