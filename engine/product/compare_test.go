package product_test

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/symbolic"
)

type tester interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Context() context.Context
}

func compare(t tester, v *versions, k int) *product.Answer {
	w, err := product.New(t.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
	if err != nil {
		t.Fatal(err)
	}
	a, err := w.Compare(t.Context(), v.observer, v.like, k, product.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// seen is what is observed of a run.
func (v *versions) seen(side int, run []int) []int {
	var list []int
	for _, t := range run {
		switch {
		case t < 0:
			list = append(list, v.observer.Idle)
		case v.observer.Labels[side][t] != product.Hidden:
			list = append(list, v.observer.Labels[side][t])
		}
	}
	return list
}

// replay fires a run by the definitions.
func (v *versions) replay(t tester, side int, run []int) petri.Marking {
	n := v.nets[side]
	m := petri.Marking(n.Initial)
	for _, i := range run {
		if i < 0 {
			if waits(n, m) {
				t.Fatalf("in %v of %v time does not pass", m, run)
			}
			for j := range n.Transitions {
				if n.Transitions[j].Moving && n.Fireable(m, j) {
					t.Fatalf("in %v of %v something moves", m, run)
				}
			}
			continue
		}
		if !n.IsStep(m, petri.One, []int{i}) {
			t.Fatalf("%v does not replay", run)
		}
		contact := -1
		if m, contact = n.Fire(m, []int{i}); contact >= 0 {
			t.Fatalf("%v is in contact", run)
		}
	}
	return m
}

// word is an explicit word as it is observed: labels of package product.
func observed(s *delta.System, w delta.Word) (list []int) {
	for _, arc := range w.Run {
		if s.Label[arc] != delta.Silent {
			list = append(list, int(s.Label[arc])-1)
		}
	}
	return list
}

// TestExplicit: where anything is answered it is what comparing all states answers, and the words are the same.
func TestExplicit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyVersions(t)
		p, err := delta.Join(t.Context(), v.system(product.Base), v.system(product.Head), delta.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.Compare(t.Context(), delta.View{Relabel: nil, Wait: uint32(v.observer.Wait + 1), Most: 1000}, delta.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got := compare(t, v, 1000)
		if got.Relation != want.Relation && got.Relation != delta.Unknown {
			t.Fatalf("%v, and it is %v", got.Relation, want.Relation)
		}
		if (got.Relation == delta.Unknown) != (got.Reason != "") {
			t.Fatalf("%v for the reason %q", got.Relation, got.Reason)
		}
		if got.Differ && want.Relation == delta.Same {
			t.Fatal("they do not differ")
		}
		v.sameWords(t, product.Head, got, got.Possible, want.Possible)
		v.sameWords(t, product.Base, got, got.Impossible, want.Impossible)
	})
}

// sameWords compares the words of one side; where nothing is settled there may be none.
func (v *versions) sameWords(t *rapid.T, side int, a *product.Answer, got []product.Word, want []delta.Word) {
	if len(got) != len(want) && (a.Relation != delta.Unknown || len(got) > 0) {
		t.Fatalf("%d words of side %d, and there are %d", len(got), side, len(want))
	}
	for i, w := range got {
		v.replay(t, side, w.Run)
		s := v.system(side)
		if !slices.Equal(v.seen(side, w.Run), observed(s, want[i])) || len(w.Run) != len(want[i].Run) {
			t.Fatalf("word %d of side %d is %v (%v), not %v", i, side, v.seen(side, w.Run), w.Run, observed(s, want[i]))
		}
		var instead []int
		for _, l := range want[i].Instead {
			instead = append(instead, int(l)-1)
		}
		if crowd := v.crowd(1-side, v.seen(side, w.Run)); w.Crowd.Cmp(big.NewInt(int64(crowd))) != 0 {
			t.Fatalf("word %d of side %d has the other in up to %v states, and there are %d", i, side, w.Crowd, crowd)
		}
		if w.Refused != int(want[i].Refused)-1 || !slices.Equal(w.Instead, instead) {
			t.Fatalf("word %d of side %d: %v, not %v; instead %v", i, side, w, want[i], instead)
		}
	}
}

// crowd is the most states a side can be in on the way to the last of a word.
func (v *versions) crowd(side int, word []int) int {
	s := v.system(side)
	step := func(from map[uint32]bool, label uint32) map[uint32]bool {
		to := map[uint32]bool{}
		for state := range from {
			for a := s.First[state]; a < s.First[state+1]; a++ {
				if s.Label[a] == label {
					to[s.Target[a]] = true
				}
			}
		}
		return to
	}
	at, most := map[uint32]bool{0: true}, 0
	for i := range word {
		for size := -1; size < len(at); {
			size = len(at)
			maps.Copy(at, step(at, delta.Silent))
		}
		most = max(most, len(at))
		at = step(at, uint32(word[i]+1))
	}
	return most
}

// TestTicksOfWhichIdlenessIsNotKnown: an idle step is compared where one transition has to move something, and takes no token. A net in which it
// takes one, or in which several have to move something, is for no diagrams: nothing is said of it.
func TestTicksOfWhichIdlenessIsNotKnown(t *testing.T) {
	tick := petri.Transition{Moving: true, Moves: []petri.Move{{From: 0, To: 1}}}
	takes, gives := tick, tick
	takes.In, gives.Out = []int{2}, []int{3}
	for _, c := range []struct {
		name  string
		ticks []petri.Transition
		want  error
	}{
		{"one", []petri.Transition{tick}, nil},
		{"one that gives a token", []petri.Transition{gives}, nil},
		{"one that takes a token", []petri.Transition{takes}, symbolic.ErrNotSymbolic},
		{"two", []petri.Transition{tick, tick}, symbolic.ErrNotSymbolic},
	} {
		v := &versions{observer: product.Observer{Idle: 0, Wait: product.Hidden}}
		for side, list := range [2][]petri.Transition{{tick}, c.ticks} {
			n := &petri.Net{Name: "n", Transitions: list}
			for i, name := range []string{"before", "after", "stock", "new"} {
				place(n, "n", name, i%2 == 0)
			}
			v.nets[side], v.observer.Labels[side], v.like[side] = n, make([]int, len(list)), make([]int, len(list))
		}
		w, err := product.New(t.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
		if err != nil {
			t.Fatal(err)
		}
		a, err := w.Compare(t.Context(), v.observer, v.like, 1, product.Limits{})
		if !errors.Is(err, c.want) || c.want == nil && a.Relation != delta.Same || c.want != nil && (a.Relation != delta.Unknown || len(a.Possible)+len(a.Impossible) > 0) {
			t.Errorf("%s: %v, %v; want %v", c.name, a.Relation, err, c.want)
		}
		if lost, err := w.Lost(t.Context(), v.observer, v.like, nil, product.Over{-1, -1}, nil, product.Limits{}); !errors.Is(err, c.want) {
			t.Errorf("%s: lost %v, %v; want %v", c.name, lost, err, c.want)
		}
	}
}

// TestSettled: where nothing is hidden and no state has two equally observed transitions, nothing is unknown.
func TestSettled(t *testing.T) {
	settled, all := map[string]int{}, map[string]int{}
	gen := rapid.Custom(func(t *rapid.T) *versions { return anyVersions(t) })
	for seed := range 1500 {
		v, ok := example(gen, seed)
		if !ok {
			continue
		}
		kind := v.kind()
		all[kind]++
		a := compare(t, v, 3)
		if a.Relation != delta.Unknown {
			settled[kind]++
		} else if kind == "plain" {
			t.Errorf("seed %d: unknown: %s", seed, a.Reason)
		}
	}
	t.Log(settled, "of", all)
	for kind, n := range all {
		if n < 30 || 2*settled[kind] < n {
			t.Errorf("%s: %d of %d are settled", kind, settled[kind], n)
		}
	}
}

// kind says what is hard about comparing.
func (v *versions) kind() string {
	kind := "plain"
	for side := range v.nets {
		s := v.system(side)
		for state := range s.Len() {
			to := map[uint32]uint32{}
			for a := s.First[state]; a < s.First[state+1]; a++ {
				if s.Label[a] == delta.Silent {
					return "hidden"
				}
				if target, had := to[s.Label[a]]; had && target != s.Target[a] {
					kind = "ambiguous"
				}
				to[s.Label[a]] = s.Target[a]
			}
		}
	}
	return kind
}
