package reduce

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A transition is a transition of the net being reduced.
type transition struct {
	in, out, read []int
	does          *firing
	bound         bool // it has moves or marks, and stays as it is
	gone          bool
}

// A net is the net being reduced. Places keep the numbers of the original.
type net struct {
	of          *petri.Net
	marked      []bool
	gone        []bool // by place
	fixed       []bool // by place: moves or marks depend on it or change it
	seen        []bool // by place: the formula's atoms use it
	transitions []transition
	at          [][]int // by place, transitions with an arc there, and some that had one
}

func newNet(n *petri.Net) *net {
	size := len(n.Places)
	x := &net{of: n, marked: make([]bool, size), gone: make([]bool, size), seen: make([]bool, size), fixed: make([]bool, size), at: make([][]int, size)}
	for _, p := range n.Initial {
		x.marked[p] = true
	}
	for t := range n.Transitions {
		of := &n.Transitions[t]
		x.bind(of)
		x.add(transition{
			in: slices.Clone(of.In), out: slices.Clone(of.Out), read: slices.Clone(of.Read), does: one(t),
			bound: of.Moving || len(of.Moves)+len(of.Marks) > 0,
		})
	}
	return x
}

// bind fixes the places of moves and marks.
func (x *net) bind(of *petri.Transition) {
	for _, p := range of.Marks {
		x.fixed[p] = true
	}
	for _, v := range of.Moves {
		x.fixed[v.From], x.fixed[v.To] = true, true
		for _, p := range v.If {
			x.fixed[p] = true
		}
	}
}

func (x *net) add(t transition) {
	for _, list := range [][]int{t.in, t.out, t.read} {
		for _, p := range list {
			x.at[p] = append(x.at[p], len(x.transitions))
		}
	}
	x.transitions = append(x.transitions, t)
}

// around returns the transitions that consume, produce and read a place.
func (x *net) around(p int) (consumers, producers, readers []int) {
	x.at[p] = slices.DeleteFunc(x.at[p], func(t int) bool { return !x.transitions[t].touches(p) })
	for _, t := range x.at[p] {
		switch of := &x.transitions[t]; {
		case has(of.in, p):
			consumers = append(consumers, t)
		case has(of.out, p):
			producers = append(producers, t)
		default:
			readers = append(readers, t)
		}
	}
	return consumers, producers, readers
}

func (t *transition) touches(p int) bool {
	return !t.gone && (has(t.in, p) || has(t.out, p) || has(t.read, p))
}

// needs returns the places that must be marked.
func (t *transition) needs() []int { return slices.Concat(t.in, t.read) }

// changes reports whether firing t changes the marking of a place that counts.
func (t *transition) changes(counts func(p int) bool) bool {
	return slices.ContainsFunc(t.in, counts) || slices.ContainsFunc(t.out, counts)
}

// held reports whether a place must keep its meaning, since the formula or a move uses it.
func (x *net) held(p int) bool { return x.seen[p] || x.fixed[p] }

// visible reports whether firing t changes a place that is held.
func (x *net) visible(t int) bool {
	return x.transitions[t].bound || x.transitions[t].changes(x.held)
}

// drop removes a place and its arcs.
func (x *net) drop(p int) {
	for _, t := range x.at[p] {
		of := &x.transitions[t]
		of.in, of.out, of.read = without(of.in, p), without(of.out, p), without(of.read, p)
	}
	x.gone[p], x.marked[p], x.at[p] = true, false, nil
}

// built returns the net as it is now, the new number of each place or -1, and the firing of each transition.
func (x *net) built() (*petri.Net, []int, []*firing) {
	n := &petri.Net{Name: x.of.Name}
	number := make([]int, len(x.gone))
	for p := range x.gone {
		if number[p] = -1; x.gone[p] {
			continue
		}
		number[p] = len(n.Places)
		if x.marked[p] {
			n.Initial = append(n.Initial, number[p])
		}
		n.Places = append(n.Places, x.of.Places[p])
	}
	var does []*firing
	for i := range x.transitions {
		if t := &x.transitions[i]; !t.gone {
			n.Transitions = append(n.Transitions, t.built(x.of, number))
			does = append(does, t.does)
		}
	}
	return n, number, does
}

// built returns the transition with new place numbers. It has the name of the last transition it stands for.
func (t *transition) built(n *petri.Net, number []int) petri.Transition {
	of := n.Transitions[t.does.last()]
	of.In, of.Out, of.Read, of.Marks = renumber(t.in, number), renumber(t.out, number), renumber(t.read, number), renumber(of.Marks, number)
	of.Moves = slices.Clone(of.Moves)
	for i, v := range of.Moves {
		of.Moves[i] = petri.Move{If: renumber(v.If, number), From: number[v.From], To: number[v.To]}
	}
	return of
}

func renumber(list, number []int) []int {
	if len(list) == 0 {
		return nil
	}
	renumbered := make([]int, len(list))
	for i, p := range list {
		renumbered[i] = number[p]
	}
	return renumbered
}

// Sorted lists of places.

func has(list []int, p int) bool {
	_, found := slices.BinarySearch(list, p)
	return found
}

func without(list []int, p int) []int {
	if i, found := slices.BinarySearch(list, p); found {
		return slices.Delete(list, i, i+1)
	}
	return list
}

func with(list []int, p int) []int {
	if i, found := slices.BinarySearch(list, p); !found {
		return slices.Insert(list, i, p)
	}
	return list
}

func within(part, list []int) bool {
	return !slices.ContainsFunc(part, func(p int) bool { return !has(list, p) })
}

func meet(a, b []int) bool {
	return slices.ContainsFunc(a, func(p int) bool { return has(b, p) })
}

func union(lists ...[]int) []int {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...))))
}
