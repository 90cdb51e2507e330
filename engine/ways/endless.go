package ways

import (
	"context"
	"math"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// An endless has the runs on which head can go on for ever within a set of pairs while base does not follow for ever. It has one round for
// steps that are hidden from base, and one for each party whose progress base would have to deny.
type endless struct {
	*pairs
	within []bool
	every  bool // base lacks the claim, so that every run is a way
	free   bool // base is ignored, or lacks the claim: every arc may be used
	rounds []round
}

// A round has the strongly connected parts of the graph, by some of the arcs, in which head can go on for ever.
type round struct {
	idle int     // the actor of base that never acts, though it can; -1: base does not move, or is ignored
	omit [][]int // by named run that was followed to its loop, a step to leave out; nil: none
	part []int32 // by pair, the number of its part; 0: it is in none
}

// maxRounds bounds the rounds, one for each choice of steps to leave out.
const maxRounds = 256

func (p *pairs) endless(c *claim, v view) (*endless, error) {
	e := &endless{pairs: p, within: c.by[v].within, every: c.base == nil, free: v == alone || c.base == nil}
	choices, err := p.omits(c)
	if err != nil {
		return nil, err
	}
	actors := len(p.Base.Acts)
	if e.free {
		actors = 0
	}
	still := -1
	if p.Stops && !e.free { // base may stop where it does not move, unless one of its parties has to
		still = 0
	}
	for idle := still; idle < actors; idle++ {
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
	return slices.ContainsFunc(e.rounds, func(r round) bool { return r.part[i] > 0 })
}

// inside reports whether a round may visit a pair.
func (e *endless) inside(r *round, i int32) bool {
	return e.within[i] && (r.idle < 0 || able(e.Base.Net, e.Base.Graph.Marking(int(e.list[i].base)), e.Base.Acts[r.idle]))
}

// takes reports whether a round may use an arc between pairs that it may visit.
func (e *endless) takes(r *round, i, arc int32) bool {
	for k, step := range r.omit {
		if e.come(i)[k] == len(e.named[k].steps) && slices.Equal(step, e.fired(i, arc)) {
			return false
		}
	}
	if e.free || e.kind[arc] != common {
		return true
	}
	if r.idle < 0 {
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
	r.part = make([]int32, len(e.list))
	type visit struct{ at, arc, place int32 }
	var path []visit
	var stack []int32                 // pairs in no component yet
	low := make([]int32, len(e.list)) // the lowest place on the stack that is found from a pair, from 1 on; 0: not visited
	enter := func(i int32) {
		stack = append(stack, i)
		low[i] = int32(len(stack))
		path = append(path, visit{i, e.first[i], low[i]})
	}
	for root := range int32(len(e.list)) {
		if low[root] == 0 && e.inside(r, root) {
			enter(root)
		}
		for len(path) > 0 {
			if e.ctx.Err() != nil {
				return context.Cause(e.ctx)
			}
			v := &path[len(path)-1]
			if v.arc < e.first[v.at+1] {
				to := e.to[v.arc]
				if e.inside(r, to) && e.takes(r, v.at, v.arc) {
					if low[to] == 0 {
						enter(to) // and look at the arc again
						continue
					}
					low[v.at] = min(low[v.at], low[to])
				}
				v.arc++
				continue
			}
			if path = path[:len(path)-1]; low[v.at] < v.place {
				continue
			}
			part := stack[v.place-1:]
			e.close(r, part, v.at+1)
			for _, i := range part {
				low[i] = math.MaxInt32
			}
			stack = stack[:v.place-1]
		}
	}
	return nil
}

// close numbers a component if a run that counts can go on in it for ever.
func (e *endless) close(r *round, part []int32, number int32) {
	for _, i := range part {
		r.part[i] = number
	}
	for _, w := range e.wants() {
		if !slices.ContainsFunc(part, func(i int32) bool { return e.meets(r, w, i) }) {
			for _, i := range part {
				r.part[i] = 0
			}
			return
		}
	}
}

// A wish is a condition on arcs, of which a run has to take one again and again to count.
type wish func(i, arc int32) bool

// wants returns the conditions on endless runs: a step that is not apart, or from a state that allows no other; and for each party that is
// assumed to make progress an act, or a step from a state in which it cannot act.
func (e *endless) wants() []wish {
	list := []wish{func(i, arc int32) bool { return e.every || e.kind[arc] != apart || e.left(i) }}
	for _, actor := range e.Head.Acts {
		list = append(list, func(i, arc int32) bool {
			m := e.marking(i)
			return !able(e.Head.Net, m, actor) || acts(e.Head.Net, m, e.fired(i, arc), actor)
		})
	}
	return list
}

// left reports whether every step of head in a pair is apart.
func (e *endless) left(i int32) bool {
	return !slices.ContainsFunc(e.Head.Graph.Steps(int(e.list[i].head)), func(step []int) bool { return !e.beside(step) })
}

// stays reports whether an arc stays within the part of a pair.
func (e *endless) stays(r *round, i, arc int32) bool {
	return r.part[e.to[arc]] == r.part[i] && e.takes(r, i, arc)
}

// meets reports whether a wish is met along an arc from a pair that stays within its part.
func (e *endless) meets(r *round, w wish, i int32) bool {
	for a, end := e.arcs(i); a < end; a++ {
		if e.stays(r, i, a) && w(i, a) {
			return true
		}
	}
	return false
}

// able reports whether one of some transitions is enabled in a marking, and changes something.
func able(n *petri.Net, m petri.Marking, some []int) bool {
	return slices.ContainsFunc(some, func(t int) bool { return n.Fireable(m, t) && space.Changes(n, m, t) })
}

// acts reports whether a step from a marking has one of some transitions, which changes something.
func acts(n *petri.Net, m petri.Marking, step, some []int) bool {
	return slices.ContainsFunc(step, func(t int) bool { return slices.Contains(some, t) && space.Changes(n, m, t) })
}

// of returns a loop from a pair that meets all wishes.
func (e *endless) of(from int32) (arcs []int32) {
	r := &e.rounds[slices.IndexFunc(e.rounds, func(r round) bool { return r.part[from] > 0 })]
	at := from
	add := func(ends func(i, arc int32) bool) {
		arcs = append(arcs, e.walk(at, func(i, arc int32) bool { return e.stays(r, i, arc) }, ends)...)
		at = e.to[arcs[len(arcs)-1]]
	}
	for _, w := range e.wants() {
		if !e.met(w, from, arcs) {
			add(w)
		}
	}
	if at != from {
		add(func(_, arc int32) bool { return e.to[arc] == from })
	}
	return arcs
}

// met reports whether a wish is met along some arcs.
func (e *endless) met(w wish, from int32, arcs []int32) bool {
	for _, arc := range arcs {
		if w(from, arc) {
			return true
		}
		from = e.to[arc]
	}
	return false
}
