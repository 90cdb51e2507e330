package reduce

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// errNoRun says that a run is none of the reduced net from its initial marking, or that the original was not one-safe.
var errNoRun = errors.New("reduce: the run can't be fired in the original net")

// errLong says that a run is too long to be of use to anybody.
var errLong = fmt.Errorf("reduce: the run has more than %d steps in the original net", mostSteps)

const mostSteps = 100_000

// Run is the run of the original net, from its initial marking, that a run of the reduced net from its initial marking stands for: in
// its last marking, or round its loop, and on the way there, the formula's atoms hold as they do in the reduced run, each perhaps for
// more steps. From a dead end of the reduced net it goes on to one of the original, if the formula needs that: where run is said to
// be Dead, for formulas that need Forever, and in any case for those that need Dead. Only the steps of run are looked at, each one transition. An error is the context's cause, or that
// the run is none, or too long.
func (x *Reduced) Run(ctx context.Context, run ctl.Run) (ctl.Run, error) {
	l := &lifter{Reduced: x, ctx: ctx, at: slices.Clone(petri.Marking(x.original.Initial))}
	l.run = ctl.Run{Markings: []petri.Marking{l.at}, Loop: -1, Dead: run.Dead}
	for _, f := range x.prefix {
		l.fire(f)
	}
	if run.Loop < 0 {
		l.steps(run.Steps)
		if run.Dead || x.Needs&Dead != 0 {
			l.end()
		}
		if run.Dead {
			l.dead()
		}
		return l.run, l.err
	}
	if run.Loop >= len(run.Steps) {
		return ctl.Run{}, errNoRun
	}
	l.steps(run.Steps[:run.Loop])
	l.round(run.Steps[run.Loop:])
	return l.run, l.err
}

// A lifter is a run of the original as far as it is known.
type lifter struct {
	*Reduced
	ctx context.Context
	at  petri.Marking
	run ctl.Run
	err error
}

func (l *lifter) steps(steps [][]int) {
	for _, step := range steps {
		if len(step) != 1 || step[0] < 0 || step[0] >= len(l.does) {
			l.err = errNoRun
			return
		}
		l.fire(l.does[step[0]])
	}
}

// fire fires the original transitions one after the other.
func (l *lifter) fire(f *firing) {
	for t := range f.each() {
		if l.err == nil && l.ctx.Err() != nil {
			l.err = context.Cause(l.ctx)
		}
		if l.err == nil && len(l.run.Steps) >= mostSteps {
			l.err = errLong
		}
		if l.err == nil && !l.original.Fireable(l.at, t) {
			l.err = errNoRun
		}
		if l.err != nil {
			return
		}
		after, contact := l.original.Fire(l.at, []int{t})
		if contact >= 0 {
			l.err = errNoRun
			return
		}
		l.at = after
		l.run.Steps, l.run.Markings = append(l.run.Steps, []int{t}), append(l.run.Markings, after)
	}
}

// round goes round a loop until a marking is there again. Places that the reduced net has not may take a few
// rounds to settle: each round changes them alike, so that in a one-safe net the second ends as the first.
func (l *lifter) round(steps [][]int) {
	var starts []int
	for l.err == nil {
		here := len(l.run.Steps)
		for _, s := range starts {
			if slices.Equal(l.run.Markings[s], l.at) {
				l.run.Loop, l.run.Markings = s, l.run.Markings[:here]
				return
			}
		}
		if starts = append(starts, here); len(starts) > len(l.original.Places)+2 {
			l.err = errNoRun
			return
		}
		l.steps(steps)
	}
}

// end fires what was taken away and can still be fired, last taken first, so that a dead end of the reduced net becomes one of the original.
func (l *lifter) end() {
	for _, rest := range slices.Backward(l.rests) {
		for i := 0; i < len(rest) && l.err == nil; i++ {
			if l.can(rest[i]) {
				l.fire(rest[i])
				i = -1
			}
		}
	}
}

// dead checks that the run ends where nothing can be fired.
func (l *lifter) dead() {
	for t := range l.original.Transitions {
		if l.err == nil && l.original.Fireable(l.at, t) {
			l.err = errNoRun
		}
	}
}

// can reports whether a sequence of transitions can be fired.
func (l *lifter) can(f *firing) bool {
	at := l.at
	for t := range f.each() {
		if !l.original.Fireable(at, t) {
			return false
		}
		after, contact := l.original.Fire(at, []int{t})
		if contact >= 0 {
			return false
		}
		at = after
	}
	return true
}
