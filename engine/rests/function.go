package rests

import (
	"errors"
	"math"
	"slices"
)

// A Function is a Boolean function of numbered variables: an ordered binary decision diagram (R. Bryant, 1986, Graph-based algorithms for
// Boolean function manipulation). Equal functions of one Functions are equal numbers.
type Function int32

// The constant functions.
const (
	False Function = 0
	True  Function = 1
)

// ErrTooMany says that there are too many ways to keep a promise, or too many to try.
var ErrTooMany = errors.New("finding that out takes too many tries")

// maxNodes bounds the diagrams of one question.
const maxNodes = 1 << 17

// Functions makes and keeps functions. It is for one goroutine. After Err is not nil what it returned means nothing.
type Functions struct {
	nodes  []node
	unique map[node]Function
	memo   map[operation]Function
	err    error
}

// A node tests a variable.
type node struct {
	variable  int32
	low, high Function
}

type operation struct {
	kind byte
	a, b Function
}

// NewFunctions returns the constants alone.
func NewFunctions() *Functions {
	end := node{variable: math.MaxInt32}
	return &Functions{nodes: []node{end, end}, unique: map[node]Function{}, memo: map[operation]Function{}}
}

// Err is ErrTooMany once there have been too many nodes.
func (f *Functions) Err() error { return f.err }

func (f *Functions) node(n node) Function {
	if n.low == n.high {
		return n.low
	}
	if at, ok := f.unique[n]; ok {
		return at
	}
	if len(f.nodes) >= maxNodes {
		f.err = ErrTooMany
		return False
	}
	f.nodes = append(f.nodes, n)
	f.unique[n] = Function(len(f.nodes) - 1)
	return f.unique[n]
}

// All returns the function that is true where all these variables are.
func (f *Functions) All(variables []int) Function {
	sorted := slices.Sorted(slices.Values(variables))
	all := True
	for _, v := range slices.Backward(slices.Compact(sorted)) {
		all = f.node(node{int32(v), False, all})
	}
	return all
}

// And returns the conjunction.
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

// Or returns the disjunction.
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

// Without returns a where b is false.
func (f *Functions) Without(a, b Function) Function {
	switch {
	case a == False, a == b, b == True:
		return False
	case b == False:
		return a
	}
	return f.apply('-', a, b, f.Without)
}

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

// Smallest returns a set of as few variables as can make a function true, the others being false: of several sets the one with the first
// variables. It reports whether there is any.
func (f *Functions) Smallest(a Function) ([]int, bool) {
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

// Least returns the least sets of variables that make a function true and another false, the smallest first, at most so many; more reports
// whether there are others. Where the function is monotone, and the other is so, these are inclusion-minimal.
func (f *Functions) Least(a, but Function, most int) (sets [][]int, more bool) {
	left := f.Without(a, but)
	for {
		set, ok := f.Smallest(left)
		if !ok || f.err != nil {
			return sets, false
		}
		if len(sets) == most {
			return sets, true
		}
		sets = append(sets, set)
		left = f.Without(left, f.All(set))
	}
}
