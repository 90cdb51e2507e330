// Package slice builds state models in which a marking has only the tokens that still matter to one formula. A fate that is never asked again,
// or a clock that nothing reads any more, then multiplies no states.
//
// It is slicing (M. Weiser, 1981, Program slicing; for Petri nets A. Rakow, 2008, Slicing Petri nets with an application to workflow
// verification), anew for each marking: a live variable analysis on the way (M. Bozga, J.-C. Fernandez, L. Ghirvu, 1999, State space reduction
// based on live variables analysis). From a marking m, first all places are collected that a token may still come to, if tokens were never
// taken away, and all transitions and moves that may still happen. Then all places that matter are: those of the formula, and what is read by
// anything that can happen and changes a place that matters. All other tokens of m are dropped.
//
// Why the formula keeps its value: let m and n agree on the places R that matter to m, and let n have tokens only where one may come to from m.
// What can happen from n can happen from m. If it changes R, it reads R alone, so it can happen now in both, and changes R alike; then
// markings agree on R again. What does not change R may happen or not. So both are equivalent for formulas without X that do not ask whether
// a path goes on: with EF, AG, E[ U ] and A[ W ], in any nesting. The marking that is left has fewer tokens than m, and tokens are only
// asked for, never asked not to be there, save that the first of several moves applies, and what decides that is read. So whatever can
// happen in the slice can happen in the net, in the same order, and a run of the slice is one of the net.
//
// Of transitions that differ by what they read alone, one does for another that needs all that it needs, save what is marked for good: where both can happen, they do the
// same. Then only the one is counted among what can happen. So of many ways to meet a condition, such as one of 24 breaches, one matters once it is met for good.
//
// The other operators ask whether a path that changes nothing goes on for ever, or ends. For them all that is read by anything that can happen matters,
// silent transitions excepted. These do nothing but move tokens of nets that watch, as the tick does. What they move round in a circle matters, too,
// so silent transitions that change nothing that matters can't go on for ever. In the net they come to an end, in the slice they do not happen,
// and whatever is possible after that was possible before.
package slice

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Explore returns the state model of a one-safe net, one transition at a time, with only the tokens that matter to a formula. The formula has the same value in it as
// in the net's own if it has no EX or AX; else ok is false. Groups are sets of places that are analysed as one, such as the values of a clock: that saves work, and
// may keep a token that does not matter. Errors are those of space.Explore.
func Explore(ctx context.Context, n *petri.Net, groups [][]int, f *ctl.Formula, lim space.Limits) (g *space.Graph, ok bool, err error) {
	s, ok := New(n, groups, f)
	if !ok {
		return nil, false, nil
	}
	s.exact = true // verdicts are explained by places
	g, err = space.ExploreForgetting(ctx, n, lim, s.Forget)
	return g, true, err
}

// A question is what a formula asks of a model.
type question struct {
	predicates []*ctl.Formula // its largest parts without temporal operators
	paths      bool           // it asks whether paths go on
}

// asks returns what a formula asks; false if it asks for next states.
func asks(f *ctl.Formula) (q question, ok bool) {
	switch {
	case f == nil:
		return q, true
	case !f.Temporal():
		return question{predicates: []*ctl.Formula{f}}, !quantified(f)
	}
	switch f.Op {
	case ctl.EX, ctl.AX, ctl.ForAll, ctl.ForSome:
		return q, false
	case ctl.AF, ctl.EG, ctl.AU, ctl.EW:
		q.paths = true
	case ctl.Atom:
		return asks(f.Means)
	}
	for _, part := range []*ctl.Formula{f.Left, f.Right} {
		p, ok := asks(part)
		if !ok {
			return q, false
		}
		q.predicates, q.paths = append(q.predicates, p.predicates...), q.paths || p.paths
	}
	return q, true
}

// quantified reports whether a formula without temporal operators speaks of instances that have not been written out.
func quantified(f *ctl.Formula) bool {
	return f != nil && (f.Op == ctl.ForAll || f.Op == ctl.ForSome || quantified(f.Left) || quantified(f.Right) || quantified(f.Means))
}

// Places returns the places that the atoms of a formula look at.
func Places(f *ctl.Formula) (places []int) {
	q, _ := asks(f)
	for _, p := range q.predicates {
		places = append(places, constants{}.support(p).places...)
	}
	return places
}
