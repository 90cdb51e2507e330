package local

import (
	"context"
	"unsafe"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A value is what is known of a formula in a state: Kleene's three values (1952, Introduction to Metamathematics, section 64) and two marks.
type value uint8

const (
	unknown value = iota
	no
	yes
	open  // not decided in this round
	going // on the path being searched
)

func truth(holds bool) value {
	if holds {
		return yes
	}
	return no
}

func (v value) not() value {
	switch v {
	case no:
		return yes
	case yes:
		return no
	}
	return v
}

// A search finds the values of nodes in states, in rounds of growing effort.
type search struct {
	ctx      context.Context
	walk     *space.Walk
	stubborn *stubborn // nil: all that is fireable fires
	labels   [][]value // by slot, by state; of temporal nodes
	opened   []label   // open in this round
	first    int       // effort of the first round
	least    int       // states that a nested search may visit at least
	effort   int       // of this round: states visited for each outermost temporal operator
	left     int       // the rest of effort
	depth    int       // nested searches
	visits   int
	fronts   []*frontier // by depth, for reuse
	ways     []*way      // by depth, for reuse
	starved  bool        // something is open for lack of effort
	full     error       // the limit for which something is open
	err      error       // ends the search at once
}

// A label is the place of a value.
type label struct{ slot, state int }

func newSearch(ctx context.Context, n *petri.Net, rule petri.Rule, limits space.Limits) (*search, error) {
	walk, err := space.NewWalk(n, rule, limits)
	if err != nil {
		return nil, err
	}
	x := &search{ctx: ctx, walk: walk, first: firstEffort, least: leastEffort}
	if rule == petri.One && stubbornly(n) {
		x.stubborn = newStubborn(n, x.holds)
	}
	return x, nil
}

// The first round visits 512 states, and each further one four times as many. A nested search may visit an eighth of what the outer one may,
// but at least leastEffort.
const (
	firstEffort = 1 << 9
	growth      = 2 // bits
	nested      = 3 // bits
	leastEffort = 1 << 4
)

// decide reports whether a node holds in a state. The error says why that is unknown: a limit, a contact or the context's cause.
func (x *search) decide(n *node, s int) (bool, error) {
	for x.effort = x.first; ; x.effort <<= growth {
		x.starved, x.full = false, nil
		v := x.eval(n, s)
		x.close()
		switch {
		case x.err != nil:
			return false, x.err
		case v == yes || v == no:
			return v == yes, nil
		case x.full != nil:
			return false, x.full
		case !x.starved:
			panic("local: a value is open for no reason")
		}
	}
}

// close resets open labels, for the next round to decide.
func (x *search) close() {
	for _, l := range x.opened {
		x.labels[l.slot][l.state] = unknown
	}
	x.opened = x.opened[:0]
}

// eval returns the value of a node in a state: yes, no or open.
func (x *search) eval(n *node, s int) value {
	switch n.kind {
	case always:
		return yes
	case place:
		return truth(space.Has(x.walk.Words(s), n.place))
	case atMost:
		m := x.walk.Words(s)
		return truth(n.sum.Holds(func(p int) bool { return space.Has(m, p) }))
	case dead:
		return truth(x.walk.Dead(s))
	case not:
		return x.eval(n.parts[0], s).not()
	case and, or:
		return x.evalAll(n, s)
	case iff:
		return x.evalIff(n, s)
	}
	if v := x.label(n, s); v != unknown {
		return v
	}
	return x.evalTemporal(n, s)
}

// holds reports the value of a node without temporal operators.
func (x *search) holds(n *node, s int) bool { return x.eval(n, s) == yes }

// evalAll returns the value of a conjunction or disjunction. It stops at the first part that decides it.
func (x *search) evalAll(n *node, s int) value {
	settles := truth(n.kind == or)
	all := settles.not()
	for _, p := range n.parts {
		switch x.eval(p, s) {
		case settles:
			return settles
		case open:
			all = open
		}
		if x.err != nil {
			return open
		}
	}
	return all
}

// evalIff returns the value of an equivalence. It is open if a part is.
func (x *search) evalIff(n *node, s int) value {
	a := x.eval(n.parts[0], s)
	if a == open {
		return open
	}
	b := x.eval(n.parts[1], s)
	if b == open {
		return open
	}
	return truth(a == b)
}

func (x *search) evalTemporal(n *node, s int) value {
	if n.kind == next {
		return x.evalNext(n, s)
	}
	if x.depth == 0 {
		x.left = x.effort
	}
	x.depth++
	defer func() { x.depth-- }()
	if n.kind == until {
		return x.evalUntil(n, s)
	}
	return x.evalWeak(n, s)
}

func (x *search) evalNext(n *node, s int) value {
	succ, ok := x.succ(s)
	if !ok || !x.pulse() {
		return x.set(n, s, open)
	}
	v := no
	for _, t := range succ {
		switch x.eval(n.parts[0], int(t)) {
		case yes:
			return x.set(n, s, yes)
		case open:
			v = open
		}
	}
	return x.set(n, s, v)
}

// succ returns the successors of a state, and reports false after an error.
func (x *search) succ(s int) ([]uint32, bool) {
	list, err := x.walk.Succ(x.ctx, s)
	return list, x.fine(err)
}

// fine records an error, and reports whether there was none. After a limit known values remain, and the round goes on with little effort. Any
// other error ends the search.
func (x *search) fine(err error) bool {
	if err == nil {
		return true
	}
	if _, limit := err.(*space.LimitError); limit {
		x.full = err
		x.effort, x.left = min(x.effort, x.first), min(x.left, x.first)
	} else if x.err == nil {
		x.err = err
	}
	return false
}

// allowed returns the number of states that a search starting now may visit.
func (x *search) allowed() int {
	return min(x.left, max(x.least, x.effort>>(nested*(x.depth-1))))
}

// visit counts a state visited, and reports whether the search may go on.
func (x *search) visit(allowed *int) bool {
	*allowed--
	x.left--
	if *allowed < 0 || x.left < 0 {
		x.starved = true
		return false
	}
	return x.pulse()
}

// pulse checks the context at intervals, and reports whether the search may go on.
func (x *search) pulse() bool {
	if x.visits++; x.visits%64 == 0 && x.ctx.Err() != nil && x.err == nil {
		x.err = context.Cause(x.ctx)
	}
	return x.err == nil
}

// label returns what is known of a temporal node in a state.
func (x *search) label(n *node, s int) value {
	if n.slot < len(x.labels) && s < len(x.labels[n.slot]) {
		return x.labels[n.slot][s]
	}
	return unknown
}

// set stores the value of a temporal node in a state, if memory allows it, and returns the value.
func (x *search) set(n *node, s int, v value) value {
	for n.slot >= len(x.labels) {
		x.labels = append(x.labels, nil)
	}
	list, ok := x.labels[n.slot], true
	if s >= len(list) {
		if list, ok = grow(x, list, max(2*len(list), x.walk.Len())); !ok {
			return v
		}
		list = list[:cap(list)]
		x.labels[n.slot] = list
	}
	list[s] = v
	if v == open {
		if x.opened, ok = add(x, x.opened, label{n.slot, s}); !ok {
			list[s] = unknown
		}
	}
	return v
}

// add appends to a table, if memory allows it.
func add[T any](x *search, list []T, element T) (longer []T, ok bool) {
	if len(list) == cap(list) {
		if list, ok = grow(x, list, max(16, 2*len(list))); !ok {
			return list, false
		}
	}
	return append(list, element), true
}

// grow returns a table with a larger capacity, if the limit of memory allows it.
func grow[T any](x *search, list []T, size int) (larger []T, ok bool) {
	var element T
	each := int64(unsafe.Sizeof(element))
	if !x.fine(x.walk.Claim(each * int64(size))) {
		return list, false
	}
	larger = append(make([]T, 0, size), list...)
	x.fine(x.walk.Claim(-each * int64(cap(list))))
	return larger, true
}
