package space

import (
	"context"
	"math/bits"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A Set is a bit set of states. It does not change once it is made.
type Set []uint64

// Has reports whether a bit set has a member: a Set a state, or the words of a marking a place.
func Has(words []uint64, i int) bool { return words[i/64]>>(i%64)&1 != 0 }

// Add adds a member to a bit set.
func Add(words []uint64, i int) { words[i/64] |= 1 << (i % 64) }

func drop(words []uint64, i int) { words[i/64] &^= 1 << (i % 64) }

// Len returns the number of states in the set.
func (a Set) Len() int {
	n := 0
	for _, w := range a {
		n += bits.OnesCount64(w)
	}
	return n
}

// Sets is the algebra of the sets of states of one Graph, ctl.Algebra[Set]. It is safe for concurrent use.
type Sets struct{ g *Graph }

// Sets returns the algebra of sets of states of the graph.
func (g *Graph) Sets() Sets { return Sets{g} }

// None returns the empty set.
func (x Sets) None() Set { return make(Set, (x.g.Len()+63)/64) }

// where returns the states for which has is true.
func (x Sets) where(has func(s int) bool) Set {
	a := x.None()
	for s := range x.g.Len() {
		if has(s) {
			Add(a, s)
		}
	}
	return a
}

// Those returns the states of a for which has is true.
func (x Sets) Those(a Set, has func(s int) bool) Set {
	b := x.None()
	for s := range a.Each() {
		if has(s) {
			Add(b, s)
		}
	}
	return b
}

// All returns the set of all states.
func (x Sets) All() Set {
	a := x.None()
	for i := range a {
		a[i] = ^uint64(0)
	}
	if n := x.g.Len() % 64; n > 0 {
		a[len(a)-1] = 1<<n - 1
	}
	return a
}

// Initial returns the set of the initial state.
func (x Sets) Initial() Set { return x.One(0) }

// One returns the set of one state.
func (x Sets) One(state int) Set {
	one := x.None()
	Add(one, state)
	return one
}

// Dead returns the dead ends: the states without successor.
func (x Sets) Dead() Set {
	return x.where(func(s int) bool { from, to := x.g.ArcsFrom(s); return from == to })
}

// Where returns the states in which the place is marked.
func (x Sets) Where(place int) Set {
	return x.where(func(s int) bool { return Has(x.g.Marks.At(s), place) })
}

// Count returns the states in which the sum is at most its bound.
func (x Sets) Count(sum *ctl.Sum) Set {
	return x.where(func(s int) bool {
		m := x.g.Marks.At(s)
		return sum.Holds(func(place int) bool { return Has(m, place) })
	})
}

// Union returns the states in a or b.
func (x Sets) Union(a, b Set) Set { return zip(a, b, func(v, w uint64) uint64 { return v | w }) }

// Intersect returns the states in both a and b.
func (x Sets) Intersect(a, b Set) Set { return zip(a, b, func(v, w uint64) uint64 { return v & w }) }

// Minus returns the states of a that are not in b.
func (x Sets) Minus(a, b Set) Set { return zip(a, b, func(v, w uint64) uint64 { return v &^ w }) }

// Equal reports whether a and b have the same states.
func (x Sets) Equal(a, b Set) bool { return slices.Equal(a, b) }

func zip(a, b Set, op func(v, w uint64) uint64) Set {
	c := make(Set, len(a))
	for i, v := range a {
		c[i] = op(v, b[i])
	}
	return c
}

// Pick returns the lowest state of a set, alone, and its marking. It panics if the set is empty.
func (x Sets) Pick(a Set) (Set, petri.Marking) {
	for s := range a.Each() {
		one := x.None()
		Add(one, s)
		return one, x.g.Marking(s)
	}
	panic("space: Pick from an empty set")
}

// Next returns the target of the first arc into goal that leaves the lowest state of from, alone, and its marking. It panics if there is none.
func (x Sets) Next(from, goal Set) (Set, petri.Marking) {
	for s := range from.Each() {
		for _, t := range x.g.Succ(s) {
			if Has(goal, int(t)) {
				return x.One(int(t)), x.g.Marking(int(t))
			}
		}
		break
	}
	panic("space: no arc into a set")
}

// Each iterates over the states of the set, ascending.
func (a Set) Each() func(yield func(s int) bool) {
	return func(yield func(s int) bool) {
		for i := range a {
			for w := a[i]; w != 0; w &= w - 1 {
				if !yield(i*64 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Pre returns the states with a successor in a. Its error is a *LimitError or the context's cause, wrapped.
func (x Sets) Pre(ctx context.Context, a Set) (Set, error) {
	back, err := x.g.reversed(ctx)
	if err != nil {
		return nil, err
	}
	return x.image(ctx, a, back.of)
}

// Post returns the successors of the states in a. Its error is the context's cause, wrapped.
func (x Sets) Post(ctx context.Context, a Set) (Set, error) {
	return x.image(ctx, a, x.g.Succ)
}

// From returns the states of a and all states reachable from them. Its error is the context's cause, wrapped.
func (x Sets) From(ctx context.Context, a Set) (Set, error) {
	if Has(a, 0) { // the initial state leads to all
		return x.All(), nil
	}
	b := slices.Clone(a)
	var todo []uint32
	i := 0
	for s := range a.Each() {
		for todo = append(todo, uint32(s)); len(todo) > 0; i++ {
			if err := now(ctx, i); err != nil {
				return nil, err
			}
			last := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, t := range x.g.Succ(int(last)) {
				if !Has(b, int(t)) {
					Add(b, int(t))
					todo = append(todo, t)
				}
			}
		}
	}
	return b, stopped(ctx)
}

func (x Sets) image(ctx context.Context, a Set, next func(s int) []uint32) (Set, error) {
	b, i := x.None(), 0
	for s := range a.Each() {
		if err := now(ctx, i); err != nil {
			return nil, err
		}
		for _, t := range next(s) {
			Add(b, int(t))
		}
		i++
	}
	return b, stopped(ctx)
}

// Until returns E[a U b]: the states from which some path stays in a until it reaches b. It searches backwards from b, and follows each arc
// once (E. Clarke, E. Emerson, A. Sistla, 1986, Automatic verification of finite-state concurrent systems using temporal logic specifications,
// section 3, CheckEU).
func (x Sets) Until(ctx context.Context, a, b Set) (Set, error) {
	back, err := x.g.reversed(ctx)
	if err != nil {
		return nil, err
	}
	u := slices.Clone(b)
	var todo []uint32
	i := 0
	for s := range b.Each() {
		for todo = append(todo, uint32(s)); len(todo) > 0; i++ {
			if err := now(ctx, i); err != nil {
				return nil, err
			}
			last := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, p := range back.of(int(last)) {
				if Has(a, int(p)) && !Has(u, int(p)) {
					Add(u, int(p))
					todo = append(todo, p)
				}
			}
		}
	}
	return u, stopped(ctx)
}

// Always returns EG a: the states from which some maximal path stays in a. For each state of a it counts the arcs that stay in a, and drops
// states, dead ends excepted, that have none left. It follows each arc once (A. Arnold, P. Crubillé, 1988, A linear algorithm to solve
// fixed-point equations on transition systems).
func (x Sets) Always(ctx context.Context, a Set) (Set, error) {
	back, err := x.g.reversed(ctx)
	if err != nil {
		return nil, err
	}
	stay, lost, err := x.stays(ctx, a)
	if err != nil {
		return nil, err
	}
	g := slices.Clone(a)
	for _, s := range lost {
		drop(g, int(s))
	}
	for i := 0; len(lost) > 0; i++ {
		if err := now(ctx, i); err != nil {
			return nil, err
		}
		last := lost[len(lost)-1]
		lost = lost[:len(lost)-1]
		for _, p := range back.of(int(last)) {
			if !Has(g, int(p)) {
				continue
			}
			if stay[p]--; stay[p] == 0 {
				drop(g, int(p))
				lost = append(lost, p)
			}
		}
	}
	return g, stopped(ctx)
}

// stays counts for each state of a its arcs into a, and returns the states of a that have arcs but none into a.
func (x Sets) stays(ctx context.Context, a Set) (stay, lost []uint32, err error) {
	stay = make([]uint32, x.g.Len())
	for s := range a.Each() {
		if err := now(ctx, s); err != nil {
			return nil, nil, err
		}
		next := x.g.Succ(s)
		for _, t := range next {
			if Has(a, int(t)) {
				stay[s]++
			}
		}
		if stay[s] == 0 && len(next) > 0 {
			lost = append(lost, uint32(s))
		}
	}
	return stay, lost, nil
}
