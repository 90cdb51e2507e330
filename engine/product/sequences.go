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
func (q *query) follow() {
	s := &sequences{product: q.pairs, query: q}
	began := s.forest.Worked()
	start := s.drift(s.forth.either, s.start, s.reach)
	s.sets, q.followed = []reached{{pairs: start, from: -1}}, s
	all := s.labels()
	known := map[dd.Node]bool{start: true}
	for at := 0; at < len(s.sets); at++ {
		if s.forest.Worked()-began > maxFollowed {
			return
		}
		for _, label := range all {
			if next := s.ask(at, label); next != dd.Empty && !known[next] {
				known[next] = true
				glanced := s.sets[at].glanced || s.acts[Base][s.of(Base, label)[0]].glance
				s.sets = append(s.sets, reached{next, at, label, glanced})
			}
		}
	}
	s.whole = true
}

// ask notes whether one side allows a label in a set and the other refuses it. If both allow it, it returns the set that is reached by it.
func (s *sequences) ask(at, label int) (next dd.Node) {
	pairs := s.sets[at].pairs
	var can [2]bool
	for side := range can {
		list := s.of(side, label)
		can[side] = len(list) > 0 && s.able(pairs, s.test(side, list)) != dd.Empty
	}
	switch {
	case can[Base] && can[Head]:
		return s.after(pairs, label) // after a glance, those in which it is seen
	case can[Base]:
		s.refuse(Base, refusal{label: label, at: at})
	case can[Head]:
		s.refuse(Head, refusal{label: label, at: at})
	}
	return dd.Empty
}

// refuse notes a refusal if it is the first of its label, or the first that holds for ever.
func (s *sequences) refuse(own int, r refusal) {
	of := s.refused[own]
	i := slices.IndexFunc(of, func(f refusal) bool { return f.label == r.label })
	if i >= 0 && of[i].ever {
		return
	}
	if r.ever = s.forEver(own, r); i >= 0 && !r.ever {
		return
	}
	if i >= 0 {
		of = slices.Delete(of, i, i+1)
	}
	s.refused[own] = append(of, r)
}

// forEver reports whether the other side refuses a label after any number of waits, too. If the label is the wait itself, or the observer knows of no
// waiting, any refusal will do.
func (s *sequences) forEver(own int, r refusal) bool {
	wait := s.query.observer.Wait
	if wait == Hidden || wait == r.label {
		return true
	}
	other := 1 - own
	states := s.forest.Forget(s.sets[r.at].pairs, s.but(other))
	states = s.forest.Reach(s.forest.System(s.waits(other, wait)), states)
	return s.able(states, s.test(other, s.of(other, r.label))) == dd.Empty
}

// words collects the words of refusals by one side, at most k, the shortest first, and counts the refused labels without one.
func (s *sequences) words(own, k int, list *[]Word) {
	by := &seeker{product: s.product, own: own, group: s.query.observer.Group, found: list}
	number := func(transition int) int { return s.query.number(own, transition) }
	for _, r := range s.refused[own] {
		if by.group != nil && (by.group(r.label) == 0 || by.grouped(r.label)) {
			continue
		}
		if len(*list) == k || s.sets[r.at].glanced { // a run does not show what is glanced at on its way
			s.query.answer.LeftOut++
			continue
		}
		word := []int{r.label}
		by.crowd = new(big.Int)
		for at := r.at; at >= 0; at = s.sets[at].from {
			by.meet(s.sets[at].pairs)
			if at > 0 {
				word = append(word, s.sets[at].label)
			}
		}
		slices.Reverse(word)
		*list = append(*list, Word{s.lift(own, word, number), r.label, by.instead(s.sets[r.at].pairs), by.crowd})
	}
}
