package symbolic

import (
	"cmp"
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A firing is what a transition does, in one of the ways its moves can go, to the variables it touches, in their order.
type firing struct {
	transition int
	locals     []VariableLocal
}

// maxFirings bounds the ways in which the moves of one transition can go. Twice as many values may be tried to find them.
const maxFirings = 4096

// An encoding is a net over variables.
type encoding struct {
	budget *space.WorkBudget
	net    *petri.Net
	vars   []variable
	of     []int // by place, its variable
	at     []int // by place, its value there
}

func newEncoding(t *space.WorkBudget, n *petri.Net) *encoding {
	t.Take(int64(len(n.Places)) * 200)
	e := &encoding{budget: t, net: n, vars: variables(t, n), of: make([]int, len(n.Places)), at: make([]int, len(n.Places))}
	for i := range e.vars {
		for value, p := range e.vars[i].places {
			e.of[p], e.at[p] = i, value
		}
	}
	return e
}

// firings returns the firings of all transitions. The error is ErrNotSymbolic.
func (e *encoding) firings() ([]firing, error) {
	var list []firing
	for t := range e.net.Transitions {
		ways, err := e.ways(t, &e.net.Transitions[t])
		if err != nil {
			return nil, err
		}
		list = append(list, ways...)
	}
	return list, nil
}

// A use is a value that a transition consumes, produces or reads.
type use struct {
	variable, value int
	kind            uint8
}

const (
	consumed = iota
	produced
	read
)

// plain returns what a transition does without its moves, in order of variables. ok is false if it can never fire.
func (e *encoding) plain(t *petri.Transition) (locals []VariableLocal, ok bool) {
	var uses []use
	for kind, places := range [][]int{consumed: t.In, produced: t.Out, read: t.Read} {
		for _, p := range places {
			uses = append(uses, use{e.of[p], e.at[p], uint8(kind)})
		}
	}
	e.budget.By(4 * len(uses))
	slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(a.variable, b.variable) })
	for len(uses) > 0 {
		n := 1
		for n < len(uses) && uses[n].variable == uses[0].variable {
			n++
		}
		pair, ok := e.pair(uses[:n])
		if !ok {
			return nil, false
		}
		locals = append(locals, VariableLocal{uses[0].variable, []dd.Pair{pair}})
		uses = uses[n:]
	}
	for _, p := range t.Marks { // the place is a variable of its own: marked, or not
		locals = with(locals, e.of[p], []dd.Pair{{From: 0, To: 0}, {From: 1, To: 0}})
	}
	return locals, true
}

// pair returns the combined effect of all uses of one variable. It reports false if they need two of its places marked at once.
func (e *encoding) pair(uses []use) (dd.Pair, bool) {
	none := len(e.vars[uses[0].variable].places)
	value, seen := [3]int{none, none, none}, [3]int{}
	for _, u := range uses {
		value[u.kind] = u.value
		seen[u.kind]++
	}
	if seen[read] > 0 {
		return dd.Pair{From: uint16(value[read]), To: uint16(value[read])}, seen == [3]int{0, 0, 1}
	}
	return dd.Pair{From: uint16(value[consumed]), To: uint16(value[produced])}, max(seen[consumed], seen[produced]) == 1
}

// with returns locals, which are in order, with pairs as the entry of a variable. It replaces an earlier entry.
func with(locals []VariableLocal, variable int, pairs []dd.Pair) []VariableLocal {
	i, found := slices.BinarySearchFunc(locals, variable, func(l VariableLocal, v int) int { return cmp.Compare(l.Variable, v) })
	if found {
		locals[i].Pairs = pairs
		return locals
	}
	return slices.Insert(locals, i, VariableLocal{variable, pairs})
}

// to returns what locals do to a variable, or nil if they do not touch it.
func to(locals []VariableLocal, variable int) []dd.Pair {
	i, found := slices.BinarySearchFunc(locals, variable, func(l VariableLocal, v int) int { return cmp.Compare(l.Variable, v) })
	if !found {
		return nil
	}
	return locals[i].Pairs
}

// ways returns the firings of a transition: one, unless its moves look at other variables than those that they move, or one of several moves
// must apply. The error is ErrNotSymbolic.
func (e *encoding) ways(index int, t *petri.Transition) ([]firing, error) {
	locals, ok := e.plain(t)
	if !ok {
		return nil, nil
	}
	if len(t.Moves) == 0 && !t.Moving {
		e.budget.Take(firingBytes(locals))
		return []firing{{index, locals}}, nil
	}
	for _, v := range t.Moves {
		if e.of[v.From] != e.of[v.To] {
			return nil, ErrNotSymbolic
		}
	}
	w := &wayfinder{e: e, index: index, t: t}
	w.choose(map[int]int{}, e.asked(t))
	if w.tooMany {
		return nil, ErrNotSymbolic
	}
	return w.list, nil
}

// firingBytes returns the approximate memory of a firing.
func firingBytes(locals []VariableLocal) int64 {
	size := int64(64)
	for _, l := range locals {
		size += 32 + 4*int64(len(l.Pairs))
	}
	return size
}

// asked returns the variables, sorted, that moves look at without moving them.
func (e *encoding) asked(t *petri.Transition) []int {
	var list []int
	for _, v := range t.Moves {
		for _, p := range v.If {
			if e.of[p] != e.of[v.From] {
				list = append(list, e.of[p])
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A wayfinder splits a transition by the values of the variables that its moves look at.
type wayfinder struct {
	e       *encoding
	index   int
	t       *petri.Transition
	list    []firing
	tooMany bool
	tried   int // values chosen
}

func (w *wayfinder) choose(fixed map[int]int, left []int) {
	if w.tried++; w.tried > 2*maxFirings {
		w.tooMany = true
	}
	if w.tooMany {
		return
	}
	if len(left) == 0 {
		w.settle(fixed)
		return
	}
	for value := range w.e.vars[left[0]].size() {
		fixed[left[0]] = value
		w.choose(fixed, left[1:])
	}
	delete(fixed, left[0])
}

// settle adds the firings of one choice of values. If some move must apply, there is one for each variable that is the first to move.
func (w *wayfinder) settle(fixed map[int]int) {
	moving := w.movers(fixed)
	if !w.t.Moving {
		w.add(fixed, moving, -1)
		return
	}
	for i := range moving {
		w.add(fixed, moving, i)
	}
}

// A mover is a variable with the value that each of its values moves to, or stays at.
type mover struct {
	variable int
	to       []int
	moves    []bool
}

// movers returns the variables that moves change, in order.
func (w *wayfinder) movers(fixed map[int]int) []mover {
	var moved []int
	for _, x := range w.t.Moves {
		moved = append(moved, w.e.of[x.From])
	}
	slices.Sort(moved)
	var list []mover
	for _, v := range slices.Compact(moved) {
		list = append(list, w.mover(v, fixed))
	}
	return list
}

func (w *wayfinder) mover(variable int, fixed map[int]int) mover {
	size := w.e.vars[variable].size()
	m := mover{variable: variable, to: make([]int, size), moves: make([]bool, size)}
	for value := range m.to {
		m.to[value] = value
	}
	w.e.budget.By(size + len(w.t.Moves))
	for _, x := range w.t.Moves {
		value := w.e.at[x.From]
		if w.e.of[x.From] == variable && !m.moves[value] && w.applies(&x, variable, value, fixed) {
			m.to[value], m.moves[value] = w.e.at[x.To], true
		}
	}
	return m
}

func (w *wayfinder) applies(x *petri.Move, variable, value int, fixed map[int]int) bool {
	for _, p := range x.If {
		is := value
		if w.e.of[p] != variable {
			is = fixed[w.e.of[p]]
		}
		if is != w.e.at[p] {
			return false
		}
	}
	return true
}

// add adds the firing in which moving[first] moves and those before it do not. If first is -1, any may move.
func (w *wayfinder) add(fixed map[int]int, moving []mover, first int) {
	if len(w.list) >= maxFirings {
		w.tooMany = true
		return
	}
	locals, _ := w.e.plain(w.t)
	for _, v := range slices.Sorted(maps.Keys(fixed)) {
		value := fixed[v]
		pairs := []dd.Pair{{From: uint16(value), To: uint16(value)}}
		if touched := to(locals, v); touched != nil {
			pairs = slices.DeleteFunc(slices.Clone(touched), func(p dd.Pair) bool { return int(p.From) != value })
		}
		locals = with(locals, v, pairs)
	}
	for i, m := range moving {
		locals = with(locals, m.variable, m.pairs(to(locals, m.variable), func(value int) bool {
			return first < 0 || i > first || m.moves[value] == (i == first)
		}))
	}
	for _, l := range locals {
		if len(l.Pairs) == 0 {
			return
		}
	}
	w.e.budget.Take(firingBytes(locals))
	w.list = append(w.list, firing{w.index, locals})
}

// pairs returns the moves of the values that count, on top of besides, the other effects on the variable. A nil besides means none.
func (m *mover) pairs(besides []dd.Pair, counts func(value int) bool) []dd.Pair {
	var pairs []dd.Pair
	if besides == nil {
		for value := range m.to {
			besides = append(besides, dd.Pair{From: uint16(value), To: uint16(value)})
		}
	}
	for _, p := range besides {
		switch {
		case !counts(int(p.From)):
		case m.moves[p.From]:
			pairs = append(pairs, dd.Pair{From: p.From, To: uint16(m.to[p.From])})
		default:
			pairs = append(pairs, p)
		}
	}
	return pairs
}
