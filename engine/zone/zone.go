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
// Each value in a set is reached in the net by ticks and the same steps. So E[p U q] of state predicates that do not ask for values has the same value, and EF, AG and A[ W ]
// with it. A set does not say what each of its values can still do, so formulas in formulas are not for this package, nor what goes on for ever.
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

// An Answer says whether a formula holds, with a run of the net that shows it; if none does, of the initial state alone.
type Answer struct {
	Holds bool
	Run   ctl.Run
}

// Decide reports whether EF, AG, E[ U ] or A[ W ] of state predicates holds in the initial state of a one-safe net, one transition firing at a time. Clocks are the places that say how many
// ticks are left, fewest first. Value evaluates a predicate in a marking. The result ok is false if the formula is another, asks for a clock's value, or the net's clocks are not regular. The error is a *space.LimitError for the number of sets, or the context's cause.
func Decide(ctx context.Context, n *petri.Net, clocks [][]int, f *ctl.Formula, value func(petri.Marking, *ctl.Formula) bool, lim space.Limits) (a Answer, ok bool, err error) {
	q, ok := reachability(f)
	if !ok || len(clocks) == 0 {
		return a, false, nil
	}
	x, ok := regular(n, clocks)
	if !ok || slices.ContainsFunc(slice.Places(f), x.clocked) {
		return a, false, nil
	}
	s := &search{timed: x, question: q, value: value, seen: map[string][]int{}, limits: lim}
	s.slicer, _ = slice.New(n, clocks, f)
	found, err := s.run(ctx)
	if err != nil || s.irregular {
		return a, false, err
	}
	a.Holds = (found >= 0) == q.existential
	a.Run, err = s.concrete(max(found, 0))
	return a, true, err
}

// A question is whether a state with the target can be reached by way of others.
type question struct {
	through, target *ctl.Formula
	existential     bool // the formula says that it can
}

// reachability returns the question that a formula asks; false if it asks another.
func reachability(f *ctl.Formula) (q question, ok bool) {
	always := &ctl.Formula{Op: ctl.True}
	not := func(f *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: ctl.Not, Left: f} }
	switch f.Op {
	case ctl.EF:
		q = question{always, f.Left, true}
	case ctl.AG:
		q = question{always, not(f.Left), false}
	case ctl.EU:
		q = question{f.Left, f.Right, true}
	case ctl.AW:
		q = question{not(f.Right), &ctl.Formula{Op: ctl.And, Left: not(f.Left), Right: not(f.Right)}, false}
	default:
		return q, false
	}
	return q, !f.Left.Temporal() && !f.Right.Temporal()
}

// A search lists nodes breadth first.
type search struct {
	*timed
	question
	value     func(petri.Marking, *ctl.Formula) bool
	slicer    *slice.Slicer
	limits    space.Limits
	nodes     []node
	seen      map[string][]int // by marking, the nodes with it
	irregular bool             // a tick did more than count
}

// A node is a marking, with all values of its running clocks.
type node struct {
	marking petri.Marking // without places of clocks
	running []int         // clocks, ascending
	started []start       // by running clock
	values  bounds
	waits   bool // time may pass
	parent  int
	step    int   // the transition that led here from the parent
	ended   []int // the clocks that came to their end by it
}

// A start is the node at which a clock got a value.
type start struct {
	node  int
	value int32
}

// run returns the first node with the target, or -1.
func (s *search) run(ctx context.Context) (int, error) {
	values := make([]int32, len(s.clocks))
	var m petri.Marking
	for _, p := range s.Initial {
		if c := s.of[p]; c >= 0 {
			values[c] = int32(s.pos[p]) + 1
		} else {
			m = append(m, p)
		}
	}
	s.add(node{marking: m, values: noClocks(), parent: -1}, 0, make([]bool, len(s.clocks)), values)
	for i := 0; i < len(s.nodes) && !s.irregular; i++ {
		if ctx.Err() != nil {
			return -1, context.Cause(ctx)
		}
		if s.value(s.nodes[i].marking, s.target) {
			return i, nil
		}
		if s.limits.States > 0 && len(s.nodes) > s.limits.States {
			return -1, &space.LimitError{What: "states", Limit: int64(s.limits.States), Explored: len(s.nodes)}
		}
		if s.value(s.nodes[i].marking, s.through) {
			s.events(i)
			s.ticks(i, s.nodes[i].values, nil, nil)
		}
	}
	return -1, nil
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
			for _, p := range places {
				space.Add(words, p)
			}
		}
	}
	s.slicer.Forget(words)
	has := func(p int) bool { return space.Has(words, p) }
	var from []int
	var fixed []int32
	before, starts := next.running, next.started
	next.running, next.started = nil, nil
	for c, places := range s.clocks {
		if !slices.ContainsFunc(places, has) {
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
	if slices.ContainsFunc(s.seen[string(key)], func(i int) bool { return next.values.within(s.nodes[i].values) }) {
		return
	}
	s.seen[string(key)] = append(s.seen[string(key)], len(s.nodes))
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
		if len(ended) == 0 {
			return
		}
		if m := s.marked(of, ended, 1); s.Fireable(m, s.tick) {
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
	next := node{running: of.running, started: of.started, values: values, parent: i, step: t, ended: ended}
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
