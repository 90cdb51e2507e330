package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
)

// EverMarked reports for each place whether it is marked in some state. Its errors are those of the forest.
func (s Diagrams) EverMarked(ctx context.Context) ([]bool, error) {
	values, err := s.x.forest.Support(ctx, s.x.reach)
	if err != nil {
		return nil, err
	}
	marked := make([]bool, len(s.x.net.Places))
	for p := range marked {
		marked[p] = values[s.x.level[s.x.of[p]]][s.x.at[p]]
	}
	return marked, nil
}

// Fireable returns the states in which transition t is fireable.
func (s Diagrams) Fireable(t int) dd.Node { return halt.Must(s.x.fireable(s.ctx, t)) }

// Back returns E[within U target] along those transitions only for which of is true.
func (s Diagrams) Back(ctx context.Context, of func(t int) bool, within, target dd.Node) (dd.Node, error) {
	var some []dd.Relation
	for i := range s.x.firings {
		if d := &s.x.firings[i]; of(d.transition) {
			some = append(some, d.back)
		}
	}
	return s.x.forest.ReachWithin(ctx, s.x.forest.System(some), target, within)
}

// fireable returns the reachable states in which a transition is fireable. By definition a contact does not prevent that.
func (x *Model) fireable(ctx context.Context, t int) (dd.Node, error) {
	return x.fireableIn(ctx, x.reach, t)
}

// fireableIn returns the states of a set in which a transition is fireable.
func (x *Model) fireableIn(ctx context.Context, set dd.Node, t int) (dd.Node, error) {
	able, err := x.able(ctx, t)
	if err != nil {
		return dd.Empty, err
	}
	return x.forest.Lead(ctx, able, set)
}

// able returns the identity on the markings in which a transition is fireable. The errors are those of test.
func (x *Model) able(ctx context.Context, t int) (dd.Relation, error) {
	tr := &x.net.Transitions[t]
	if tr.Moving {
		return x.test(ctx, testKey{t, purpose{some: true, test: true}})
	}
	r, _ := x.needs(tr.In, tr.Read)
	return r, nil
}

// EverFireable reports for each transition whether it is fireable in some state. Its errors are those of test.
func (s Diagrams) EverFireable(ctx context.Context) (_ []bool, err error) {
	all := make([]dd.Relation, len(s.x.net.Transitions))
	for t := range all {
		if all[t], err = s.x.able(ctx, t); err != nil {
			return nil, err
		}
	}
	return s.x.forest.Leading(ctx, all, s.x.reach)
}

// changing returns the reachable states in which a transition is fireable and changes something: see space.Changes.
func (x *Model) changing(ctx context.Context, t int) (dd.Node, error) {
	if tr := &x.net.Transitions[t]; len(tr.In)+len(tr.Out) == 0 {
		return x.tested(ctx, testKey{t, purpose{some: true, test: true}})
	}
	return x.fireable(ctx, t)
}

// A testKey is a transition, and what is asked of it.
type testKey struct {
	transition int
	as         purpose
}

// tested returns the reachable states in which a transition is fireable and does what is asked for. The errors are those of test and the forest.
func (x *Model) tested(ctx context.Context, key testKey) (dd.Node, error) {
	r, err := x.test(ctx, key)
	if err != nil {
		return dd.Empty, err
	}
	return x.forest.Lead(ctx, r, x.reach)
}

// test returns the identity on the markings in which a transition is fireable and does what is asked for. The error is ErrNotSymbolic or that of
// the budget.
func (x *Model) test(ctx context.Context, key testKey) (r dd.Relation, err error) {
	r, known := x.tests[key]
	if !known {
		defer halt.Caught(&err)
		x.budget.Ctx = ctx
		p, ok := x.program(&x.net.Transitions[key.transition])
		if ok {
			r, ok = x.compile(&x.forest.Relations, x.level, p, key.as)
			if !ok {
				return dd.Nothing, ErrNotSymbolic
			}
		}
		x.tests[key] = r
	}
	return r, nil
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
