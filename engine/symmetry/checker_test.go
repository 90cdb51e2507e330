package symmetry_test

import (
	"context"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symmetry"
)

// TestOneOfManyIsLabelled: a checker that knows which conjuncts are alike says the same of a formula, with the same evidence and the same
// remarks, as one that labels all of them.
func TestOneOfManyIsLabelled(t *testing.T) {
	draws.SkipForRaces(t)
	spared := 0
	rapid.Check(t, func(t *rapid.T) {
		n := anyInstances(t)
		g, err := space.Explore(context.Background(), n, petri.One, space.Limits{States: 300})
		if err != nil {
			t.Skip(err)
		}
		f := anyConjunction(t)
		s := symmetry.New(n)
		whole, some := ctl.New(g.Sets()), ctl.New(g.Sets())
		some.Symmetric(func(f, g *ctl.Formula) bool {
			alike := s.Between(f, g) != nil
			if alike {
				spared++
			}
			return alike
		})
		step := func(from, to petri.Marking) []int { return nil }
		holds, err := whole.Holds(context.Background(), f)
		if have, err2 := some.Holds(context.Background(), f); have != holds || err != nil || err2 != nil {
			t.Fatalf("%s is %t, expected %t; %v, %v; %+v", f.CTL(), have, holds, err, err2, n)
		}
		e, err := whole.Explain(context.Background(), f, step)
		if have, err2 := some.Explain(context.Background(), f, step); !reflect.DeepEqual(have, e) || err != nil || err2 != nil {
			t.Fatalf("%s: evidence %+v, expected %+v; %v, %v; %+v", f.CTL(), have, e, err, err2, n)
		}
		if !holds {
			return
		}
		v, err := whole.Vacuous(context.Background(), f)
		if have, err2 := some.Vacuous(context.Background(), f); !reflect.DeepEqual(have, v) || err != nil || err2 != nil {
			t.Fatalf("%s: remarks %+v, expected %+v; %v, %v; %+v", f.CTL(), have, v, err, err2, n)
		}
	})
	if spared == 0 {
		t.Error("nothing was alike")
	}
}

// anyConjunction draws a conjunction over all instances, and besides.
func anyConjunction(t *rapid.T) *ctl.Formula {
	one, two := anyFormula(t, 3), anyFormula(t, 2)
	if rapid.Bool().Draw(t, "always") {
		inner := one
		one = func(i int) *ctl.Formula { return &ctl.Formula{Op: ctl.AG, Left: inner(i)} }
	}
	f := one(0)
	for i := 1; i < instances; i++ {
		f = &ctl.Formula{Op: ctl.And, Left: f, Right: one(i)}
	}
	return &ctl.Formula{Op: ctl.And, Left: f, Right: two(rapid.IntRange(0, instances-1).Draw(t, "one"))}
}
