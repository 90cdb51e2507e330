package symbolic

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A firing is what a transition does to the variables.
type firing struct {
	transition  int
	touched     []int           // the variables that it changes or depends on, sorted
	locals      []variableLocal // without moves, what it does to each
	moves       *program        // with moves
	forth, back dd.Relation
}

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

// firings returns what each transition does that can ever fire.
func (e *encoding) firings() (list []firing) {
	for t := range e.net.Transitions {
		if d, ok := e.firing(t); ok {
			list = append(list, d)
		}
	}
	return list
}

// firing returns what a transition does; ok is false if it can never fire.
func (e *encoding) firing(t int) (d firing, ok bool) {
	d = firing{transition: t}
	if of := &e.net.Transitions[t]; len(of.Moves) > 0 || of.Moving {
		if d.moves, ok = e.program(of); ok {
			d.touched = d.moves.variables
		}
		return d, ok
	}
	if d.locals, ok = e.plain(&e.net.Transitions[t]); ok {
		e.budget.Take(firingBytes(d.locals))
		d.touched = touched(d.locals)
	}
	return d, ok
}

func touched(locals []variableLocal) (list []int) {
	for _, l := range locals {
		list = append(list, l.variable)
	}
	return list
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
func (e *encoding) plain(t *petri.Transition) (locals []variableLocal, ok bool) {
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
		locals = append(locals, variableLocal{uses[0].variable, []dd.Pair{pair}})
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
func with(locals []variableLocal, variable int, pairs []dd.Pair) []variableLocal {
	i, found := slices.BinarySearchFunc(locals, variable, func(l variableLocal, v int) int { return cmp.Compare(l.variable, v) })
	if found {
		locals[i].pairs = pairs
		return locals
	}
	return slices.Insert(locals, i, variableLocal{variable, pairs})
}

// to returns what locals do to a variable, or nil if they do not touch it.
func to(locals []variableLocal, variable int) []dd.Pair {
	i, found := slices.BinarySearchFunc(locals, variable, func(l variableLocal, v int) int { return cmp.Compare(l.variable, v) })
	if !found {
		return nil
	}
	return locals[i].pairs
}

// firingBytes returns the approximate memory of a firing.
func firingBytes(locals []variableLocal) int64 {
	size := int64(64)
	for _, l := range locals {
		size += 32 + 4*int64(len(l.pairs))
	}
	return size
}
