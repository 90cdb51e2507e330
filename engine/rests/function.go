package rests

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// errTooMany reports that a promise can be kept in too many ways, or that there are too many to try.
var errTooMany = errors.New("finding that out takes too many tries")

// maxBytes bounds the diagrams of one question.
const maxBytes = 64 << 20

// A Function is a Boolean function of numbered variables: the set of the assignments that make it true. Two functions made by one Functions
// are equal if and only if their nodes are.
type Function = dd.Node

// False is the same for every Functions.
const False Function = dd.Empty

// Functions makes functions. It is not safe for concurrent use. Once Err is not nil, its results are invalid.
type Functions struct {
	True Function

	forest    *dd.Forest
	variables int // variable v is on the level variables-v
	err       error
}

// NewFunctions returns a store for functions of so many variables.
func NewFunctions(variables int) *Functions {
	f := &Functions{forest: dd.New(slices.Repeat([]int{2}, variables), dd.Limits{Bytes: maxBytes}), variables: variables}
	f.True = f.made(f.forest.Every(context.Background()))
	return f
}

// Err returns errTooMany once the store is full.
func (f *Functions) Err() error { return f.err }

func (f *Functions) made(a Function, err error) Function {
	if err != nil {
		f.err = errTooMany
	}
	return a
}

// And returns the conjunction of two functions.
func (f *Functions) And(a, b Function) Function {
	return f.made(f.forest.Intersect(context.Background(), a, b))
}

// Or returns the disjunction of two functions.
func (f *Functions) Or(a, b Function) Function {
	return f.made(f.forest.Union(context.Background(), a, b))
}

// without returns the conjunction of a and the negation of b.
func (f *Functions) without(a, b Function) Function {
	return f.made(f.forest.Minus(context.Background(), a, b))
}

// Where returns the conjunction of a function and some variables, each of which is named once.
func (f *Functions) Where(a Function, variables ...int) Function {
	var locals []dd.Local
	for _, v := range slices.Backward(slices.Sorted(slices.Values(variables))) {
		locals = append(locals, dd.Local{Level: f.variables - v, Pairs: []dd.Pair{{From: 1, To: 1}}})
	}
	return f.made(f.forest.Lead(context.Background(), f.forest.Chain(locals), a))
}

// Exchanged returns a function with variables exchanged: of each pair of a map, each way round.
func (f *Functions) Exchanged(a Function, pairs map[int]int) Function {
	for _, v := range slices.Sorted(maps.Keys(pairs)) {
		if v < pairs[v] {
			a = f.exchanged(a, v, pairs[v])
		}
	}
	return a
}

// exchanged exchanges two variables, the lower number first: it leads each pair of their values to the other way round.
func (f *Functions) exchanged(a Function, v, w int) Function {
	var pairs []dd.Pair
	var nexts []dd.Relation
	for x := range uint16(2) {
		for y := range uint16(2) {
			pairs = append(pairs, dd.Pair{From: x, To: y})
			nexts = append(nexts, f.forest.Chain([]dd.Local{{Level: f.variables - w, Pairs: []dd.Pair{{From: y, To: x}}}}))
		}
	}
	return f.made(f.forest.Lead(context.Background(), f.forest.Branch(f.variables-v, pairs, nexts), a))
}

// smallest returns a smallest set of variables that make a function true while all others are false. Among sets of one size it prefers the
// lowest variables. It reports whether there is any.
func (f *Functions) smallest(a Function) ([]int, bool) {
	if a == False {
		return nil, false
	}
	sizes := map[Function]int{dd.Unit: 0, False: math.MaxInt32}
	var size func(a Function) int
	size = func(a Function) int {
		if n, ok := sizes[a]; ok {
			return n
		}
		sizes[a] = min(size(f.forest.Child(a, 0)), 1+size(f.forest.Child(a, 1)))
		return sizes[a]
	}
	size(a)
	set := []int{}
	for v := range f.variables {
		if low, high := f.forest.Child(a, 0), f.forest.Child(a, 1); 1+sizes[high] <= sizes[low] {
			set, a = append(set, v), high
		} else {
			a = low
		}
	}
	return set, true
}

// Least returns up to most sets of variables that make a true and but false, the smallest first. More reports whether there are others. If
// both functions are monotone, the sets are the inclusion-minimal ones.
func (f *Functions) Least(a, but Function, most int) (sets [][]int, more bool) {
	left := f.without(a, but)
	for {
		set, ok := f.smallest(left)
		if !ok || f.err != nil {
			return sets, false
		}
		if len(sets) == most {
			return sets, true
		}
		sets = append(sets, set)
		left = f.without(left, f.Where(f.True, set...))
	}
}
