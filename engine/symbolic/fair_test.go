package symbolic_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

var (
	_ ctl.Algebra[dd.Node] = symbolic.Diagrams{}
	_ ctl.Algebra[dd.Node] = symbolic.FairDiagrams{}
	_ ctl.Endless[dd.Node] = symbolic.FairDiagrams{}.Endless
)

// both are one net's two state models.
type both struct {
	t *rapid.T
	n *petri.Net
	g *space.Graph
	x *symbolic.Model
	s symbolic.Diagrams
}

// anyBoth is a net of which there are both, with the same number of states.
func anyBoth(t *rapid.T) both {
	n := testnets.AnyNet(t)
	g, err := space.Explore(context.Background(), n, petri.One, space.Limits{})
	if err != nil {
		t.Skip(err)
	}
	x, err := symbolic.Reach(context.Background(), n, space.Limits{})
	if err != nil || x.Count().Int64() != int64(g.Len()) {
		t.Fatalf("%v states, expected %d; %v", x.Count(), g.Len(), err)
	}
	return both{t, n, g, x, x.Sets(context.Background())}
}

// diagram is a set of states as a diagram, by their markings.
func (b both) diagram(has func(s int) bool) dd.Node {
	all := b.s.Minus(b.s.All(), b.s.All())
	for s := range b.g.Len() {
		if !has(s) {
			continue
		}
		one := b.s.All()
		for p := range b.n.Places {
			if b.g.Marking(s).Has(p) {
				one = b.s.Intersect(one, b.s.Where(p))
			} else {
				one = b.s.Minus(one, b.s.Where(p))
			}
		}
		all = b.s.Union(all, one)
	}
	return all
}

func (b both) anySet(label string) (dd.Node, space.Set) {
	has := rapid.SliceOfN(rapid.Bool(), b.g.Len(), b.g.Len()).Draw(b.t, label)
	return b.diagram(func(s int) bool { return has[s] }), testnets.Set(has)
}

func (b both) node(n dd.Node, err error) dd.Node {
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// anyActs are those of up to three actors.
func (b both) anyActs() [][]int {
	acts := make([][]int, rapid.IntRange(0, 3).Draw(b.t, "actors"))
	for k := range acts {
		for t := range b.n.Transitions {
			if rapid.IntRange(0, 2).Draw(b.t, "acts") == 0 {
				acts[k] = append(acts[k], t)
			}
		}
	}
	return acts
}

// TestFairDiagrams: EG on fair paths is that of the graph.
func TestFairDiagrams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoth(t)
		acts := b.anyActs()
		fair, want := b.x.Fair(context.Background(), acts), b.g.Fair(acts)
		a, A := b.anySet("a")
		have := b.node(fair.Always(context.Background(), a))
		expected, err := want.Always(context.Background(), A)
		if err != nil {
			t.Fatal(err)
		}
		if have != b.diagram(func(s int) bool { return expected[s/64]>>(s%64)&1 != 0 }) {
			t.Fatalf("EG on fair paths has %v states of %v, expected %b; acts %v in %+v", b.x.CountOf(have), A, expected, acts, b.n)
		}
	})
}

// TestFairLassos: what Endless finds is a path, fair, within the set, and its stem is as short as the graph's.
func TestFairLassos(t *testing.T) {
	draws.SkipForRaces(t)
	dead, loops := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoth(t)
		acts := b.anyActs()
		fair, want := b.x.Fair(context.Background(), acts), b.g.Fair(acts)
		a, A := b.anySet("a")
		inside := b.node(fair.Always(context.Background(), a))
		if inside == dd.Empty {
			return
		}
		within, err := want.Always(context.Background(), A)
		if err != nil {
			t.Fatal(err)
		}
		from, m := b.s.Pick(inside)
		run, end, err := fair.Endless(context.Background(), from, inside)
		if err != nil {
			t.Fatal(err)
		}
		b.isPath(run, within)
		if len(run.Markings) == 0 || !slices.Equal(run.Markings[0], m) {
			t.Fatalf("the path begins in %v, not %v", run.Markings, m)
		}
		last := len(run.Markings) - 1
		if !run.Dead {
			last = run.Loop
			b.isFair(run, acts)
		}
		if _, at := b.s.Pick(end); !slices.Equal(at, run.Markings[last]) {
			t.Fatalf("the path is said to turn in %v, not %v", at, run.Markings[last])
		}
		s, _ := b.g.Find(m)
		path, err := want.Endless(context.Background(), b.g.Sets().One(s), within)
		if err != nil {
			t.Fatal(err)
		}
		if run.Dead && path.Loop < 0 && len(run.Steps) != len(path.Steps) || !run.Dead && path.Loop >= 0 && run.Loop != path.Loop {
			t.Fatalf("the path is %+v, that of the graph %+v", run, path)
		}
		if run.Dead {
			dead++
		} else {
			loops++
		}
	})
	if dead == 0 || loops == 0 {
		t.Errorf("%d dead ends, %d loops", dead, loops)
	}
}

// isPath checks that markings lead to each other in a set, to a dead end or back.
func (b both) isPath(run ctl.Run, within space.Set) {
	next := append(slices.Clone(run.Markings[1:]), nil)
	if run.Dead {
		if len(b.n.Steps(run.Markings[len(run.Steps)], petri.One)) > 0 || run.Loop >= 0 || len(run.Steps) != len(run.Markings)-1 {
			b.t.Fatalf("%+v does not end in a dead end", run)
		}
	} else if next[len(next)-1] = run.Markings[run.Loop]; len(run.Steps) != len(run.Markings) {
		b.t.Fatalf("%+v has a step too many or too few", run)
	}
	for i, m := range run.Markings {
		if s, ok := b.g.Find(m); !ok || within[s/64]>>(s%64)&1 == 0 {
			b.t.Fatalf("%v is not inside", m)
		}
		if i == len(run.Steps) {
			continue
		}
		if after, _ := b.n.Fire(m, run.Steps[i]); !b.n.IsStep(m, petri.One, run.Steps[i]) || !slices.Equal(after, next[i]) {
			b.t.Fatalf("%v does not lead from %v to %v", run.Steps[i], m, next[i])
		}
	}
}

// isFair checks that on a loop each actor acts or can't.
func (b both) isFair(run ctl.Run, acts [][]int) {
	effect := func(m petri.Marking, t int) bool {
		of := b.n.Transitions[t]
		return len(of.In)+len(of.Out) > 0 || len(b.n.Moved(m, t)) > 0
	}
	for k, list := range acts {
		well := false
		for i := run.Loop; i < len(run.Markings); i++ {
			m := run.Markings[i]
			can := slices.ContainsFunc(list, func(t int) bool { return b.n.Fireable(m, t) && effect(m, t) })
			does := slices.Contains(list, run.Steps[i][0]) && effect(m, run.Steps[i][0])
			well = well || !can || does
		}
		if !well {
			b.t.Fatalf("actor %d waits for ever in %+v", k, run)
		}
	}
}

// TestAlongSomeTransitions: where transitions are fireable, and what some of them lead to and come from.
func TestAlongSomeTransitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoth(t)
		for tr := range b.n.Transitions {
			if b.s.Fireable(tr) != b.diagram(func(s int) bool { return b.n.Fireable(b.g.Marking(s), tr) }) {
				t.Fatalf("%d is fireable in %v states; %+v", tr, b.x.CountOf(b.s.Fireable(tr)), b.n)
			}
		}
		some := rapid.SliceOfN(rapid.Bool(), len(b.n.Transitions), len(b.n.Transitions)).Draw(t, "some")
		of := func(t int) bool { return some[t] }
		within, in := b.anySet("within")
		goal, at := b.anySet("goal")
		has := func(a space.Set, s int) bool { return a[s/64]>>(s%64)&1 != 0 }
		back := slices.Clone(at)
		for range b.g.Len() {
			for s := range b.g.Len() {
				for i, step := range b.g.Steps(s) {
					to := int(b.g.Succ(s)[i])
					if some[step[0]] && has(back, to) && has(in, s) {
						back[s/64] |= 1 << (s % 64)
					}
				}
			}
		}
		if have := b.node(b.s.Back(context.Background(), of, within, goal)); have != b.diagram(func(s int) bool { return has(back, s) }) {
			t.Fatalf("%v states lead back, expected %d", b.x.CountOf(have), back.Len())
		}
	})
}

// TestDescend: the way down to a fair part that takes no thought of the distance leads to a path too.
func TestDescend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoth(t)
		acts := b.anyActs()
		fair := b.x.Fair(context.Background(), acts)
		a, A := b.anySet("a")
		inside := b.node(fair.Always(context.Background(), a))
		within, err := b.g.Fair(acts).Always(context.Background(), A)
		if err != nil {
			t.Fatal(err)
		}
		dead := b.node(fair.Until(context.Background(), inside, b.s.Intersect(inside, b.s.Dead())))
		if inside = b.s.Minus(inside, dead); inside == dd.Empty {
			return
		}
		from, _ := b.s.Pick(inside)
		run, _, err := fair.Descend(context.Background(), from, inside)
		if err != nil {
			t.Fatal(err)
		}
		b.isPath(run, within)
		b.isFair(run, acts)
	})
}
