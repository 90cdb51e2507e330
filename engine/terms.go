package engine

import (
	"slices"

	"github.com/redlinehq/redline/hclspec"
)

// terms say which runs a requirement is about: maximal runs on which some parties make progress or, where it says on whom it may rest, runs that may stop
// for good in any state and are fair to every event in which those alone take part (package rests).
type terms struct {
	names   []string // as the source has them
	resting bool     // they are those on whom it may rest
}

// termsOf returns the terms of a requirement.
func termsOf(r *hclspec.Requirement) terms {
	list, resting := r.Assuming, r.RestsOn != nil
	if resting {
		list = r.RestsOn.On
	}
	t := terms{resting: resting}
	for _, p := range list {
		t.names = append(t.names, p.Name)
	}
	return t
}

// terms returns those of a requirement that is decided.
func (q *Requirement) terms() terms {
	if q.Resting {
		return terms{q.RestsOn, true}
	}
	return terms{q.Assuming, false}
}

// plain reports whether all maximal runs are looked at.
func (t terms) plain() bool { return len(t.names) == 0 && !t.resting }

// set writes terms into a requirement.
func (q *Requirement) set(t terms) {
	if q.Resting = t.resting; t.resting {
		q.RestsOn = t.names
	} else {
		q.Assuming = t.names
	}
}

// fair lists the transitions to which runs are fair: of each party that makes progress, or of each event in which those alone take part on whom it may
// rest. It reports false where a name stands for no party.
func (d *Draft) fair(t terms) ([][]int, bool) {
	parties, known := d.actors(t.names)
	if !known || !t.resting {
		return d.acts(parties), known
	}
	a := d.arena()
	var members []int
	for _, p := range parties {
		if m := slices.Index(a.members, d.parties[p].Person()); m >= 0 {
			members = append(members, m)
		}
	}
	return a.actsOf(members), true
}

// on returns a checker of the runs that terms say, with what they are fair to.
func (c *checked[S]) on(t terms) (*labelling[S], [][]int) {
	acts, _ := c.fair(t)
	if t.resting {
		return c.stopping(acts), acts
	}
	return c.checker(acts), acts
}
