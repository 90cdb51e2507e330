package behaviour

import (
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// Results of comparing state models are replayed before they are shown: a run on its own draft, step by step, and its refusal on all
// markings that the other draft can be in.

// A walk is a run of one draft, as it was found.
type walk struct {
	markings []petri.Marking // one more than steps
	steps    [][]int         // empty: time passes, and no clock runs
}

// walk returns the run of some arcs of a system. Glances are not steps.
func (m *modelled) walk(x *lexicon, arcs []uint32) walk {
	w := walk{markings: []petri.Marking{m.Graph.Marking(0)}}
	s := 0
	for _, arc := range arcs {
		if x.glancing(m, arc) {
			continue
		}
		step, to := m.fires(s, arc)
		s = to
		w.steps, w.markings = append(w.steps, step), append(w.markings, m.Graph.Marking(s))
	}
	return w
}

// way returns a shortest run to a state.
func (m *modelled) way(x *lexicon, state int) walk {
	var arcs []uint32
	for s := uint32(state); m.parent[s] != orphan; s = m.parent[s] {
		arc := m.system.First[m.parent[s]]
		for m.system.Target[arc] != s {
			arc++
		}
		arcs = append(arcs, arc)
	}
	slices.Reverse(arcs)
	return m.walk(x, arcs)
}

// replayed fires a run by the definitions and returns its observations, without silent steps. It fails if the run is not one of the draft.
func (f *follower) replayed(w walk) ([]Observation, error) {
	if !slices.Equal(w.markings[0], petri.Marking(f.Net.Initial)) {
		return nil, errors.New("the run does not start in the initial marking")
	}
	var sequence []Observation
	for i, step := range w.steps {
		seen, after, err := f.replayStep(w.markings[i], step)
		if err != nil {
			return nil, fmt.Errorf("step %d %w", i+1, err)
		}
		if !slices.Equal(after, w.markings[i+1]) {
			return nil, fmt.Errorf("step %d leads elsewhere", i+1)
		}
		if len(seen) > 0 {
			sequence = append(sequence, seen)
		}
	}
	return sequence, nil
}

var errNotRefused = errors.New("the other draft does not refuse it")

var errNoStep = errors.New("cannot be taken")

func (f *follower) replayStep(m petri.Marking, step []int) (Observation, petri.Marking, error) {
	if len(step) == 0 {
		if f.time < 0 || f.ticks(m) || waits(m, f.notDue) {
			return nil, nil, errNoStep
		}
		return Observation{f.time}, m, nil
	}
	if !f.Net.IsStep(m, f.Rule, step) {
		return nil, nil, errNoStep
	}
	after, contact := f.Net.Fire(m, step)
	if contact >= 0 {
		return nil, nil, errNoStep
	}
	return f.shown(f.observe(step), m, after), after, nil
}

// able reports whether any transition is enabled.
func (f *follower) able(m petri.Marking) bool {
	for t := range f.Net.Transitions {
		if f.Net.Fireable(m, t) {
			return true
		}
	}
	return false
}

// ticks reports whether a clock runs.
func (f *follower) ticks(m petri.Marking) bool {
	for t := range f.Net.Transitions {
		if f.Net.Transitions[t].Moving && f.Net.Fireable(m, t) {
			return true
		}
	}
	return false
}

// upTo confirms that the draft can follow a sequence up to its last step and not further. It returns the markings before that step.
func (f *follower) upTo(sequence []Observation) (crowd, error) {
	end, refused, err := f.Along(sequence)
	switch {
	case err != nil:
		return nil, err
	case refused < len(sequence)-1:
		return nil, fmt.Errorf("the other draft refuses step %d already", refused+1)
	case refused == len(sequence):
		return nil, errNotRefused
	}
	return end, nil
}

// ended reports whether the contract has ended in a marking.
func (f *follower) ended(m petri.Marking) bool {
	ends := f.Spec.Ends
	return ends != nil && !m.Has(slices.Index(f.AllPlaces, ends.InForce))
}

// endedSide returns the draft of which ended says that its contract alone has ended: first that of a side, then the other one.
func endedSide(side int, ended [2]bool) diff.Side {
	if !ended[0] && !ended[1] {
		return diff.InBoth
	}
	return [2]diff.Side{diff.InBase, diff.InHead}[(side+verify.ZeroOrOne(ended[1]))%2]
}

// Bounds on how long a follower waits for a step: ticks, and transitions that are tried.
const (
	longestWait = 10_000
	mostWaiting = 200_000
)

// later returns the least number of ticks after which a step is possible that is not possible now, if nothing else is observed meanwhile. It returns 0 if there
// is none, and where it is too much work, where time is not observed, or where the step is one in which time passes.
func (f *follower) later(at crowd, seen Observation) int {
	tick := f.tick()
	if tick < 0 || slices.Contains(seen, tick) {
		return 0
	}
	left := f.left
	f.left = min(left, mostWaiting)
	defer func() { f.left = left }()
	for n := 1; n <= longestWait; n++ {
		next, err := f.after(at, Observation{tick})
		if err != nil || len(next) == 0 || sameCrowd(at, next) {
			return 0
		}
		then, err := f.after(next, seen)
		if err != nil {
			return 0
		}
		if len(then) > 0 {
			return n
		}
		at = next
	}
	return 0
}

// tick returns the observation of time that passes, or -1.
func (f *follower) tick() int {
	for t, seen := range f.Seen {
		if f.Net.Transitions[t].Moving {
			return seen
		}
	}
	return f.time
}

// observations returns words as a follower sees them.
func (g language) observations(words []uint32) []Observation {
	var list []Observation
	for _, w := range words {
		if w != delta.Silent {
			list = append(list, g.words[w])
		}
	}
	return list
}
