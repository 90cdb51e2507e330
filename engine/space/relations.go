package space

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
)

// A deed is what one transition, in one of the ways its moves can go, does to the variables it touches.
// In locals, by variable, pairs of values.
type deed struct {
	transition int
	locals     map[int][]dd.Pair
}

// maxDeeds bounds the ways in which one transition's moves can go.
const maxDeeds = 4096

// An encoding is a net over variables.
type encoding struct {
	net  *petri.Net
	vars []variable
	of   []int // by place, its variable
	at   []int // by place, its value there
}

func newEncoding(n *petri.Net) *encoding {
	e := &encoding{net: n, vars: variables(n), of: make([]int, len(n.Places)), at: make([]int, len(n.Places))}
	for i := range e.vars {
		for value, p := range e.vars[i].places {
			e.of[p], e.at[p] = i, value
		}
	}
	return e
}

// deeds of all transitions, unless one has too many.
func (e *encoding) deeds() ([]deed, error) {
	var list []deed
	for t := range e.net.Transitions {
		ways, err := e.ways(t, &e.net.Transitions[t])
		if err != nil {
			return nil, err
		}
		list = append(list, ways...)
	}
	return list, nil
}

// plain is what a transition does but for its moves; nil when it can never fire.
func (e *encoding) plain(t *petri.Transition) map[int][]dd.Pair {
	use := map[int][3]int{} // consumed, produced and read value and one; zero: none
	never := false          // it needs two places of one variable at once
	set := func(places []int, slot int) {
		for _, p := range places {
			u := use[e.of[p]]
			never = never || u[slot] > 0
			u[slot] = e.at[p] + 1
			use[e.of[p]] = u
		}
	}
	set(t.In, 0)
	set(t.Out, 1)
	set(t.Read, 2)
	locals := map[int][]dd.Pair{}
	for v, u := range use {
		none := len(e.vars[v].places)
		from, to := none, none
		if u[0] > 0 {
			from = u[0] - 1
		}
		if u[1] > 0 {
			to = u[1] - 1
		}
		if u[2] > 0 {
			never = never || u[0] > 0 || u[1] > 0
			from, to = u[2]-1, u[2]-1
		}
		locals[v] = []dd.Pair{{From: uint16(from), To: uint16(to)}}
	}
	if never {
		return nil
	}
	for _, p := range t.Marks {
		v := e.of[p]
		locals[v] = []dd.Pair{{From: 0, To: 0}, {From: 1, To: 0}} // a variable of its own: marked, or none
	}
	return locals
}

// ways lists the deeds of a transition: one, unless its moves look at other variables than those that they move,
// or one of several must apply.
func (e *encoding) ways(index int, t *petri.Transition) ([]deed, error) {
	if e.plain(t) == nil {
		return nil, nil
	}
	if len(t.Moves) == 0 && !t.Moving {
		return []deed{{index, e.plain(t)}}, nil
	}
	for _, v := range t.Moves {
		if e.of[v.From] != e.of[v.To] {
			return nil, ErrNotSymbolic
		}
	}
	w := &wayfinder{e, index, t, nil, false}
	w.choose(map[int]int{}, e.asked(t))
	if w.tooMany {
		return nil, ErrNotSymbolic
	}
	return w.list, nil
}

// asked lists the variables that moves look at, sorted, when moves look elsewhere than at what they move.
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

// A wayfinder splits a transition by the values of the variables its moves look at.
type wayfinder struct {
	e       *encoding
	index   int
	t       *petri.Transition
	list    []deed
	tooMany bool
}

func (w *wayfinder) choose(fixed map[int]int, left []int) {
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

// settle makes the deeds of one choice of values. Where some move must apply, there is one for each
// variable that is the first to be moved.
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

// A mover is a variable and where each of its values goes, itself if nowhere.
type mover struct {
	variable int
	to       []int
	moves    []bool
}

func (w *wayfinder) movers(fixed map[int]int) []mover {
	var list []mover
	for i, v := range w.e.vars {
		m := mover{variable: i, to: make([]int, v.size()), moves: make([]bool, v.size())}
		found := false
		for value := range m.to {
			m.to[value] = value
			for _, x := range w.t.Moves {
				if w.e.of[x.From] == i {
					found = true
					if w.e.at[x.From] == value && w.applies(&x, i, value, fixed) {
						m.to[value], m.moves[value] = w.e.at[x.To], true
						break
					}
				}
			}
		}
		if found {
			list = append(list, m)
		}
	}
	return list
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

// add makes the deed in which moving[first] moves and those before it don't; -1: whatever moves.
func (w *wayfinder) add(fixed map[int]int, moving []mover, first int) {
	if len(w.list) >= maxDeeds {
		w.tooMany = true
		return
	}
	locals := w.e.plain(w.t)
	for v, value := range fixed {
		pairs, touched := locals[v]
		if !touched {
			locals[v] = []dd.Pair{{From: uint16(value), To: uint16(value)}}
			continue
		}
		locals[v] = slices.DeleteFunc(pairs, func(p dd.Pair) bool { return int(p.From) != value })
	}
	for i, m := range moving {
		var pairs []dd.Pair
		for _, p := range w.arcsOn(locals, m.variable) {
			value := int(p.From)
			if f, ok := fixed[m.variable]; ok && f != value || first >= 0 && (i < first && m.moves[value] || i == first && !m.moves[value]) {
				continue
			}
			if m.moves[value] { // then no arc moves it: see petri.Move
				p.To = uint16(m.to[value])
			}
			pairs = append(pairs, p)
		}
		locals[m.variable] = pairs
	}
	for _, pairs := range locals {
		if len(pairs) == 0 {
			return
		}
	}
	w.list = append(w.list, deed{w.index, locals})
}

// arcsOn is what arcs do to a variable: nothing, where there are none.
func (w *wayfinder) arcsOn(locals map[int][]dd.Pair, variable int) []dd.Pair {
	if pairs, touched := locals[variable]; touched {
		return pairs
	}
	pairs := make([]dd.Pair, w.e.vars[variable].size())
	for value := range pairs {
		pairs[value] = dd.Pair{From: uint16(value), To: uint16(value)}
	}
	return pairs
}
