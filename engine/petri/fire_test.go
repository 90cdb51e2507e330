package petri

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// figure3 is {p1, p2} -t-> {p1, p3}, p1 being read.
var figure3 = &Net{
	Places:      make([]Place, 3),
	Transitions: []Transition{{In: []int{1}, Read: []int{0}, Out: []int{2}}},
	Initial:     []int{0, 1},
}

func TestFigure3(t *testing.T) {
	m := Marking(figure3.Initial)
	if !figure3.Fireable(m, 0) {
		t.Fatal("t is not fireable")
	}
	after, contact := figure3.Fire(m, []int{0})
	if contact != -1 || !slices.Equal(after, Marking{0, 2}) {
		t.Fatalf("fires to %v, contact %d", after, contact)
	}
	if figure3.Fireable(after, 0) || len(figure3.Steps(after, One)) != 0 || len(figure3.Steps(after, All)) != 0 {
		t.Error("t is fireable again")
	}
	if !slices.Equal(m, Marking{0, 1}) {
		t.Error("the marking before was changed")
	}
}

func TestContact(t *testing.T) {
	n := &Net{Places: make([]Place, 5), Transitions: []Transition{
		{In: []int{0}, Out: []int{2}},
		{In: []int{1}, Out: []int{2}},
		{In: []int{0}, Out: []int{1, 3}},
		{In: []int{1}, Out: []int{4}},
	}}
	for _, c := range []struct {
		m       Marking
		ts      []int
		contact int
	}{
		{Marking{0, 1}, []int{0}, -1},
		{Marking{0, 1}, []int{0, 1}, 2},    // both produce 2
		{Marking{0, 2}, []int{0}, 2},       // 2 is marked
		{Marking{0, 1}, []int{2}, 1},       // 1 is marked
		{Marking{0, 1}, []int{2, 3}, 1},    // and that 3 empties it makes no room
		{Marking{0, 1, 3}, []int{2, 3}, 1}, // the first of two
		{Marking{0, 3}, []int{2}, 3},
	} {
		if after, contact := n.Fire(c.m, c.ts); contact != c.contact || (after == nil) != (contact >= 0) {
			t.Errorf("%v fires %v: contact %d, expected %d", c.m, c.ts, contact, c.contact)
		}
	}
}

func TestReadsCompete(t *testing.T) {
	n := &Net{Places: make([]Place, 2), Initial: []int{0, 1}, Transitions: []Transition{
		{Read: []int{0}}, {Read: []int{0}}, {In: []int{1}}, {In: []int{0, 1}},
	}}
	for r, want := range map[Rule]string{One: "[[0] [1] [2] [3]]", All: "[[0 2] [1 2] [3]]"} {
		if have := fmt.Sprint(n.Steps(n.Initial, r)); have != want {
			t.Errorf("%v: %s, expected %s", r, have, want)
		}
	}
	for _, ts := range [][]int{nil, {2, 0}, {0, 0}, {4}, {-1}} {
		if n.IsStep(n.Initial, One, ts) || n.IsStep(n.Initial, All, ts) {
			t.Errorf("%v is a step", ts)
		}
	}
}

// TestStepsAreAllSubsetsThatAreSteps holds Steps against every subset of the transitions.
func TestStepsAreAllSubsetsThatAreSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, r := anyNet(t, "n"), rapid.SampledFrom([]Rule{One, All}).Draw(t, "rule")
		var want [][]int
		for bits := range 1 << len(n.Transitions) {
			var ts []int
			for i := range n.Transitions {
				if bits>>i&1 == 1 {
					ts = append(ts, i)
				}
			}
			if n.IsStep(n.Initial, r, ts) {
				want = append(want, ts)
			}
		}
		slices.SortFunc(want, slices.Compare[[]int])
		if have := n.Steps(n.Initial, r); !slices.EqualFunc(have, want, slices.Equal[[]int]) {
			t.Fatalf("steps %v, expected %v", have, want)
		}
	})
}

func anyNet(t *rapid.T, name string) *Net {
	n := &Net{Name: name}
	for p := range rapid.IntRange(1, 4).Draw(t, "places") {
		n.Places = append(n.Places, Place{name, fmt.Sprint("p", p)})
		if rapid.Bool().Draw(t, "marked") {
			n.Initial = append(n.Initial, p)
		}
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "transitions") {
		tr := Transition{Name: fmt.Sprint("t", i), Label: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "label")}
		for p := range n.Places {
			switch rapid.IntRange(0, 5).Draw(t, "arc") {
			case 0:
				tr.In = append(tr.In, p)
			case 1:
				tr.Out = append(tr.Out, p)
			case 2:
				tr.Read = append(tr.Read, p)
			}
		}
		n.Transitions = append(n.Transitions, tr)
	}
	return n
}

// History places are marked once and stay: no contact, no competition, nothing waits for them.
func TestHistoryPlaces(t *testing.T) {
	n := &Net{Places: make([]Place, 4), Initial: []int{0, 1}, Transitions: []Transition{
		{Read: []int{0}, Marks: []int{2, 3}},
		{In: []int{1}, Marks: []int{2}},
	}}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	if n.Compete(0, 1) {
		t.Error("transitions compete for history")
	}
	for m, ts := range map[string][]int{"[0 1 2 3]": {0}, "[0 2]": {1}, "[0 2 3]": {0, 1}} {
		after, contact := n.Fire(n.Initial, ts)
		if contact != -1 || fmt.Sprint(after) != m {
			t.Errorf("%v leads to %v, contact %d", ts, after, contact)
		}
	}
	if again, contact := n.Fire(Marking{0, 1, 2, 3}, []int{0}); contact != -1 || len(again) != 4 {
		t.Errorf("the second time: %v, contact %d", again, contact)
	}
	n.Transitions[1].Read = []int{3}
	if n.Sane() == nil {
		t.Error("a net that depends on history is sane")
	}
	n.Transitions = []Transition{{Marks: []int{3}}, {Marks: []int{2}}, {Marks: []int{1}}, {Read: []int{3}}}
	if n.Sane() == nil {
		t.Error("a net that depends on history is sane, which is listed in another order")
	}
}
