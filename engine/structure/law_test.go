package structure

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
)

// model is all that a net reaches, straight from petri's definitions; safe while there is no contact.
type model struct {
	marks []petri.Marking
	succ  [][]int
	safe  bool
}

func explore(n *petri.Net, r petri.Rule) *model {
	x := &model{marks: []petri.Marking{slices.Clone(n.Initial)}, safe: true}
	for s := 0; s < len(x.marks); s++ {
		x.succ = append(x.succ, nil)
		for _, step := range n.Steps(x.marks[s], r) {
			after, place := n.Fire(x.marks[s], step)
			if place >= 0 {
				x.safe = false
				return x
			}
			to := slices.IndexFunc(x.marks, func(m petri.Marking) bool { return slices.Equal(m, after) })
			if to < 0 {
				to, x.marks = len(x.marks), append(x.marks, after)
			}
			x.succ[s] = append(x.succ[s], to)
		}
	}
	return x
}

func (x *model) graph() naive.Graph {
	return naive.Graph{Succ: x.succ, Holds: func(s, p int) bool { return x.marks[s].Has(p) }}
}

// check checks a law on thousands of nets (rapid's default is a hundred).
func check(t *testing.T, thousands int, law func(t *rapid.T)) {
	for range 10 * thousands {
		rapid.Check(t, law)
	}
}

// TestSimplifyKeepsEveryMarking: what a formula is simplified to holds in the same reachable markings, so that it may stand for it
// anywhere; and the formula itself stays as it was.
func TestSimplifyKeepsEveryMarking(t *testing.T) {
	draws.Only(t, 50)
	check(t, 12, func(t *rapid.T) {
		n := anyNet(t)
		x := explore(n, rapid.SampledFrom([]petri.Rule{petri.One, petri.All}).Draw(t, "rule"))
		if !x.safe {
			return
		}
		structure := New(n) // what is found out for one formula serves the next
		if rapid.Bool().Draw(t, "blind") {
			structure.samples = &samples{places: make([]bits, len(n.Places))} // in nets as small as these it would hide what errs
		}
		for range 3 {
			f := anyFormula(t, len(n.Places), 4)
			before := f.CTL()
			g, err := structure.Simplify(context.Background(), f)
			if err != nil || f.CTL() != before {
				t.Fatalf("%v, %s, before %s", err, f.CTL(), before)
			}
			if have, want := naive.Sat(x.graph(), g), naive.Sat(x.graph(), f); !slices.Equal(have, want) {
				t.Fatalf("%s\nsimplified to %s:\nhave %v\nwant %v\nin %v", f.CTL(), g.CTL(), have, want, x.marks)
			}
		}
	})
}

// TestNever: what a search rules out no reachable marking meets. It is asked of predicates alone, so that there are cases to go
// through; and it leaves nothing behind.
func TestNever(t *testing.T) {
	found := 0
	check(t, 3, func(t *rapid.T) {
		n := anyNet(t)
		x, p := explore(n, petri.One), newProver(n)
		if !x.safe {
			return
		}
		for range 5 {
			p.left = budget
			f, holds := anyPredicate(t, len(n.Places), 3), rapid.Bool().Draw(t, "holds")
			p.refresh()
			s := &search{prover: &p}
			never, err := s.prove(context.Background(), []goal{{f, holds}})
			if err != nil || len(s.given.literals)+len(s.given.limits)+len(p.table.trail) > 0 {
				t.Fatalf("%v, and %+v is left", err, s.given)
			}
			if !never {
				continue
			}
			found++
			if slices.Contains(naive.Sat(x.graph(), f), holds) {
				t.Fatalf("%s is %v in one of %v", f.CTL(), holds, x.marks)
			}
		}
	})
	if found < 1000 {
		t.Errorf("only %d are ruled out", found)
	}
}

func anyPredicate(t *rapid.T, places, depth int) *ctl.Formula {
	op := ctl.Atom
	if depth > 0 {
		op = rapid.SampledFrom([]ctl.Op{ctl.Atom, ctl.Not, ctl.And, ctl.Or, ctl.Implies, ctl.Iff}).Draw(t, "op")
	}
	switch op {
	case ctl.Atom:
		return anyAtom(t, places)
	case ctl.Not:
		return is1(op, anyPredicate(t, places, depth-1))
	}
	return is2(op, anyPredicate(t, places, depth-1), anyPredicate(t, places, depth-1))
}

func anyFormula(t *rapid.T, places, depth int) *ctl.Formula {
	op := ctl.Atom
	if depth > 0 {
		op = rapid.SampledFrom([]ctl.Op{ctl.Atom, ctl.Atom, ctl.Not, ctl.And, ctl.And, ctl.Or, ctl.Or, ctl.Implies, ctl.Iff,
			ctl.EX, ctl.AX, ctl.EF, ctl.AF, ctl.EG, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW}).Draw(t, "op")
	}
	if op == ctl.Atom {
		return anyAtom(t, places)
	}
	f := &ctl.Formula{Op: op, Left: anyFormula(t, places, depth-1)}
	switch op {
	case ctl.And, ctl.Or, ctl.Implies, ctl.Iff, ctl.EU, ctl.AU, ctl.EW, ctl.AW:
		f.Right = anyFormula(t, places, depth-1)
	}
	return f
}

func anyAtom(t *rapid.T, places int) *ctl.Formula {
	place := rapid.IntRange(0, places-1)
	switch rapid.IntRange(0, 12).Draw(t, "atom") {
	case 0:
		return &ctl.Formula{Op: ctl.True}
	case 1:
		return &ctl.Formula{Op: ctl.False}
	case 2:
		return &ctl.Formula{Op: ctl.EX, Left: &ctl.Formula{Op: ctl.True}}
	case 3:
		return &ctl.Formula{Op: ctl.AX, Left: &ctl.Formula{Op: ctl.False}}
	case 4, 5, 6, 7:
		var weights []ctl.Weight
		for range rapid.IntRange(1, 5).Draw(t, "weights") {
			weights = append(weights, ctl.Weight{Place: place.Draw(t, "place"), By: rapid.IntRange(-2, 3).Draw(t, "by")})
		}
		return ctl.AtMost(weights, rapid.IntRange(-2, 3).Draw(t, "most"))
	case 8:
		return &ctl.Formula{Op: ctl.Atom, Name: "m", Means: anyFormula(t, places, 2)}
	}
	return &ctl.Formula{Op: ctl.Atom, Name: "p", Place: place.Draw(t, "place")}
}

// TestOneSafe: nets that are proved to be one-safe have no contact, and those made of parties are proved to be.
func TestOneSafe(t *testing.T) {
	check(t, 4, func(t *rapid.T) {
		n := anyNet(t)
		if proved, err := New(n).OneSafe(context.Background()); err != nil || proved && !explore(n, petri.One).safe {
			t.Fatalf("%v, %+v", err, n)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		if proved, err := New(parties(t)).OneSafe(context.Background()); !proved || err != nil {
			t.Fatal(proved, err)
		}
	})
}
