package reduce_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
)

// A model is all that a small net can do, straight from petri's definitions.
type model struct {
	*petri.Net
	marks []petri.Marking
	succ  [][]int
	fired [][]int // by arc
}

const most = 400

// explore returns nil where the net is not one-safe or has more markings than most.
func explore(n *petri.Net) *model {
	x := &model{Net: n, marks: []petri.Marking{slices.Clone(n.Initial)}}
	number := map[string]int{fmt.Sprint(x.marks[0]): 0}
	for s := 0; s < len(x.marks); s++ {
		x.succ, x.fired = append(x.succ, nil), append(x.fired, nil)
		for t := range n.Transitions {
			if !n.Fireable(x.marks[s], t) {
				continue
			}
			after, contact := n.Fire(x.marks[s], []int{t})
			if contact >= 0 || len(x.marks) > most {
				return nil
			}
			key := fmt.Sprint(after)
			to, known := number[key]
			if !known {
				to = len(x.marks)
				number[key], x.marks = to, append(x.marks, after)
			}
			x.succ[s], x.fired[s] = append(x.succ[s], to), append(x.fired[s], t)
		}
	}
	return x
}

func (x *model) sat(f *ctl.Formula) []bool {
	return naive.Sat(naive.Graph{Succ: x.succ, Holds: func(s, p int) bool { return x.marks[s].Has(p) }}, f)
}

// anyNet draws a net that is one-safe, more often than not, and in which there is something to reduce.
func anyNet(t *rapid.T) *petri.Net {
	b := &nets{T: t, n: &petri.Net{Name: "n"}}
	if b.chance(3) {
		b.wild()
	} else {
		b.parties()
	}
	for range b.int(0, 5) {
		b.detail()
	}
	if b.chance(5) {
		b.watch()
	}
	for i := range b.n.Transitions {
		t := &b.n.Transitions[i]
		t.Name = fmt.Sprint("t", i)
		for _, list := range []*[]int{&t.In, &t.Out, &t.Read} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
	}
	slices.Sort(b.n.Initial)
	if err := b.n.Sane(); err != nil {
		t.Fatal(err)
	}
	return b.n
}

type nets struct {
	*rapid.T
	n *petri.Net
}

func (b *nets) int(low, high int) int { return rapid.IntRange(low, high).Draw(b.T, "n") }
func (b *nets) chance(of int) bool    { return b.int(1, of) == 1 }

func (b *nets) place(marked bool) int {
	p := len(b.n.Places)
	b.n.Places = append(b.n.Places, petri.Place{Net: "n", Name: fmt.Sprint("p", p)})
	if marked {
		b.n.Initial = append(b.n.Initial, p)
	}
	return p
}

func (b *nets) transition(in, out, read []int) {
	b.n.Transitions = append(b.n.Transitions, petri.Transition{Event: -1, In: in, Out: out, Read: read})
}

// wild is anything at all.
func (b *nets) wild() {
	places := b.int(2, 6)
	for range places {
		b.place(b.chance(2))
	}
	for range b.int(1, 6) {
		var in, out, read []int
		for p := range places {
			switch b.int(0, 7) {
			case 0, 1:
				in = append(in, p)
			case 2:
				out = append(out, p)
			case 3:
				read = append(read, p)
			}
		}
		b.transition(in, out, read)
	}
}

// parties are state machines whose transitions go together now and then, or read where another is.
func (b *nets) parties() {
	var at [][]int
	for range b.int(1, 3) {
		var list []int
		for i := range b.int(2, 4) {
			list = append(list, b.place(i == 0))
		}
		at = append(at, list)
	}
	for k := range b.int(3, 8) {
		i := k % len(at)
		var in, out, read []int
		if k /= len(at); k < len(at[i]) && b.int(0, 4) > 0 {
			in, out = append(in, at[i][k]), append(out, at[i][(k+1)%len(at[i])])
		} else {
			b.step(at[i], &in, &out, &read)
		}
		if j := b.int(0, len(at)-1); j != i && b.chance(2) {
			if b.chance(2) {
				b.step(at[j], &in, &out, &read)
			} else {
				read = append(read, at[j][b.int(0, len(at[j])-1)])
			}
		}
		b.transition(in, out, read)
	}
}

func (b *nets) step(list []int, in, out, read *[]int) {
	from, to := list[b.int(0, len(list)-1)], list[b.int(0, len(list)-1)]
	if from == to {
		*read = append(*read, from)
		return
	}
	*in, *out = append(*in, from), append(*out, to)
}

// detail adds what reductions take away.
func (b *nets) detail() {
	t := b.int(0, len(b.n.Transitions)-1)
	p := b.int(0, len(b.n.Places)-1)
	of := &b.n.Transitions[t]
	switch b.int(0, 8) {
	case 0, 1: // a step on the way
		q := b.place(false)
		out := of.Out
		of.Out = []int{q}
		b.transition([]int{q}, out, nil)
	case 2: // a choice on the way
		q, r := b.place(false), b.place(false)
		out := of.Out
		of.Out = []int{q}
		b.transition([]int{q}, slices.Clone(out), nil)
		b.transition([]int{q}, []int{r}, nil)
		if b.chance(2) {
			b.transition([]int{r}, slices.Clone(out), nil)
		}
	case 3: // a step before
		q := b.place(false)
		b.transition(of.In, []int{q}, nil)
		b.n.Transitions[t].In = []int{q}
	case 4: // another place that goes with one, or against it
		b.beside(p, b.chance(2))
	case 5: // the same once more, or with a test
		read := slices.Clone(of.Read)
		if !slices.Contains(slices.Concat(of.In, of.Out, of.Read), p) && b.chance(2) {
			read = append(read, p)
		}
		b.transition(slices.Clone(of.In), slices.Clone(of.Out), read)
	case 6: // a loop
		b.transition(nil, nil, []int{p})
	case 7: // what nobody waits for
		q := b.place(true)
		b.transition([]int{q}, nil, nil)
	case 8: // something that goes on by itself, or ends
		q, r := b.place(true), b.place(false)
		b.transition([]int{q}, []int{r}, nil)
		if b.chance(2) {
			b.transition([]int{r}, []int{q}, nil)
		}
	}
}

// beside adds a place that is marked with p, or when p is not, and reads it here and there.
func (b *nets) beside(p int, with bool) {
	q := b.place(slices.Contains(b.n.Initial, p) == with)
	for i := range b.n.Transitions {
		t := &b.n.Transitions[i]
		in, out := slices.Contains(t.In, p), slices.Contains(t.Out, p)
		switch {
		case in && with || out && !with:
			t.In = append(t.In, q)
		case in || out:
			t.Out = append(t.Out, q)
		case b.chance(4):
			t.Read = append(t.Read, q)
		}
	}
}

// watch adds places that moves change, and a history place.
func (b *nets) watch() {
	from, to := b.place(true), b.place(false)
	for range 2 {
		t := &b.n.Transitions[b.int(0, len(b.n.Transitions)-1)]
		if len(t.Moves) > 0 {
			continue
		}
		t.Moves = []petri.Move{{From: from, To: to}}
		if b.chance(2) {
			t.Moves[0].If = []int{b.int(0, from-1)}
		}
		t.Moving = b.chance(3)
		from, to = to, from
	}
	if b.chance(2) {
		b.n.Transitions[b.int(0, len(b.n.Transitions)-1)].Marks = []int{b.place(false)}
	}
}
