package zone

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// errNoRun says that the steps to a node can't be fired in the net, which is a defect.
var errNoRun = errors.New("zone: the steps can't be fired in the net")

// concrete returns the run of the net to a node, with as many ticks before each step as that step and those after it need.
func (s *search) concrete(last int) (ctl.Run, error) {
	var path []int
	for i := last; i >= 0; i = s.nodes[i].parent {
		path = append(path, i)
	}
	slices.Reverse(path)
	times, ok := s.times(path)
	run := ctl.Run{Markings: []petri.Marking{slices.Clone(petri.Marking(s.Initial))}, Loop: -1}
	now := 0
	fire := func(t int) {
		at := run.Markings[len(run.Markings)-1]
		if ok = ok && s.Fireable(at, t); !ok {
			return
		}
		after, contact := s.Fire(at, []int{t})
		ok = contact < 0
		run.Markings, run.Steps = append(run.Markings, after), append(run.Steps, []int{t})
		if t == s.tick {
			now++
		}
	}
	for k, i := range path[1:] {
		for ok && now < times[k+1] {
			fire(s.tick)
		}
		fire(s.nodes[i].step)
	}
	if !ok {
		return ctl.Run{}, errNoRun
	}
	return run, nil
}

// times returns, by index in the path to a node, the number of ticks before the step that led there: the least that all clocks on the way allow (R. Bellman, 1958, On a routing problem,
// for the longest paths). It reports whether there are such numbers.
func (s *search) times(path []int) (times []int, ok bool) {
	times = make([]int, len(path))
	entered := func(k int) int { // the ticks before the node, beyond times
		if k > 0 && s.nodes[path[k]].step == s.tick {
			return 1
		}
		return 0
	}
	for round, changed := 0, true; changed; round++ {
		if changed = false; round > len(path) {
			return nil, false
		}
		least := func(k, ticks int) {
			if times[k] < ticks {
				times[k], changed = ticks, true
			}
		}
		for k := 1; k < len(path); k++ {
			before, step := &s.nodes[path[k-1]], &s.nodes[path[k]]
			least(k, times[k-1]+entered(k-1))
			if !before.waits {
				least(k-1, times[k]-entered(k-1))
			}
			for j, c := range before.running {
				a, _ := slices.BinarySearch(path, before.started[j].node)
				begun, most := entered(a), int(before.started[j].value)-1
				ending := slices.Contains(step.ended, c)
				if step.step == s.tick && !ending {
					most--
				}
				least(a, times[k]-begun-most)
				if ending {
					least(k, times[a]+begun+most)
				}
			}
		}
	}
	return times, times[0] == 0
}
