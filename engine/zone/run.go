package zone

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// errNoRun says that the steps to a node can't be fired in the net, which is a defect.
var errNoRun = errors.New("zone: the steps can't be fired in the net")

// rounds bounds how often a path is gone round until a marking recurs: what does not matter may take a few rounds to settle.
const rounds = 64

// concrete returns the run of the net along the path that was found. It has as many ticks before each step as that step and those after it need.
func (s *search) concrete() (ctl.Run, error) {
	second := slices.IndexFunc(s.path, func(i int) bool { return s.nodes[i].walk > 0 }) // where the second walk begins
	for round := 0; ; round++ {
		run, at, err := s.fired()
		switch {
		case err != nil:
			return run, err
		case second >= 0:
			at := at[second]
			return ctl.Run{Markings: run.Markings[:at+1], Steps: run.Steps[:at], Loop: -1}, nil
		case s.round < 0 && s.walks[0].endless && s.dead:
			err = s.end(&run)
			return run, err
		case s.round < 0:
			return run, nil
		}
		length := s.length
		last := len(s.path) - 1
		for from := last - length; from >= s.round; from -= length {
			if slices.Equal(run.Markings[at[from]], run.Markings[at[last]]) {
				run.Loop, run.Markings = at[from], run.Markings[:at[last]]
				run.Steps = run.Steps[:at[last]]
				return run, nil
			}
		}
		if round == rounds || !s.again() {
			return run, errNoRun
		}
	}
}

// again goes round once more.
func (s *search) again() bool {
	s.deep = true
	cycle := slices.Clone(s.path[len(s.path)-s.length:])
	for _, c := range cycle {
		step, ended := s.nodes[c].step, s.nodes[c].ended
		i, before := s.path[len(s.path)-1], len(s.nodes)
		s.fire(i, step, s.before(i, step, ended), s.having(i, step, ended), ended)
		if len(s.nodes) == before {
			return false
		}
		s.path = append(s.path, before)
	}
	return true
}

// fired fires a path, and returns by its nodes the index of the marking in which each is entered.
func (s *search) fired() (ctl.Run, []int, error) {
	path := s.path
	times, ok := s.times(path)
	run := ctl.Run{Markings: []petri.Marking{slices.Clone(petri.Marking(s.Initial))}, Loop: -1}
	now, at := 0, []int{0}
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
		at = append(at, len(run.Steps))
	}
	if !ok {
		return run, nil, errNoRun
	}
	return run, at, nil
}

// end lets time pass until nothing can happen any more.
func (s *search) end(run *ctl.Run) error {
	for {
		at := run.Markings[len(run.Markings)-1]
		steps := s.Steps(at, petri.One)
		if len(steps) == 0 {
			run.Dead = true
			return nil
		}
		if len(steps) > 1 || steps[0][0] != s.tick {
			return errNoRun
		}
		after, contact := s.Fire(at, steps[0])
		if contact >= 0 {
			return errNoRun
		}
		run.Markings, run.Steps = append(run.Markings, after), append(run.Steps, steps[0])
	}
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
