package product

import (
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// Where a side is not determinate, a pair does not tell what that side refuses: it may be in another state after the same observations. This
// file goes by sets of pairs instead, each of which has all that are reached by some sequence of observations (subset construction: M. Rabin,
// D. Scott, 1959, Finite automata and their decision problems, section 5). What no state of a side in the set allows, that side refuses. An
// observer who sees little, such as a party, tells few sets apart, however many states there are.

// maxFollowed bounds the work on the sets, in steps on diagrams: a tenth of a second or two.
const maxFollowed = 2_000_000

// sequences has the sets of pairs that are reached by sequences of observations, the shorter sequences and lower labels first.
type sequences struct {
	*product
	query   *query
	sets    []reached
	whole   bool         // all sets have been looked at
	refused [2][]refusal // by the side that allows it: for each label the first that the other side refuses
}

// A reached is a set of pairs, closed under hidden moves.
type reached struct {
	pairs   dd.Node
	from    int  // the set that it was reached from first, -1 for the start
	label   int  // by which observation
	glanced bool // some observation on the way is a glance
}

// A refusal is a label that one side allows in a set and the other does not. If ever is set, it does not after any number of waits, either.
type refusal struct {
	label, at int
	ever      bool
}

// follow goes through the sets of pairs, as far as maxFollowed allows, and collects what each side refuses.
func (q *query) follow() error {
	s := &sequences{product: q.pairs, query: q}
	began := s.forest.Worked()
	start, err := s.drift(s.forth.either, s.start, s.reach)
	if err != nil {
		return err
	}
	s.sets, q.followed = []reached{{pairs: start, from: -1}}, s
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(labels(s.acts[Base]), labels(s.acts[Head])))))
	known := map[dd.Node]bool{start: true}
	for at := 0; at < len(s.sets); at++ {
		if s.forest.Worked()-began > maxFollowed {
			return nil
		}
		for _, label := range all {
			next, err := s.ask(at, label)
			if err != nil {
				return err
			}
			if next != dd.Empty && !known[next] {
				known[next] = true
				glanced := s.sets[at].glanced || s.acts[Base][s.of(Base, label)[0]].glance
				s.sets = append(s.sets, reached{next, at, label, glanced})
			}
		}
	}
	s.whole = true
	return nil
}

// ask notes whether one side allows a label in a set and the other refuses it. If both allow it, it returns the set that is reached by it.
func (s *sequences) ask(at, label int) (next dd.Node, err error) {
	pairs := s.sets[at].pairs
	var can [2]bool
	for side := range can {
		if list := s.of(side, label); len(list) > 0 {
			some, err := s.able(pairs, s.test(side, list))
			if err != nil {
				return dd.Empty, err
			}
			can[side] = some != dd.Empty
		}
	}
	switch {
	case can[Base] && can[Head]:
		return s.after(pairs, label) // after a glance, those in which it is seen
	case can[Base]:
		return dd.Empty, s.refuse(Base, refusal{label: label, at: at})
	case can[Head]:
		return dd.Empty, s.refuse(Head, refusal{label: label, at: at})
	}
	return dd.Empty, nil
}

// refuse notes a refusal if it is the first of its label, or the first that holds for ever.
func (s *sequences) refuse(own int, r refusal) (err error) {
	of := s.refused[own]
	i := slices.IndexFunc(of, func(f refusal) bool { return f.label == r.label })
	if i >= 0 && of[i].ever {
		return nil
	}
	if r.ever, err = s.forEver(own, r); err != nil || i >= 0 && !r.ever {
		return err
	}
	if i >= 0 {
		of = slices.Delete(of, i, i+1)
	}
	s.refused[own] = append(of, r)
	return nil
}

// forEver reports whether the other side refuses a label after any number of waits, too. If the label is the wait itself, or the observer knows of no
// waiting, any refusal will do.
func (s *sequences) forEver(own int, r refusal) (bool, error) {
	wait := s.query.observer.Wait
	if wait == Hidden || wait == r.label {
		return true, nil
	}
	other := 1 - own
	states, err := s.forest.Forget(s.ctx, s.sets[r.at].pairs, s.but(other))
	if err == nil {
		states, err = s.forest.Reach(s.ctx, s.forest.System(s.waits(other, wait)), states)
	}
	if err != nil {
		return false, err
	}
	some, err := s.able(states, s.test(other, s.of(other, r.label)))
	return some == dd.Empty, err
}

// words returns the words of refusals by one side, at most k, the shortest first, and the number of refused labels without one.
func (s *sequences) words(own, k int) (list []Word, leftOut int, err error) {
	by := &seeker{product: s.product, own: own, group: s.query.observer.Group}
	number := func(transition int) int { return s.query.number(own, transition) }
	for _, r := range s.refused[own] {
		by.found = list
		if by.group != nil && (by.group(r.label) == 0 || by.grouped(r.label)) {
			continue
		}
		if len(list) == k || s.sets[r.at].glanced { // a run does not show what is glanced at on its way
			leftOut++
			continue
		}
		w := Word{Refused: r.label}
		word := []int{r.label}
		by.crowd = new(big.Int)
		for at := r.at; at >= 0; at = s.sets[at].from {
			if err := by.meet(s.sets[at].pairs); err != nil {
				return list, leftOut, err
			}
			if at > 0 {
				word = append(word, s.sets[at].label)
			}
		}
		slices.Reverse(word)
		w.Crowd = by.crowd
		if w.Run, err = s.lift(own, word, number); err == nil {
			w.Instead, err = by.instead(s.sets[r.at].pairs)
		}
		if err != nil {
			return list, leftOut, err
		}
		list = append(list, w)
	}
	return list, leftOut, nil
}
