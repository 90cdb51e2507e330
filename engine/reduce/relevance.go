package reduce

import "context"

// relevance removes the transitions that cannot bear on the formula, and the places that only they need. A transition counts that
// changes a place that counts; a place counts that the formula speaks of, or that a transition that counts needs. What counts
// is by itself a net whose transitions wait for nothing else, so that its runs are those of the whole with the rest left out, and
// wherever the whole stands the part can go on as if alone: nested EF, AG, E[ U ] and A[ W ] keep their values, single steps,
// dead ends and what goes on for ever do not (the rest may go on for ever while the part waits). Where the rest
// cannot go on for ever by itself, only single steps tell: a run of the part that ends, ends in the whole when the rest has come to
// its end (F. Bønneland, J. Dyhr, P. Jensen, M. Johannsen, J. Srba, 2019, Stubborn versus structural reductions for Petri
// nets, on relevant places; Y. Thierry-Mieg, 2020, Structural reductions revisited, on the prefix of interest).
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
	case r.may(Relevance):
		r.leave(rest, Relevance)
	case r.may(Terminating) && r.net.terminates(rest):
		r.rest(rest)
		r.leave(rest, Terminating)
	}
	return nil
}

func (r *reduction) leave(rest []int, rule Rule) {
	for _, t := range rest {
		r.net.transitions[t].gone = true
		r.count(rule)
	}
}

// rest remembers transitions that a run which ends must still fire where it can, to end in the original too.
func (r *reduction) rest(list []int) {
	does := make([]*firing, len(list))
	for i, t := range list {
		does[i] = r.net.transitions[t].does
	}
	r.rests = append(r.rests, does)
}

// relevant reports of each transition whether it counts. Those with moves or marks do.
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

// terminates reports whether some transitions can only be fired so many times without others: each consumes a token, and none
// makes one that leads back to itself. Those that make no token for the rest of them are taken away until none is left.
func (x *net) terminates(list []int) bool {
	within := make([]bool, len(x.transitions))
	feeds := make([]int, len(x.transitions)) // how many arcs lead to others of them
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
