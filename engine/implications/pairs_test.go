package implications_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/implications"
	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/petri"
)

// markings lists those that a net reaches, and the transitions fired; safe is false where it meets a contact.
func markings(n *petri.Net) (list []petri.Marking, fired []bool, safe bool) {
	fired = make([]bool, len(n.Transitions))
	list = []petri.Marking{slices.Clone(n.Initial)}
	known := map[string]bool{fmt.Sprint(list[0]): true}
	for i := 0; i < len(list); i++ {
		for t := range n.Transitions {
			if !n.Fireable(list[i], t) {
				continue
			}
			after, contact := n.Fire(list[i], []int{t})
			if contact >= 0 {
				return nil, nil, false
			}
			fired[t] = true
			if key := fmt.Sprint(after); !known[key] {
				known[key], list = true, append(list, after)
			}
		}
	}
	return list, fired, true
}

// anyNet is parties that move together now and then, and what else is drawn; not always one-safe.
func anyNet(t *rapid.T) *petri.Net {
	draw := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "n") }
	places := draw(2, 8)
	n := &petri.Net{Places: make([]petri.Place, places), Initial: []int{0, places / 2}}
	if draw(0, 3) == 0 {
		n.Initial = append(n.Initial, places-1)
	}
	n.Initial = slices.Compact(n.Initial)
	for range draw(1, 8) {
		var tr petri.Transition
		for _, half := range [][2]int{{0, places/2 - 1}, {places / 2, places - 1}} {
			from, to := draw(half[0], half[1]), draw(half[0], half[1])
			switch kind := draw(0, 9); {
			case kind < 5 && from != to:
				tr.In, tr.Out = append(tr.In, from), append(tr.Out, to)
			case kind < 7:
				tr.Read = append(tr.Read, from)
			case kind == 7:
				tr.Out = append(tr.Out, to)
			case kind == 8:
				tr.In = append(tr.In, from)
			}
		}
		n.Transitions = append(n.Transitions, tr)
	}
	if draw(0, 4) == 0 {
		n.Places = append(n.Places, petri.Place{}, petri.Place{}, petri.Place{})
		n.Initial = append(n.Initial, places)
		slices.Sort(n.Initial)
		tr := &n.Transitions[0]
		tr.Moves, tr.Marks = []petri.Move{{If: []int{0}, From: places, To: places + 1}}, []int{places + 2}
	}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	return n
}

// holds says whether a literal holds in a marking.
func holds(m petri.Marking, l implications.Literal) bool {
	p := int(l / 2)
	return m.Has(p) == (l == implications.Marked(p))
}

func TestFactsHoldInEveryMarking(t *testing.T) {
	told := 0
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		list, fired, safe := markings(n)
		if shown, err := implications.OneSafe(context.Background(), n); err != nil || shown && !safe {
			t.Fatalf("one-safe: %v, %v", shown, err)
		}
		if !safe {
			return
		}
		f, err := implications.Of(context.Background(), n)
		if err != nil {
			t.Fatal(err)
		}
		for t1, was := range fired {
			if was && f.Dead(t1) {
				t.Fatalf("transition %d is fired", t1)
			}
		}
		all := implications.Literal(2 * len(n.Places))
		for a := range all {
			for b := range all {
				if !f.Implies(a, b) {
					continue
				}
				told++
				for _, m := range list {
					if holds(m, a) && !holds(m, b) {
						t.Fatalf("in %v, %d does not imply %d", m, a, b)
					}
				}
			}
			if f.Always(a) && slices.ContainsFunc(list, func(m petri.Marking) bool { return !holds(m, a) }) {
				t.Fatalf("%d does not always hold", a)
			}
		}
	})
	if told < 1000 {
		t.Errorf("%d facts", told)
	}
}

// TestPartiesAreInOnePlace: of the places of a party no two are marked together, and the families are one-safe by that.
func TestPartiesAreInOnePlace(t *testing.T) {
	for _, name := range families.Names() {
		n := families.New(name, 5).Net
		if safe, err := implications.OneSafe(context.Background(), n); !safe || err != nil {
			t.Errorf("%s: %v, %v", name, safe, err)
		}
	}
	n := families.New("par", 3).Net
	f, err := implications.Of(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	for p := range n.Places {
		for q := range n.Places {
			same := p/4 == q/4 && p != q // P0 to P3, S0 to S3
			if f.Implies(implications.Marked(p), implications.Unmarked(q)) && !same && p/8 != q/8 || same && !f.Implies(implications.Marked(p), implications.Unmarked(q)) {
				t.Errorf("%v and %v", n.Places[p], n.Places[q])
			}
		}
	}
}

// TestWhatIsTold by hand: a twin, an opposite, a place for ever marked, a place and a transition that never come.
func TestWhatIsTold(t *testing.T) {
	const on, twin, off, ever, never = 0, 1, 2, 3, 4
	n := &petri.Net{Places: make([]petri.Place, 5), Initial: []int{on, twin, ever}, Transitions: []petri.Transition{
		{In: []int{on, twin}, Out: []int{off}},
		{In: []int{off}, Out: []int{on, twin}},
		{In: []int{on}, Out: []int{never}, Read: []int{off}},
		{In: []int{never}},
	}}
	f, err := implications.Of(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b implications.Literal
		want bool
	}{
		{implications.Marked(on), implications.Marked(twin), true}, {implications.Marked(twin), implications.Marked(on), true},
		{implications.Marked(on), implications.Unmarked(off), true}, {implications.Unmarked(off), implications.Marked(on), true},
		{implications.Marked(on), implications.Marked(off), false}, {implications.Marked(never), implications.Marked(off), true},
	} {
		if f.Implies(c.a, c.b) != c.want {
			t.Errorf("%d implies %d: %v", c.a, c.b, !c.want)
		}
	}
	if !f.Always(implications.Marked(ever)) || !f.Always(implications.Unmarked(never)) || f.Always(implications.Marked(on)) || f.Always(implications.Unmarked(off)) {
		t.Error("what always holds")
	}
	for tr, dead := range []bool{false, false, true, true} {
		if f.Dead(tr) != dead {
			t.Errorf("transition %d dead: %v", tr, !dead)
		}
	}
}

func TestNetsTooLargeAndEnds(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 4001)}
	if _, err := implications.Of(context.Background(), n); !errors.Is(err, implications.ErrTooLarge) {
		t.Error(err)
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := implications.OneSafe(ctx, families.New("seq", 3).Net); !errors.Is(err, cause) {
		t.Error(err)
	}
}

func BenchmarkFacts(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"seq", 200}, {"seq", 900}, {"phil", 900}, {"slot", 100}} {
		n := families.New(c.name, c.n).Net
		b.Run(n.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := implications.Of(context.Background(), n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestMovesEnd: what a move makes uncertain is struck out once, not again and again until the work is too much.
func TestMovesEnd(t *testing.T) {
	n := &petri.Net{
		Places:      []petri.Place{{Name: "a"}, {Name: "b"}, {Name: "p"}},
		Transitions: []petri.Transition{{Name: "t", Read: []int{0, 2}, Moves: []petri.Move{{From: 0, To: 1}}}},
		Initial:     petri.Marking{0, 2},
	}
	f, err := implications.Of(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if !f.Always(implications.Marked(2)) || f.Always(implications.Marked(0)) || f.Always(implications.Unmarked(1)) {
		t.Error("p is always marked; a and b are not always as they were")
	}
}
