package reduce

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// errNoRun says that a run is not one of the reduced net from its initial marking, or that the original is not one-safe.
var errNoRun = errors.New("reduce: the run can't be fired in the original net")

// errLong says that a run is too long to be useful.
var errLong = fmt.Errorf("reduce: the run has more than %d steps in the original net", mostSteps)

const mostSteps = 100_000

// Run returns the run of the original net, from its initial marking, that a run of the reduced net from its initial marking stands for. In its
// last marking or on its loop, and on the way there, the formula's atoms hold as in the reduced run, each perhaps for more steps.
//
// From a dead end of the reduced net Run continues to one of the original if the formula needs that: for forever if run.Dead is set, for dead
// always. Run reads only the steps of run, each a single transition. The error is the context's cause, or says that the run is none of the
// reduced net, or too long.
func (x *Reduced) Run(ctx context.Context, run ctl.Run) (ctl.Run, error) {
	l := &lifter{Reduced: x, ctx: ctx, at: slices.Clone(petri.Marking(x.original.Initial))}
	l.run = ctl.Run{Markings: []petri.Marking{l.at}, Loop: -1, Dead: run.Dead}
	for _, f := range x.prefix {
		l.fire(f)
	}
	if run.Loop < 0 {
		l.steps(run.Steps)
		if run.Dead || x.Needs&dead != 0 {
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

// A lifter is a run of the original while it is being built.
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

// fire fires the original transitions of f in order.
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

// round repeats a loop until a marking recurs. Places that the reduced net lacks may take a few rounds to settle. Each round changes them
// alike, so that in a one-safe net the second round ends as the first.
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

// end fires removed transitions that can still fire, those removed last first, so that a dead end of the reduced net becomes one of the
// original.
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

// dead checks that no transition can fire at the end of the run.
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
