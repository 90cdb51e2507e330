package checker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A Node is a set of markings in a Forest.
type Node int32

const (
	None  Node = 0 // no marking
	Blank Node = 1 // the marking in which no place is marked, alone
)

// A node of level l is the set of the markings of low, in which the place of level l is not marked, and those of high with that place marked
// in addition. Places of skipped levels are not marked (S. Minato, 1993, Zero-suppressed BDDs for set manipulation in combinatorial
// problems).
type node struct {
	level     int32
	low, high Node
}

// A Forest stores sets of markings as zero-suppressed decision diagrams, each set once, so that equal sets are equal nodes. order lists all
// places by level.
type Forest struct {
	order   []int // by level, its place
	levelOf []int // by place
	nodes   []node
	unique  []Node    // a table of all nodes, by find
	random  [3]uint64 // multipliers of the hash function in find
	results []result  // cache of results, the newest in each slot
	most    int       // nodes; 0: no limit
	work    int       // results computed
	images  map[string]int32
	ops     int32 // the next
	ctx     context.Context
}

// A result of an operation on two operands.
type result struct {
	op   int32
	a, b Node
	of   Node
}

const (
	opUnion = iota + 1
	opIntersect
	opMinus
	opImages // and what follows
)

// ErrTooLarge reports that the check exceeded a limit on diagram nodes or visits.
var ErrTooLarge = errors.New("more nodes of diagrams than allowed are needed")

// NewForest returns an empty forest over the places of an order, which must be a permutation of the numbers below its length. It makes at
// most most nodes; 0 means no limit.
func NewForest(ctx context.Context, order []int, most int) *Forest {
	f := &Forest{order: order, levelOf: make([]int, len(order)), unique: make([]Node, 1<<10), images: map[string]int32{}, ops: opImages, most: most, ctx: ctx}
	for level, place := range order {
		f.levelOf[place] = level
	}
	end := int32(len(order))
	f.nodes = []node{{level: end}, {level: end}}
	for i := range f.random {
		f.random[i] = rand.Uint64() | 1
	}
	f.results = make([]result, 1<<12)
	return f
}

// A stop is the panic value that ends a computation; Guard turns it into an error.
type stop struct{ error }

// Guard runs a computation on a forest, and returns ErrTooLarge or the context's cause if that ended it.
func Guard(compute func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stop)
			if !ok {
				panic(r)
			}
			err = s.error
		}
	}()
	compute()
	return nil
}

// Node returns the set of the markings of low, and those of high with the place of the level marked in addition. low and high may depend on
// later levels only. It panics, for Guard, if the forest is full.
func (f *Forest) Node(level int, low, high Node) Node {
	if high == None {
		return low
	}
	key := node{int32(level), low, high}
	at := f.find(key)
	if n := f.unique[at]; n != None {
		return n
	}
	if f.most > 0 && len(f.nodes) >= f.most || len(f.nodes) >= 1<<31-1 {
		panic(stop{ErrTooLarge})
	}
	n := Node(len(f.nodes))
	f.nodes = append(f.nodes, key)
	f.unique[at] = n
	if 2*len(f.nodes) > len(f.unique) {
		f.widen()
	}
	if len(f.nodes) > len(f.results) && len(f.results) < 1<<22 {
		f.results = make([]result, 4*len(f.results))
	}
	return n
}

// find returns the slot of a node in the hash table, or the free slot for it (D. Knuth, 1973, The art of computer programming, volume 3,
// section 6.4, algorithm L). Its multipliers are random, so that no author of a certificate can provoke collisions (M. Dietzfelbinger and
// others, 1997, A reliable randomized algorithm for the closest-pair problem).
func (f *Forest) find(n node) uint64 {
	mask := uint64(len(f.unique) - 1)
	at := (f.random[0]*uint64(n.level) + f.random[1]*uint64(n.low) + f.random[2]*uint64(n.high)) >> 32 & mask
	for f.unique[at] != None && f.nodes[f.unique[at]] != n {
		at = (at + 1) & mask
	}
	return at
}

// widen doubles the hash table.
func (f *Forest) widen() {
	f.unique = make([]Node, 2*len(f.unique))
	for n := Blank + 1; int(n) < len(f.nodes); n++ {
		f.unique[f.find(f.nodes[n])] = n
	}
}

// Parts returns the level and children of a node.
func (f *Forest) Parts(n Node) (level int, low, high Node) {
	at := f.nodes[n]
	return int(at.level), at.low, at.high
}

// cofactors returns the children of a node as seen from a level at or above its own.
func (f *Forest) cofactors(n Node, level int32) (low, high Node) {
	if at := &f.nodes[n]; at.level == level {
		return at.low, at.high
	}
	return n, None
}

// slot returns the cache slot of an operation.
func (f *Forest) slot(op int32, a, b Node) *result {
	h := (uint64(uint32(a))<<32 | uint64(uint32(b))) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ uint64(uint32(op))) * 0xbf58476d1ce4e5b9
	return &f.results[h>>32&uint64(len(f.results)-1)]
}

// cached returns the result of an operation, from the cache or computed.
func (f *Forest) cached(op int32, a, b Node, compute func() Node) Node {
	if r := f.slot(op, a, b); r.op == op && r.a == a && r.b == b {
		return r.of
	}
	f.labour()
	of := compute()
	*f.slot(op, a, b) = result{op, a, b, of}
	return of
}

// labour counts work, and checks the context now and then.
func (f *Forest) labour() {
	if f.work++; f.work%4096 == 0 && f.ctx.Err() != nil {
		panic(stop{context.Cause(f.ctx)})
	}
}

// Union returns the markings of either set.
func (f *Forest) Union(a, b Node) Node {
	switch {
	case a == b || b == None:
		return a
	case a == None:
		return b
	case a > b:
		a, b = b, a
	}
	return f.apply(opUnion, a, b, f.Union)
}

// Intersect returns the markings of both sets.
func (f *Forest) Intersect(a, b Node) Node {
	switch {
	case a == b:
		return a
	case a == None || b == None:
		return None
	case a > b:
		a, b = b, a
	}
	return f.apply(opIntersect, a, b, f.Intersect)
}

// Minus returns the markings of a that are not in b.
func (f *Forest) Minus(a, b Node) Node {
	switch {
	case a == b || a == None:
		return None
	case b == None:
		return a
	}
	return f.apply(opMinus, a, b, f.Minus)
}

// apply computes an operation on two sets by recursion (Bryant 1986, Graph-based algorithms for Boolean function manipulation).
func (f *Forest) apply(op int32, a, b Node, each func(a, b Node) Node) Node {
	return f.cached(op, a, b, func() Node {
		level := min(f.nodes[a].level, f.nodes[b].level)
		if level == int32(len(f.order)) { // both are Blank, or None, and none of the short cuts was taken
			panic("checker: an operation on constants")
		}
		low, high := f.cofactors(a, level)
		low2, high2 := f.cofactors(b, level)
		return f.Node(int(level), each(low, low2), each(high, high2))
	})
}

// marked returns the markings of a set in which a place is marked, or those in which it is not.
func (f *Forest) marked(a Node, place int, is bool) Node {
	t := touch{level: int32(f.levelOf[place])}
	t.may[bit(is)][bit(is)] = true
	return f.step(a, f.touching([]touch{t}))
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// A touch is the effect on one level: may[a][b] reports whether the place may change from a to b, where 1 is marked and 0 is not.
type touch struct {
	level int32
	may   [2][2]bool
}

// A touching is an operation on sets: independent effects on some levels, ascending. The effects from touch i on have the number op+i in the
// cache.
type touching struct {
	touches []touch
	op      int32
}

// touching returns an operation with its cache numbers, the same for the same touches.
func (f *Forest) touching(touches []touch) touching {
	key := fmt.Sprint(touches)
	op, known := f.images[key]
	if !known {
		op = f.ops
		f.images[key] = op
		f.ops += int32(len(touches))
	}
	return touching{touches, op}
}

// step returns the image of a set.
func (f *Forest) step(a Node, t touching) Node {
	if a == None || len(t.touches) == 0 {
		return a
	}
	return f.cached(t.op, a, None, func() Node {
		if at := f.nodes[a]; at.level < t.touches[0].level {
			return f.Node(int(at.level), f.step(at.low, t), f.step(at.high, t))
		}
		return f.touched(a, t)
	})
}

// touched returns the image of a set whose level is that of the first touch or below.
func (f *Forest) touched(a Node, t touching) Node {
	first, rest := t.touches[0], touching{t.touches[1:], t.op + 1}
	var before, after [2]Node
	before[0], before[1] = f.cofactors(a, first.level)
	for i, b := range before {
		if first.may[i][0] || first.may[i][1] {
			before[i] = f.step(b, rest)
		}
	}
	for i := range after {
		for j, b := range before {
			if first.may[j][i] {
				after[i] = f.Union(after[i], b)
			}
		}
	}
	return f.Node(int(first.level), after[0], after[1])
}

// levels returns the levels of a marking's places, ascending.
func (f *Forest) levels(m petri.Marking) []int {
	list := make([]int, len(m))
	for i, p := range m {
		list[i] = f.levelOf[p]
	}
	slices.Sort(list)
	return list
}

// marking returns the marking of some levels.
func (f *Forest) marking(levels []int) petri.Marking {
	m := make(petri.Marking, len(levels))
	for i, l := range levels {
		m[i] = f.order[l]
	}
	slices.Sort(m)
	return m
}

// Set returns the set of some markings. Duplicates are allowed.
func (f *Forest) Set(markings []petri.Marking) Node {
	rows := make([][]int, len(markings))
	for i, m := range markings {
		rows[i] = f.levels(m)
	}
	slices.SortFunc(rows, func(a, b []int) int { return slices.CompareFunc(a, b, cmp.Compare[int]) })
	return f.rows(rows, 0)
}

// rows returns the set of sorted lists of levels that agree before position at.
func (f *Forest) rows(rows [][]int, at int) Node {
	low := None
	for len(rows) > 0 && len(rows[0]) == at {
		low, rows = Blank, rows[1:]
	}
	// From the last level upwards: markings without a place of a level go below it.
	for end := len(rows); end > 0; {
		level, from := rows[end-1][at], end-1
		for from > 0 && rows[from-1][at] == level {
			from--
		}
		low = f.Node(level, low, f.rows(rows[from:end], at+1))
		end = from
	}
	return low
}

// eachMarking calls visit with the markings of a set until it returns false. visit must not keep the marking.
func (f *Forest) eachMarking(a Node, visit func(petri.Marking) bool) {
	f.each(a, nil, visit)
}

func (f *Forest) each(a Node, above []int, visit func(petri.Marking) bool) bool {
	for ; a > Blank; a = f.nodes[a].low {
		if !f.each(f.nodes[a].high, append(above, int(f.nodes[a].level)), visit) {
			return false
		}
	}
	return a == None || visit(f.marking(above))
}

// has reports whether a marking is in a set.
func (f *Forest) has(a Node, m petri.Marking) bool {
	for _, level := range f.levels(m) {
		for f.nodes[a].level < int32(level) {
			a = f.nodes[a].low
		}
		if f.nodes[a].level != int32(level) {
			return false
		}
		a = f.nodes[a].high
	}
	for a > Blank {
		a = f.nodes[a].low
	}
	return a == Blank
}

// first returns the first marking of a set that is not empty.
func (f *Forest) first(a Node) petri.Marking {
	var some petri.Marking
	f.eachMarking(a, func(m petri.Marking) bool {
		some = m
		return false
	})
	return some
}
