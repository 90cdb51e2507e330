package delta_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/delta"
)

func drawing(t *rapid.T) draw {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
}

func TestItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, _ := drawn(drawing(t))
		if a := compare(t, base, base); !reflect.DeepEqual(a, &delta.Answer{Relation: delta.Same}) {
			t.Fatalf("%v to itself: %v", base, a)
		}
	})
}

func TestMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, head := drawn(drawing(t))
		a, b := compare(t, base, head), compare(t, head, base)
		if b.Relation != a.Relation.Mirror() || a.Differ != b.Differ {
			t.Fatalf("%v, in the mirror %v", a.Relation, b.Relation)
		}
		a, b = named(t, base, head, a), named(t, head, base, b)
		if !reflect.DeepEqual(a.Possible, b.Impossible) || !reflect.DeepEqual(a.Impossible, b.Possible) {
			t.Fatalf("words %v, in the mirror %v", a, b)
		}
	})
}

// TestNumbers: other numbers for the states change nothing but the numbers of arcs.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawing(t)
		base, head := drawn(d)
		other := [2]*lts{renumbered(d, base), renumbered(d, head)}
		a, b := compare(t, base, head), compare(t, other[0], other[1])
		if !reflect.DeepEqual(named(t, base, head, a), named(t, other[0], other[1], b)) {
			t.Fatalf("%v, with other numbers %v\nbase %v\nhead %v", a, b, base, head)
		}
	})
}

// renumbered has other numbers for all states but the initial one, and its arcs in another order.
func renumbered(d draw, l *lts) *lts {
	at := make([]int, l.states)
	for i := 1; i < l.states; i++ {
		j := 1 + d(i)
		at[i], at[j] = at[j], i
	}
	r := &lts{states: l.states, see: l.see}
	for _, a := range l.arcs {
		r.arcs = slices.Insert(r.arcs, d(len(r.arcs)+1), arc{at[a.from], a.label, at[a.to]})
	}
	return r
}

// named has the labels of the runs in place of the arcs.
func named(t require, base, head *lts, a *delta.Answer) *delta.Answer {
	n := *a
	name := func(l *lts, words []delta.Word) (named []delta.Word) {
		for _, w := range words {
			w.Run, _ = followed(t, l, w.Run)
			named = append(named, w)
		}
		return named
	}
	n.Possible, n.Impossible = name(head, a.Possible), name(base, a.Impossible)
	if a.Choice != nil {
		c := *a.Choice
		c.Run, _ = followed(t, map[bool]*lts{true: head, false: base}[c.Head], c.Run)
		n.Choice = &c
	}
	return &n
}

// TestFew: fewer words are the first ones, and the others are counted.
func TestFew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawing(t)
		base, head := drawn(d)
		k := d(3)
		all, few := compare(t, base, head), compareFirst(t, base, head, k)
		first := func(w []delta.Word) []delta.Word { return slices.Clip(w[:min(k, len(w))]) }
		if !slices.EqualFunc(few.Possible, first(all.Possible), same) || !slices.EqualFunc(few.Impossible, first(all.Impossible), same) {
			t.Fatalf("the first %d of %v are not %v", k, all, few)
		}
		if shown := len(few.Possible) + len(few.Impossible); few.LeftOut+shown != len(all.Possible)+len(all.Impossible) {
			t.Fatalf("%d left out, %d shown of %v", few.LeftOut, shown, all)
		}
	})
}

func same(v, w delta.Word) bool { return reflect.DeepEqual(v, w) }

// TestLimits: whatever the limit, what is said is what is said without one, or that it is unknown.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	limited, kept := 0, 0
	for range 3000 {
		base, head := drawn(r.IntN)
		p, err := delta.Join(context.Background(), base.system(), head.system(), delta.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		whole := compare(t, base, head)
		a, err := p.Compare(context.Background(), delta.View{Relabel: base.see, Wait: wait, Most: 100}, delta.Limits{Bytes: int64(r.IntN(1200)) + 1})
		var limit *delta.LimitError
		switch {
		case err == nil && !reflect.DeepEqual(a, whole):
			t.Fatalf("%v, without a limit %v", a, whole)
		case err != nil && !errors.As(err, &limit):
			t.Fatal(err)
		case err == nil:
			continue
		}
		limited++
		if a.Relation != delta.Unknown {
			kept++
		}
		if a.Relation != delta.Unknown && a.Relation != whole.Relation || a.Differ && whole.Relation == delta.Same {
			t.Fatalf("%v, without a limit %v", a, whole)
		}
		if !begins(a.Possible, whole.Possible) || !begins(a.Impossible, whole.Impossible) {
			t.Fatalf("%v, without a limit %v", a, whole)
		}
	}
	if limited < 300 || kept < 10 {
		t.Errorf("%d were limited, of which %d are settled", limited, kept)
	}
}

// begins reports whether few are the first of all, or shorter ones in their place that end alike: a limit can come before one is found that waiting does not mend.
func begins(few, all []delta.Word) bool {
	return len(few) <= len(all) && slices.EqualFunc(few, all[:len(few)], func(a, b delta.Word) bool {
		return same(a, b) || a.Refused == b.Refused && len(a.Run) <= len(b.Run)
	})
}

// TestUnfolded: copies of states, and silent steps before them, are no difference; one that can end
// where it couldn't is. These systems are large enough for tables to grow.
func TestUnfolded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		base := &lts{states: 300}
		for s := range base.states {
			for range 1 + r.IntN(3) {
				base.arcs = append(base.arcs, arc{s, 1 + r.IntN(labels), r.IntN(base.states)})
			}
		}
		head := unfolded(r, base)
		if a := compare(t, base, head); a.Relation != delta.Same {
			t.Fatalf("unfolded: %v", a.Relation)
		}
		head.arcs = append(head.arcs, arc{0, silent, head.states})
		head.states++
		if a := compare(t, base, head); a.Relation != delta.Otherwise || len(a.Choice.Next) > 0 {
			t.Fatalf("with another dead end: %v", a)
		}
	}
}

const silent = int(delta.Silent)

// unfolded has two copies of each state, and of each arc one to either, after a silent step or not.
func unfolded(r *rand.Rand, l *lts) *lts {
	u := &lts{states: 2 * l.states}
	for _, a := range l.arcs {
		for copy := range 2 {
			from, to := a.from+copy*l.states, a.to+r.IntN(2)*l.states
			if r.IntN(2) == 0 {
				u.arcs = append(u.arcs, arc{u.states, silent, to})
				to = u.states
				u.states++
			}
			u.arcs = append(u.arcs, arc{from, a.label, to})
		}
	}
	return u
}

// TestBlowUp: 2^40 sets are given up.
func TestBlowUp(t *testing.T) {
	p, err := delta.Join(context.Background(), guess(40, 3), guess(40, 4), delta.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, limits := range []delta.Limits{{Bytes: 1 << 20}, {Steps: 1 << 20}} {
		a, err := p.Compare(context.Background(), delta.View{Relabel: nil, Most: 5}, limits)
		var limit *delta.LimitError
		if !errors.As(err, &limit) || *limit != delta.LimitError(limits) {
			t.Errorf("with %v: %v", limits, err)
		}
		if a.Relation != delta.Unknown || !a.Differ {
			t.Errorf("with %v: %v", limits, a)
		}
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := delta.Join(ctx, grid([]int{80, 80}), grid([]int{80, 80}), delta.Limits{}); !errors.Is(err, cause) {
		t.Errorf("join: %v", err)
	}
	p, err := delta.Join(context.Background(), guess(40, 3), guess(40, 4), delta.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := p.Compare(ctx, delta.View{Relabel: nil, Most: 5}, delta.Limits{}); !errors.Is(err, cause) || a.Relation != delta.Unknown {
		t.Errorf("compare: %v, %v", a, err)
	}
}

// TestViews: one pair answers for several observers at once.
func TestViews(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	base, head := grid([]int{5, 6, 7}), grid([]int{5, 6, 7}, 100)
	p, err := delta.Join(context.Background(), base, head, delta.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		see := make([]uint32, 19)
		for l := range see {
			see[l] = uint32(l * r.IntN(2))
		}
		group.Go(func() {
			own, err := delta.Join(context.Background(), base, head, delta.Limits{})
			if err != nil {
				t.Error(err)
				return
			}
			a, _ := p.Compare(context.Background(), delta.View{Relabel: see, Most: 5}, delta.Limits{})
			b, _ := own.Compare(context.Background(), delta.View{Relabel: see, Most: 5}, delta.Limits{})
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%v, alone %v", a, b)
			}
		})
	}
	group.Wait()
}
