package symbolic_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// acts reports by the definition whether one of some transitions changes something in a state, and leads to one of those asked for.
func (b both) acts(acts []int, s int, to func(m petri.Marking) bool) bool {
	m := b.g.Marking(s)
	return slices.ContainsFunc(acts, func(t int) bool {
		of := b.n.Transitions[t]
		if !b.n.Fireable(m, t) || len(of.In)+len(of.Out) == 0 && len(b.n.Moved(m, t)) == 0 {
			return false
		}
		after, contact := b.n.Fire(m, []int{t})
		return to == nil || contact < 0 && to(after)
	})
}

// TestTurnsOfActors compares where actors can act, and act into a set, with the definition.
func TestTurnsOfActors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoth(t)
		acts := b.anyActs()
		fair := b.x.Fair(context.Background(), acts)
		from, From := b.anySet("from")
		to, To := b.anySet("to")
		into := func(m petri.Marking) bool {
			return slices.ContainsFunc(each(To), func(s int) bool { return slices.Equal(b.g.Marking(s), m) })
		}
		for k := range acts {
			if able := b.diagram(func(s int) bool { return b.acts(acts[k], s, nil) }); fair.Able(k) != able {
				t.Fatalf("actor %d can act in %v states, expected %v; acts %v in %+v", k, b.x.CountOf(fair.Able(k)), b.x.CountOf(able), acts, b.n)
			}
			acting := b.node(fair.Acting(context.Background(), k, from, to))
			if acting != b.diagram(func(s int) bool { return slices.Contains(each(From), s) && b.acts(acts[k], s, into) }) {
				t.Fatalf("actor %d acts in %v states; acts %v in %+v", k, b.x.CountOf(acting), acts, b.n)
			}
		}
	})
}

// each state of a set, ascending.
func each(set space.Set) (list []int) {
	for i := range 64 * len(set) {
		if set[i/64]>>(i%64)&1 != 0 {
			list = append(list, i)
		}
	}
	return list
}

// TestRecurrent: from each state of what is recurrent in a set a fair path stays in it, and what can stay in the set for ever leads to it.
func TestRecurrent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoth(t)
		fair := b.x.Fair(context.Background(), b.anyActs())
		a, _ := b.anySet("a")
		within := func(n dd.Node, goal dd.Node) dd.Node { return b.node(fair.Until(context.Background(), n, goal)) }
		around := b.node(fair.Recurrent(context.Background(), a))
		if b.s.Minus(around, a) != dd.Empty || b.node(fair.Always(context.Background(), around)) != around {
			t.Fatalf("not all of the %v states that are recurrent are so; %+v", b.x.CountOf(around), b.n)
		}
		have := b.s.Union(within(a, around), within(a, b.s.Intersect(a, b.s.Dead())))
		if want := b.node(fair.Always(context.Background(), a)); have != want {
			t.Fatalf("%v states can stay, expected %v; %+v", b.x.CountOf(have), b.x.CountOf(want), b.n)
		}
	})
}

// TestAhead compares what is ahead of a set in another with steps taken one by one, and a state with its marking.
func TestAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoth(t)
		from, From := b.anySet("from")
		within, _ := b.anySet("within")
		want := from
		for last := dd.Empty; want != last; {
			last = want
			want = b.s.Union(want, b.s.Intersect(within, b.node(b.s.Post(context.Background(), want))))
		}
		if have := b.node(b.s.Ahead(context.Background(), within, from)); have != want {
			t.Fatalf("%v states are ahead, expected %v; %+v", b.x.CountOf(have), b.x.CountOf(want), b.n)
		}
		for _, s := range each(From) {
			if b.s.State(b.g.Marking(s)) != b.diagram(func(t int) bool { return t == s }) {
				t.Fatalf("the marking %v is another state; %+v", b.g.Marking(s), b.n)
			}
		}
	})
}
