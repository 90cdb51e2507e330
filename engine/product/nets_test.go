package product_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// versions are two small nets as somebody observes them.
type versions struct {
	nets     [2]*petri.Net
	observer product.Observer
	like     [2][]int
	graphs   [2]*space.Graph
}

// anyVersions are mostly a net and a mutant of it, free of contact.
func anyVersions(t *rapid.T) *versions {
	v := &versions{observer: product.Observer{Idle: product.Hidden, Wait: product.Hidden}}
	v.nets[product.Base] = anyNet(t)
	v.nets[product.Head] = mutant(t, v.nets[product.Base])
	if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
		v.nets[product.Head] = anyNet(t)
	}
	for side, n := range v.nets {
		g, err := space.Explore(t.Context(), n, petri.One, space.Limits{States: 2000})
		var contact *space.ContactError
		if errors.As(err, &contact) {
			t.Skip("a net is not one-safe")
		}
		if err != nil {
			t.Fatal(err)
		}
		v.graphs[side] = g
		c, err := symbolic.Code(t.Context(), n)
		if err == nil {
			_, err = c.Still(t.Context())
		}
		if err != nil {
			t.Skip("not for decision diagrams")
		}
	}
	v.observed(t)
	return v
}

// observed labels both nets: transitions mostly each by itself, some alike, some hidden.
func (v *versions) observed(t *rapid.T) {
	kinds := rapid.SampledFrom([]int{3, 8, 100}).Draw(t, "kinds")
	hide := rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "hide")
	label := map[int]int{}
	for side, n := range v.nets {
		for i := range n.Transitions {
			number := n.Transitions[i].Event
			if _, known := label[number]; !known {
				label[number] = number % kinds
				if rapid.IntRange(0, 9).Draw(t, "hidden") < hide {
					label[number] = product.Hidden
				}
			}
			v.like[side] = append(v.like[side], number)
			v.observer.Labels[side] = append(v.observer.Labels[side], label[number])
		}
	}
	if rapid.Bool().Draw(t, "idle") {
		v.observer.Idle = rapid.IntRange(0, 4).Draw(t, "idles")
	}
	v.observer.Wait = rapid.IntRange(product.Hidden, 4).Draw(t, "wait")
}

// system is a side as package delta has it: label 0 is silent.
func (v *versions) system(side int) *delta.System {
	g, n := v.graphs[side], v.nets[side]
	s := &delta.System{First: []uint32{0}}
	for state := range g.Len() {
		moving := false
		for i, step := range g.Steps(state) {
			moving = moving || n.Transitions[step[0]].Moving
			s.Label, s.Target = append(s.Label, uint32(v.observer.Labels[side][step[0]]+1)), append(s.Target, g.Succ(state)[i])
		}
		if !moving && v.observer.Idle != product.Hidden && !waits(n, g.Marking(state)) {
			s.Label, s.Target = append(s.Label, uint32(v.observer.Idle+1)), append(s.Target, uint32(state))
		}
		s.First = append(s.First, uint32(len(s.Label)))
	}
	return s
}

// waits reports whether what has to move something lacks what it reads.
func waits(n *petri.Net, m petri.Marking) bool {
	return slices.ContainsFunc(n.Transitions, func(t petri.Transition) bool {
		return t.Moving && slices.ContainsFunc(t.Read, func(p int) bool { return !m.Has(p) })
	})
}

// anyNet is anything small, or parties of one state each of which some move together; Event is a number of its own for
// each transition.
func anyNet(t *rapid.T) *petri.Net {
	n := &petri.Net{Name: "n"}
	if rapid.IntRange(0, 3).Draw(t, "wild") == 0 {
		wild(t, n)
	} else {
		for i := range rapid.IntRange(1, 3).Draw(t, "parties") {
			party(t, n, i)
		}
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			together(t, n)
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "watched") == 0 {
		watch(t, n)
	}
	for i := range n.Transitions {
		n.Transitions[i].Event = i
	}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	return n
}

func wild(t *rapid.T, n *petri.Net) {
	for p := range rapid.IntRange(1, 6).Draw(t, "places") {
		place(n, "wild", fmt.Sprint("p", p), rapid.Bool().Draw(t, "marked"))
	}
	testnets.AddTransitions(t, n, rapid.IntRange(1, 6).Draw(t, "transitions"))
}

func place(n *petri.Net, net, name string, marked bool) int {
	p := len(n.Places)
	n.Places = append(n.Places, petri.Place{Net: net, Name: name})
	if marked {
		n.Initial = append(n.Initial, p)
	}
	return p
}

// party adds a party of up to four states.
func party(t *rapid.T, n *petri.Net, i int) {
	base, states := len(n.Places), rapid.IntRange(2, 4).Draw(t, "states")
	for s := range states {
		place(n, fmt.Sprint("party", i), fmt.Sprint("s", s), s == 0)
	}
	for range rapid.IntRange(1, 4).Draw(t, "transitions") {
		from, to := base+rapid.IntRange(0, states-1).Draw(t, "from"), base+rapid.IntRange(0, states-1).Draw(t, "to")
		tr := petri.Transition{In: []int{from}, Out: []int{to}}
		if from == to {
			tr = petri.Transition{Read: []int{from}}
		}
		n.Transitions = append(n.Transitions, tr)
	}
}

// together adds a transition that does what two others do at once, where they are of two parties.
func together(t *rapid.T, n *petri.Net) {
	a, b := rapid.SampledFrom(n.Transitions).Draw(t, "a"), rapid.SampledFrom(n.Transitions).Draw(t, "b")
	tr := petri.Transition{In: merged(a.In, b.In), Out: merged(a.Out, b.Out), Read: merged(a.Read, b.Read)}
	all := slices.Sorted(slices.Values(slices.Concat(tr.In, tr.Out, tr.Read)))
	if len(slices.Compact(all)) == len(a.In)+len(b.In)+len(a.Out)+len(b.Out)+len(a.Read)+len(b.Read) {
		n.Transitions = append(n.Transitions, tr)
	}
}

func merged(a, b []int) []int { return slices.Sorted(slices.Values(slices.Concat(a, b))) }

// watch adds places that moves alone change, of which one is marked, and a transition that only moves.
func watch(t *rapid.T, n *petri.Net) {
	base, size := len(n.Places), rapid.IntRange(2, 3).Draw(t, "watching")
	for i := range size {
		place(n, "watch", fmt.Sprint("w", i), i == 0)
	}
	if rapid.Bool().Draw(t, "tick") {
		n.Transitions = append(n.Transitions, petri.Transition{Moving: true})
	}
	for i := range n.Transitions {
		tr := &n.Transitions[i]
		for range rapid.IntRange(0, 2).Draw(t, "moves") {
			from := rapid.IntRange(0, size-1).Draw(t, "from")
			v := petri.Move{From: base + from, To: base + (from+rapid.IntRange(1, size-1).Draw(t, "to"))%size}
			if rapid.Bool().Draw(t, "if") {
				v.If = []int{rapid.IntRange(0, len(n.Places)-1).Draw(t, "place")}
			}
			tr.Moves = append(tr.Moves, v)
		}
		slices.SortStableFunc(tr.Moves, func(a, b petri.Move) int { return a.From - b.From })
	}
	if rapid.Bool().Draw(t, "history") {
		p := place(n, "history", "h", false)
		rapid.SampledFrom([]*petri.Transition{&n.Transitions[0], &n.Transitions[len(n.Transitions)-1]}).Draw(t, "marks").Marks = []int{p}
	}
}

// mutant is a net changed in up to two places.
func mutant(t *rapid.T, n *petri.Net) *petri.Net {
	m := &petri.Net{Name: n.Name, Places: slices.Clone(n.Places), Initial: slices.Clone(n.Initial)}
	for _, tr := range n.Transitions {
		tr.In, tr.Out, tr.Read = slices.Clone(tr.In), slices.Clone(tr.Out), slices.Clone(tr.Read)
		m.Transitions = append(m.Transitions, tr)
	}
	for range rapid.SampledFrom([]int{0, 1, 2, 3, 4}).Draw(t, "changes") {
		change(t, m)
	}
	if m.Sane() != nil {
		return n
	}
	return m
}

func change(t *rapid.T, m *petri.Net) {
	i := rapid.IntRange(0, len(m.Transitions)-1).Draw(t, "at")
	tr := &m.Transitions[i]
	p := rapid.IntRange(0, len(m.Places)-1).Draw(t, "place")
	switch rapid.IntRange(0, 6).Draw(t, "change") {
	case 0:
		if len(m.Transitions) > 1 {
			m.Transitions = slices.Delete(m.Transitions, i, i+1)
		}
	case 1:
		m.Transitions = append(m.Transitions, *tr)
	case 2:
		if len(tr.Out) > 0 {
			tr.Out = []int{p}
		}
	case 3:
		if len(tr.In) > 0 {
			tr.In = []int{p}
		}
	case 4:
		tr.Read = slices.Compact(merged(tr.Read, []int{p}))
	case 5:
		tr.Read = nil
	case 6: // an unseen place more
		q := place(m, "new", fmt.Sprint("q", p), rapid.Bool().Draw(t, "marked"))
		if slices.Contains(m.Initial, q) {
			tr.Read = append(tr.Read, q)
		}
	}
}

func TestGenerator(t *testing.T) {
	gen := rapid.Custom(func(t *rapid.T) *versions { return anyVersions(t) })
	seen := map[delta.Relation]int{}
	for seed := range 400 {
		v, ok := example(gen, seed)
		if !ok {
			continue
		}
		seen[explicit(t, v).Relation]++
	}
	for _, r := range []delta.Relation{delta.Same, delta.More, delta.Less, delta.Both, delta.Otherwise} {
		if seen[r] < 5 {
			t.Errorf("only %d are %v", seen[r], r)
		}
	}
	t.Log(seen)
}

func example(gen *rapid.Generator[*versions], seed int) (v *versions, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return gen.Example(seed), true
}

func explicit(t testing.TB, v *versions) *delta.Answer {
	t.Helper()
	p, err := delta.Join(t.Context(), v.system(product.Base), v.system(product.Head), delta.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Compare(t.Context(), delta.View{Most: 100}, delta.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
