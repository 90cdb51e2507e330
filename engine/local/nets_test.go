package local_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
)

// anyNet is a small net, mostly one-safe: parties in one state each, with flags, some of whose transitions happen together; or
// anything at all. Half of them are watched, by moves and history places.
func anyNet(t *rapid.T) *petri.Net {
	n := &petri.Net{Name: "net"}
	if rapid.IntRange(0, 3).Draw(t, "wild") == 0 {
		n = testnets.Wild(t, rapid.IntRange(1, 7).Draw(t, "places"))
	} else {
		parties(t, n)
	}
	if rapid.IntRange(0, 2).Draw(t, "watched") == 0 {
		watch(t, n)
	}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	return n
}

// place adds a place.
func place(n *petri.Net, marked bool) int {
	p := len(n.Places)
	n.Places = append(n.Places, petri.Place{Net: "net", Name: fmt.Sprint("p", p)})
	if marked {
		n.Initial = append(n.Initial, p)
	}
	return p
}

// parties adds state machines; each transition moves the token of one or two of them, and may test or set a flag.
func parties(t *rapid.T, n *petri.Net) {
	var machines [][]int
	for range rapid.IntRange(1, 3).Draw(t, "parties") {
		var states []int
		for i := range rapid.IntRange(2, 4).Draw(t, "states") {
			states = append(states, place(n, i == 0))
		}
		machines = append(machines, states)
	}
	flag := []int{place(n, true), place(n, false)}
	for i := range rapid.IntRange(1, 8).Draw(t, "transitions") {
		tr := petri.Transition{Name: fmt.Sprint("t", i), Event: -1}
		first := rapid.IntRange(0, len(machines)-1).Draw(t, "party")
		move(t, &tr, machines[first])
		if second := rapid.IntRange(0, 3*len(machines)).Draw(t, "second"); second < len(machines) && second != first {
			move(t, &tr, machines[second])
		}
		switch on := rapid.IntRange(0, 1).Draw(t, "flag"); rapid.IntRange(0, 4).Draw(t, "use") {
		case 0:
			tr.Read = append(tr.Read, flag[on])
		case 1:
			tr.In, tr.Out = append(tr.In, flag[on]), append(tr.Out, flag[1-on])
		}
		slices.Sort(tr.In)
		slices.Sort(tr.Out)
		slices.Sort(tr.Read)
		n.Transitions = append(n.Transitions, tr)
	}
}

func move(t *rapid.T, tr *petri.Transition, states []int) {
	from, to := rapid.SampledFrom(states).Draw(t, "from"), rapid.SampledFrom(states).Draw(t, "to")
	if from == to {
		tr.Read = append(tr.Read, from)
		return
	}
	tr.In, tr.Out = append(tr.In, from), append(tr.Out, to)
}

// watch adds places that only moves change, of which one is marked, and a history place.
func watch(t *rapid.T, n *petri.Net) {
	size := rapid.IntRange(2, 3).Draw(t, "watching")
	base := place(n, true)
	for range size - 1 {
		place(n, false)
	}
	history := place(n, false)
	for i := range n.Transitions {
		tr := &n.Transitions[i]
		if rapid.IntRange(0, 2).Draw(t, "history") == 0 {
			tr.Marks = []int{history}
		}
		for from := range rapid.IntRange(0, size).Draw(t, "moves") {
			v := petri.Move{From: base + from, To: base + (from+rapid.IntRange(1, size-1).Draw(t, "to"))%size}
			if rapid.Bool().Draw(t, "if") {
				v.If = []int{rapid.IntRange(0, base-1).Draw(t, "place")}
			}
			tr.Moves = append(tr.Moves, v)
		}
		tr.Moving = len(tr.Moves) > 0 && rapid.IntRange(0, 3).Draw(t, "moving") == 0
	}
}

// A model is all reachable markings, straight from petri's definitions.
type model struct {
	marks []petri.Marking
	graph naive.Graph
}

// explore is nil for a net that is not one-safe.
func explore(n *petri.Net, r petri.Rule) *model {
	x := &model{marks: []petri.Marking{slices.Clone(n.Initial)}}
	for s := 0; s < len(x.marks); s++ {
		x.graph.Succ = append(x.graph.Succ, nil)
		for _, step := range n.Steps(x.marks[s], r) {
			after, contact := n.Fire(x.marks[s], step)
			if contact >= 0 {
				return nil
			}
			to := x.find(after)
			if to < 0 {
				to, x.marks = len(x.marks), append(x.marks, after)
			}
			x.graph.Succ[s] = append(x.graph.Succ[s], to)
		}
	}
	x.graph.Holds = func(s, p int) bool { return x.marks[s].Has(p) }
	return x
}

func (x *model) find(m petri.Marking) int {
	return slices.IndexFunc(x.marks, func(other petri.Marking) bool { return slices.Equal(m, other) })
}

// holds is whether a formula holds in a marking.
func (x *model) holds(f *ctl.Formula, m petri.Marking) bool { return naive.Sat(x.graph, f)[x.find(m)] }

// anyFormula is a tree of operators up to a depth.
func anyFormula(t *rapid.T, n *petri.Net, depth int) *ctl.Formula {
	op := ctl.Op(rapid.IntRange(int(ctl.Atom), int(ctl.AW)).Draw(t, "operator"))
	if depth == 0 || op == ctl.Atom {
		return anyAtom(t, n)
	}
	if op == ctl.ForAll || op == ctl.ForSome { // a net knows no instances
		op = ctl.Not
	}
	f := &ctl.Formula{Op: op, Left: anyFormula(t, n, depth-1)}
	if f.Op >= ctl.And && f.Op <= ctl.Iff || f.Op >= ctl.EU {
		f.Right = anyFormula(t, n, depth-1)
	}
	return f
}

// anyAtom is a constant, a place, a sum of tokens, a name for a formula, or that there is a dead end.
func anyAtom(t *rapid.T, n *petri.Net) *ctl.Formula {
	somewhere := rapid.IntRange(0, len(n.Places)-1)
	switch rapid.IntRange(0, 15).Draw(t, "leaf") {
	case 0:
		return &ctl.Formula{Op: ctl.Op(rapid.IntRange(int(ctl.True), int(ctl.False)).Draw(t, "constant"))}
	case 1, 2:
		return &ctl.Formula{Op: ctl.AX, Left: &ctl.Formula{Op: ctl.False}}
	case 3:
		means := &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.Atom, Name: "p", Place: somewhere.Draw(t, "place")}}
		return &ctl.Formula{Op: ctl.Atom, Name: "named", Means: means}
	case 4, 5, 6, 7:
		var weights []ctl.Weight
		for range rapid.IntRange(1, 4).Draw(t, "terms") {
			weights = append(weights, ctl.Weight{Place: somewhere.Draw(t, "place"), By: rapid.IntRange(-2, 2).Draw(t, "by")})
		}
		return ctl.AtMost(weights, rapid.IntRange(-2, 2).Draw(t, "most"))
	}
	p := somewhere.Draw(t, "place")
	return &ctl.Formula{Op: ctl.Atom, Name: n.Places[p].String(), Place: p}
}

// anyPredicate has no temporal operators but the dead end.
func anyPredicate(t *rapid.T, n *petri.Net, depth int) *ctl.Formula {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "atom") == 0 {
		return anyAtom(t, n)
	}
	op := ctl.Op(rapid.IntRange(int(ctl.Not), int(ctl.Iff)).Draw(t, "operator"))
	f := &ctl.Formula{Op: op, Left: anyPredicate(t, n, depth-1)}
	if op != ctl.Not {
		f.Right = anyPredicate(t, n, depth-1)
	}
	return f
}
