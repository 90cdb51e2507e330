package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A Staged is a run as transitions of the composed net, so that it can be fired again.
type Staged struct {
	Of    *finding.Trace
	Start petri.Marking
	Steps [][]int   // what fires in each step, sorted: the prefix's, then the loop's
	Loop  int       // the step with which the loop begins; -1: there is none
	Then  []*Staged // of the runs that explain this one
}

// Stage finds the transitions behind runs that are described in words. The result has nil for a run that does not fit the draft, or that
// takes more than maxStaged firings to find.
func Stage(d *compile.Draft, runs []*finding.Trace) []*Staged {
	s := &stager{Draft: d, named: map[string][]int{}}
	for t := range d.Net.Transitions {
		key := firingKey(Firing(d, 0, t, nil))
		s.named[key] = append(s.named[key], t)
	}
	list := make([]*Staged, len(runs))
	for i, run := range runs {
		s.tries = maxStaged
		list[i] = s.stage(run, petri.Marking(d.Net.Initial))
	}
	return list
}

// Place returns the place in the contract behind a place of the composed net, its owner, its word in sentences, and whether lists of states
// omit it. A history place has no owner: both are nil.
func Place(d *compile.Draft, i int) (spec *hclspec.Place, owner *hclspec.Party, called string, quiet bool) {
	if i >= len(d.AllPlaces) {
		return nil, nil, "", true
	}
	return d.AllPlaces[i], d.Owners[i], compile.Word(d.AllPlaces[i]), compile.IsSilent(d.Owners[i], d.AllPlaces[i])
}

// Written returns the event of a composed transition and its parts in the contract, with their parties. The event is nil if no event
// mentions the transition.
func Written(d *compile.Draft, t int) (event *hclspec.Event, owners []*hclspec.Party, parts []*hclspec.Transition) {
	of := &d.Net.Transitions[t]
	if of.Event >= 0 {
		event = d.Events[of.Event]
	}
	for _, p := range of.Parts {
		owners, parts = append(owners, d.Parties[p.Net]), append(parts, d.Part(p))
	}
	return event, owners, parts
}

// maxStaged bounds the firings that are tried for one run, since the same words may describe several transitions.
const maxStaged = 100_000

// A stager searches for runs.
type stager struct {
	*compile.Draft
	named map[string][]int // transitions by deedKey
	tries int
}

// firingKey returns the event and the names of the transitions of a firing as one string.
func firingKey(f finding.Firing) string {
	return f.Event + "\x00" + strings.Join(f.Transitions, "\x00")
}

// stage finds the transitions of a run and of the runs that explain it. It returns nil if it cannot.
func (s *stager) stage(t *finding.Trace, at petri.Marking) *Staged {
	g := &Staged{Of: t, Start: at, Loop: -1}
	steps := append(together(t.Prefix), together(t.Loop)...)
	if len(t.Loop) > 0 {
		g.Loop = len(together(t.Prefix))
	}
	markings := s.walk(g, steps, []petri.Marking{at})
	if markings == nil {
		return nil
	}
	for _, next := range t.Then {
		if 0 <= next.After && next.After < len(markings) {
			if then := s.stage(next, markings[next.After]); then != nil {
				g.Then = append(g.Then, then)
			}
		}
	}
	return g
}

// together groups firings that happen in one step.
func together(run []finding.Firing) (steps [][]finding.Firing) {
	for i, f := range run {
		if i == 0 || f.Step != run[i-1].Step {
			steps = append(steps, nil)
		}
		steps[len(steps)-1] = append(steps[len(steps)-1], f)
	}
	return steps
}

// walk fires the remaining steps by backtracking, and returns the markings of the run, or nil if it cannot. Markings are those so far.
func (s *stager) walk(g *Staged, steps [][]finding.Firing, markings []petri.Marking) []petri.Marking {
	here := markings[len(markings)-1]
	if len(g.Steps) == len(steps) {
		if s.ends(g, markings) {
			return markings
		}
		return nil
	}
	for _, fired := range s.candidates(here, steps[len(g.Steps)], nil) {
		if s.tries--; s.tries < 0 {
			return nil
		}
		after, contact := s.Net.Fire(here, fired)
		if contact >= 0 && len(g.Steps)+1 < len(steps) {
			continue
		}
		if contact >= 0 { // a run to a contact ends with it
			after = here
		}
		g.Steps = append(g.Steps, fired)
		if found := s.walk(g, steps, append(markings[:len(markings):len(markings)], after)); found != nil {
			return found
		}
		g.Steps = g.Steps[:len(g.Steps)-1]
	}
	return nil
}

// ends reports whether a run ends as its description says.
func (s *stager) ends(g *Staged, markings []petri.Marking) bool {
	end := len(markings) - 1
	if g.Loop >= 0 {
		if !slices.Equal(s.Present(markings[end]), s.Present(markings[g.Loop])) {
			return false
		}
		end = g.Loop
	}
	return len(g.Of.End) == 0 || fmt.Sprint(PartiesAt(s.Draft, markings[end])) == fmt.Sprint(g.Of.End)
}

// candidates returns the sets of transitions that can fire and match the description.
func (s *stager) candidates(at petri.Marking, told []finding.Firing, chosen []int) [][]int {
	if len(chosen) == len(told) {
		set := slices.Clone(chosen)
		slices.Sort(set)
		return [][]int{set}
	}
	var all [][]int
	f := told[len(chosen)]
	for _, t := range s.named[firingKey(f)] {
		if !slices.Contains(chosen, t) && s.Net.Fireable(at, t) && fmt.Sprint(Firing(s.Draft, f.Step, t, at)) == fmt.Sprint(f) {
			all = append(all, s.candidates(at, told, append(chosen[:len(chosen):len(chosen)], t))...)
		}
	}
	return all
}
