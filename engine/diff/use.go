package diff

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/hclspec"
)

// What can change in a contract is estimated from above: a step is possible if each place that it needs has been marked at some time, together
// with the others or not. That is the least model of Horn clauses, computed in linear time (W. Dowling, J. Gallier, 1984, Linear-time algorithms
// for testing the satisfiability of propositional Horn formulae). So what is idle by this estimate never changes.

// inUse returns the things of an inventory that are not idle. A place, flag, counter, document or norm is idle if its marking never changes, unless it is a power that repeats and
// may be exercised, an
// event or transition if it never happens, and a party or net if all of its places are idle. Other things are in use. Events and transitions can be taken to never happen.
func (in *inventory) inUse(never ...int) []bool {
	h := in.horn(never)
	used := make([]bool, len(in.things))
	for i, t := range in.things {
		used[i] = t.element == TheContract || t.element > Power
	}
	for _, p := range in.contract.Parties {
		m, written := in.parties[p]
		norm, watches := in.norms[p]
		for _, place := range p.Places {
			if !h.changes(place) {
				continue
			}
			if watches {
				used[norm] = true
			}
			if i := in.find(Document, -1, place.Document); place.Document != "" && i >= 0 {
				used[i] = true
			}
			if written {
				used[m.party] = true
				e, name := elementOf(place)
				in.use(used, in.find(e, m.party, name))
			}
		}
		for _, t := range p.Transitions {
			if written && h.known[t] {
				in.use(used, in.find(Transition, m.party, cmp.Or(t.Of, t.Name)))
			}
		}
	}
	for _, n := range in.contract.Norms { // of a power that repeats nothing moves when it is exercised
		if i, named := in.norms[n.Net]; named && n.Repeats && h.known[n.On()] && slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return h.known[e] }) {
			used[i] = true
		}
	}
	for _, e := range in.contract.Events {
		if h.known[e] {
			in.use(used, in.find(Event, -1, cmp.Or(e.Of, e.Name)))
		}
	}
	return used
}

func (in *inventory) use(used []bool, i int) {
	if i >= 0 {
		used[i] = true
	}
}

// A horn is a set of Horn clauses over places (marked at some time), transitions (fired), events (happened), offers (a label can take part) and
// ways of events, with their least model.
type horn struct {
	known   map[any]bool
	waiting map[any][]*rule
	left    map[any]bool // places from which a token is taken at some time
}

// A rule concludes something once nothing that it needs is missing.
type rule struct {
	missing int
	then    any
	from    *hclspec.Place // of a move: the place that its token leaves
}

// An offer is a label of a party by which it can take part in events.
type offer struct {
	party *hclspec.Party
	label string
}

// A wayOf is one way of an event.
type wayOf struct {
	event *hclspec.Event
	way   int
}

// horn returns the least model of the contract without some events and transitions.
func (in *inventory) horn(never []int) *horn {
	c := in.contract
	h := &horn{known: map[any]bool{}, waiting: map[any][]*rule{}, left: map[any]bool{}}
	barred := func(e Element, parent int, name string) bool { return slices.Contains(never, in.find(e, parent, name)) }
	ways := map[offer][]*hclspec.Event{}
	for _, e := range c.Events {
		for i, way := range e.Ways {
			needs := h.needs(e)
			for _, s := range way {
				o := offer{s.Party, s.Label}
				needs, ways[o] = append(needs, o), append(ways[o], e)
			}
			h.add(wayOf{e, i}, needs...)
			if !barred(Event, -1, cmp.Or(e.Of, e.Name)) {
				h.add(e, wayOf{e, i})
			}
		}
		for i := range e.Moves {
			m := &e.Moves[i]
			if !m.Stays() {
				h.rule(&rule{then: m.To, from: m.From}, append(placesOf(m.If), m.From, e))
			}
		}
	}
	for _, p := range c.Parties {
		for _, t := range p.Transitions {
			if !barred(Transition, in.parties[p].party, cmp.Or(t.Of, t.Name)) {
				h.transition(t, offer{p, t.Label}, ways)
			}
		}
	}
	for _, p := range c.Parties {
		for _, place := range p.Places {
			if place.Marked {
				h.learn(place)
			}
		}
	}
	h.learn(nil) // what needs nothing
	return h
}

// transition adds the rules of one transition: it fires by itself, or in an event that has its label.
func (h *horn) transition(t *hclspec.Transition, o offer, ways map[offer][]*hclspec.Event) {
	if t.Beyond != nil {
		return // it never fires
	}
	needs := placesOf(slices.Concat(t.Consume, t.Read))
	h.add(o, needs...)
	if len(ways[o]) == 0 {
		h.add(t, needs...)
	}
	for _, e := range slices.Compact(ways[o]) {
		h.add(t, append(slices.Clip(needs), e)...)
	}
	for _, p := range t.Produce {
		h.add(p, t)
	}
	for _, p := range t.Consume {
		h.rule(&rule{then: t, from: p}, []any{t})
	}
}

// needs returns a fact for each condition of an event, and adds the rules from which it follows.
func (h *horn) needs(e *hclspec.Event) []any {
	var all []any
	for i := range e.Needs {
		for _, a := range e.Needs[i] {
			h.add(&e.Needs[i], placesOf(a.Places)...)
		}
		all = append(all, &e.Needs[i])
	}
	return all
}

func placesOf(list []*hclspec.Place) []any {
	all := make([]any, len(list))
	for i, p := range list {
		all[i] = p
	}
	return all
}

func (h *horn) add(then any, needs ...any) { h.rule(&rule{then: then}, needs) }

func (h *horn) rule(r *rule, needs []any) {
	if len(needs) == 0 {
		needs = []any{nil}
	}
	r.missing = len(needs)
	for _, n := range needs {
		h.waiting[n] = append(h.waiting[n], r)
	}
}

// learn adds a fact and everything that follows from it.
func (h *horn) learn(fact any) {
	for list := []any{fact}; len(list) > 0; {
		last := list[len(list)-1]
		if list = list[:len(list)-1]; h.known[last] {
			continue
		}
		h.known[last] = true
		for _, r := range h.waiting[last] {
			if r.missing--; r.missing > 0 {
				continue
			}
			if r.from != nil {
				h.left[r.from] = true
			}
			list = append(list, r.then)
		}
	}
}

// changes reports whether the marking of a place can change.
func (h *horn) changes(p *hclspec.Place) bool { return h.known[p] && (!p.Marked || h.left[p]) }
