package reduce

import "context"

// relevance removes the transitions that cannot affect the formula, and the places that only they need. A transition is relevant if it changes
// a relevant place. A place is relevant if the formula uses it, or a relevant transition needs it. The relevant part is a net whose
// transitions wait for nothing else. Its runs are those of the whole net without the rest, and in every state of the whole it can go on as if
// alone. So nested EF, AG, E[ U ] and A[ W ] keep their values. Single steps, dead ends and infinite paths do not, since the rest may go on
// for ever while the part waits. If the rest always ends by itself, only single steps differ: a run of the part that ends also ends in the
// whole, once the rest has ended (F. Bønneland, J. Dyhr, P. Jensen, M. Johannsen, J. Srba, 2019, Stubborn versus structural reductions for
// Petri nets, on relevant places; Y. Thierry-Mieg, 2020, Structural reductions revisited, on the prefix of interest).
func (r *reduction) relevance(ctx context.Context) error {
	counts, err := r.net.relevant(ctx)
	if err != nil {
		return err
	}
	var rest []int
	for t := range r.net.transitions {
		if !r.net.transitions[t].gone && !counts[t] {
			rest = append(rest, t)
		}
	}
	switch {
	case len(rest) == 0:
	case r.may(relevance):
		r.leave(rest, relevance)
	case r.may(terminating) && r.net.terminates(rest):
		r.rest(rest)
		r.leave(rest, terminating)
	}
	return nil
}

func (r *reduction) leave(rest []int, rule ruleID) {
	for _, t := range rest {
		r.net.transitions[t].gone = true
		r.count(rule)
	}
}

// rest records transitions that a run which ends must still fire where it can, to end in the original too.
func (r *reduction) rest(list []int) {
	does := make([]*firing, len(list))
	for i, t := range list {
		does[i] = r.net.transitions[t].does
	}
	r.rests = append(r.rests, does)
}

// relevant returns, by transition, whether it is relevant. Transitions with moves or marks are. The error is the context's cause.
func (x *net) relevant(ctx context.Context) ([]bool, error) {
	counts, reached := make([]bool, len(x.transitions)), make([]bool, len(x.gone))
	var todo []int
	reach := func(p int) {
		if !reached[p] {
			reached[p] = true
			todo = append(todo, p)
		}
	}
	take := func(t int) {
		if !counts[t] {
			counts[t] = true
			for _, p := range x.transitions[t].needs() {
				reach(p)
			}
		}
	}
	for p := range x.gone {
		if x.held(p) && !x.gone[p] {
			reach(p)
		}
	}
	for t := range x.transitions {
		if x.transitions[t].bound && !x.transitions[t].gone {
			take(t)
		}
	}
	for len(todo) > 0 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		consumers, producers, _ := x.around(p)
		for _, t := range append(consumers, producers...) {
			take(t)
		}
	}
	return counts, nil
}

// terminates reports whether the transitions of list, without others, can fire only finitely often: each consumes a token, and none produces
// one that leads back to itself. It removes those that feed none of the rest until none is left.
func (x *net) terminates(list []int) bool {
	within := make([]bool, len(x.transitions))
	feeds := make([]int, len(x.transitions)) // arcs that lead to others of them
	for _, t := range list {
		if len(x.transitions[t].in) == 0 {
			return false
		}
		within[t] = true
	}
	var ended []int
	for _, t := range list {
		for _, p := range x.transitions[t].out {
			consumers, _, _ := x.around(p)
			feeds[t] += count(consumers, within)
		}
		if feeds[t] == 0 {
			ended = append(ended, t)
		}
	}
	for i := 0; i < len(ended); i++ {
		for _, p := range x.transitions[ended[i]].in {
			_, producers, _ := x.around(p)
			for _, u := range producers {
				if feeds[u]--; within[u] && feeds[u] == 0 {
					ended = append(ended, u)
				}
			}
		}
	}
	return len(ended) == len(list)
}

func count(list []int, within []bool) (n int) {
	for _, t := range list {
		if within[t] {
			n++
		}
	}
	return n
}
