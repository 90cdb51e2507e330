package ways

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// An endless has the runs on which head can go on for ever within a set of pairs while base does not follow for ever. It has one round for
// steps that are hidden from base, and one for each party whose progress base would have to deny.
type endless struct {
	*pairs
	view   view
	within []bool
	every  bool // base lacks the claim, so that every run is a way
	rounds []round
}

// A round has the strongly connected parts of the graph, by some of the arcs, in which head can go on for ever.
type round struct {
	idle int     // the actor of base that never acts, though it can; -1: base does not move, or is ignored
	omit [][]int // by named run that was followed to its loop, a step to leave out; nil: none
	part []int32 // by pair, the number of its part; -1: it is in none
}

// maxRounds bounds the rounds, one for each choice of steps to leave out.
const maxRounds = 256

func (p *pairs) endless(c *claim, v view) (*endless, error) {
	e := &endless{pairs: p, view: v, within: c.by[v].within, every: c.base == nil}
	actors := len(p.Base.Acts)
	if v == alone || e.every {
		actors = 0
	}
	choices, err := p.omits(c)
	if err != nil {
		return nil, err
	}
	for idle := -1; idle < actors; idle++ {
		for _, omit := range choices {
			r := round{idle: idle, omit: omit}
			if err := e.find(&r); err != nil {
				return nil, err
			}
			e.rounds = append(e.rounds, r)
		}
	}
	return e, nil
}

func (e *endless) has(i int32) bool {
	return slices.ContainsFunc(e.rounds, func(r round) bool { return r.part[i] >= 0 })
}

// inside reports whether a round may visit a pair.
func (e *endless) inside(r *round, i int32) bool {
	return e.within[i] && (r.idle < 0 || able(e.Base.Net, e.Base.Graph.Marking(int(e.list[i].base)), e.Base.Acts[r.idle]))
}

// takes reports whether a round may use an arc.
func (e *endless) takes(r *round, i, arc int32) bool {
	for k, step := range r.omit {
		if step != nil && e.come(i)[k] == len(e.named[k].steps) && slices.Equal(step, e.fired(i, arc)) {
			return false
		}
	}
	if e.view == alone || e.every || e.kind[arc] != common {
		return true
	}
	if r.idle < 0 || e.lost(e.to[arc]) {
		return false
	}
	var step []int
	for _, t := range e.fired(i, arc) {
		step = append(step, e.Same[t]...)
	}
	return !acts(e.Base.Net, e.Base.Graph.Marking(int(e.list[i].base)), step, e.Base.Acts[r.idle])
}

// find computes the parts of a round: the strongly connected components (R. Tarjan, 1972, Depth-first search and linear graph algorithms)
// in which a run that counts can go on for ever.
func (e *endless) find(r *round) error {
	const unseen = -2
	r.part = slices.Repeat([]int32{unseen}, len(e.list))
	low, open := make([]int32, len(e.list)), make([]bool, len(e.list))
	var stack []int32
	type visit struct{ at, arc int32 }
	count := int32(0)
	index := slices.Repeat([]int32{-1}, len(e.list))
	for root := range e.list {
		if index[root] >= 0 || !e.inside(r, int32(root)) {
			if index[root] < 0 {
				r.part[root] = -1
			}
			continue
		}
		path := []visit{{int32(root), -1}}
		for len(path) > 0 {
			v := &path[len(path)-1]
			i := v.at
			if v.arc < 0 {
				if count%256 == 0 && e.ctx.Err() != nil {
					return context.Cause(e.ctx)
				}
				index[i], low[i] = count, count
				count++
				stack, open[i] = append(stack, i), true
				v.arc = e.first[i]
			}
			if v.arc < e.first[i+1] {
				arc := v.arc
				v.arc++
				to := e.to[arc]
				if !e.inside(r, to) || !e.takes(r, i, arc) {
					continue
				}
				if index[to] < 0 {
					path = append(path, visit{to, -1})
				} else if open[to] {
					low[i] = min(low[i], index[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				above := path[len(path)-1].at
				low[above] = min(low[above], low[i])
			}
			if low[i] == index[i] {
				at := len(stack) - 1
				for stack[at] != i {
					at--
				}
				e.close(r, stack[at:], index[i])
				for _, j := range stack[at:] {
					open[j] = false
				}
				stack = stack[:at]
			}
		}
	}
	return nil
}

// close numbers a component, or rejects it if no run that counts can go on in it for ever.
func (e *endless) close(r *round, part []int32, number int32) {
	for _, i := range part {
		r.part[i] = number
	}
	for _, w := range e.wants(r, part[0]) {
		if !slices.ContainsFunc(part, func(i int32) bool { return e.meets(r, w, i) }) {
			for _, i := range part {
				r.part[i] = -1
			}
			return
		}
	}
}

// A wish is a condition that a run has to meet again and again to count.
type wish struct {
	at    func(i int32) bool      // a pair
	along func(i, arc int32) bool // or an arc
}

// wants returns the conditions on endless runs: a step that is not apart, or a state that allows no other; and for each party that is
// assumed to make progress an act, or a state in which it cannot act.
func (e *endless) wants(r *round, of int32) []wish {
	list := []wish{{
		at:    func(i int32) bool { return e.left(i) && e.turns(r, i) },
		along: func(i, arc int32) bool { return e.every || e.kind[arc] != apart },
	}}
	for _, actor := range e.Head.Acts {
		list = append(list, wish{
			at:    func(i int32) bool { return !able(e.Head.Net, e.marking(i), actor) },
			along: func(i, arc int32) bool { return acts(e.Head.Net, e.marking(i), e.fired(i, arc), actor) },
		})
	}
	return list
}

// left reports whether every step of head in a pair is apart.
func (e *endless) left(i int32) bool {
	return !slices.ContainsFunc(e.Head.Graph.Steps(int(e.list[i].head)), func(step []int) bool { return !e.beside(step) })
}

// turns reports whether a pair has an arc within its part.
func (e *endless) turns(r *round, i int32) bool {
	for a, end := e.arcs(i); a < end; a++ {
		if e.stays(r, i, a) {
			return true
		}
	}
	return false
}

// stays reports whether an arc stays within the part of a pair.
func (e *endless) stays(r *round, i, arc int32) bool {
	return e.inside(r, e.to[arc]) && r.part[e.to[arc]] == r.part[i] && e.takes(r, i, arc)
}

// meets reports whether a wish is met in a pair, or along an arc from it.
func (e *endless) meets(r *round, w wish, i int32) bool {
	if w.at(i) {
		return true
	}
	for a, end := e.arcs(i); a < end; a++ {
		if e.stays(r, i, a) && w.along(i, a) {
			return true
		}
	}
	return false
}

// able reports whether one of some transitions is enabled in a marking, and changes something.
func able(n *petri.Net, m petri.Marking, some []int) bool {
	return slices.ContainsFunc(some, func(t int) bool { return n.Fireable(m, t) && changes(n, m, t) })
}

// acts reports whether a step from a marking has one of some transitions, which changes something.
func acts(n *petri.Net, m petri.Marking, step, some []int) bool {
	return slices.ContainsFunc(step, func(t int) bool { return slices.Contains(some, t) && changes(n, m, t) })
}

// changes reports whether a transition that is enabled in a marking changes something there.
func changes(n *petri.Net, m petri.Marking, t int) bool {
	of := &n.Transitions[t]
	return len(of.In)+len(of.Out) > 0 || len(n.Moved(m, t)) > 0
}

// of returns a loop from a pair that meets all wishes: the pairs after it, without its return, and the arcs.
func (e *endless) of(from int32) (path, arcs []int32) {
	r := &e.rounds[slices.IndexFunc(e.rounds, func(r round) bool { return r.part[from] >= 0 })]
	through := func(i int32) bool { return r.part[i] == r.part[from] }
	takes := func(i, arc int32) bool { return e.stays(r, i, arc) }
	at := from
	add := func(more, by []int32) {
		path, arcs = append(path, more[1:]...), append(arcs, by...)
		at = more[len(more)-1]
	}
	met := func(w wish) bool { // on the way so far
		if w.at(from) {
			return true
		}
		before := from
		for k, arc := range arcs {
			if w.along(before, arc) || w.at(path[k]) {
				return true
			}
			before = path[k]
		}
		return false
	}
	for _, w := range e.wants(r, from) {
		if !met(w) {
			add(e.walk(at, walk{through: through, takes: takes, at: w.at, along: w.along}))
		}
	}
	if at != from || len(arcs) == 0 {
		add(e.walk(at, walk{through: through, takes: takes, at: func(i int32) bool { return i == from }, leave: true}))
	}
	return path[:len(path)-1], arcs
}
