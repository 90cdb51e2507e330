// Package zone looks for states without counting ticks: clocks have sets of values, as bounds on the differences of any two. Two duties of 90 days that begin
// at any time are a few sets, not 8100 pairs of values.
//
// Time is discrete, and passes by a transition of its own, the tick. While no clock comes to its end, a tick takes one off each running clock and changes nothing
// else; events ask whether a clock runs, not how long it has to. So from a state with some values, what can happen is the same after any number of such ticks, and
// it is enough to know all values that a marking can have: those of a set, and all that are lower by the same number as long as none gets below 1. Events
// keep values, start clocks at fixed ones and stop them. When some clocks have one tick left and others more, the tick does what it does for these; so a set is split by which
// clocks come to their end together. All these steps are exact on bounds (D. Dill, 1989; J. Bengtsson, W. Yi, 2004, Timed automata: semantics, algorithms and
// tools; in whole numbers because no bound is strict). Durations are bounded, so there are finitely many sets.
//
// Each value in a set is reached in the net by ticks and the same steps, so a path of sets to a state is one of the net. A path of sets that comes back to the same set
// is one that goes round: each value in the set is reached from one in the set, these are finitely many, so one recurs (G. Li, 2009, Checking timed Büchi automata emptiness using LU-abstractions). A
// larger set does not do for that, but from which nothing goes on for ever, nothing does from a part of it (A. Laarman, M. Olesen, A. Dalsgaard, K. Larsen, J. van de Pol,
// 2013, Multi-core emptiness checking of timed Büchi automata using inclusion abstraction). So all that a chain of paths shows or denies has the value that it has with ticks, if its
// predicates do not ask for values: EF, AG, E[ U ], A[ W ], EG, AF, A[ U ] and E[ W ], and of formulas in formulas AG (p -> AF q) and its like.
//
// Of AG EF p and all else that is made of EF, AG, E[ U ] and A[ W ], it is asked what all values of each set satisfy, and what some may: see label. Where that does not settle the
// formula, it is left open.
package zone

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/slice"
	"github.com/redlinehq/redline/engine/space"
)

// search looks for a path from a marking that shows a chain with a walk, and returns the run to where the walk's own chain begins, or all of it if there is none.
func (v evaluator) search(ctx context.Context, f *ctl.Formula, c chain, from petri.Marking) (run ctl.Run, found bool, err error) {
	s, err := v.starting(f, from)
	if err != nil {
		return run, false, err
	}
	for w := c.walk; w != nil; w = w.to.walk {
		s.walks = append(s.walks, w)
		if w.to == nil {
			break
		}
	}
	found, err = s.run(ctx)
	switch {
	case s.irregular:
		return run, false, errOther
	case found && err == nil:
		run, err = s.concrete()
	}
	return run, found, err
}

// starting returns a search for a formula from a marking, without walks.
func (v evaluator) starting(f *ctl.Formula, from petri.Marking) (*search, error) {
	if slices.ContainsFunc(slice.Places(f), v.clocked) {
		return nil, errOther
	}
	net := *v.Net
	net.Initial = from
	x := *v.timed
	x.Net = &net
	s := &search{timed: &x, value: v.value, seen: map[string][]int{}, limits: v.limits}
	var ok bool
	if s.slicer, ok = slice.New(v.short, nil, f); !ok {
		return nil, errOther
	}
	return s, nil
}

// A search lists nodes breadth first, and those of a walk without an end depth first.
type search struct {
	*timed
	walks     []*walk
	value     func(petri.Marking, *ctl.Formula) bool
	slicer    *slice.Slicer
	limits    space.Limits
	nodes     []node
	seen      map[string][]int // by walk and marking, the nodes with it
	irregular bool             // a tick did more than count
	steps     int              // that lead on from the node that is looked at
	stuck     bool             // some values of that node have no tick
	path      []int            // the nodes to where the chain is shown
	round     int              // the index in it of the node from which on it is gone round; -1: none
	length    int              // of one round
	dead      bool             // it ends where nothing can happen
	deep      bool             // nodes are added though others include them, unless these lead to nothing
	whole     bool             // the arcs between nodes are kept
}

// A node is a marking, with all values of its running clocks.
type node struct {
	marking petri.Marking // without places of clocks
	running []int         // clocks, ascending
	started []start       // by running clock
	values  bounds
	waits   bool // time may pass
	parent  int
	walk    int   // by index
	step    int   // the transition that led here from the parent
	ended   []int // the clocks that came to their end by it
	key     string
	arcs    []arc
	held    bool // some values have no tick
	way     bool // of a walk without an end: it is on the way
	done    bool // and this: none goes on from here
}

// A start is the node at which a clock got a value.
type start struct {
	node  int
	value int32
}

// run reports whether the chain is shown, and keeps the path to where it is.
func (s *search) run(ctx context.Context) (bool, error) {
	s.round = -1
	values := make([]int32, len(s.clocks))
	var m petri.Marking
	for _, p := range s.Initial {
		if c := s.of[p]; c >= 0 {
			values[c] = int32(s.pos[p]) + 1
		} else {
			m = append(m, p)
		}
	}
	s.deep = s.walks[0].endless
	s.add(node{marking: m, values: noClocks(), parent: -1}, 0, make([]bool, len(s.clocks)), values)
	if s.deep {
		return s.endless(ctx, 0)
	}
	for i := 0; i < len(s.nodes) && !s.irregular; i++ {
		of := &s.nodes[i]
		if of.done || s.walks[of.walk].endless {
			continue
		}
		if found, err := s.arrives(ctx, i); found || err != nil {
			return found, err
		}
		if s.holds(i, s.walks[s.nodes[i].walk].through) {
			s.expand(i)
		}
	}
	return false, nil
}

func (s *search) holds(i int, f *ctl.Formula) bool { return s.value(s.nodes[i].marking, f) }

// arrives reports whether node i is where its walk leads to and the rest of the chain is shown from there. If that is a walk, it begins, in a node of its own.
func (s *search) arrives(ctx context.Context, i int) (bool, error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if s.limits.States > 0 && len(s.nodes) > s.limits.States {
		return false, &space.LimitError{What: "states", Limit: int64(s.limits.States), Explored: len(s.nodes)}
	}
	to := s.walks[s.nodes[i].walk].to
	if to == nil || !s.holds(i, to.here) {
		return false, nil
	}
	if to.walk == nil {
		s.path = s.to(i)
		return true, nil
	}
	next := s.nodes[i]
	next.walk++
	next.started = slices.Clone(next.started)
	for k := range next.started {
		if next.started[k].node == i {
			next.started[k].node = len(s.nodes)
		}
	}
	s.deep = to.walk.endless
	defer func() { s.deep = false }()
	last := len(s.nodes)
	s.keep(next)
	if s.deep && len(s.nodes) > last {
		return s.endless(ctx, last)
	}
	return false, nil
}

// expand adds what follows node i.
func (s *search) expand(i int) {
	s.steps, s.stuck = 0, false
	s.events(i)
	events := s.steps
	s.ticks(i, s.nodes[i].values, nil, nil)
	s.nodes[i].held = s.stuck
	s.irregular = s.irregular || s.stuck && events == 0 && s.steps > 0 // a dead end for some values alone
}

// to returns the nodes to a node.
func (s *search) to(i int) (path []int) {
	for ; i >= 0; i = s.nodes[i].parent {
		path = append(path, i)
	}
	slices.Reverse(path)
	return path
}

// add adds a node that is reached from from, whose values and clocks it has: those in kept go on, lower by a number, and those with a value start. What
// does not matter is dropped first. It adds nothing that another node includes.
func (s *search) add(next node, lower int32, kept []bool, values []int32) {
	words := make([]uint64, (len(s.Places)+63)/64)
	for _, p := range next.marking {
		space.Add(words, p)
	}
	for c, places := range s.clocks {
		if kept[c] || values[c] > 0 {
			space.Add(words, places[0])
		}
	}
	s.slicer.Forget(words)
	has := func(p int) bool { return space.Has(words, p) }
	var from []int
	var fixed []int32
	before, starts := next.running, next.started
	next.running, next.started = nil, nil
	for c, places := range s.clocks {
		if !has(places[0]) {
			continue
		}
		at, value, begun := 0, values[c], start{len(s.nodes), values[c]}
		if kept[c] {
			i, _ := slices.BinarySearch(before, c)
			at, value, begun = i+1, 0, starts[i]
		}
		next.running, next.started = append(next.running, c), append(next.started, begun)
		from, fixed = append(from, at), append(fixed, value)
	}
	next.marking = slices.DeleteFunc(slices.Clone(next.marking), func(p int) bool { return !has(p) })
	next.values = next.values.with(from, lower, fixed)
	if next.waits = s.waits(&next); next.waits {
		next.values = next.values.later()
	}
	key := make([]byte, 0, 8*len(words))
	for _, w := range words {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	next.key = string(key)
	s.keep(next)
}

// kind returns what nodes share that differ at most by their values.
func (s *search) kind(of *node) string {
	return string(binary.LittleEndian.AppendUint32([]byte(of.key), uint32(of.walk)))
}

// keep keeps a node, unless another of the same walk includes it; in a walk without an end, unless another does from which none goes on.
func (s *search) keep(next node) {
	key, to := s.kind(&next), len(s.nodes)
	if at := slices.IndexFunc(s.seen[key], func(i int) bool {
		return (!s.deep || s.nodes[i].done) && next.values.within(s.nodes[i].values)
	}); at >= 0 {
		to = s.seen[key][at]
	}
	if s.whole && next.parent >= 0 {
		from := &s.nodes[next.parent]
		from.arcs = append(from.arcs, arc{to, next.step == s.tick})
	}
	if to < len(s.nodes) {
		return
	}
	s.seen[key] = append(s.seen[key], len(s.nodes))
	s.nodes = append(s.nodes, next)
}

// waits reports whether time can pass in a marking before a clock comes to its end. Where that changes anything, the net is irregular.
func (s *search) waits(of *node) bool {
	for _, c := range of.running {
		if len(s.clocks[c]) == 1 {
			return false // it is at its end
		}
	}
	m := s.marked(of, nil, 1)
	if len(of.running) == 0 || !s.Fireable(m, s.tick) {
		return false
	}
	after, contact := s.Fire(m, []int{s.tick})
	s.irregular = s.irregular || contact >= 0 || !slices.Equal(after, s.marked(of, nil, 0))
	return true
}

// marked returns the marking of a node in which clocks that come to their end have one tick left, and the others a value of one more than a number.
func (s *search) marked(of *node, ended []int, more int) petri.Marking {
	m := slices.Clone(of.marking)
	for _, c := range of.running {
		at := more
		if slices.Contains(ended, c) {
			at = 0
		}
		m = append(m, s.clocks[c][at])
	}
	slices.Sort(m)
	return m
}

// events adds what events lead to from node i.
func (s *search) events(i int) {
	m := s.marked(&s.nodes[i], nil, 0)
	for t := range s.Transitions {
		if t != s.tick && s.Fireable(m, t) {
			s.fire(i, t, m, s.nodes[i].values, nil)
		}
	}
}

// ticks adds what the ticks lead to on which some clocks of node i come to their end. For the first clocks it is decided which; values are those that have it so.
func (s *search) ticks(i int, values bounds, ended, others []int) {
	of := &s.nodes[i]
	k := len(ended) + len(others)
	if k == len(of.running) {
		m := s.marked(of, ended, 1)
		switch can := s.Fireable(m, s.tick); {
		case !can:
			s.stuck = true
		case k == 0:
			s.irregular = true // time passes though no clock runs
		case len(ended) > 0:
			s.fire(i, s.tick, m, values, ended)
		}
		return
	}
	c := of.running[k]
	last := values.clone()
	last.limit(k+1, 0, 1)
	if last.tighten() {
		s.ticks(i, last, append(slices.Clip(ended), c), others)
	}
	if len(s.clocks[c]) > 1 {
		more := values.clone()
		more.limit(0, k+1, -2)
		if more.tighten() {
			s.ticks(i, more, ended, append(slices.Clip(others), c))
		}
	}
}

// fire adds the node to which transition t leads from a marking of node i, for all of some values.
func (s *search) fire(i, t int, m petri.Marking, values bounds, ended []int) {
	of := s.nodes[i]
	after, contact := s.Fire(m, []int{t})
	if contact >= 0 {
		s.irregular = true
		return
	}
	s.steps++
	next := node{running: of.running, started: of.started, values: values, parent: i, walk: of.walk, step: t, ended: ended}
	kept, started := make([]bool, len(s.clocks)), make([]int32, len(s.clocks))
	for _, p := range after {
		c := s.of[p]
		_, ran := slices.BinarySearch(of.running, c)
		switch {
		case c < 0:
			next.marking = append(next.marking, p)
		case ran && s.pos[p] == 0 && !slices.Contains(ended, c):
			kept[c] = true
		default:
			started[c] = int32(s.pos[p]) + 1
		}
	}
	lower := int32(0)
	if t == s.tick {
		lower = 1
	}
	s.add(next, lower, kept, started)
}
