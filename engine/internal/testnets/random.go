package testnets

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
)

// ReadPNML reads a net from a file, and ends the test if it can't.
func ReadPNML(t testing.TB, file string) *petri.Net {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, err := pnml.Read(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return n
}

// AnyNet is a small net: half the time anything at all, with contacts, else parties in one state
// each, some of whose transitions happen together.
func AnyNet(t *rapid.T) *petri.Net {
	n := Wild(t, rapid.IntRange(1, 8).Draw(t, "places"))
	if rapid.Bool().Draw(t, "parties") {
		nets := make([]*petri.Net, rapid.IntRange(2, 3).Draw(t, "nets"))
		for i := range nets {
			nets[i] = party(t, i)
		}
		event := petri.Event{Name: "a"}
		for i := range nets {
			event.Sync = append(event.Sync, petri.Sync{Net: i, Label: "a"})
		}
		n = petri.Compose(nets, []petri.Event{event, {Name: "b", Sync: []petri.Sync{{Net: 0, Label: "b"}}}})
	}
	if rapid.Bool().Draw(t, "watched") {
		Watch(t, n)
	}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	return n
}

// Watch adds places that moves alone change: mostly one of them is marked, sometimes two. Some moves are stays.
func Watch(t *rapid.T, n *petri.Net) {
	base, size := len(n.Places), rapid.IntRange(2, 4).Draw(t, "watching")
	for i := range size {
		n.Places = append(n.Places, petri.Place{Net: "watch", Name: fmt.Sprint("w", i)})
	}
	n.Initial = append(n.Initial, base)
	if rapid.IntRange(0, 3).Draw(t, "two") == 0 {
		n.Initial = append(n.Initial, base+1)
	}
	for i := range n.Transitions {
		tr := &n.Transitions[i]
		for range rapid.IntRange(0, 5).Draw(t, "moves") {
			from := rapid.IntRange(0, size-1).Draw(t, "from")
			v := petri.Move{From: base + from, To: base + (from+rapid.IntRange(0, size-1).Draw(t, "to"))%size}
			for range rapid.IntRange(0, 2).Draw(t, "if") {
				v.If = append(v.If, rapid.IntRange(0, len(n.Places)-1).Draw(t, "place"))
			}
			tr.Moves = append(tr.Moves, v)
		}
		slices.SortStableFunc(tr.Moves, func(a, b petri.Move) int { return a.From - b.From })
		read := base + rapid.IntRange(0, size-1).Draw(t, "read")
		if to := func(v petri.Move) bool { return v.To == read && !v.Stays() }; rapid.IntRange(0, 3).Draw(t, "reads") == 0 && !slices.ContainsFunc(tr.Moves, to) {
			tr.Read = append(tr.Read, read)
		}
		tr.Moving = rapid.IntRange(0, 3).Draw(t, "moving") == 0
	}
}

// Wild is a net of so many places with anything at all, with contacts.
func Wild(t *rapid.T, places int) *petri.Net {
	n := &petri.Net{Name: "wild", Places: make([]petri.Place, places)}
	for p := range places {
		n.Places[p] = petri.Place{Net: "wild", Name: fmt.Sprint("p", p)}
		if rapid.Bool().Draw(t, "marked") {
			n.Initial = append(n.Initial, p)
		}
	}
	AddTransitions(t, n, rapid.IntRange(0, 6).Draw(t, "transitions"))
	return n
}

// AddTransitions adds transitions with any arcs between the places of a net.
func AddTransitions(t *rapid.T, n *petri.Net, count int) {
	for range count {
		tr := petri.Transition{Name: fmt.Sprint("t", len(n.Transitions)), Event: -1}
		for p := range n.Places {
			switch rapid.IntRange(0, 7).Draw(t, "arc") {
			case 0, 1:
				tr.In = append(tr.In, p)
			case 2:
				tr.Out = append(tr.Out, p)
			case 3:
				tr.Read = append(tr.Read, p)
			}
		}
		n.Transitions = append(n.Transitions, tr)
	}
}

// party is a state machine of up to four states with a flag that its transitions set and test.
func party(t *rapid.T, i int) *petri.Net {
	states := rapid.IntRange(2, 4).Draw(t, "states")
	n := &petri.Net{Name: fmt.Sprint("n", i), Places: make([]petri.Place, states+2), Initial: []int{0, states}}
	for range rapid.IntRange(2, 7).Draw(t, "transitions") {
		tr := petri.Transition{Event: -1, Label: rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "label")}
		from, to := rapid.IntRange(0, states-1).Draw(t, "from"), rapid.IntRange(0, states-1).Draw(t, "to")
		if tr.In, tr.Out = []int{from}, []int{to}; from == to {
			tr.In, tr.Out, tr.Read = nil, nil, []int{from}
		}
		switch on := states + rapid.IntRange(0, 1).Draw(t, "flag"); rapid.IntRange(0, 3).Draw(t, "use") {
		case 0:
			tr.Read = append(tr.Read, on)
		case 1:
			tr.In, tr.Out = append(tr.In, on), append(tr.Out, 2*states+1-on)
		}
		n.Transitions = append(n.Transitions, tr)
	}
	return n
}

func AnyRule(t *rapid.T) petri.Rule {
	return rapid.SampledFrom([]petri.Rule{petri.One, petri.All}).Draw(t, "rule")
}

// A naive state model, straight from petri's definitions.
type Naive struct {
	Marks   []petri.Marking
	Steps   [][][]int
	Succ    [][]int
	Contact []int // of the step that is in contact, the run's states; nil: none
	Bad     []int // that step
	Place   int

	Asked *ctl.Formula // and the states it holds in
	Holds []bool
}

func Naively(n *petri.Net, r petri.Rule) *Naive {
	x := &Naive{Marks: []petri.Marking{slices.Clone(n.Initial)}}
	parent := []int{-1}
	for s := 0; s < len(x.Marks); s++ {
		x.Steps, x.Succ = append(x.Steps, n.Steps(x.Marks[s], r)), append(x.Succ, nil)
		for _, step := range x.Steps[s] {
			after, place := n.Fire(x.Marks[s], step)
			if place >= 0 {
				x.Bad, x.Place = step, place
				for ; s >= 0; s = parent[s] {
					x.Contact = append([]int{s}, x.Contact...)
				}
				return x
			}
			same := func(m petri.Marking) bool { return slices.Equal(m, after) }
			to := slices.IndexFunc(x.Marks, same)
			if to < 0 {
				to, x.Marks, parent = len(x.Marks), append(x.Marks, after), append(parent, s)
			}
			x.Succ[s] = append(x.Succ[s], to)
		}
	}
	return x
}
