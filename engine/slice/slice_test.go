package slice_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// TestWhatMatters: each net has the value that the reasons say, which it loses if what the name says were taken not to matter.
func TestWhatMatters(t *testing.T) {
	const x, y, a, b, z, p = 0, 1, 2, 3, 4, 5
	finally, never := &ctl.Formula{Op: ctl.AF, Left: place(p)}, &ctl.Formula{Op: ctl.EG, Left: &ctl.Formula{Op: ctl.Not, Left: place(p)}}
	pays := petri.Transition{In: []int{z}, Out: []int{p}}
	for _, c := range []struct {
		name        string
		transitions []petri.Transition
		asked       *ctl.Formula
		holds       bool
	}{
		{"a silent circle goes on for ever", []petri.Transition{pays, {Moving: true, Moves: []petri.Move{{From: a, To: b}, {From: b, To: a}}}}, finally, false},
		{"silent steps come to an end", []petri.Transition{pays, {Moving: true, Moves: []petri.Move{{From: a, To: b}}}}, finally, true},
		{"moves decide whether others go on for ever", []petri.Transition{pays,
			{Marks: []int{y}, Moving: true, Moves: []petri.Move{{From: a, To: b}, {From: b, To: a}}}}, never, true},
		{"what has happened is remembered", []petri.Transition{{In: []int{z}, Marks: []int{p}}}, &ctl.Formula{Op: ctl.EF, Left: place(p)}, true},
		{"and may be asked for", []petri.Transition{{In: []int{z}, Marks: []int{y}}, {In: []int{x}, Out: []int{p}, Read: []int{y}}}, finally, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := &petri.Net{Places: make([]petri.Place, 6), Initial: []int{x, a, z}, Transitions: c.transitions}
			g, _ := testkit.ExploreNaively(&compile.Draft{Net: n})
			if _, holds := agrees(t, n, nil, g, c.asked); holds != c.holds {
				t.Errorf("%t", holds)
			}
		})
	}
}

func place(p int) *ctl.Formula { return &ctl.Formula{Op: ctl.Atom, Name: "p", Place: p} }
