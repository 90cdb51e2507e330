package reduce

import (
	"context"
	"errors"

	"github.com/redlinehq/redline/engine/implications"
)

// known applies what is known of pairs of places (package implications). All that it does leaves the state model as it is but for the names of
// states, so that every formula keeps its value: places that never change go, and transitions that can never be fired;
// arcs that ask for what other arcs of the transition ensure; places that always have the token of another, or have it just when that
// has none; and implicit places, which never are what a transition waits for (G. Berthelot, 1987, Transformations and
// decompositions of nets, section 3.1, redundant and doubled places).
func (r *reduction) known(ctx context.Context) error {
	n, number, _ := r.net.built()
	facts, err := implications.Of(ctx, n)
	if errors.Is(err, implications.ErrTooLarge) {
		return nil
	}
	if err != nil {
		return err
	}
	k := &knowledge{r, facts, number, nil}
	k.deadTransitions()
	for p, at := range number {
		if at >= 0 {
			k.original = append(k.original, p)
		}
	}
	for _, p := range k.original {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		k.place(p)
	}
	return nil
}

type knowledge struct {
	*reduction
	facts    *implications.Facts
	number   []int // by original place, its number among the facts
	original []int // the other way round
}

func (k *knowledge) marked(p int) implications.Literal   { return implications.Marked(k.number[p]) }
func (k *knowledge) unmarked(p int) implications.Literal { return implications.Unmarked(k.number[p]) }

func (k *knowledge) deadTransitions() {
	i := 0
	for t := range k.net.transitions {
		of := &k.net.transitions[t]
		if of.gone {
			continue
		}
		if k.facts.Dead(i) {
			of.gone = true
			k.count(DeadTransition)
		}
		i++
	}
}

// place removes a place or arcs to it. What moves look at stays.
func (k *knowledge) place(p int) {
	if k.net.fixed[p] {
		return
	}
	marked, unmarked := k.facts.Always(k.marked(p)), k.facts.Always(k.unmarked(p))
	switch {
	case marked || unmarked:
		k.fix(p, marked)
	case k.twin(p):
		k.count(TwinPlace)
	default:
		k.implied(p)
	}
}

// twin replaces a place by another that is always marked with it.
func (k *knowledge) twin(p int) bool {
	for _, q := range k.original {
		if q == p || k.net.gone[q] || k.net.fixed[q] || !k.equal(p, k.marked(q)) {
			continue
		}
		_, _, readers := k.net.around(p)
		for _, t := range readers {
			if of := &k.net.transitions[t]; !has(of.in, q) {
				of.read = with(of.read, q)
				k.net.at[q] = append(k.net.at[q], t)
			}
		}
		k.mean(p, meaning{place: q})
		k.net.drop(p)
		return true
	}
	return false
}

func (k *knowledge) equal(p int, l implications.Literal) bool {
	return k.facts.Implies(k.marked(p), l) && k.facts.Implies(l, k.marked(p))
}

// implied takes away the reads of a place that say nothing new, and the place itself if no transition then waits for it and its
// marking is not asked for, or told by a place that is never marked when it is.
func (k *knowledge) implied(p int) {
	consumers, _, readers := k.net.around(p)
	waits := false
	for _, t := range readers {
		if of := &k.net.transitions[t]; k.follows(p, of) {
			of.read = without(of.read, p)
			k.count(ImpliedRead)
		} else {
			waits = true
		}
	}
	for _, t := range consumers {
		waits = waits || !k.follows(p, &k.net.transitions[t])
	}
	if waits || k.net.seen[p] && !k.opposite(p) {
		return
	}
	k.net.drop(p)
	k.count(ImplicitPlace)
}

// follows reports whether another place that a transition needs is marked only where p is.
func (k *knowledge) follows(p int, t *transition) bool {
	for _, list := range [][]int{t.in, t.read} {
		for _, q := range list {
			if q != p && k.facts.Implies(k.marked(q), k.marked(p)) {
				return true
			}
		}
	}
	return false
}

// opposite lets another place stand for p that is marked just where p is not.
func (k *knowledge) opposite(p int) bool {
	for _, q := range k.original {
		if q != p && !k.net.gone[q] && k.equal(p, k.unmarked(q)) {
			k.mean(p, meaning{place: q, negated: true})
			return true
		}
	}
	return false
}

// mean lets another place stand for p, of which the formula then speaks instead.
func (k *knowledge) mean(p int, m meaning) {
	k.meanings[p] = m
	k.net.seen[m.place] = k.net.seen[m.place] || k.net.seen[p]
}
