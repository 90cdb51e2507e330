package space

import (
	"github.com/redlinehq/redline/engine/dd"
)

// A turning is what may be taken again and again within some set. An endless path stays, from some point on, on arcs that it takes
// again and again. Seen from one variable these go round in the graph of its values, so a deed that leaves a strongly connected
// part of that graph is none of them; taking it away may break up other variables' graphs. Cost: the size of the net, for each deed
// that is taken away at worst.
type turning struct {
	x      *Symbolic
	values [][]bool // by level, those of the set
	parts  [][]int  // by variable, the strongly connected parts of its values
	alive  []bool   // by deed
}

func (x *Symbolic) turning(a dd.Node) *turning {
	t := &turning{x: x, values: x.forest.Support(a), alive: make([]bool, len(x.deeds))}
	for i := range t.alive {
		t.alive[i] = len(x.deeds[i].locals) > 0
	}
	for changed := true; changed; {
		changed = false
		t.parts = x.parts(t.values, t.alive)
		for i := range x.deeds {
			if t.alive[i] && !t.has(&x.deeds[i]) {
				t.alive[i], changed = false, true
			}
		}
	}
	return t
}

// list is the inverse relations of the deeds.
func (t *turning) list() []dd.Relation {
	var list []dd.Relation
	for i, r := range t.x.back {
		if t.alive[i] {
			list = append(list, r)
		}
	}
	return list
}

// has reports whether in each variable some pair of a deed stays in a part.
func (t *turning) has(d *deed) bool {
	for v, pairs := range d.locals {
		some := false
		for _, p := range pairs {
			ok := t.values[t.x.level[v]]
			some = some || ok[p.From] && ok[p.To] && t.parts[v][p.From] == t.parts[v][p.To]
		}
		if !some {
			return false
		}
	}
	return true
}

// apart splits a set by the variable whose values are in most parts, one of which an endless path stays in from some point on;
// nil: no variable has two. Keep says by value what a part keeps.
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

// parts numbers, by variable, the strongly connected parts of its values, under the deeds that are alive.
func (x *Symbolic) parts(values [][]bool, alive []bool) [][]int {
	next := make([][][]int, len(x.vars))
	for v := range next {
		next[v] = make([][]int, x.vars[v].size())
	}
	for i := range x.deeds {
		if !alive[i] {
			continue
		}
		for v, pairs := range x.deeds[i].locals {
			ok := values[x.level[v]]
			for _, p := range pairs {
				if p.From != p.To && ok[p.From] && ok[p.To] {
					next[v][p.From] = append(next[v][p.From], int(p.To))
				}
			}
		}
	}
	parts := make([][]int, len(x.vars))
	for v := range parts {
		parts[v] = connected(next[v])
	}
	return parts
}

// connected numbers the strongly connected parts of a small graph: Tarjan (1972), Depth-first search and linear graph algorithms.
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
