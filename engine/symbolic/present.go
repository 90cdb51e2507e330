package symbolic

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Size is the size of a state model, or of a part of it.
type Size struct{ States, Arcs, DeadEnds *big.Int }

// SizeOf returns the number of states of a set, and of their arcs and dead ends. States that differ only in places from number n on count as
// one. No transition may depend on those places, so that one state has the arcs of all. Transitions that are alternatives have one arc; see
// alternatives. A nil set means all states. The error is a *LimitError of memory or the context's cause. Cost: linear in the states and, if there are
// alternatives, in the arcs; nothing if there are neither these nor such places and set is nil.
func SizeOf(ctx context.Context, g *space.Graph, n int, set space.Set) (Size, error) {
	alike, some := alternatives(g.Net)
	if n >= len(g.Net.Places) && set == nil && !some {
		return sizeOf(g.Len(), g.Arcs(), g.Dead), nil
	}
	once, err := newOnces(g, n)
	if err != nil {
		return Size{}, err
	}
	defer once.end()
	states, arcs, dead := 0, 0, 0
	for s := range g.Len() {
		if s%4096 == 0 && ctx.Err() != nil {
			return Size{}, context.Cause(ctx)
		}
		if set != nil && !space.Has(set, s) || !once.first(s) {
			continue
		}
		from, to := g.ArcsFrom(s)
		leaving := to - from
		if some && leaving > 1 {
			leaving = distinct(g.Steps(s), alike)
		}
		states, arcs = states+1, arcs+leaving
		if from == to {
			dead++
		}
	}
	return sizeOf(states, arcs, dead), nil
}

// alternatives returns for each transition the first that is alike, and whether any two are. Alike are transitions of one name, of the same
// parties and nets, with one effect. They differ in what they wait for: a step by any of them looks the same, and leads to the same state.
func alternatives(n *petri.Net) (first []int, some bool) {
	known := map[string][]int{}
	for t := range n.Transitions {
		tr := &n.Transitions[t]
		var who []int
		for _, p := range tr.Parts {
			who = append(who, p.Net)
		}
		key := fmt.Sprint(tr.Name, tr.Event < 0, who, tr.In, tr.Out, tr.Marks, len(tr.Moves))
		alike := func(o int) bool {
			return slices.EqualFunc(n.Transitions[o].Moves, tr.Moves, func(a, b petri.Move) bool { return a.From == b.From && a.To == b.To && slices.Equal(a.If, b.If) })
		}
		at := slices.IndexFunc(known[key], alike)
		if at < 0 {
			at, known[key] = len(known[key]), append(known[key], t)
		}
		first = append(first, known[key][at])
		some = some || first[t] != t
	}
	return first, some
}

// distinct returns how many steps there are, those by alternatives as one.
func distinct(steps [][]int, alike []int) int {
	for _, step := range steps {
		for i, t := range step {
			step[i] = alike[t]
		}
		slices.Sort(step)
	}
	slices.SortFunc(steps, slices.Compare)
	return len(slices.CompactFunc(steps, slices.Equal))
}

func sizeOf(states, arcs, dead int) Size {
	return Size{big.NewInt(int64(states)), big.NewInt(int64(arcs)), big.NewInt(int64(dead))}
}

// An onces finds the first of all states that differ only in hidden places. It is a hash table of their numbers plus one.
type onces struct {
	*space.Graph
	slots []uint32
	words int
	last  uint64 // mask of the places in the last word that are not hidden
	row   []uint64
	other []uint64
}

// newOnces returns an onces that takes memory from the graph's limit until end is called. Without hidden places every state is the first.
func newOnces(g *space.Graph, n int) (*onces, error) {
	o := &onces{Graph: g, words: (n + 63) / 64, last: 1<<(n%64) - 1}
	if n >= len(g.Net.Places) {
		return o, nil
	}
	if n%64 == 0 {
		o.last = ^uint64(0)
	}
	size := 1 << bits.Len(uint(g.Len()+g.Len()/3))
	g.Reversing.Lock()
	err := g.Budget.Claim(4 * int64(size))
	g.Reversing.Unlock()
	if err != nil {
		return nil, err
	}
	o.slots, o.row, o.other = make([]uint32, size), make([]uint64, o.words), make([]uint64, o.words)
	return o, nil
}

func (o *onces) end() {
	o.Reversing.Lock()
	defer o.Reversing.Unlock()
	o.Budget.Release(4 * int64(len(o.slots)))
}

// first reports whether s is the first of the states it was called with that differ from s only in hidden places.
func (o *onces) first(s int) bool {
	if o.slots == nil {
		return true
	}
	o.seen(o.row, s)
	mask := uint64(len(o.slots) - 1)
	for i := space.Hash(o.row) & mask; ; i = (i + 1) & mask {
		if o.slots[i] == 0 {
			o.slots[i] = uint32(s + 1)
			return true
		}
		if o.seen(o.other, int(o.slots[i]-1)); slices.Equal(o.row, o.other) {
			return false
		}
	}
}

// seen writes the part of state s that is not hidden into row.
func (o *onces) seen(row []uint64, s int) {
	copy(row, o.Marks.At(s)[:o.words])
	if o.words > 0 {
		row[o.words-1] &= o.last
	}
}

// SizeOf returns what the function SizeOf returns for graphs. Every hidden place must be a history place. The errors are those of the forest.
func (x *Model) SizeOf(ctx context.Context, n int, set dd.Node) (_ Size, err error) {
	defer halt.Caught(&err)
	s := x.Sets(ctx)
	seen := s.seen(n, set)
	states, arcs := s.halved(n, seen), s.arcs(n, seen)
	dead := s.Dead()
	if set != x.reach {
		dead = s.Intersect(dead, set)
	}
	return Size{states, arcs, s.halved(n, s.seen(n, dead))}, nil
}

// arcs returns the number of arcs that leave the states of a set, as halved counts states.
func (s Diagrams) arcs(n int, set dd.Node) *big.Int {
	x := s.x
	sum := new(big.Int)
	var plain []dd.Relation
	first, _ := alternatives(x.net)
	alike := make([][]int, len(first)) // by first
	for t, f := range first {
		alike[f] = append(alike[f], t)
	}
	for t, list := range alike {
		if len(list) == 0 {
			continue
		}
		if tr := &x.net.Transitions[t]; len(list) == 1 && !tr.Moving {
			able, _ := x.needs(tr.In, tr.Read)
			plain = append(plain, able)
			continue
		}
		var able dd.Node // the relation of a moving transition may lead to a marking in two ways
		for _, t := range list {
			able = s.Union(able, halt.Must(x.fireableIn(s.ctx, set, t)))
		}
		sum.Add(sum, s.forest().Cardinality(able))
	}
	return x.half(n, sum.Add(sum, halt.Must(x.forest.Occurrences(s.ctx, plain, set))))
}

// CountSeen returns the number of states of a set. States that differ only in places from number n on count as one.
func (x *Model) CountSeen(ctx context.Context, n int, set dd.Node) (_ *big.Int, err error) {
	defer halt.Caught(&err)
	s := x.Sets(ctx)
	return s.halved(n, s.seen(n, set)), nil
}

// halved returns the number of states of a set divided by the number of values of the hidden places, all of which are in the set.
func (s Diagrams) halved(n int, set dd.Node) *big.Int {
	return s.x.half(n, s.forest().Cardinality(set))
}

func (x *Model) half(n int, count *big.Int) *big.Int {
	return count.Rsh(count, uint(max(len(x.net.Places)-n, 0)))
}

// seen returns a set extended by all states that differ from one of its states only in history places from number n on. Each of these places
// is a variable of two values.
func (s Diagrams) seen(n int, set dd.Node) dd.Node {
	x := s.x
	if n >= len(x.net.Places) {
		return set
	}
	one := make([][]int, len(x.vars)+1)
	for v := range x.vars {
		values := make([]int, x.vars[v].size())
		for i := range values {
			if x.vars[v].places[0] < n {
				values[i] = i
			}
		}
		one[x.level[v]] = values
	}
	return s.forest().Forget(set, one)
}
