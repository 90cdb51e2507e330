package rests

import (
	"errors"
	"math"
	"slices"
)

// A Function is a Boolean function of numbered variables: an ordered binary decision diagram (R. Bryant, 1986, Graph-based algorithms for
// Boolean function manipulation). Two functions made by one Functions are equal if and only if their numbers are.
type Function int32

// The constant functions.
const (
	False Function = 0
	True  Function = 1
)

// errTooMany reports that a promise can be kept in too many ways, or that there are too many to try.
var errTooMany = errors.New("finding that out takes too many tries")

// maxNodes bounds the diagrams of one question.
const maxNodes = 1 << 17

// Functions makes and stores functions. It is not safe for concurrent use. Once Err is not nil, its results are invalid.
type Functions struct {
	nodes  []node
	unique map[node]Function
	memo   map[operation]Function
	err    error
}

// A node tests a variable, and continues with low where it is false and with high where it is true.
type node struct {
	variable  int32
	low, high Function
}

// An operation is a key of the memo.
type operation struct {
	kind byte
	a, b Function
}

// NewFunctions returns a store that has only the constants.
func NewFunctions() *Functions {
	end := node{variable: math.MaxInt32}
	return &Functions{nodes: []node{end, end}, unique: map[node]Function{}, memo: map[operation]Function{}}
}

// Err returns errTooMany once the store is full.
func (f *Functions) Err() error { return f.err }

// node returns the number of a node, which is unique. It sets the error if the store is full.
func (f *Functions) node(n node) Function {
	if n.low == n.high {
		return n.low
	}
	if at, ok := f.unique[n]; ok {
		return at
	}
	if len(f.nodes) >= maxNodes {
		f.err = errTooMany
		return False
	}
	f.nodes = append(f.nodes, n)
	f.unique[n] = Function(len(f.nodes) - 1)
	return f.unique[n]
}

// All returns the conjunction of some variables.
func (f *Functions) All(variables []int) Function {
	sorted := slices.Sorted(slices.Values(variables))
	all := True
	for _, v := range slices.Backward(slices.Compact(sorted)) {
		all = f.node(node{int32(v), False, all})
	}
	return all
}

// And returns the conjunction of two functions.
func (f *Functions) And(a, b Function) Function {
	switch {
	case a == b, b == True:
		return a
	case a == True:
		return b
	case a == False, b == False:
		return False
	}
	return f.apply('&', min(a, b), max(a, b), f.And)
}

// Or returns the disjunction of two functions.
func (f *Functions) Or(a, b Function) Function {
	switch {
	case a == b, b == False:
		return a
	case a == False:
		return b
	case a == True, b == True:
		return True
	}
	return f.apply('|', min(a, b), max(a, b), f.Or)
}

// without returns the conjunction of a and the negation of b.
func (f *Functions) without(a, b Function) Function {
	switch {
	case a == False, a == b, b == True:
		return False
	case b == False:
		return a
	}
	return f.apply('-', a, b, f.without)
}

// apply computes an operation on two nodes from that on their children, with a memo.
func (f *Functions) apply(kind byte, a, b Function, op func(a, b Function) Function) Function {
	key := operation{kind, a, b}
	if known, ok := f.memo[key]; ok {
		return known
	}
	x, y := f.nodes[a], f.nodes[b]
	v := min(x.variable, y.variable)
	if x.variable > v {
		x.low, x.high = a, a
	}
	if y.variable > v {
		y.low, y.high = b, b
	}
	made := f.node(node{v, op(x.low, y.low), op(x.high, y.high)})
	f.memo[key] = made
	return made
}

// smallest returns a smallest set of variables that make a function true while all others are false. Among sets of one size it prefers the
// lowest variables. It reports whether there is any.
func (f *Functions) smallest(a Function) ([]int, bool) {
	if a == False {
		return nil, false
	}
	sizes := map[Function]int{True: 0, False: math.MaxInt32}
	var size func(a Function) int
	size = func(a Function) int {
		if n, ok := sizes[a]; ok {
			return n
		}
		n := f.nodes[a]
		sizes[a] = min(size(n.low), 1+size(n.high))
		return sizes[a]
	}
	size(a)
	set := []int{}
	for a != True {
		n := f.nodes[a]
		if 1+sizes[n.high] <= sizes[n.low] {
			set, a = append(set, int(n.variable)), n.high
		} else {
			a = n.low
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
		left = f.without(left, f.All(set))
	}
}
