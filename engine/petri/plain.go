package petri

import (
	"fmt"
	"iter"
	"slices"
)

// Plain writes a net out in ordinary transitions, as every other tool knows them: for each transition with Moves or Marks, one for
// each way in which the places it watches can stand. It is exact: each firing of n is one firing of one transition of the result, and
// the places of n, whose indices stay, are marked alike. A net without moves and history is returned as it is.
//
// What moves change has to be state machines of one token, where no transition takes what its own moves would: then where the token is says which moves apply, and
// the written-out transitions read it. A place that is always marked is no part of a machine: a token that is moved or put there is a contact, as it was. Each history place gets a complement, named by absent, appended to the places. An error
// says what can't be written out: a place that is more than moved, or, which is a TooManyError, more than limit transitions.
//
// Ways to stand are all there can be, or, where reached is not nil, those in the markings it yields, which have to be all that n reaches: then
// a transition with moves that never fires is in no marking, and not in the result. Cost: linear in the result, or in the firings.
func (n *Net) Plain(absent func(Place) Place, limit int, reached iter.Seq[Marking]) (*Net, error) {
	w := &plainWriter{net: n, plain: &Net{Name: n.Name, Places: slices.Clone(n.Places), Initial: slices.Clone(n.Initial)}, limit: limit}
	if !slices.ContainsFunc(n.Transitions, func(t Transition) bool { return len(t.Moves)+len(t.Marks) > 0 }) {
		return n, nil
	}
	w.full = n.full()
	w.group()
	if err := w.machines(); err != nil {
		return nil, err
	}
	w.complements(absent)
	w.ways = make([][]Transition, len(n.Transitions))
	for t := range n.Transitions {
		if reached == nil || len(n.Transitions[t].Moves) == 0 {
			if err := w.transition(t, nil); err != nil {
				return nil, err
			}
		}
	}
	if err := w.reached(reached); err != nil {
		return nil, err
	}
	w.plain.Transitions = slices.Concat(w.ways...)
	return w.plain, nil
}

// A TooManyError says that a net written out would have more transitions than it may.
type TooManyError struct {
	Name  string // a transition that alone can happen in very many ways
	Limit int
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("written out in ordinary transitions, the net has more than %d of them: %s alone can happen in very many ways", e.Limit, e.Name)
}

// reached writes out each transition with moves once for each way in which what it watches stands in some marking.
func (w *plainWriter) reached(all iter.Seq[Marking]) error {
	if all == nil {
		return nil
	}
	w.seen = map[string]bool{}
	for m := range all {
		for t := range w.net.Transitions {
			if len(w.net.Transitions[t].Moves) > 0 && w.net.Fireable(m, t) {
				if err := w.transition(t, m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// A plainWriter writes a net out.
type plainWriter struct {
	net, plain *Net
	limit      int
	full       []bool      // by place, it is always marked
	leader     []int       // by place, that of its machine
	machine    [][]int     // by leader, its places
	still      []bool      // by leader, no place of it is ever marked
	not        map[int]int // by history place, its complement
	ways       [][]Transition
	written    int
	seen       map[string]bool // ways that have been written out of markings
	t          int             // the transition at work
	in         Marking         // where it fires; nil: anywhere
	at         map[int]int     // by leader, where its token is known to be
}

// group joins the places between which tokens move, and those that moves depend on.
func (w *plainWriter) group() {
	w.leader = make([]int, len(w.net.Places))
	for p := range w.leader {
		w.leader[p] = p
	}
	for i := range w.net.Transitions {
		for _, v := range w.net.Transitions[i].Moves {
			if a, b := w.lead(v.From), w.lead(v.To); a != b && (w.full == nil || !w.full[v.To]) {
				w.leader[max(a, b)] = min(a, b)
			}
		}
	}
	w.machine = make([][]int, len(w.leader))
	for p := range w.leader {
		w.machine[w.lead(p)] = append(w.machine[w.lead(p)], p)
	}
}

func (w *plainWriter) lead(p int) int {
	for w.leader[p] != p {
		w.leader[p] = w.leader[w.leader[p]]
		p = w.leader[p]
	}
	return p
}

// full returns, by place, whether it is always marked: it is at first, and nothing takes its token.
func (n *Net) full() []bool {
	full := make([]bool, len(n.Places))
	for _, p := range n.Initial {
		full[p] = true
	}
	for i := range n.Transitions {
		for _, p := range n.Transitions[i].In {
			full[p] = false
		}
		for _, v := range n.Transitions[i].Moves {
			full[v.From] = full[v.From] && v.Stays()
		}
	}
	return full
}

// machines checks that each machine that moves ask about has one token at most, and that nothing else changes how many.
func (w *plainWriter) machines() error {
	changed, tokens := w.census()
	w.still = make([]bool, len(w.net.Places))
	for i := range w.net.Transitions {
		for _, v := range w.net.Transitions[i].Moves {
			for _, p := range append([]int{v.From}, v.If...) {
				lead := w.lead(p)
				w.still[lead] = tokens[lead] == 0
				if tokens[lead] > 1 || changed[lead] {
					return fmt.Errorf("%s can't be written out in ordinary transitions: what happens there depends on %s, which is no state machine of its own",
						w.net.Transitions[i].Name, w.net.Places[p])
				}
			}
		}
	}
	return nil
}

// census returns, by leader, whether its tokens may become more or fewer, or a transition takes what its own moves would; and its tokens in the initial marking.
func (w *plainWriter) census() (changed []bool, tokens []int) {
	changed, tokens = make([]bool, len(w.net.Places)), make([]int, len(w.net.Places))
	for i := range w.net.Transitions {
		t := &w.net.Transitions[i]
		taken, put := map[int]int{}, map[int]int{}
		for _, p := range t.In {
			taken[w.lead(p)]++
		}
		for _, p := range t.Out {
			put[w.lead(p)]++
		}
		lost := slices.ContainsFunc(t.Out, func(p int) bool { return w.full != nil && w.full[p] })
		for lead, n := range taken {
			moved := slices.ContainsFunc(t.Moves, func(v Move) bool { return w.lead(v.From) == lead })
			changed[lead] = changed[lead] || n > 1 || moved || n > put[lead] && !lost
		}
		for lead, n := range put {
			changed[lead] = changed[lead] || n > taken[lead]
		}
		for _, p := range t.Marks {
			changed[w.lead(p)] = true
		}
	}
	for _, p := range w.net.Initial {
		tokens[w.lead(p)]++
	}
	return changed, tokens
}

// Machines returns sets of several places of which at most one is ever marked, because a single token goes from one to another.
func (n *Net) Machines() (sets [][]int) {
	w := &plainWriter{net: n}
	w.group()
	changed, tokens := w.census()
	for lead, places := range w.machine {
		if len(places) > 1 && !changed[lead] && tokens[lead] <= 1 {
			sets = append(sets, places)
		}
	}
	return sets
}

func (w *plainWriter) complements(absent func(Place) Place) {
	w.not = map[int]int{}
	for _, p := range w.net.history() {
		w.not[p] = len(w.plain.Places)
		if _, marked := slices.BinarySearch(w.net.Initial, p); !marked {
			w.plain.Initial = append(w.plain.Initial, w.not[p])
		}
		w.plain.Places = append(w.plain.Places, absent(w.net.Places[p]))
	}
}

// transition writes one out, all ways or that of a marking.
func (w *plainWriter) transition(t int, in Marking) error {
	of := &w.net.Transitions[t]
	w.t, w.in, w.at = t, in, map[int]int{}
	for _, p := range slices.Concat(of.In, of.Read) {
		lead := w.lead(p)
		if _, known := w.at[lead]; known {
			return nil // it asks for one token in two places, and never fires
		}
		w.at[lead] = p
	}
	return w.choose(of.Moves, nil)
}

// choose goes through the moves in order, and splits wherever it is not known yet whether one applies.
func (w *plainWriter) choose(left []Move, applied []Move) error {
	if len(left) == 0 {
		return w.keep(applied)
	}
	v, rest := left[0], left[1:]
	if len(applied) > 0 && applied[len(applied)-1].From == v.From {
		return w.choose(rest, applied)
	}
	for _, p := range append([]int{v.From}, v.If...) {
		lead := w.lead(p)
		if w.still[lead] {
			return w.choose(rest, applied)
		}
		switch at, known := w.at[lead]; {
		case !known:
			return w.split(lead, left, applied)
		case at != p:
			return w.choose(rest, applied)
		}
	}
	return w.choose(rest, append(slices.Clone(applied), v))
}

// split writes out what is left once for each place of a machine.
func (w *plainWriter) split(lead int, left, applied []Move) error {
	for _, p := range w.machine[lead] {
		if w.in != nil && !w.in.Has(p) {
			continue
		}
		w.at[lead] = p
		if err := w.choose(left, applied); err != nil {
			return err
		}
	}
	delete(w.at, lead)
	return nil
}

// keep adds the transition with the moves that apply where all tokens are known that matter; once for each way its history can stand.
func (w *plainWriter) keep(applied []Move) error {
	of := &w.net.Transitions[w.t]
	applied = slices.DeleteFunc(slices.Clone(applied), Move.Stays)
	if of.Moving && len(applied) == 0 {
		return nil
	}
	t := *of
	t.In, t.Out, t.Read, t.Marks, t.Moves, t.Moving = slices.Clone(of.In), slices.Clone(of.Out), slices.Clone(of.Read), nil, nil, false
	for _, v := range applied {
		t.In, t.Out = append(t.In, v.From), append(t.Out, v.To)
	}
	for _, p := range w.at {
		t.Read = append(t.Read, p)
	}
	t.Read = slices.DeleteFunc(t.Read, func(p int) bool { return slices.Contains(t.In, p) })
	slices.Sort(t.Read)
	if key := fmt.Sprint(w.t, t.In, t.Read); w.seen != nil {
		if w.seen[key] {
			return nil
		}
		w.seen[key] = true
	}
	return w.remember(t, of.Marks)
}

func (w *plainWriter) remember(t Transition, marks []int) error {
	if len(marks) > 0 {
		already, first := t, t
		already.Read = append(slices.Clone(t.Read), marks[0])
		first.In, first.Out = append(slices.Clone(t.In), w.not[marks[0]]), append(slices.Clone(t.Out), marks[0])
		if err := w.remember(first, marks[1:]); err != nil {
			return err
		}
		return w.remember(already, marks[1:])
	}
	for _, list := range []*[]int{&t.In, &t.Out, &t.Read} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	w.ways[w.t] = append(w.ways[w.t], t)
	if w.written++; w.written > w.limit {
		return &TooManyError{t.Name, w.limit}
	}
	return nil
}
