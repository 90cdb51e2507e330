package slice

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// errNoRun says that a run of a slice can't be fired in the net, which is a defect.
var errNoRun = errors.New("slice: the run can't be fired in the net")

// Lift returns evidence from a slice as evidence about the net: the same steps from the net's initial marking, with all its tokens. A loop is gone round
// until a marking recurs, and where the slice is at its end, silent transitions come to an end first.
func Lift(n *petri.Net, e *ctl.Evidence) (*ctl.Evidence, error) {
	return lifter{n}.lift(e, slices.Clone(petri.Marking(n.Initial)))
}

type lifter struct{ net *petri.Net }

// lift returns evidence that starts in a marking.
func (l lifter) lift(e *ctl.Evidence, at petri.Marking) (*ctl.Evidence, error) {
	run := ctl.Run{Markings: []petri.Marking{at}, Loop: -1, Dead: e.Run.Dead}
	before := e.Run.Steps
	if e.Run.Loop >= 0 {
		before = before[:e.Run.Loop]
	}
	err := l.fire(&run, before)
	switch {
	case err != nil:
	case e.Run.Loop >= 0:
		err = l.round(&run, e.Run.Steps[e.Run.Loop:])
	case e.Run.Dead:
		err = l.end(&run)
	}
	lifted := &ctl.Evidence{Formula: e.Formula, Holds: e.Holds, Run: run}
	for _, b := range e.Next {
		if err != nil {
			break
		}
		here := b.At
		switch {
		case e.Run.Loop >= 0 && b.At == e.Run.Loop:
			here = run.Loop
		case b.At == len(e.Run.Markings)-1:
			here = len(run.Markings) - 1
		}
		var next *ctl.Evidence
		next, err = l.lift(b.Evidence, run.Markings[here])
		lifted.Next = append(lifted.Next, ctl.Because{At: here, Evidence: next})
	}
	return lifted, err
}

// fire adds steps to a run.
func (l lifter) fire(run *ctl.Run, steps [][]int) error {
	for _, step := range steps {
		at := run.Markings[len(run.Markings)-1]
		if !l.net.IsStep(at, petri.One, step) {
			return errNoRun
		}
		after, contact := l.net.Fire(at, step)
		if contact >= 0 {
			return errNoRun
		}
		run.Markings, run.Steps = append(run.Markings, after), append(run.Steps, step)
	}
	return nil
}

// round adds steps that are repeated until a marking with which they begin recurs. Tokens that do not matter may take a few rounds to settle.
func (l lifter) round(run *ctl.Run, steps [][]int) error {
	var starts []int
	for {
		last := len(run.Markings) - 1
		for _, s := range starts {
			if slices.Equal(run.Markings[s], run.Markings[last]) {
				run.Loop, run.Markings = s, run.Markings[:last]
				return nil
			}
		}
		if starts = append(starts, last); len(starts) > len(l.net.Places)+2 {
			return errNoRun
		}
		if err := l.fire(run, steps); err != nil {
			return err
		}
	}
}

// end adds steps until the run is at a dead end.
func (l lifter) end(run *ctl.Run) error {
	for {
		steps := l.net.Steps(run.Markings[len(run.Markings)-1], petri.One)
		if len(steps) == 0 {
			return nil
		}
		if t := l.net.Transitions[steps[0][0]]; !t.Moving || len(t.In)+len(t.Out)+len(t.Marks) > 0 {
			return errNoRun
		}
		if err := l.fire(run, steps[:1]); err != nil {
			return err
		}
	}
}
