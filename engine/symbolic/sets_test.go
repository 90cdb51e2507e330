package symbolic_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

var _ ctl.Algebra[space.Set] = space.Sets{}

// TestSetsAgreeWithDefinitions evaluates the fixpoints by iterating their definitions, for both algebras.
func TestSetsAgreeWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, r := testnets.AnyNet(t), testnets.AnyRule(t)
		g, err := space.Explore(context.Background(), n, r, space.Limits{})
		if err != nil {
			t.Skip(err)
		}
		states := rapid.SliceOfN(rapid.Bool(), g.Len(), g.Len())
		a, b := states.Draw(t, "a"), states.Draw(t, "b")
		A, B := testnets.Set(a), testnets.Set(b)
		d := definitions{t, n, g, a, b}
		agree(d, g.Sets(), A, B, testnets.Set)
		if s := slices.Index(a, true); s >= 0 {
			if _, m := g.Sets().Pick(A); !slices.Equal(m, g.Marking(s)) {
				t.Fatalf("Pick gives %v, expected %d", m, s)
			}
		}
		if !g.Sets().Equal(A, testnets.Set(a)) || !g.Sets().Equal(B, testnets.Set(b)) {
			t.Fatal("an argument was changed")
		}
		if x, err := symbolic.Reach(context.Background(), n, space.Limits{}); err == nil && r == petri.One {
			y := both{t, n, g, x, x.Sets(context.Background())}
			diagram := func(has []bool) dd.Node { return y.diagram(func(s int) bool { return has[s] }) }
			agree(d, y.s, diagram(a), diagram(b), diagram)
		}
	})
}

// definitions are what sets of a graph's states, and two of them, should be.
type definitions struct {
	t    *rapid.T
	n    *petri.Net
	g    *space.Graph
	a, b []bool
}

func (d definitions) some(s int, c []bool) bool {
	return slices.ContainsFunc(d.g.Succ(s), func(to uint32) bool { return c[to] })
}

func (d definitions) fix(c []bool, law func(s int, c []bool) bool) []bool {
	for range d.g.Len() {
		for s := range c {
			c[s] = law(s, c)
		}
	}
	return c
}

func (d definitions) each(law func(s int) bool) []bool {
	c := make([]bool, d.g.Len())
	for s := range c {
		c[s] = law(s)
	}
	return c
}

// comesFrom reports whether a state has a predecessor in a.
func (d definitions) comesFrom(s int) bool {
	for p := range d.g.Len() {
		if d.a[p] && slices.Contains(d.g.Succ(p), uint32(s)) {
			return true
		}
	}
	return false
}

// agree holds an algebra, in which A and B are a and b, against the definitions.
func agree[S any](d definitions, x ctl.Algebra[S], A, B S, of func(has []bool) S) {
	ctx, a, b := context.Background(), d.a, d.b
	must := func(s S, err error) S {
		if err != nil {
			d.t.Fatal(err)
		}
		return s
	}
	dead := func(s int) bool { return len(d.g.Succ(s)) == 0 }
	sum := ctl.Sum{Most: rapid.IntRange(-2, 2).Draw(d.t, "most")}
	for p := range d.n.Places {
		sum.Weights = append(sum.Weights, ctl.Weight{Place: p, By: rapid.IntRange(-2, 2).Draw(d.t, "by")})
	}
	for _, law := range []struct {
		name string
		have S
		want []bool
	}{
		{"All", x.All(), d.each(func(int) bool { return true })},
		{"Initial", x.Initial(), d.each(func(s int) bool { return s == 0 })},
		{"Dead", x.Dead(), d.each(dead)},
		{"Union", x.Union(A, B), d.each(func(s int) bool { return a[s] || b[s] })},
		{"Intersect", x.Intersect(A, B), d.each(func(s int) bool { return a[s] && b[s] })},
		{"Minus", x.Minus(A, B), d.each(func(s int) bool { return a[s] && !b[s] })},
		{"Count", x.Count(&sum), d.each(func(s int) bool { return sum.Holds(d.g.Marking(s).Has) })},
		{"Pre", must(x.Pre(ctx, A)), d.each(func(s int) bool { return d.some(s, a) })},
		{"Post", must(x.Post(ctx, A)), d.each(d.comesFrom)},
		{"Until", must(x.Until(ctx, A, B)), d.fix(slices.Clone(b), func(s int, c []bool) bool { return b[s] || a[s] && d.some(s, c) })},
		{"Always", must(x.Always(ctx, A)), d.fix(slices.Clone(a), func(s int, c []bool) bool { return a[s] && (dead(s) || d.some(s, c)) })},
	} {
		if !x.Equal(law.have, of(law.want)) {
			d.t.Fatalf("%s is %v, expected %v", law.name, law.have, law.want)
		}
	}
	for p := range d.n.Places {
		if !x.Equal(x.Where(p), of(d.each(func(s int) bool { return d.g.Marking(s).Has(p) }))) {
			d.t.Fatalf("Where(%d) is %v", p, x.Where(p))
		}
	}
	if slices.Contains(a, true) {
		one, m := x.Pick(A)
		if at, ok := d.g.Find(m); !ok || !a[at] || !x.Equal(one, of(d.each(func(s int) bool { return s == at }))) {
			d.t.Fatalf("Pick gives %v, %v", one, m)
		}
	}
}

func TestSetsStopWhenCancelled(t *testing.T) {
	g := testnets.Explore(t, testnets.SequentialSale(12), petri.One)
	x, cause := g.Sets(), errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	ops := map[string]func(ctx context.Context) (space.Set, error){
		"Pre":    func(ctx context.Context) (space.Set, error) { return x.Pre(ctx, x.All()) },
		"Post":   func(ctx context.Context) (space.Set, error) { return x.Post(ctx, x.All()) },
		"Until":  func(ctx context.Context) (space.Set, error) { return x.Until(ctx, x.All(), x.Initial()) },
		"Always": func(ctx context.Context) (space.Set, error) { return x.Always(ctx, x.All()) },
	}
	for range 2 { // before and after the arcs backwards are there
		for name, op := range ops {
			if s, err := op(ctx); !errors.Is(err, cause) || s != nil {
				t.Errorf("%s: %d states, %v", name, s.Len(), err)
			}
		}
		if s, err := x.Pre(context.Background(), x.All()); err != nil || s.Len() != g.Len() {
			t.Errorf("Pre: %d states, %v", s.Len(), err)
		}
	}
}

// TestSetsTogether: many may use one graph.
func TestSetsTogether(t *testing.T) {
	g := testnets.Explore(t, testnets.SequentialSale(8), petri.One)
	x := g.Sets()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			home, err := x.Until(context.Background(), x.All(), x.Initial())
			if err != nil || home.Len() != g.Len() || g.Bytes() == 0 {
				t.Errorf("%d states, %v", home.Len(), err)
			}
		})
	}
	group.Wait()
}
