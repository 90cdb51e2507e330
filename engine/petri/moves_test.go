package petri

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMoves: of the moves with one From the first that applies counts; where none does, the transition fires all the same, unless something has to move.
func TestMoves(t *testing.T) {
	n := &Net{Places: make([]Place, 7), Transitions: []Transition{
		{Moves: []Move{{[]int{2}, 0, 1}, {nil, 0, 3}, {nil, 4, 5}}},
		{Moves: []Move{{[]int{2}, 0, 1}}, Moving: true},
		{Read: []int{6}, Moves: []Move{{nil, 0, 1}, {nil, 1, 2}}}, // a token leaves 1, another comes
		{Out: []int{6}, Moves: []Move{{nil, 0, 1}}},
		{Moves: []Move{{[]int{2}, 0, 0}, {[]int{5}, 0, 3}, {nil, 0, 1}}, Moving: true}, // with 2 the token of 0 stays
		{Read: []int{0}, Moves: []Move{{[]int{2}, 0, 0}, {nil, 0, 1}, {nil, 1, 6}}},
	}}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		t       int
		m       Marking
		want    string // empty: not fireable
		contact int
	}{
		{0, Marking{}, "[]", -1},
		{0, Marking{0}, "[3]", -1},
		{0, Marking{0, 2}, "[1 2]", -1},
		{0, Marking{2}, "[2]", -1},
		{0, Marking{4}, "[5]", -1},
		{0, Marking{0, 4}, "[3 5]", -1},
		{0, Marking{0, 2, 4}, "[1 2 5]", -1},
		{0, Marking{0, 1, 2}, "[]", 1},
		{1, Marking{0, 2}, "[1 2]", -1},
		{1, Marking{0}, "", 0},
		{1, Marking{2}, "", 0},
		{2, Marking{0, 1}, "", 0},
		{2, Marking{0, 1, 6}, "[1 2 6]", -1},
		{3, Marking{0, 1, 6}, "[]", 1}, // the first of two
		{4, Marking{0}, "[1]", -1},
		{4, Marking{0, 5}, "[3 5]", -1},
		{4, Marking{0, 2, 5}, "", 0}, // a stay moves nothing
		{5, Marking{0, 1}, "[1 6]", -1},
		{5, Marking{0, 2}, "[0 2]", -1},
		{5, Marking{0, 1, 2}, "[0 2 6]", -1},
	} {
		if can := n.Fireable(c.m, c.t); can != (c.want != "") {
			t.Errorf("%d in %v: fireable %v", c.t, c.m, can)
		}
		if c.want == "" {
			continue
		}
		if after, contact := n.Fire(c.m, []int{c.t}); fmt.Sprint(after) != c.want || contact != c.contact {
			t.Errorf("%d in %v: %v, contact %d; expected %s, %d", c.t, c.m, after, contact, c.want, c.contact)
		}
	}
}

func TestSaneMoves(t *testing.T) {
	for _, c := range []struct {
		t    Transition
		want string
	}{
		{Transition{In: []int{2}, Moves: []Move{{[]int{0, 2, 3}, 0, 1}, {nil, 0, 3}}}, ""},
		{Transition{Read: []int{0}, Moves: []Move{{nil, 0, 1}}}, ""}, // where it comes from may be read
		{Transition{Moves: []Move{{nil, 1, 0}, {nil, 0, 1}}}, "not sorted"},
		{Transition{Moves: []Move{{nil, -1, 0}}}, "no place -1 among 4"},
		{Transition{Moves: []Move{{nil, 0, 4}}}, "no place 4 among 4"},
		{Transition{Moves: []Move{{[]int{1, 5}, 0, 3}}}, "no place 5 among 4"},
		{Transition{Read: []int{1}, Moves: []Move{{nil, 1, 1}}}, ""}, // a stay
		{Transition{In: []int{1}, Moves: []Move{{nil, 1, 1}}}, "twice"},
		{Transition{Out: []int{1}, Moves: []Move{{nil, 1, 1}}}, "twice"},
		{Transition{In: []int{0}, Moves: []Move{{nil, 0, 1}}}, "twice"},
		{Transition{Out: []int{0}, Moves: []Move{{nil, 0, 1}}}, "twice"},
		{Transition{In: []int{1}, Moves: []Move{{nil, 0, 1}}}, "twice"},
		{Transition{Out: []int{1}, Moves: []Move{{nil, 0, 1}}}, "twice"},
		{Transition{Read: []int{1}, Moves: []Move{{nil, 0, 1}}}, "twice"},
	} {
		err := (&Net{Places: make([]Place, 4), Transitions: []Transition{c.t}}).Sane()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, expected %q", c.t, err, c.want)
		}
	}
}

// TestStepsByDefinition decides anew which transitions are fireable and which compete, and takes the largest of all subsets.
func TestStepsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := watched(t)
		has := func(places []int) bool {
			return !slices.ContainsFunc(places, func(p int) bool { return !slices.Contains(n.Initial, p) })
		}
		fireable := func(of Transition) bool {
			return has(of.In) && has(of.Read) &&
				(!of.Moving || movesSomething(of, has))
		}
		needs := func(of Transition) map[int]bool {
			all := map[int]bool{}
			for _, p := range slices.Concat(of.In, of.Read) {
				all[p] = true
			}
			for _, v := range of.Moves {
				for _, p := range append([]int{v.From, v.To}, v.If...) {
					all[p] = true
				}
			}
			return all
		}
		var sets [][]int // of fireable transitions that do not compete
		for bits := 1; bits < 1<<len(n.Transitions); bits++ {
			var ts []int
			taken, ok := map[int]bool{}, true
			for i, of := range n.Transitions {
				if bits>>i&1 == 0 {
					continue
				}
				ts, ok = append(ts, i), ok && fireable(of)
				for p := range needs(of) {
					ok, taken[p] = ok && !taken[p], true
				}
			}
			if ok {
				sets = append(sets, ts)
			}
		}
		var one, all [][]int
		for _, ts := range sets {
			if len(ts) == 1 {
				one = append(one, ts)
			}
			if !slices.ContainsFunc(sets, func(more []int) bool {
				return len(more) > len(ts) && !slices.ContainsFunc(ts, func(t int) bool { return !slices.Contains(more, t) })
			}) {
				all = append(all, ts)
			}
		}
		for r, want := range map[Rule][][]int{One: one, All: all} {
			slices.SortFunc(want, slices.Compare[[]int])
			if have := n.Steps(n.Initial, r); !slices.EqualFunc(have, want, slices.Equal[[]int]) {
				t.Fatalf("%v: steps %v, expected %v", r, have, want)
			}
		}
	})
	if n := (&Net{Transitions: make([]Transition, 1)}); n.IsStep(nil, All, []int{0, 0}) || !n.IsStep(nil, All, []int{0}) {
		t.Error("what needs nothing fires twice at once")
	}
}

// movesSomething reports whether some move applies and no other with the same start goes before it, unless that is a stay.
func movesSomething(of Transition, has func([]int) bool) bool {
	first := map[int]Move{}
	for _, v := range of.Moves {
		if _, known := first[v.From]; !known && has([]int{v.From}) && has(v.If) {
			first[v.From] = v
		}
	}
	return slices.ContainsFunc(of.Moves, func(v Move) bool { w, known := first[v.From]; return known && w.From != w.To })
}

// watched draws a net that state machines watch, of one token or none, with history.
func watched(t *rapid.T) *Net {
	n := anyNet(t, "n")
	add := func(name string) int {
		n.Places = append(n.Places, Place{name, fmt.Sprint(len(n.Places))})
		return len(n.Places) - 1
	}
	var asked []int // what moves may depend on: places that stay as they are, and those of machines
	for p := range n.Places {
		if !slices.ContainsFunc(n.Transitions, func(t Transition) bool { return slices.Contains(t.In, p) || slices.Contains(t.Out, p) }) {
			asked = append(asked, p)
		}
	}
	var machines [][]int
	for range rapid.IntRange(1, 3).Draw(t, "machines") {
		var of []int
		for range rapid.IntRange(2, 3).Draw(t, "size") {
			of = append(of, add("machine"))
		}
		if at := rapid.IntRange(0, len(of)).Draw(t, "token"); at < len(of) {
			n.Initial = append(n.Initial, of[at])
		}
		machines, asked = append(machines, of), append(asked, of...)
	}
	history, full := []int{add("history"), add("history")}, add("full")
	n.Initial = append(n.Initial, full)
	for i := range n.Transitions {
		of := &n.Transitions[i]
		for _, places := range machines {
			if rapid.IntRange(0, 5).Draw(t, "taken") == 0 { // by the transition itself, to another place or past its bounds
				k := rapid.IntRange(0, len(places)-1).Draw(t, "in")
				of.In = append(of.In, places[k])
				of.Out = append(of.Out, append(slices.Delete(slices.Clone(places), k, k+1), full)[rapid.IntRange(0, len(places)-1).Draw(t, "out")])
				continue
			}
			for range rapid.IntRange(0, 2).Draw(t, "moves") {
				from := rapid.IntRange(0, len(places)-1).Draw(t, "from")
				to := (from + rapid.IntRange(0, len(places)-1).Draw(t, "to")) % len(places)
				v := Move{From: places[from], To: places[to]}
				if rapid.IntRange(0, 9).Draw(t, "out of bounds") == 0 {
					v.To = full
				}
				for range rapid.IntRange(0, 2).Draw(t, "ifs") {
					v.If = append(v.If, rapid.SampledFrom(asked).Draw(t, "if"))
				}
				of.Moves = append(of.Moves, v)
			}
		}
		slices.SortStableFunc(of.Moves, func(a, b Move) int { return a.From - b.From })
		of.Moving = len(of.Moves) > 0 && rapid.Bool().Draw(t, "moving")
		for _, p := range slices.Concat(machines...) {
			if rapid.IntRange(0, 9).Draw(t, "read") == 0 && !slices.Contains(of.In, p) && !slices.Contains(of.Out, p) && !slices.ContainsFunc(of.Moves, func(v Move) bool { return v.To == p }) {
				of.Read = append(of.Read, p)
			}
		}
		for _, p := range history {
			if rapid.IntRange(0, 3).Draw(t, "mark") == 0 {
				of.Marks = append(of.Marks, p)
			}
		}
	}
	turn := Transition{Name: "turn"} // makes a machine of each list of places, whatever else is drawn
	for _, places := range machines {
		for i, p := range places {
			turn.Moves = append(turn.Moves, Move{From: p, To: places[(i+1)%len(places)]})
		}
	}
	n.Transitions = append(n.Transitions, turn)
	return n
}
