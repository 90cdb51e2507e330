package verify

import (
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
)

// Progress is weak fairness, one party at a time: on a path without end, a party that from some
// point on can always act, acts again and again. A party acts when a transition fires that it takes
// part in and that changes something; a self-loop, which only tests a state, is no act. Paths that
// end in a dead end are as they were. package space decides it (space.Fair) and finds the runs;
// replay holds each run against the words above once more.

// acts lists for each actor the composed transitions that are its acts.
func acts(d *compile.Draft, actors []int) [][]int {
	all := make([][]int, len(actors))
	for t := range d.Net.Transitions {
		if !isAct(&d.Net.Transitions[t]) {
			continue
		}
		for k, actor := range actors {
			if slices.ContainsFunc(d.Net.Transitions[t].Parts, func(p petri.Part) bool { return actsFor(d, p, actor) }) {
				all[k] = append(all[k], t)
			}
		}
	}
	return all
}

// actsFor says whether a part is an act of a party, or of its part in a phase: a role acts for who plays it.
func actsFor(d *compile.Draft, p petri.Part, party int) bool {
	return (p.Net == party || d.Parties[p.Net].Plays == d.Parties[party].Name) && !d.Part(p).Passive
}

// acting says whether somebody acts by a part: a net is nobody, and that a phase begins is nobody's act.
func acting(d *compile.Draft, p petri.Part) bool {
	return !d.Parties[p.Net].IsNet && !d.Part(p).Passive
}

// isAct says whether a transition can change anything: a marking says whether it does.
func isAct(t *petri.Transition) bool { return len(t.In)+len(t.Out)+len(t.Moves) > 0 }

// Checker labels the state model for one formula, on the paths on which the actors with these acts make
// progress. Its sets may take a quarter of the memory that the state model may: an equal share for
// each, so that no verdict depends on what is decided beside it.
func (c *Checked[S]) Checker(acts [][]int) *labelling[S] {
	return c.labelling("", acts, c.Memory/4)
}

// stopping labels the state model on the runs that may stop for good in any state and are fair to events with these transitions.
func (c *Checked[S]) stopping(acts [][]int) *labelling[S] {
	l := &labelling[S]{start: func() *ctl.Checker[S] { return c.Model.stopping(acts, c.Memory/4) }}
	if c.Commons != nil {
		l.commons, l.of = c.Commons, c.Key("stopping", acts)()
	}
	return l
}

// labelling is one by a checker that is made when it is first needed; kind tells apart what is labelled otherwise.
func (c *Checked[S]) labelling(kind string, acts [][]int, memory finding.Bytes) *labelling[S] {
	l := &labelling[S]{start: func() *ctl.Checker[S] { return c.Model.Labels(acts, memory) }}
	if c.Commons != nil {
		l.commons, l.of = c.Commons, c.Key(kind, acts)()
	}
	return l
}

// unbounded is a labelling without a limit, on all paths.
func (c *Checked[S]) unbounded() *labelling[S] { return c.labelling("unbounded", nil, 0) }

// Promised is the same of a formula that is resolved already.
func Promised(d *compile.Draft, f *ctl.Formula, t compile.Terms) string { return d.Saying(f.CTL(), t) }

// Fair lists the transitions to which runs are fair: of each party that makes progress, or of each event in which those alone take part on whom it may
// rest. It reports false where a name stands for no party.
func Fair(d *compile.Draft, t compile.Terms) ([][]int, bool) {
	parties, known := d.Actors(t.Names)
	if !known || !t.Resting {
		return acts(d, parties), known
	}
	a := ArenaOf(d)
	var members []int
	for _, p := range parties {
		if m := slices.Index(a.members, d.Parties[p].Person()); m >= 0 {
			members = append(members, m)
		}
	}
	return a.actsOf(members), true
}

// On returns a checker of the runs that terms say, with what they are fair to.
func (c *Checked[S]) On(t compile.Terms) (*labelling[S], [][]int) {
	acts, _ := Fair(c.Draft, t)
	if t.Resting {
		return c.stopping(acts), acts
	}
	return c.Checker(acts), acts
}
