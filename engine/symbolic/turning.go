package symbolic

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/space"
)

// A turning has the firings that may be taken infinitely often within a set. An endless path takes, from some point on, only arcs that it
// takes infinitely often. Projected to one variable, these stay in a strongly connected component of the graph of its values, so a firing that
// leaves a component is none of them. Removing it may break up the graphs of other variables. Cost: the size of the net for each firing
// removed, at worst.
type turning struct {
	x      *Model
	values [][]bool      // by level, the values in the set
	parts  [][]int       // by variable, the strongly connected components of its values
	alive  []bool        // by firing
	left   []dd.Relation // by firing with moves, the part of its relation that may be taken infinitely often
	under  []int         // by level, its variable
	known  []map[int][]dd.Pair
}

func (f FairDiagrams) turning(a dd.Node) *turning {
	x := f.x
	t := &turning{x: x, values: f.forest().Support(a), parts: make([][]int, len(x.vars)), alive: make([]bool, len(x.firings)), left: make([]dd.Relation, len(x.firings))}
	t.known, t.under = make([]map[int][]dd.Pair, len(x.firings)), make([]int, len(x.vars)+1)
	for v, level := range x.level {
		t.under[level] = v
	}
	for i := range t.alive {
		t.left[i] = x.firings[i].forth
		t.alive[i] = t.left[i] > dd.Identity
	}
	look, changed := &space.WorkBudget{Ctx: f.ctx}, make([]bool, len(x.vars))
	for v := range changed {
		changed[v] = true
	}
	for t.settle(look, changed) {
	}
	return t
}

// settle recomputes the components of changed variables, and removes the firings that leave one. It marks the variables of those as changed,
// and reports whether there are any.
func (t *turning) settle(look *space.WorkBudget, changed []bool) (again bool) {
	next := make([]bool, len(changed))
	for v := range changed {
		if changed[v] {
			t.parts[v] = connected(t.arcs(look, v))
		}
	}
	for v := range changed {
		if !changed[v] {
			continue
		}
		for _, i := range t.x.touching[v] {
			look.By(len(t.x.firings[i].touched))
			if t.alive[i] && t.shrinks(i) {
				again = true
				for _, w := range t.x.firings[i].touched {
					next[w] = true
				}
			}
		}
	}
	copy(changed, next)
	return again
}

// shrinks removes a firing that can no longer be taken infinitely often, or that part of its relation, and reports whether there was any.
func (t *turning) shrinks(i int) bool {
	d := &t.x.firings[i]
	if d.moves == nil {
		t.alive[i] = t.has(d)
		return !t.alive[i]
	}
	before := t.left[i]
	t.left[i], t.known[i] = t.inside(before), nil
	t.alive[i] = t.left[i] > dd.Identity
	return t.left[i] != before
}

// list returns the inverse relations of the firings left.
func (t *turning) list() []dd.Relation {
	var list []dd.Relation
	for i := range t.x.firings {
		switch d := &t.x.firings[i]; {
		case t.alive[i] && t.left[i] != d.forth:
			list = append(list, t.x.forest.Inverse(t.left[i]))
		case t.alive[i]:
			list = append(list, d.back)
		}
	}
	return list
}

// has reports whether a firing has, for each variable, a pair within one component.
func (t *turning) has(d *firing) bool {
	if d.moves != nil {
		return t.inside(d.forth) != dd.Nothing
	}
	for _, l := range d.locals {
		if !slices.ContainsFunc(l.pairs, func(p dd.Pair) bool { return t.stays(l.variable, p) }) {
			return false
		}
	}
	return true
}

// stays reports whether a pair of a variable's values is in the set, and in one component.
func (t *turning) stays(v int, p dd.Pair) bool {
	ok, part := t.values[t.x.level[v]], t.parts[v]
	return ok[p.From] && ok[p.To] && part[p.From] == part[p.To]
}

// inside returns the part of a relation in which every pair stays.
func (t *turning) inside(r dd.Relation) dd.Relation {
	return t.x.forest.Restrict(r, func(level int, p dd.Pair) bool { return t.stays(t.under[level], p) })
}

// apart returns the variable whose values in the set are in most components, and by component the values to keep. An endless path stays in one
// component from some point on. keep is nil if no variable has two.
func (t *turning) apart() (variable int, keep [][]bool) {
	most := 1
	for v, parts := range t.parts {
		in := map[int][]bool{}
		var list [][]bool
		for value, part := range parts {
			if !t.values[t.x.level[v]][value] {
				continue
			}
			if in[part] == nil {
				in[part] = make([]bool, len(parts))
				list = append(list, in[part])
			}
			in[part][value] = true
		}
		if len(list) > most {
			variable, keep, most = v, list, len(list)
		}
	}
	return variable, keep
}

// pairs returns what a firing that is left does to a variable, whatever it does to others.
func (t *turning) pairs(i, v int) []dd.Pair {
	d := &t.x.firings[i]
	if d.moves == nil {
		return to(d.locals, v)
	}
	if t.known[i] == nil {
		all := map[int][]dd.Pair{}
		t.x.forest.Visit(t.left[i], func(level int, p dd.Pair) { all[level] = append(all[level], p) })
		t.known[i] = all
	}
	return t.known[i][t.x.level[v]]
}

// arcs returns the graph of a variable's values under the firings left.
func (t *turning) arcs(look *space.WorkBudget, v int) [][]int {
	next := make([][]int, t.x.vars[v].size())
	ok := t.values[t.x.level[v]]
	look.By(len(next))
	for _, i := range t.x.touching[v] {
		if look.By(1); !t.alive[i] {
			continue
		}
		for _, p := range t.pairs(i, v) {
			look.By(1)
			if p.From != p.To && ok[p.From] && ok[p.To] {
				next[p.From] = append(next[p.From], int(p.To))
			}
		}
	}
	return next
}

// connected numbers the strongly connected components of a small graph (Tarjan, 1972, Depth-first search and linear graph algorithms).
func connected(next [][]int) []int {
	t := &tarjan{next: next, index: make([]int, len(next)), low: make([]int, len(next)), part: make([]int, len(next))}
	for v := range next {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return t.part
}

type tarjan struct {
	next             [][]int
	index, low, part []int // part 0: not known yet
	stack            []int
	visited, parts   int
}

func (t *tarjan) visit(v int) {
	t.visited++
	t.index[v], t.low[v] = t.visited, t.visited
	t.stack = append(t.stack, v)
	for _, w := range t.next[v] {
		switch {
		case t.index[w] == 0:
			t.visit(w)
			t.low[v] = min(t.low[v], t.low[w])
		case t.part[w] == 0:
			t.low[v] = min(t.low[v], t.index[w])
		}
	}
	if t.low[v] != t.index[v] {
		return
	}
	t.parts++
	for {
		w := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.part[w] = t.parts
		if w == v {
			return
		}
	}
}
