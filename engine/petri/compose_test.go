package petri

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFigures6And7: x = (a1, b1) takes {pa1, pb1} to {pa2, pb2}; b2 is carried over.
func TestFigures6And7(t *testing.T) {
	a := &Net{Name: "A", Places: []Place{{"A", "pa1"}, {"A", "pa2"}}, Initial: []int{0},
		Transitions: []Transition{{Name: "a1", Label: "a1", In: []int{0}, Out: []int{1}}}}
	b := &Net{Name: "B", Places: []Place{{"B", "pb1"}, {"B", "pb2"}}, Initial: []int{0}, Transitions: []Transition{
		{Name: "b1", Label: "b1", In: []int{0}, Out: []int{1}},
		{Name: "b2", Label: "b2", In: []int{1}, Out: []int{0}},
	}}
	x := Event{Name: "x", Sync: []Sync{{1, "b1"}, {0, "a1"}}}
	want := strings.TrimSpace(`
A.pa1 A.pa2 B.pb1 B.pb2, marked [0 2]
x event 0 of [{0 0} {1 0}]: [0 2] -> [1 3], reads []
B.b2 event -1 of [{1 1}]: [3] -> [2], reads []`)
	if have := show(Compose([]*Net{a, b}, []Event{x})); have != want {
		t.Errorf("composed:\n%s\nexpected:\n%s", have, want)
	}
}

func TestComposeCombines(t *testing.T) {
	two := func(name string) *Net {
		return &Net{Name: name, Places: []Place{{name, "p"}}, Transitions: []Transition{
			{Name: "t", Label: "l", In: []int{0}}, {Name: "u", Label: "m", Out: []int{0}}, {Name: "v", Label: "l", Read: []int{0}}, {Name: "w"},
		}}
	}
	nets := []*Net{two("A"), two("B"), two("C")}
	events := []Event{
		{"ac", []Sync{{2, "l"}, {0, "l"}}},
		{"alone", []Sync{{1, "l"}}},
		{"never", []Sync{{1, "m"}, {2, "absent"}}},
		{"unlabelled", []Sync{{1, ""}}},
		{"nobody", nil},
		{"again", []Sync{{0, "l"}}},
	}
	want := strings.TrimSpace(`
A.p B.p C.p, marked []
ac event 0 of [{0 0} {2 0}]: [0 2] -> [], reads []
ac event 0 of [{0 0} {2 2}]: [0] -> [], reads [2]
ac event 0 of [{0 2} {2 0}]: [2] -> [], reads [0]
ac event 0 of [{0 2} {2 2}]: [] -> [], reads [0 2]
alone event 1 of [{1 0}]: [1] -> [], reads []
alone event 1 of [{1 2}]: [] -> [], reads [1]
again event 5 of [{0 0}]: [0] -> [], reads []
again event 5 of [{0 2}]: [] -> [], reads [0]
A.u event -1 of [{0 1}]: [] -> [0], reads []
A.w event -1 of [{0 3}]: [] -> [], reads []
B.w event -1 of [{1 3}]: [] -> [], reads []
C.u event -1 of [{2 1}]: [] -> [2], reads []
C.w event -1 of [{2 3}]: [] -> [], reads []`)
	if have := show(Compose(nets, events)); have != want {
		t.Errorf("composed:\n%s\nexpected:\n%s", have, want)
	}
	if n := combinations(nets, events); n.Cmp(big.NewInt(8)) != 0 {
		t.Errorf("%v combinations, expected 8", n)
	}
}

// TestCombinationsBeyondMemory counts 3^100 without making them.
func TestCombinationsBeyondMemory(t *testing.T) {
	n := &Net{Transitions: []Transition{{Label: "l"}, {Label: "l"}, {Label: "l"}}}
	var nets []*Net
	var e Event
	for i := range 100 {
		nets, e.Sync = append(nets, n), append(e.Sync, Sync{i, "l"})
	}
	want := new(big.Int).Exp(big.NewInt(3), big.NewInt(100), nil)
	if have := combinations(nets, []Event{e}); have.Cmp(want) != 0 {
		t.Errorf("%v combinations, expected %v", have, want)
	}
}

// TestComposeLaws: a composition is sane, as large as counted, leaves its components alone, and
// is the same up to names whichever net comes first.
func TestComposeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyNet(t, "A"), anyNet(t, "B")
		before := show(a) + show(b)
		ab := Compose([]*Net{a, b}, events(0, 1))
		ba := Compose([]*Net{b, a}, events(1, 0))
		if err := ab.Sane(); err != nil {
			t.Fatal(err)
		}
		made := slices.IndexFunc(append(ab.Transitions, Transition{Event: -1}), func(t Transition) bool { return t.Event < 0 })
		if n := combinations([]*Net{a, b}, events(0, 1)); n.Cmp(big.NewInt(int64(made))) != 0 {
			t.Fatalf("%v combinations counted, %d made", n, made)
		}
		if have, want := named(ab), named(ba); !slices.Equal(have, want) {
			t.Fatalf("A with B: %q\nB with A: %q", have, want)
		}
		if show(a)+show(b) != before {
			t.Fatal("a component was changed")
		}
	})
}

// events concern both nets, one, and the other.
func events(a, b int) []Event {
	return []Event{{"both", []Sync{{a, "a"}, {b, "a"}}}, {"one", []Sync{{a, "b"}}}, {"same", []Sync{{b, "a"}}}}
}

// named tells the transitions by the names of their places, sorted.
func named(n *Net) []string {
	names := func(places []int) []string {
		list := []string{}
		for _, p := range places {
			list = append(list, n.Places[p].String())
		}
		slices.Sort(list)
		return list
	}
	var all []string
	for _, t := range n.Transitions {
		all = append(all, fmt.Sprint(t.Name, t.Event, names(t.In), names(t.Out), names(t.Read)))
	}
	slices.Sort(all)
	return append(all, fmt.Sprint(names(n.Initial)))
}

func show(n *Net) string {
	var b strings.Builder
	for _, p := range n.Places {
		fmt.Fprint(&b, p, " ")
	}
	text := strings.TrimSpace(b.String()) + fmt.Sprintf(", marked %v", n.Initial)
	for _, t := range n.Transitions {
		text += fmt.Sprintf("\n%s event %d of %v: %v -> %v, reads %v", t.Name, t.Event, t.Parts, t.In, t.Out, t.Read)
	}
	return text
}

// combinations adds up what Combinations counts.
func combinations(nets []*Net, events []Event) *big.Int {
	total := new(big.Int)
	for _, n := range Combinations(nets, events) {
		total.Add(total, n)
	}
	return total
}
