package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
)

// Fireable returns the states in which transition t is fireable.
func (s Diagrams) Fireable(t int) dd.Node { return s.settle(s.x.fireable(s.ctx, t)) }

// Back returns E[within U target] along those transitions only for which of is true.
func (s Diagrams) Back(ctx context.Context, of func(t int) bool, within, target dd.Node) (dd.Node, error) {
	return s.along(ctx, s.x.back, of, within, target)
}

// Forward returns from, and the states of within that the transitions for which of is true lead to from there, by steps within.
func (s Diagrams) Forward(ctx context.Context, of func(t int) bool, within, from dd.Node) (dd.Node, error) {
	return s.along(ctx, s.x.forth, of, within, from)
}

func (s Diagrams) along(ctx context.Context, relations []dd.Relation, of func(t int) bool, within, from dd.Node) (dd.Node, error) {
	if *s.err != nil {
		return dd.Empty, *s.err
	}
	var some []dd.Relation
	for i, d := range s.x.firings {
		if len(d.locals) > 0 && of(d.transition) {
			some = append(some, relations[i])
		}
	}
	return s.x.forest.ReachWithin(ctx, s.x.forest.System(some), from, within)
}

// fireable returns the reachable states in which a transition is fireable. By definition a contact does not prevent that.
func (x *Model) fireable(ctx context.Context, t int) (dd.Node, error) {
	return x.fireableIn(ctx, x.reach, t)
}

// fireableIn returns the states of a set in which a transition is fireable.
func (x *Model) fireableIn(ctx context.Context, set dd.Node, t int) (dd.Node, error) {
	tr := &x.net.Transitions[t]
	set, err := x.marked(ctx, set, tr.In, tr.Read)
	if err != nil || !tr.Moving {
		return set, err
	}
	return x.moved(ctx, set, tr)
}

// changing returns the reachable states in which a transition is fireable and changes something: see space.Changes.
func (x *Model) changing(ctx context.Context, t int) (dd.Node, error) {
	tr := &x.net.Transitions[t]
	set, err := x.fireable(ctx, t)
	if err != nil || len(tr.In)+len(tr.Out) > 0 {
		return set, err
	}
	return x.moved(ctx, set, tr)
}

// moved returns the states of a set in which some move of a transition applies.
func (x *Model) moved(ctx context.Context, set dd.Node, t *petri.Transition) (dd.Node, error) {
	some := dd.Empty
	for _, v := range t.Moves {
		one, err := x.marked(ctx, set, []int{v.From}, v.If)
		if err != nil {
			return dd.Empty, err
		}
		if some, err = x.forest.Union(ctx, some, one); err != nil {
			return dd.Empty, err
		}
	}
	return some, nil
}

// marked returns the states of a set in which all places of the lists are marked.
func (x *Model) marked(ctx context.Context, set dd.Node, lists ...[]int) (dd.Node, error) {
	test, ok := x.needs(lists...)
	if !ok {
		return dd.Empty, nil
	}
	return x.forest.Lead(ctx, test, set)
}

// needs returns the identity on the markings in which all places of the lists are marked, and false if there are none.
func (x *Model) needs(lists ...[]int) (test dd.Relation, ok bool) {
	values := map[int]int{} // by variable
	var tests []dd.Local
	for _, list := range lists {
		for _, p := range list {
			v, value := x.of[p], x.at[p]
			if other, again := values[v]; again && other != value {
				return 0, false
			} else if !again {
				values[v] = value
				tests = append(tests, dd.Local{Level: x.level[v], Pairs: []dd.Pair{{From: uint16(value), To: uint16(value)}}})
			}
		}
	}
	slices.SortFunc(tests, func(a, b dd.Local) int { return a.Level - b.Level })
	return x.forest.Chain(tests), true
}
