package reduce

import (
	"context"
	"errors"

	"github.com/redlinehq/redline/engine/implications"
)

// known applies implications between places (package implications). The state model stays the same except for the names of states, so every
// formula keeps its value. It removes places that never change, transitions that can never fire, and reads that other arcs of the transition
// ensure. It also removes places marked exactly when another is, or when another is not, and implicit places, which never alone prevent a
// transition (G. Berthelot, 1987, Transformations and decompositions of nets, section 3.1, redundant and doubled places). The error is the
// context's cause. A net that is too large stays as it is.
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
	number   []int // by original place, its number in facts
	original []int // by number in facts, the original place
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
			k.count(deadTransition)
		}
		i++
	}
}

// place removes a place, or arcs to it, if the facts allow it. Places of moves and marks stay.
func (k *knowledge) place(p int) {
	if k.net.fixed[p] {
		return
	}
	marked, unmarked := k.facts.Always(k.marked(p)), k.facts.Always(k.unmarked(p))
	switch {
	case marked || unmarked:
		k.fix(p, marked)
	case k.duplicate(p):
		k.count(duplicatePlace)
	default:
		k.implied(p)
	}
}

// duplicate replaces a place by another that is marked exactly when it is.
func (k *knowledge) duplicate(p int) bool {
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

// implied removes reads of a place that follow from other arcs. It removes the place itself if then no transition waits for it and the formula
// does not need it, or another place is marked exactly when it is not.
func (k *knowledge) implied(p int) {
	consumers, _, readers := k.net.around(p)
	waits := false
	for _, t := range readers {
		if of := &k.net.transitions[t]; k.follows(p, of) {
			of.read = without(of.read, p)
			k.count(impliedRead)
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
	k.count(implicitPlace)
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

// opposite replaces p in the formula by a place that is marked exactly when p is not, and reports whether there is one.
func (k *knowledge) opposite(p int) bool {
	for _, q := range k.original {
		if q != p && !k.net.gone[q] && k.equal(p, k.unmarked(q)) {
			k.mean(p, meaning{place: q, negated: true})
			return true
		}
	}
	return false
}

// mean records that the formula uses another place for p.
func (k *knowledge) mean(p int, m meaning) {
	k.meanings[p] = m
	k.net.seen[m.place] = k.net.seen[m.place] || k.net.seen[p]
}
