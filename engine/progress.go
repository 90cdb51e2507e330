package engine

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// Progress is weak fairness, one party at a time: on a path without end, a party that from some
// point on can always act, acts again and again. A party acts when a transition fires that it takes
// part in and that changes something; a self-loop, which only tests a state, is no act. Paths that
// end in a dead end are as they were. package space decides it (space.Fair) and finds the runs;
// replay holds each run against the words above once more.

// actors are the parties, by index, that names stand for; ok says that each stands for some.
func (d *Draft) actors(names []string) (list []int, ok bool) {
	for _, name := range names {
		before := len(list)
		for i, p := range d.parties {
			if p.Name == name || p.Of == name {
				list = append(list, i)
			}
		}
		if len(list) == before {
			return nil, false
		}
	}
	return list, true
}

// acts lists for each actor the composed transitions that are its acts.
func (d *Draft) acts(actors []int) [][]int {
	all := make([][]int, len(actors))
	for t := range d.Net.Transitions {
		if !isAct(&d.Net.Transitions[t]) {
			continue
		}
		for k, actor := range actors {
			if slices.ContainsFunc(d.Net.Transitions[t].Parts, func(p petri.Part) bool { return d.actsFor(p, actor) }) {
				all[k] = append(all[k], t)
			}
		}
	}
	return all
}

// actsFor says whether a part is an act of a party, or of its part in a phase: a role acts for who plays it.
func (d *Draft) actsFor(p petri.Part, party int) bool {
	return (p.Net == party || d.parties[p.Net].Plays == d.parties[party].Name) && !d.part(p).Passive
}

// acting says whether somebody acts by a part: a net is nobody, and that a phase begins is nobody's act.
func (d *Draft) acting(p petri.Part) bool { return !d.parties[p.Net].IsNet && !d.part(p).Passive }

// isAct says whether a transition can change anything: a marking says whether it does.
func isAct(t *petri.Transition) bool { return len(t.In)+len(t.Out)+len(t.Moves) > 0 }

// checker labels the state model for one formula, on the paths on which the actors with these acts make
// progress. Its sets may take a quarter of the memory that the state model may: an equal share for
// each, so that no verdict depends on what is decided beside it.
func (c *checked[S]) checker(acts [][]int) *labelling[S] {
	return c.labelling("", acts, c.memory/4)
}

// stopping labels the state model on the runs that may stop for good in any state and are fair to events with these transitions.
func (c *checked[S]) stopping(acts [][]int) *labelling[S] {
	l := &labelling[S]{start: func() *ctl.Checker[S] { return c.model.stopping(acts, c.memory/4) }}
	if c.commons != nil {
		l.commons, l.of = c.commons, c.key("stopping", acts)()
	}
	return l
}

// labelling is one by a checker that is made when it is first needed; kind tells apart what is labelled otherwise.
func (c *checked[S]) labelling(kind string, acts [][]int, memory Bytes) *labelling[S] {
	l := &labelling[S]{start: func() *ctl.Checker[S] { return c.model.labels(acts, memory) }}
	if c.commons != nil {
		l.commons, l.of = c.commons, c.key(kind, acts)()
	}
	return l
}

// unbounded is a labelling without a limit, on all paths.
func (c *checked[S]) unbounded() *labelling[S] { return c.labelling("unbounded", nil, 0) }

// progressing reports which actor, by index, waits for ever on a loop; -1: none does. It is replay's
// reading of the definition, on markings and steps.
func (r *replayer) progressing(run ctl.Run) int {
	loop := run.Markings[run.Loop:]
	for k, acts := range r.acts {
		well := false
		for i, m := range loop {
			acting := slices.ContainsFunc(run.Steps[run.Loop+i], func(t int) bool { return slices.Contains(acts, t) && r.changes(m, t) })
			able := slices.ContainsFunc(acts, func(t int) bool { return r.net.Fireable(m, t) && r.changes(m, t) })
			well = well || acting || !able
		}
		if !well {
			return k
		}
	}
	return -1
}

// changes reports whether a fireable transition leads to another marking, history left out.
func (r *replayer) changes(m petri.Marking, t int) bool {
	of := r.net.Transitions[t]
	of.Marks = nil
	alone := petri.Net{Places: r.net.Places, Transitions: []petri.Transition{of}}
	after, _ := alone.Fire(m, []int{0})
	return !slices.Equal(after, m)
}

// promise is the meaning of a requirement: its formula's, and its terms.
func (d *Draft) promise(r *hclspec.Requirement) string {
	return d.saying(d.meaning(r.Formula), termsOf(r))
}

// promised is the same of a formula that is resolved already.
func (d *Draft) promised(f *ctl.Formula, t terms) string { return d.saying(f.CTL(), t) }

func (d *Draft) saying(formula string, t terms) string {
	actors, _ := d.actors(t.names)
	slices.Sort(actors)
	var names []string
	for _, a := range slices.Compact(actors) {
		names = append(names, d.parties[a].Name)
	}
	switch {
	case t.resting && len(names) == 0:
		return formula + " resting on nobody"
	case t.resting:
		return formula + " resting on " + strings.Join(names, ", ")
	case len(names) > 0:
		return formula + " assuming " + strings.Join(names, ", ")
	}
	return formula
}
