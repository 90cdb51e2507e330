package structure

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/petri"
)

func atom(p int) *ctl.Formula { return &ctl.Formula{Op: ctl.Atom, Name: fmt.Sprint("p", p), Place: p} }

func is1(op ctl.Op, left *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: op, Left: left} }

func is2(op ctl.Op, left, right *ctl.Formula) *ctl.Formula {
	return &ctl.Formula{Op: op, Left: left, Right: right}
}

var (
	yes = &ctl.Formula{Op: ctl.True}
	no  = &ctl.Formula{Op: ctl.False}
)

func simplified(t testing.TB, n *petri.Net, f *ctl.Formula) (*ctl.Formula, Stats) {
	t.Helper()
	g, stats, err := simplify(context.Background(), n, f)
	if err != nil {
		t.Fatal(err)
	}
	return g, stats
}

func transition(in, read, out []int) petri.Transition {
	return petri.Transition{In: in, Read: read, Out: out, Event: -1}
}

// TestSettles lists what each of the methods is there for: what one of them alone settles.
func TestSettles(t *testing.T) {
	ring := empty(3) // a token that goes round
	ring.Initial = []int{0}
	ring.Transitions = []petri.Transition{transition([]int{0}, nil, []int{1}), transition([]int{1}, nil, []int{2}), transition([]int{2}, nil, []int{0})}

	trap := empty(2) // each of two places comes and goes while the other is read: the count of tokens tells nothing
	trap.Initial = []int{0}
	trap.Transitions = []petri.Transition{transition(nil, []int{0}, []int{1}), transition([]int{1}, []int{0}, nil),
		transition(nil, []int{1}, []int{0}), transition([]int{0}, []int{1}, nil)}

	choice := empty(4) // both places of a pair, or none
	choice.Initial = []int{0}
	choice.Transitions = []petri.Transition{transition([]int{0}, nil, []int{1, 2}), transition([]int{1, 2}, nil, []int{3})}

	free := empty(2) // something can always happen
	free.Initial = []int{0}
	free.Transitions = []petri.Transition{transition([]int{0}, nil, []int{1}), transition(nil, nil, nil)}

	late := empty(3) // history
	late.Initial = []int{0, 2}
	late.Transitions = []petri.Transition{{In: []int{0}, Out: []int{1}, Marks: []int{2}, Event: -1}}

	watched := empty(3) // 1 and 2 watch
	watched.Initial = []int{0, 1}
	watched.Transitions = []petri.Transition{{Read: []int{0}, Moves: []petri.Move{{From: 1, To: 2}}, Event: -1}}

	for name, c := range map[string]struct {
		net  *petri.Net
		f    *ctl.Formula
		want string
	}{
		"two of a ring":            {ring, is1(ctl.EF, is2(ctl.And, atom(0), atom(2))), "false"},
		"one of a ring":            {ring, is1(ctl.AG, is2(ctl.Or, atom(0), is2(ctl.Or, atom(1), atom(2)))), "true"},
		"a sum":                    {ring, is1(ctl.AG, ctl.AtMost([]ctl.Weight{{Place: 0, By: 1}, {Place: 1, By: 2}, {Place: 2, By: 3}}, 3)), "true"},
		"a sum that may be":        {ring, is1(ctl.AG, ctl.AtMost([]ctl.Weight{{Place: 0, By: 1}, {Place: 1, By: 2}, {Place: 2, By: 3}}, 2)), "AG +1*#0+2*#1+3*#2<=2"},
		"no dead end":              {ring, is1(ctl.EF, is1(ctl.Not, is1(ctl.EX, yes))), "false"},
		"no end of what is free":   {free, is1(ctl.EF, is1(ctl.AX, no)), "false"},
		"a dead end":               {choice, is1(ctl.EF, is1(ctl.AX, no)), "EF AX false"},
		"as in the next":           {ring, is1(ctl.AX, is2(ctl.Implies, atom(0), is1(ctl.Not, atom(1)))), "true"},
		"one part":                 {ring, is2(ctl.EU, is2(ctl.Or, atom(1), is1(ctl.Not, is2(ctl.And, atom(0), atom(2)))), atom(2)), "EF p2"},
		"a trap":                   {trap, is1(ctl.AG, is2(ctl.Or, atom(0), atom(1))), "true"},
		"a trap, and a choice":     {trap, is1(ctl.EF, is1(ctl.Not, is2(ctl.Or, is2(ctl.And, atom(0), atom(1)), is1(ctl.Not, is2(ctl.Iff, atom(0), atom(1)))))), "false"},
		"history":                  {late, is1(ctl.AF, atom(2)), "true"},
		"watching":                 {watched, is1(ctl.EG, is2(ctl.Iff, atom(1), is1(ctl.Not, atom(2)))), "true"},
		"what it means":            {ring, is1(ctl.AG, &ctl.Formula{Op: ctl.Atom, Name: "m", Means: is1(ctl.Not, is2(ctl.And, atom(0), atom(1)))}), "true"},
		"cases":                    {choice, is1(ctl.AG, is2(ctl.Iff, atom(1), atom(2))), "true"},
		"nothing in one place":     {ring, is1(ctl.EF, atom(1)), "EF p1"},
		"double negation of atoms": {ring, is1(ctl.Not, is1(ctl.Not, atom(0))), "p0"},
	} {
		if g, stats := simplified(t, c.net, c.f); g.CTL() != c.want || stats.refused > 0 || stats.bounded > 0 {
			t.Errorf("%s: %s, expected %s; %+v", name, g.CTL(), c.want, stats)
		}
	}
}

// TestNotOneSafe: contacts that the laws' nets seldom have, and have alone.
func TestNotOneSafe(t *testing.T) {
	two := empty(4) // two moves to one place
	two.Initial = []int{0, 1, 2}
	two.Transitions = []petri.Transition{{In: []int{0}, Moves: []petri.Move{{If: []int{2}, From: 1, To: 3}, {If: []int{1}, From: 2, To: 3}}, Event: -1}}

	onto := empty(4) // a move to a marked place, if another is marked
	onto.Initial = []int{0, 1, 2, 3}
	onto.Transitions = []petri.Transition{{In: []int{0}, Moves: []petri.Move{{If: []int{3}, From: 1, To: 2}}, Event: -1}}

	source := empty(1) // from nothing
	source.Transitions = []petri.Transition{transition(nil, nil, []int{0})}

	stay := empty(3) // a token that stays is no second one
	stay.Initial = []int{0, 1}
	stay.Transitions = []petri.Transition{{Moves: []petri.Move{{If: []int{0}, From: 1, To: 1}, {From: 1, To: 2}}, Event: -1}, {Moves: []petri.Move{{If: []int{1}, From: 0, To: 0}}, Out: []int{2}, Event: -1}}
	if safe, err := New(stay).OneSafe(context.Background()); safe || err != nil {
		t.Errorf("a source beside a stay: %v, %v", safe, err)
	}
	stay.Transitions[1].Out = nil
	if safe, err := New(stay).OneSafe(context.Background()); !safe || err != nil {
		t.Errorf("a stay: %v, %v", safe, err)
	}
	for name, n := range map[string]*petri.Net{"two moves": two, "a move": onto, "a source": source} {
		if err := n.Sane(); err != nil {
			t.Fatal(err)
		}
		if safe, err := New(n).OneSafe(context.Background()); safe || err != nil {
			t.Errorf("%s: %v, %v", name, safe, err)
		}
	}
	v := newInvariant(&certificate{places: []ctl.Weight{{Place: 0, By: 1}, {Place: 1, By: 1}, {Place: 2, By: 1}, {Place: 3, By: -1}}}, []bool{true, true, false, true})
	for _, c := range []struct {
		places []int
		want   bool
	}{{[]int{0, 1}, false}, {[]int{0, 1, 2}, true}, {[]int{0, 2, 3, 4}, false}} {
		if v.excludes(c.places) != c.want {
			t.Errorf("%v: %v", c.places, !c.want)
		}
	}
}

// settledDead are the families of which the structure tells that there is no dead end, with 20 parties.
var settledDead = map[string]bool{"seq": true, "par": true, "bar": true, "philok": true}

func TestFamilies(t *testing.T) {
	dead := is1(ctl.EF, is1(ctl.AX, no))
	for _, name := range families.Names() {
		for _, n := range []int{2, 20, 200} {
			f := families.New(name, n)
			if g, stats := simplified(t, f.Net, f.Safe); g.Op != ctl.True || stats.bounded > 0 {
				t.Errorf("%s: the invariant is %s; %+v", f.Net.Name, g.CTL(), stats)
			}
			if safe, err := New(f.Net).OneSafe(context.Background()); !safe || err != nil {
				t.Errorf("%s is not proved to be one-safe: %v", f.Net.Name, err)
			}
			if g, _ := simplified(t, f.Net, dead); n == 20 && (g.Op == ctl.False) != settledDead[name] {
				t.Errorf("%s: EF dead is %s", f.Net.Name, g.CTL())
			}
		}
	}
}

// TestSame: the same question gives the same answer and takes the same steps.
func TestSame(t *testing.T) {
	f := families.New("slot", 6)
	dead := is1(ctl.EF, is1(ctl.AX, no))
	g, first := simplified(t, f.Net, is2(ctl.And, dead, f.Safe))
	for range 5 {
		if h, stats := simplified(t, f.Net, is2(ctl.And, dead, f.Safe)); !reflect.DeepEqual(g, h) || stats != first {
			t.Fatalf("%s, %+v, after %s, %+v", h.CTL(), stats, g.CTL(), first)
		}
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	f := families.New("seq", 20)
	if g, _, err := simplify(ctx, f.Net, f.Safe); !errors.Is(err, cause) || g != nil {
		t.Error(g, err)
	}
	if safe, err := New(f.Net).OneSafe(ctx); !errors.Is(err, cause) || safe {
		t.Error(safe, err)
	}
}

// TestBounded: what takes too many steps is left as it is, and said to be.
func TestBounded(t *testing.T) {
	f := families.New("slot", 40)
	dead := is1(ctl.EF, is1(ctl.AX, no))
	if g, stats := simplified(t, f.Net, dead); g.CTL() != dead.CTL() || stats.bounded == 0 {
		t.Errorf("%s, %+v", g.CTL(), stats)
	}
}

// BenchmarkSafe settles the families' invariants.
func BenchmarkSafe(b *testing.B) {
	for _, name := range families.Names() {
		f := families.New(name, 200)
		b.Run(f.Net.Name, func(b *testing.B) {
			for b.Loop() {
				simplified(b, f.Net, f.Safe)
			}
		})
	}
}

// simplify calls (*Net).Simplify for a single formula of a net.
func simplify(ctx context.Context, n *petri.Net, f *ctl.Formula) (*ctl.Formula, Stats, error) {
	x := New(n)
	g, err := x.Simplify(ctx, f)
	return g, x.Stats(), err
}
