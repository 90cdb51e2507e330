package scenario

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// Limits bound the search for one scenario.
type Limits struct {
	Markings int // visited
	Tokens   int // in them together
	Tries    int // transitions tried
}

// Usual are the limits of every command: some seconds of work and some hundred megabytes.
var Usual = Limits{Markings: 200_000, Tokens: 20_000_000, Tries: 50_000_000}

// A LimitError reports that a limit ended the search.
type LimitError struct{ Markings int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the steps of the scenario can go through too many states; %d were looked at", e.Markings)
}

// A node is a marking that is reached with the first steps of the scenario.
type node struct {
	marking petri.Marking
	from    int   // index of the node before; -1: none
	fired   []int // the step between; none: time passed and nothing waited for it
}

// A search explores the runs of one scenario.
type search struct {
	*compile.Draft
	begins bool     // the first step is that a phase begins
	steps  []string // with the beginning
	limits Limits
	silent []int            // transitions that need not be listed: those without an event, and of events that happen by themselves
	urgent []int            // those of events that happen by themselves
	before []int            // what may happen before the phase begins: all but what begins it
	meant  map[string][]int // transitions by step
	nodes  []node
	layers [][]int        // by number of steps taken: nodes
	seen   map[string]int // of the layers that can still grow
	tokens int
	tries  int
}

func newSearch(d *compile.Draft, s *phrase.Script, limits Limits) *search {
	x := &search{Draft: d, steps: s.Steps, limits: limits, meant: map[string][]int{}, seen: map[string]int{}}
	for t := range d.Net.Transitions {
		if d.Net.Transitions[t].Event < 0 {
			x.silent = append(x.silent, t)
		}
	}
	for _, e := range d.Urgent() {
		x.urgent = append(x.urgent, d.TransitionsOf(e)...)
	}
	x.silent = append(x.silent, x.urgent...)
	for _, step := range s.Steps {
		if _, known := x.meant[step]; !known {
			x.meant[step] = x.transitionsOf(step)
		}
	}
	if x.begins = len(s.Begins) > 0; x.begins {
		x.steps = slices.Concat([]string{phrase.Begun}, s.Steps)
		x.meant[phrase.Begun] = x.transitionsOf(s.Begins...)
		for t := range d.Net.Transitions {
			if !slices.Contains(x.meant[phrase.Begun], t) {
				x.before = append(x.before, t)
			}
		}
	}
	x.layers = make([][]int, len(x.steps)+1)
	return x
}

// transitionsOf returns the composed transitions of the events that some steps mean.
func (x *search) transitionsOf(steps ...string) (all []int) {
	for _, step := range steps {
		for _, e := range x.EventsOf(step) {
			all = append(all, x.TransitionsOf(e)...)
		}
	}
	return all
}

// run visits every marking that the steps of the scenario lead to, layer by layer. The error is a LimitError, a contact, or the context's cause.
func (x *search) run(ctx context.Context) error {
	if err := x.add(0, petri.Marking(x.Net.Initial), -1, nil); err != nil {
		return err
	}
	for at := range x.layers {
		for i := 0; i < len(x.layers[at]); i++ { // it grows
			if i%64 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := x.expand(at, x.layers[at][i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a marking to a layer, unless the layer has it.
func (x *search) add(at int, m petri.Marking, from int, fired []int) error {
	key := binary.AppendUvarint(nil, uint64(at))
	for _, p := range m {
		key = binary.AppendUvarint(key, uint64(p))
	}
	if _, known := x.seen[string(key)]; known {
		return nil
	}
	if x.tokens += len(m); len(x.nodes) == x.limits.Markings || x.tokens > x.limits.Tokens {
		return &LimitError{len(x.nodes)}
	}
	x.seen[string(key)] = len(x.nodes)
	x.layers[at] = append(x.layers[at], len(x.nodes))
	x.nodes = append(x.nodes, node{m, from, fired})
	return nil
}

// try counts transitions that are tried.
func (x *search) try(n int) error {
	if x.tries += n; x.tries > x.limits.Tries {
		return &LimitError{len(x.nodes)}
	}
	return nil
}

// expand adds what can follow a marking of a layer: after the last step, only what happens by itself.
func (x *search) expand(at, from int) error {
	if at == len(x.steps) {
		return x.fireAny(at, from, x.urgent)
	}
	if x.steps[at] == hclspec.Tick && !x.Net.Waits(x.nodes[from].marking, x.meant[hclspec.Tick]) {
		if err := x.add(at+1, x.nodes[from].marking, from, nil); err != nil {
			return err
		}
	}
	if x.Rule == petri.All {
		return x.together(at, from)
	}
	free := x.silent
	if x.begins && at == 0 {
		free = x.before
	}
	if err := x.fireAny(at, from, free); err != nil {
		return err
	}
	return x.fireAny(at+1, from, x.meant[x.steps[at]])
}

// fireAny adds the markings after each transition of a list that can fire, to a layer.
func (x *search) fireAny(at, from int, list []int) error {
	if err := x.try(len(list)); err != nil {
		return err
	}
	for _, t := range list {
		if x.Net.Fireable(x.nodes[from].marking, t) {
			if err := x.fire(at, from, []int{t}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ends returns the nodes in which a run of the scenario ends: all steps are taken, and nothing is left to happen by itself.
func (x *search) ends() (list []int) {
	for _, i := range x.layers[len(x.steps)] {
		if !slices.ContainsFunc(x.urgent, func(t int) bool { return x.Net.Fireable(x.nodes[i].marking, t) }) {
			list = append(list, i)
		}
	}
	return list
}

// fire adds the marking after a step. The error may be a contact.
func (x *search) fire(at, from int, step []int) error {
	after, contact := x.Net.Fire(x.nodes[from].marking, step)
	if contact >= 0 {
		return fmt.Errorf("on the way %s", explain.Collision(x.Draft, contact))
	}
	return x.add(at, after, from, step)
}

// together adds what can follow a marking where all that can happen together does.
func (x *search) together(at, from int) error {
	var can []int
	if err := x.try(len(x.Net.Transitions)); err != nil {
		return err
	}
	for t := range x.Net.Transitions {
		if x.Net.Fireable(x.nodes[from].marking, t) {
			can = append(can, t)
		}
	}
	return x.extend(can, nil, func(step []int) error {
		var events []int
		for _, t := range step {
			if x.Net.Transitions[t].Event >= 0 {
				events = append(events, t)
			}
		}
		if x.begins && at == 0 && len(step) > 0 {
			if slices.ContainsFunc(events, func(t int) bool { return slices.Contains(x.meant[phrase.Begun], t) }) {
				return x.fire(1, from, slices.Clone(step))
			}
			return x.fire(0, from, slices.Clone(step))
		}
		if len(step) == 0 || len(events) > len(x.steps)-at || !x.match(x.steps[at:at+len(events)], events) {
			return nil
		}
		return x.fire(at+len(events), from, slices.Clone(step))
	})
}

// extend calls use for each maximal set of transitions of which no two compete, where left has not been looked at.
func (x *search) extend(left, chosen []int, use func([]int) error) error {
	free := func(t int, set []int) bool {
		return !slices.ContainsFunc(set, func(u int) bool { return x.Net.Compete(t, u) })
	}
	if err := x.try(1 + len(left) + len(chosen)); err != nil {
		return err
	}
	if len(left) == 0 {
		return use(chosen)
	}
	t, rest := left[0], left[1:]
	if !free(t, chosen) {
		return x.extend(rest, chosen, use)
	}
	if err := x.extend(rest, append(slices.Clone(chosen), t), use); err != nil {
		return err
	}
	if free(t, rest) { // then a set without it is not maximal
		return nil
	}
	return x.extend(rest, chosen, func(step []int) error {
		if free(t, step) {
			return nil
		}
		return use(step)
	})
}

// match reports whether the transitions can be assigned to the steps, one to one.
func (x *search) match(steps []string, events []int) bool {
	if len(steps) == 0 {
		return len(events) == 0
	}
	for i, t := range events {
		if slices.Contains(x.meant[steps[0]], t) && x.match(steps[1:], slices.Delete(slices.Clone(events), i, i+1)) {
			return true
		}
	}
	return false
}
