package petri

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func absent(p Place) Place { return Place{p.Net, "not " + p.Name} }

// TestPlainFiresAlike: written out, with all ways or with those that are reached, a net fires from each marking once for each firing that it had.
func TestPlainFiresAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := watched(t)
		before := fmt.Sprint(n)
		all, err := n.Plain(absent, 1_000_000, nil)
		if err != nil {
			t.Fatal(err)
		}
		some, err := n.Plain(absent, 1_000_000, slices.Values(markings(n)))
		if err != nil {
			t.Fatal(err)
		}
		for _, plain := range []*Net{all, some} {
			if err := plain.Sane(); err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(plain.Transitions, func(t Transition) bool { return len(t.Moves)+len(t.Marks) > 0 || t.Moving }) {
				t.Fatalf("not written out: %+v", plain.Transitions)
			}
			reached := markings(plain)
			if len(reached) != len(markings(n)) {
				t.Fatalf("%d markings, expected %d", len(reached), len(markings(n)))
			}
			for _, m := range reached {
				first, _ := slices.BinarySearch(m, len(n.Places))
				if want, have := firings(n, m[:first], len(n.Places)), firings(plain, m, len(n.Places)); !slices.Equal(want, have) {
					t.Fatalf("in %v of %+v:\n%v; written out\n%v", m, n, want, have)
				}
			}
		}
		if fmt.Sprint(n) != before {
			t.Fatal("the net was changed")
		}
	})
}

// markings lists the markings that a net reaches.
func markings(n *Net) []Marking {
	reached := []Marking{n.Initial}
	for i := 0; i < len(reached); i++ {
		for t := range n.Transitions {
			if !n.Fireable(reached[i], t) {
				continue
			}
			after, contact := n.Fire(reached[i], []int{t})
			if contact < 0 && !slices.ContainsFunc(reached, func(m Marking) bool { return slices.Equal(m, after) }) {
				reached = append(reached, after)
			}
		}
	}
	return reached
}

// firings lists what fires in a marking, and what of the first places is marked then.
func firings(n *Net, m Marking, places int) []string {
	var list []string
	for t, of := range n.Transitions {
		if n.Fireable(m, t) {
			after, contact := n.Fire(m, []int{t})
			first, _ := slices.BinarySearch(after, places)
			list = append(list, fmt.Sprint(of.Name, of.Label, after[:first], contact))
		}
	}
	slices.Sort(list)
	return list
}

// What is written out is no more than there can be: a transition that may happen in no way is left out.
func TestPlainWays(t *testing.T) {
	for _, c := range []struct {
		name    string
		initial []int
		of      Transition
		want    []string
	}{
		{"where the token may be", []int{0}, Transition{Moves: []Move{{nil, 0, 1}}}, []string{"[0] -> [1], reads []", "[] -> [], reads [1]"}},
		{"only where something moves", []int{0}, Transition{Moves: []Move{{nil, 0, 1}}, Moving: true}, []string{"[0] -> [1], reads []"}},
		{"no token", nil, Transition{Moves: []Move{{nil, 0, 1}}}, []string{"[] -> [], reads []"}},
		{"no token, asked by another machine", []int{0}, Transition{Moves: []Move{{[]int{2}, 0, 1}}}, []string{"[] -> [], reads [0]", "[] -> [], reads [1]"}},
		{"one token in two places", []int{0}, Transition{Read: []int{0, 1}, Moves: []Move{{nil, 0, 1}}}, nil},
		{"in a known place", []int{0}, Transition{Read: []int{0}, Moves: []Move{{nil, 0, 1}}}, []string{"[0] -> [1], reads []"}},
		{"history", []int{4}, Transition{Read: []int{4}, Marks: []int{3}}, []string{"[5] -> [3], reads [4]", "[] -> [], reads [3 4]"}},
	} {
		n := &Net{Places: make([]Place, 5), Initial: c.initial, Transitions: []Transition{c.of}}
		plain, err := n.Plain(absent, 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, of := range plain.Transitions {
			have = append(have, fmt.Sprintf("%v -> %v, reads %v", of.In, of.Out, of.Read))
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: %q, expected %q", c.name, have, c.want)
		}
	}
}

// Of the ways in which a transition with moves can happen, those are written out that are reached.
func TestPlainReachedWays(t *testing.T) {
	n := &Net{Places: make([]Place, 6), Initial: []int{0, 4}, Transitions: []Transition{
		{Name: "t", Moves: []Move{{nil, 0, 1}, {nil, 2, 0}}},          // the token never is in 2
		{Name: "never", Read: []int{3}, Moves: []Move{{nil, 0, 1}}},   // 3 is never marked
		{Name: "once", In: []int{4}, Moves: []Move{{[]int{1}, 0, 2}}}, // 0 and 1 are never marked at once
		{Name: "later", Read: []int{1}, Out: []int{5}, Moves: []Move{{nil, 0, 1}}},
		{Name: "unmoved", Read: []int{3}},
	}}
	plain, err := n.Plain(absent, 10, slices.Values(markings(n)))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]int{}
	for _, of := range plain.Transitions {
		have[of.Name]++
	}
	if want := map[string]int{"t": 2, "once": 2, "later": 1, "unmoved": 1}; !maps.Equal(have, want) {
		t.Errorf("%v, expected %v", have, want)
	}
	// One way, in 16 markings.
	n = &Net{Places: make([]Place, 8), Initial: []int{0, 2, 4, 5, 6, 7}, Transitions: []Transition{
		{Moves: []Move{{nil, 1, 0}, {nil, 3, 2}}}, {In: []int{4}}, {In: []int{5}}, {In: []int{6}}, {In: []int{7}},
	}}
	if plain, err = n.Plain(absent, 10, slices.Values(markings(n))); err != nil || len(plain.Transitions) != 5 {
		t.Errorf("%v, %v", plain, err)
	}
}

func TestPlainLeavesPlainNets(t *testing.T) {
	if have, err := figure3.Plain(absent, 0, nil); have != figure3 || err != nil {
		t.Errorf("%v, %v", have, err)
	}
}

func TestPlainRefuses(t *testing.T) {
	for name, n := range map[string]*Net{
		"two tokens": {Places: make([]Place, 3), Initial: []int{0, 1}, Transitions: []Transition{{Name: "t", Moves: []Move{{nil, 0, 1}, {nil, 1, 2}}}}},
		"consumed":   {Places: make([]Place, 3), Initial: []int{0}, Transitions: []Transition{{Name: "t", Moves: []Move{{nil, 0, 1}}}, {In: []int{1}}}},
		"produced":   {Places: make([]Place, 3), Initial: []int{0}, Transitions: []Transition{{Name: "t", Moves: []Move{{nil, 0, 1}}}, {Out: []int{1}}}},
		"both":       {Places: make([]Place, 3), Initial: []int{0}, Transitions: []Transition{{Name: "t", In: []int{1}, Out: []int{2}, Moves: []Move{{nil, 0, 1}, {nil, 2, 1}}}}},
		"asked":      {Places: make([]Place, 3), Initial: []int{0}, Transitions: []Transition{{Name: "t", In: []int{2}, Moves: []Move{{[]int{2}, 0, 1}}}}},
		"history":    {Places: make([]Place, 3), Initial: []int{0}, Transitions: []Transition{{Name: "t", Moves: []Move{{[]int{2}, 0, 1}}}, {Marks: []int{2}}}},
	} {
		if have, err := n.Plain(absent, 10, nil); have != nil || err == nil || !strings.Contains(err.Error(), "t can't be written out") {
			t.Errorf("%s: %v, %v", name, have, err)
		}
	}
}

// TestPlainLimit: what is written out may be as much as the limit, whatever writes it, and no more.
func TestPlainLimit(t *testing.T) {
	moves := &Net{Places: make([]Place, 3), Initial: []int{0}, Transitions: []Transition{
		{Name: "t", Moves: []Move{{nil, 0, 1}, {nil, 1, 2}, {nil, 2, 0}}}, {Name: "u", Read: []int{0}, Moves: []Move{{nil, 0, 1}}}}}
	history := &Net{Places: make([]Place, 3), Transitions: []Transition{{Name: "t", Marks: []int{0, 1}}}}
	for _, c := range []struct {
		n       *Net
		reached bool
		needed  int
	}{{moves, false, 4}, {moves, true, 4}, {history, false, 4}} {
		for limit := range c.needed + 2 {
			all := slices.Values(markings(c.n))
			if !c.reached {
				all = nil
			}
			plain, err := c.n.Plain(absent, limit, all)
			var many *TooManyError
			switch {
			case limit >= c.needed && (err != nil || len(plain.Transitions) != c.needed):
				t.Errorf("limit %d: %v", limit, err)
			case limit < c.needed && (plain != nil || !errors.As(err, &many) || many.Limit != limit || !strings.Contains(err.Error(), fmt.Sprintf("more than %d", limit))):
				t.Errorf("limit %d: %v, %v", limit, plain, err)
			}
		}
	}
}
