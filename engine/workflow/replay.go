package workflow

import (
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// replay fires the run of a finding on the net, from its initial marking, and checks its end. It fires with package petri, which is written from
// the definitions. It does not check that no final marking can be reached from the end, since that takes the whole state model.
func replay(n *petri.Net, f *Finding) error {
	at, steps := n.Initial, f.Run.Steps
	for i, m := range f.Run.Markings {
		if !slices.Equal(at, m) {
			return fmt.Errorf("after %d steps it is elsewhere", i)
		}
		if i == len(steps) {
			break
		}
		if len(steps[i]) != 1 || !n.Fireable(m, steps[i][0]) {
			return fmt.Errorf("step %d cannot be taken", i+1)
		}
		after, contact := n.Fire(m, steps[i])
		if contact >= 0 {
			return met(f, i, contact)
		}
		at = after
	}
	if len(steps) != len(f.Run.Markings)-1 {
		return errors.New("it has another number of steps than of markings")
	}
	return ended(n, f)
}

// met checks a run in which step i is in contact at a place: the finding must be that contact, and the step the last.
func met(f *Finding, i, place int) error {
	if f.Kind != Contact || f.Place != place || i != len(f.Run.Steps)-1 || i != len(f.Run.Markings)-1 {
		return fmt.Errorf("step %d is in contact", i+1)
	}
	return nil
}

// ended checks the end of a run without contact.
func ended(n *petri.Net, f *Finding) error {
	end := last(f.Run)
	switch f.Kind {
	case Contact:
		return errors.New("there is no contact")
	case DeadEnd:
		for t := range n.Transitions {
			if n.Fireable(end, t) {
				return errors.New("it does not end in a dead end")
			}
		}
	case Improper:
		if len(end) < 2 {
			return errors.New("nothing besides the sink is marked at its end")
		}
	}
	return nil
}
