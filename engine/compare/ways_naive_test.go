package compare_test

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// New ways by their definition, run by run.

// A walkable is a state model by the definitions: of each state its steps.
type walkable struct {
	graph naive.Graph
	keys  [][][]string // by state and arc: what each of the transitions that fire does
	fair  naive.Fairness
}

func walkableOf(p pairText, d *compile.Draft, called map[string]string) *walkable {
	w := &walkable{}
	g, markings, _ := testkit.ExploreForProgress(d)
	w.graph = g
	for s := range w.graph.Succ {
		var keys [][]string
		for _, step := range d.Net.Steps(markings[s], d.Rule) {
			var all []string
			for _, t := range step {
				all = append(all, p.key(d.Net.Transitions[t].Name, called))
			}
			slices.Sort(all)
			keys = append(keys, all)
		}
		w.keys = append(w.keys, keys)
	}
	var actors []string
	if _, names, some := strings.Cut(strings.TrimSuffix(p.rest, ")\n"), "progress("); some {
		actors = strings.Split(names, ", ")
	}
	w.fair = testkit.ProgressOf(d, false, actors, markings)
	if _, names, some := strings.Cut(strings.TrimSuffix(p.rest, "]\n"), "rests_on = ["); some {
		events, _ := testkit.NaiveEvents(d)
		w.fair = testkit.NaiveMovesOf(d, false, markings).Fairness(events, strings.Split(names, ", "))
	}
	return w
}

// urgently returns the same on the runs on which nobody puts anything off.
func (w *walkable) urgently(d *compile.Draft) *walkable {
	_, markings, _ := testkit.ExploreForProgress(d)
	events, members := testkit.NaiveEvents(d)
	return &walkable{w.graph, w.keys, testkit.NaiveMovesOf(d, false, markings).Fairness(events, members)}
}

// sat labels the states on the runs that count.
func (w *walkable) sat(f *ctl.Formula) []bool { return naive.FairSat(w.graph, w.fair, f) }

// goes reports whether a run counts that goes round some arcs for ever.
func (w *walkable) goes(states, arcs []int) bool {
	for k := range w.fair.Actors {
		well := false
		for i, s := range states {
			well = well || !w.fair.Can(k, s) || w.fair.Acts(k, s, arcs[i])
		}
		if !well {
			return false
		}
	}
	return true
}

// stops reports whether a run may stop for good in a state, though something can happen.
func (w *walkable) stops(s int) bool {
	for k := range w.fair.Actors {
		if w.fair.Can(k, s) {
			return false
		}
	}
	return w.fair.Stops
}

// A definition is the definition of a new way, run by run.
type definition struct {
	head, base *walkable
	same       map[string]bool // what base has
	labels     map[*ctl.Formula][]bool
	keeping    map[*ctl.Formula][]bool
	before     map[*ctl.Formula]*ctl.Formula // parts of head's formula as base has them: places have other numbers there
}

// pair sets the parts of a formula of head as base has them.
func (x *definition) pair(now, was *ctl.Formula) {
	if x.before == nil {
		x.before = map[*ctl.Formula]*ctl.Formula{}
	}
	if now != nil {
		x.before[now] = was
		x.pair(now.Left, was.Left)
		x.pair(now.Right, was.Right)
	}
}

// onBase returns a part of head's formula as base has it, or true or false.
func (x *definition) onBase(f *ctl.Formula) *ctl.Formula { return cmp.Or(x.before[f], f) }

// A course is a run of head, with where base is by then: -1 where it did not follow.
type course struct {
	head, base []int
	arcs       []int // of head's states
	loop       int   // -1: it does not go round
	dead       bool
}

// some looks for a run of at most so many steps on which something is so.
func (x *definition) some(is func(*course) bool, most int) bool {
	c := &course{head: []int{0}, base: []int{0}, loop: -1}
	return x.grow(c, is, most)
}

func (x *definition) grow(c *course, is func(*course) bool, most int) bool {
	last := len(c.head) - 1
	h, b := c.head[last], c.base[last]
	c.dead = len(x.head.graph.Succ[h]) == 0 || x.head.stops(h)
	if is(c) {
		return true
	}
	c.dead = false
	if len(c.arcs) == most {
		return false
	}
	for n, to := range x.head.graph.Succ[h] {
		next, _ := x.follow(b, x.head.keys[h][n])
		for k := range c.head {
			if c.head[k] == to && c.base[k] == next {
				round := &course{head: c.head, base: c.base, arcs: append(slices.Clone(c.arcs), n), loop: k}
				if x.head.goes(c.head[k:], round.arcs[k:]) && is(round) {
					return true
				}
			}
		}
		more := &course{head: append(slices.Clone(c.head), to), base: append(slices.Clone(c.base), next), arcs: append(slices.Clone(c.arcs), n), loop: -1}
		if x.grow(more, is, most) {
			return true
		}
	}
	return false
}

// known lists what base has of a step.
func (x *definition) known(step []string) []string {
	return slices.DeleteFunc(slices.Clone(step), func(key string) bool { return !x.same[key] })
}

// follow returns where base is after a step of head, and which of its arcs it takes: -1 none.
func (x *definition) follow(b int, step []string) (to, arc int) {
	known := x.known(step)
	if b < 0 || len(known) == 0 {
		return b, -1
	}
	for n, to := range x.base.graph.Succ[b] {
		if slices.Equal(x.base.keys[b][n], known) {
			return to, n
		}
	}
	return -1, -1
}

// lightOnly reports whether a step is of the light alone.
func lightOnly(step []string) bool {
	return !slices.ContainsFunc(step, func(key string) bool { return !strings.HasPrefix(key, "light") })
}

// sat labels head, and keeps base: by reading each A as E.
func (x *definition) sat(f *ctl.Formula, h int) bool {
	if x.labels[f] == nil {
		x.labels[f] = x.head.sat(f)
	}
	return x.labels[f][h]
}

func (x *definition) keeps(f *ctl.Formula, b int) bool {
	if x.keeping[f] == nil {
		x.keeping[f] = x.base.sat(possibly(x.onBase(f)))
	}
	return x.keeping[f][b]
}

func (x *definition) was(f *ctl.Formula, b int) bool { return x.base.sat(x.onBase(f))[b] }

// possibly reads each A of a formula as E. Only implications of what a state shows and A, AF, AG, AU, AW and AX are drawn.
func possibly(f *ctl.Formula) *ctl.Formula {
	if f == nil || !f.Temporal() {
		return f
	}
	g := *f
	g.Op = map[ctl.Op]ctl.Op{ctl.AX: ctl.EX, ctl.AF: ctl.EF, ctl.AG: ctl.EG, ctl.AU: ctl.EU, ctl.AW: ctl.EW}[f.Op]
	if g.Op == 0 {
		g.Op = f.Op
	}
	switch f.Op { // what has to come is not looked into
	case ctl.AF:
		return &g
	case ctl.AU, ctl.AW:
		g.Left = possibly(f.Left)
		return &g
	}
	g.Left, g.Right = possibly(f.Left), possibly(f.Right)
	if f.Op == ctl.AX { // kept where nothing follows
		return &ctl.Formula{Op: ctl.Or, Left: &g, Right: &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.EX, Left: &ctl.Formula{Op: ctl.True}}}}
	}
	return &g
}

// isNew reports whether a run of head violates a formula from its step i on in a way that base does not have.
func (x *definition) isNew(f *ctl.Formula, c *course, i int) bool {
	h, b := c.head[i], c.base[i]
	switch {
	case x.sat(f, h):
		return false
	case b < 0:
		return true
	case !x.keeps(f, b):
		return false
	case !f.Temporal() || f.Op == ctl.EF:
		return true
	}
	switch f.Op {
	case ctl.Implies:
		return !x.was(f.Left, b) || x.isNew(f.Right, c, i)
	case ctl.And:
		return x.isNew(f.Left, c, i) || x.isNew(f.Right, c, i)
	case ctl.AX:
		if i == len(c.arcs) || lightOnly(x.head.keys[h][c.arcs[i]]) {
			return false
		}
		j := i + 1
		if j == len(c.head) {
			j = c.loop
		}
		return !x.sat(f.Left, c.head[j]) && (len(x.known(x.head.keys[h][c.arcs[i]])) == 0 || x.isNew(f.Left, c, j))
	}
	return x.runs(f, c, i)
}

// runs is isNew of A[left U right] and its like: for AG nothing is right, for AF everything left.
func (x *definition) runs(f *ctl.Formula, c *course, i int) bool {
	never, always := &ctl.Formula{Op: ctl.False}, &ctl.Formula{Op: ctl.True}
	left, right, strong := f.Left, f.Right, f.Op == ctl.AU
	switch f.Op {
	case ctl.AG:
		right = never
	case ctl.AF:
		left, right, strong = always, f.Left, true
	}
	seen := map[int]bool{}
	for j := i; ; {
		h, b := c.head[j], c.base[j]
		switch {
		case f.Op == ctl.AG && x.lost(left, c, i, j):
			return false
		case b < 0:
			return !x.sat(f, h)
		case !x.sat(f, h) && !x.sat(right, h) && x.was(right, b):
			return true
		case x.keeps(f, b) && !x.sat(right, h) && !x.sat(left, h) && (x.was(right, b) || x.isNew(left, c, j)):
			return true
		case x.sat(right, h) || !x.keeps(f, b):
			return false
		}
		seen[j] = true
		if j++; j == len(c.head) {
			if c.loop < 0 { // where a run may stop, base may do so with it
				return strong && c.dead && !x.base.stops(b)
			}
			j = c.loop
		}
		if seen[j] {
			return strong && x.still(c)
		}
	}
}

// lost reports whether base has broken for good by step j what each state from step i on promises, in a state before.
func (x *definition) lost(f *ctl.Formula, c *course, i, j int) bool {
	for j >= i && c.base[j] < 0 {
		j--
	}
	for k := i; k < j; k++ {
		if x.failed(f, c, k, j) {
			return true
		}
	}
	return false
}

// failed reports whether base, which was to keep a formula from step k on, can't by step j.
func (x *definition) failed(f *ctl.Formula, c *course, k, j int) bool {
	switch f.Op {
	case ctl.And:
		return x.failed(f.Left, c, k, j) || x.failed(f.Right, c, k, j)
	case ctl.Implies:
		return x.was(f.Left, c.base[k]) && x.failed(f.Right, c, k, j)
	case ctl.AF:
		return !slices.ContainsFunc(c.base[k:j+1], func(b int) bool { return x.was(f.Left, b) }) && !x.keeps(f, c.base[j])
	}
	return false
}

// still reports whether base does not go round with the loop of a run for ever, since it does not move or would have to wait against what is assumed,
// and not only because the light alone goes on and off.
func (x *definition) still(c *course) bool {
	var states, arcs []int
	only := true
	for k, arc := range c.arcs[c.loop:] {
		step := x.head.keys[c.head[c.loop+k]][arc]
		if _, taken := x.follow(c.base[c.loop+k], step); taken >= 0 {
			states, arcs = append(states, c.base[c.loop+k]), append(arcs, taken)
		}
		only = only && lightOnly(step)
	}
	if len(arcs) > 0 && x.base.goes(states, arcs) || len(arcs) == 0 && x.base.stops(c.base[c.loop]) {
		return false
	}
	return !only || !slices.ContainsFunc(x.head.keys[c.head[c.loop]], func(step []string) bool { return !lightOnly(step) })
}
