package space_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"pgregory.net/rapid"
)

var _ ctl.Algebra[space.Set] = space.Sets{}

// TestSetsAgreeWithDefinitions evaluates the fixpoints by iterating their definitions.
func TestSetsAgreeWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, r := anyNet(t), anyRule(t)
		g, err := space.Explore(context.Background(), n, r, space.Limits{})
		if err != nil {
			t.Skip(err)
		}
		x, states := g.Sets(), rapid.SliceOfN(rapid.Bool(), g.Len(), g.Len())
		a, b := states.Draw(t, "a"), states.Draw(t, "b")
		ctx, A, B := context.Background(), set(a), set(b)
		must := func(s space.Set, err error) space.Set {
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		some := func(s int, c []bool) bool {
			return slices.ContainsFunc(g.Succ(s), func(to uint32) bool { return c[to] })
		}
		dead := func(s int) bool { return len(g.Succ(s)) == 0 }
		fix := func(c []bool, law func(s int, c []bool) bool) []bool {
			for range g.Len() {
				for s := range c {
					c[s] = law(s, c)
				}
			}
			return c
		}
		each := func(law func(s int) bool) []bool {
			return fix(make([]bool, g.Len()), func(s int, _ []bool) bool { return law(s) })
		}
		for _, law := range []struct {
			name string
			have space.Set
			want []bool
		}{
			{"All", x.All(), each(func(int) bool { return true })},
			{"Initial", x.Initial(), each(func(s int) bool { return s == 0 })},
			{"Dead", x.Dead(), each(dead)},
			{"Union", x.Union(A, B), each(func(s int) bool { return a[s] || b[s] })},
			{"Intersect", x.Intersect(A, B), each(func(s int) bool { return a[s] && b[s] })},
			{"Minus", x.Minus(A, B), each(func(s int) bool { return a[s] && !b[s] })},
			{"Pre", must(x.Pre(ctx, A)), each(func(s int) bool { return some(s, a) })},
			{"Post", must(x.Post(ctx, A)), each(func(s int) bool {
				for p := range g.Len() {
					if a[p] && slices.Contains(g.Succ(p), uint32(s)) {
						return true
					}
				}
				return false
			})},
			{"Until", must(x.Until(ctx, A, B)), fix(slices.Clone(b), func(s int, c []bool) bool { return b[s] || a[s] && some(s, c) })},
			{"Always", must(x.Always(ctx, A)), fix(slices.Clone(a), func(s int, c []bool) bool { return a[s] && (dead(s) || some(s, c)) })},
		} {
			if !x.Equal(law.have, set(law.want)) {
				t.Fatalf("%s is %b, expected %v", law.name, law.have, law.want)
			}
		}
		for p := range n.Places {
			if !x.Equal(x.Where(p), set(each(func(s int) bool { return g.Marking(s).Has(p) }))) {
				t.Fatalf("Where(%d) is %b", p, x.Where(p))
			}
		}
		if s := slices.Index(a, true); s >= 0 {
			one, m := x.Pick(A)
			if !x.Equal(one, set(each(func(u int) bool { return u == s }))) || !slices.Equal(m, g.Marking(s)) {
				t.Fatalf("Pick gives %b, %v, expected %d", one, m, s)
			}
		}
		if !x.Equal(A, set(a)) || !x.Equal(B, set(b)) {
			t.Fatal("an argument was changed")
		}
	})
}

func set(has []bool) space.Set {
	a := make(space.Set, (len(has)+63)/64)
	for s, h := range has {
		if h {
			a[s/64] |= 1 << (s % 64)
		}
	}
	return a
}

func TestSetsStopWhenCancelled(t *testing.T) {
	g := explore(t, seq(12), petri.One)
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
	g := explore(t, seq(8), petri.One)
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
