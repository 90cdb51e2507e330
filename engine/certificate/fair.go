package certificate

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// parties proves progress on explicit states, by strongly connected components.
type parties struct {
	g    *space.Graph
	net  *petri.Net
	acts [][]int
}

func (x *parties) set() space.Set { return make(space.Set, (x.g.Len()+63)/64) }

// does reports whether an actor acts in a step from a marking, or could act by its transitions.
func (x *parties) does(actor int, m petri.Marking, step []int) bool {
	return slices.ContainsFunc(step, func(t int) bool {
		of := &x.net.Transitions[t]
		return slices.Contains(x.acts[actor], t) && (len(of.In)+len(of.Out) > 0 || len(x.net.Moved(m, t)) > 0)
	})
}

func (x *parties) able(actor, s int) bool {
	m := x.g.Marking(s)
	return slices.ContainsFunc(x.acts[actor], func(t int) bool { return x.net.Fireable(m, t) && x.does(actor, m, []int{t}) })
}

// A part is a strongly connected component.
type part struct {
	states []int
	level  int // the most components that can come after it
	stays  bool
	actor  int // the actor that has to leave it in the end; -1: none
}

// parts returns the components of a set, each after those it leads to. Cost: the arcs of the set, fired again, for each actor.
func (x *parties) parts(ctx context.Context, in space.Set) ([]part, []int) {
	d := &dive{g: x.g, in: in, number: make([]int, x.g.Len()), low: make([]int, x.g.Len()), part: make([]int, x.g.Len())}
	for s := range d.part {
		d.part[s] = -1
	}
	for s := range x.g.Len() {
		if !space.Has(in, s) || d.number[s] > 0 {
			continue
		}
		if ctx.Err() != nil {
			halt.End(context.Cause(ctx))
		}
		d.from(s)
	}
	for i := range d.parts {
		if i%1024 == 0 && ctx.Err() != nil {
			halt.End(context.Cause(ctx))
		}
		x.look(d, i)
	}
	return d.parts, d.part
}

// look fills in what the arcs of component i show.
func (x *parties) look(d *dive, i int) {
	p := &d.parts[i]
	left := make([]bool, len(x.acts)) // by actor: it can act everywhere, and leaves by it
	for k := range left {
		left[k] = true
	}
	for _, s := range p.states {
		for k := range left {
			left[k] = left[k] && x.able(k, s)
		}
		var steps [][]int
		for j, t := range x.g.Succ(s) {
			switch to := d.part[t]; {
			case to == i:
				if p.stays = true; steps == nil {
					steps = x.g.Steps(s)
				}
				for k := range left {
					left[k] = left[k] && !x.does(k, x.g.Marking(s), steps[j])
				}
			case to >= 0:
				p.level = max(p.level, d.parts[to].level+1)
			}
		}
	}
	p.actor = slices.Index(left, true)
	if !p.stays {
		p.actor = -1
	}
}

// A dive is Tarjan's search (1972, Depth-first search and linear graph algorithms, section 4).
type dive struct {
	g           *space.Graph
	in          space.Set
	number, low []int // number 0: not visited yet
	part        []int // by state; -1: none yet
	parts       []part
	count       int
	stack       []int
}

func (d *dive) from(root int) {
	type turn struct{ state, arcs int }
	var path []turn
	enter := func(s int) {
		d.count++
		d.number[s], d.low[s] = d.count, d.count
		d.stack = append(d.stack, s)
		path = append(path, turn{state: s})
	}
	for enter(root); len(path) > 0; {
		top := &path[len(path)-1]
		s, next := top.state, d.g.Succ(top.state)
		if top.arcs < len(next) {
			t := int(next[top.arcs])
			top.arcs++
			if space.Has(d.in, t) && d.part[t] < 0 {
				if d.number[t] == 0 {
					enter(t)
				} else {
					d.low[s] = min(d.low[s], d.number[t])
				}
			}
			continue
		}
		path = path[:len(path)-1]
		if len(path) > 0 {
			before := path[len(path)-1].state
			d.low[before] = min(d.low[before], d.low[s])
		}
		if d.low[s] == d.number[s] {
			d.close(s)
		}
	}
}

func (d *dive) close(first int) {
	at := len(d.stack) - 1
	for d.stack[at] != first {
		at--
	}
	p := part{states: slices.Clone(d.stack[at:])}
	for _, s := range p.states {
		d.part[s] = len(d.parts)
	}
	d.parts, d.stack = append(d.parts, p), d.stack[:at]
}

// core returns the fair components of a set: those with a cycle that no actor has to leave.
func (x *parties) core(ctx context.Context, in space.Set) space.Set {
	parts, _ := x.parts(ctx, in)
	core := x.set()
	for _, p := range parts {
		for _, s := range p.states {
			if p.stays && p.actor < 0 || len(x.g.Succ(s)) == 0 {
				space.Add(core, s)
			}
		}
	}
	return core
}

// waits sorts the components of a set by level and actor. Components of one level do not lead to each other.
func (x *parties) waits(ctx context.Context, in space.Set) []ring[space.Set] {
	parts, _ := x.parts(ctx, in)
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(a.level-b.level, a.actor-b.actor) })
	var rings []ring[space.Set]
	for i, p := range parts {
		if i == 0 || p.level != parts[i-1].level || p.actor != parts[i-1].actor {
			if len(rings) > maxRingBytes/(x.g.Len()/8+64) {
				halt.End(none("something may take too many steps to come"))
			}
			rings = append(rings, ring[space.Set]{x.set(), p.actor})
		}
		for _, s := range p.states {
			space.Add(rings[len(rings)-1].set, s)
		}
	}
	return rings
}

// turns returns how each actor gets its turn: nearest first, backwards within each component.
func (x *parties) turns(ctx context.Context, core, some space.Set) (space.Set, [][]space.Set) {
	parts, of := x.parts(ctx, core)
	whole, wanted := x.set(), make([]bool, len(parts))
	for s, i := range of {
		if i >= 0 && space.Has(some, s) {
			wanted[i] = true
		}
	}
	var states []int
	for s, i := range of {
		if i >= 0 && wanted[i] {
			space.Add(whole, s)
			if len(x.g.Succ(s)) > 0 {
				states = append(states, s)
			}
		}
	}
	rings := make([][]space.Set, len(x.acts))
	for k := range rings {
		rings[k] = x.approach(k, states, of)
		if ctx.Err() != nil {
			halt.End(context.Cause(ctx))
		}
	}
	return whole, rings
}

// approach sorts the states of components by their distance from an actor's turn.
func (x *parties) approach(actor int, states []int, of []int) []space.Set {
	far := make([]int, x.g.Len()) // 0: not known yet
	back := map[int][]int{}
	var queue []int
	for _, s := range states {
		turn := !x.able(actor, s)
		var steps [][]int
		for j, t := range x.g.Succ(s) {
			if of[t] != of[s] {
				continue
			}
			back[int(t)] = append(back[int(t)], s)
			if !turn {
				if steps == nil {
					steps = x.g.Steps(s)
				}
				turn = x.does(actor, x.g.Marking(s), steps[j])
			}
		}
		if turn {
			far[s] = 1
			queue = append(queue, s)
		}
	}
	var rings []space.Set
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if len(rings) < far[s] {
			rings = append(rings, x.set())
		}
		space.Add(rings[far[s]-1], s)
		for _, b := range back[s] {
			if far[b] == 0 {
				far[b] = far[s] + 1
				queue = append(queue, b)
			}
		}
	}
	return rings
}
