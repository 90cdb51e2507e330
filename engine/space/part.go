package space

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// An Arc leads from one marking to another.
type Arc struct{ From, To petri.Marking }

// Part returns the part of a state model that consists of these arcs. Arcs that leave the part are missing, so it shows neither all successors
// of a state nor which states are dead ends. Its cost is linear in the arcs. Its error is a *LimitError.
func Part(net *petri.Net, rule petri.Rule, arcs []Arc) (*Graph, error) {
	e := newExplorer(net, rule, Limits{})
	if err := e.start(); err != nil {
		return nil, e.explain(err)
	}
	successors := [][]uint32{nil}
	state := func(m petri.Marking) (int, error) {
		clear(e.after)
		for _, p := range m {
			Add(e.after, p)
		}
		s, err := e.state()
		if err == nil && s == len(successors) {
			successors = append(successors, nil)
		}
		return s, err
	}
	for _, a := range arcs {
		from, err := state(a.From)
		if err != nil {
			return nil, e.explain(err)
		}
		to, err := state(a.To)
		if err != nil {
			return nil, e.explain(err)
		}
		successors[from] = append(successors[from], uint32(to))
	}
	for _, list := range successors {
		slices.Sort(list)
		for _, to := range slices.Compact(list) {
			if err := e.g.succ.push([]uint32{to}, &e.g.Budget); err != nil {
				return nil, e.explain(err)
			}
		}
		if err := e.g.first.push([]uint32{uint32(e.g.succ.len)}, &e.g.Budget); err != nil {
			return nil, e.explain(err)
		}
	}
	e.finish()
	return e.g, nil
}
