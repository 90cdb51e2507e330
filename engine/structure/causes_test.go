package structure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
)

// seenIn lists what a net marks and fires.
func seenIn(n *petri.Net, x *model) (marked, fired []bool) {
	marked, fired = make([]bool, len(n.Places)), make([]bool, len(n.Transitions))
	for _, m := range x.marks {
		for _, p := range m {
			marked[p] = true
		}
		for t := range n.Transitions {
			fired[t] = fired[t] || slices.ContainsFunc(n.Steps(m, petri.One), func(step []int) bool { return slices.Contains(step, t) })
		}
	}
	return marked, fired
}

// freed adds to what a net marks and fires what would come with it, if each place were looked at alone and one node stays dead: it is repeated until
// nothing is new.
func freed(n *petri.Net, marked, fired []bool, stays Node) {
	all := func(places []int) bool { return !slices.ContainsFunc(places, func(p int) bool { return !marked[p] }) }
	applies := func(v petri.Move) bool { return v.From != v.To && marked[v.From] && all(v.If) }
	for again := true; again; {
		again = false
		for t, tr := range n.Transitions {
			if !fired[t] && (Node{true, t}) != stays && all(tr.In) && all(tr.Read) && (!tr.Moving || slices.ContainsFunc(tr.Moves, applies)) {
				fired[t], again = true, true
			}
			if !fired[t] {
				continue
			}
			marks := slices.Concat(tr.Out, tr.Marks)
			for _, v := range tr.Moves {
				if applies(v) {
					marks = append(marks, v.To)
				}
			}
			for _, p := range marks {
				if !marked[p] && (Node{false, p}) != stays {
					marked[p], again = true, true
				}
			}
		}
	}
}

// TestCauses: if all causes came, so would everything, each place taken alone. What is put down to a cause would not come without it even if all others did,
// and what is its own cause would, but for that.
func TestCauses(t *testing.T) {
	check(t, 3, func(t *rapid.T) {
		n := anyNet(t)
		if rapid.Bool().Draw(t, "watched") {
			testnets.Watch(t, n)
		}
		x := explore(n, petri.One)
		if !x.safe {
			t.Skip("contact")
		}
		marked, fired := seenIn(n, x)
		of := DeadCauses(n, marked, fired)
		without := func(cause Node) (places, transitions []bool) {
			places, transitions = slices.Clone(marked), slices.Clone(fired)
			for v, c := range of {
				if c == v && c != cause {
					mark(places, transitions, c)
				}
			}
			freed(n, places, transitions, cause)
			return places, transitions
		}
		places, transitions := without(Node{false, -1})
		if slices.Contains(places, false) || slices.Contains(transitions, false) {
			t.Fatalf("marked %v, fired %v, causes %v of %+v", places, transitions, of, n)
		}
		all := 0
		for _, ok := range slices.Concat(marked, fired) {
			if !ok {
				all++
			}
		}
		if len(of) != all {
			t.Fatalf("%d causes for %d in %v", len(of), all, of)
		}
		for v, c := range of {
			if of[c] != c || !dead(marked, fired, v) {
				t.Fatalf("%v is put down to %v in %v of %+v", v, c, of, n)
			}
			if c == v {
				continue
			}
			if places, transitions := without(c); !dead(places, transitions, v) {
				t.Fatalf("%v does not need %v in %v of %+v", v, c, of, n)
			}
		}
	})
}

func mark(places, transitions []bool, v Node) {
	if v.Transition {
		transitions[v.Index] = true
	} else {
		places[v.Index] = true
	}
}

func dead(marked, fired []bool, v Node) bool {
	return v.Transition && !fired[v.Index] || !v.Transition && !marked[v.Index]
}
