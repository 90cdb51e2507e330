package symbolic

import (
	"context"
	"math/big"
	"math/bits"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/space"
)

// A Size is the size of a state model, or of a part of it.
type Size struct{ States, Arcs, DeadEnds *big.Int }

// SizeOf returns the number of states of a set, and of their arcs and dead ends. States that differ only in places from number n on count as
// one. No transition may depend on those places, so that one state has the arcs of all. A nil set means all states. The error is a *LimitError
// of memory or the context's cause. Cost: linear in the states, or nothing if there are no such places and set is nil.
func SizeOf(ctx context.Context, g *space.Graph, n int, set space.Set) (Size, error) {
	if n >= len(g.Net.Places) && set == nil {
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
		states, arcs = states+1, arcs+to-from
		if from == to {
			dead++
		}
	}
	return sizeOf(states, arcs, dead), nil
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
func (x *Model) SizeOf(ctx context.Context, n int, set dd.Node) (s Size, err error) {
	seen, err := x.seen(ctx, n, set)
	if err != nil {
		return s, err
	}
	states, err := x.halved(ctx, n, seen)
	if err != nil {
		return s, err
	}
	arcs, err := x.arcs(ctx, n, seen)
	if err != nil {
		return s, err
	}
	dead, err := x.ends(ctx)
	if err == nil && set != x.reach {
		dead, err = x.forest.Intersect(ctx, dead, set)
	}
	if err == nil {
		dead, err = x.seen(ctx, n, dead)
	}
	if err != nil {
		return s, err
	}
	ends, err := x.halved(ctx, n, dead)
	return Size{states, arcs, ends}, err
}

// arcs returns the number of arcs that leave the states of a set, as halved counts states.
func (x *Model) arcs(ctx context.Context, n int, set dd.Node) (*big.Int, error) {
	sum := new(big.Int)
	var plain []dd.Relation
	for t := range x.net.Transitions {
		if tr := &x.net.Transitions[t]; !tr.Moving {
			able, _ := x.needs(tr.In, tr.Read)
			plain = append(plain, able)
			continue
		}
		able, err := x.fireableIn(ctx, set, t) // whose relation may lead to a marking in two ways
		if err != nil {
			return nil, err
		}
		more, err := x.forest.Cardinality(ctx, able)
		if err != nil {
			return nil, err
		}
		sum.Add(sum, more)
	}
	more, err := x.forest.Occurrences(ctx, plain, set)
	if err != nil {
		return nil, err
	}
	return x.half(n, sum.Add(sum, more)), nil
}

// CountSeen returns the number of states of a set. States that differ only in places from number n on count as one.
func (x *Model) CountSeen(ctx context.Context, n int, set dd.Node) (*big.Int, error) {
	seen, err := x.seen(ctx, n, set)
	if err != nil {
		return nil, err
	}
	return x.halved(ctx, n, seen)
}

// halved returns the number of states of a set divided by the number of values of the hidden places, all of which are in the set.
func (x *Model) halved(ctx context.Context, n int, set dd.Node) (*big.Int, error) {
	count, err := x.forest.Cardinality(ctx, set)
	if err != nil {
		return nil, err
	}
	return x.half(n, count), nil
}

func (x *Model) half(n int, count *big.Int) *big.Int {
	return count.Rsh(count, uint(max(len(x.net.Places)-n, 0)))
}

// seen returns a set extended by all states that differ from one of its states only in history places from number n on. Each of these places
// is a variable of two values.
func (x *Model) seen(ctx context.Context, n int, set dd.Node) (dd.Node, error) {
	if n >= len(x.net.Places) {
		return set, nil
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
	return x.forest.Forget(ctx, set, one)
}
