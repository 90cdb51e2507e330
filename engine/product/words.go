package product

import (
	"iter"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// words collects the words that a side refuses.
func (q *query) words(k int) {
	for own, list := range []*[]Word{&q.answer.Impossible, &q.answer.Possible} {
		if q.open(own) {
			q.followed.words(own, k, list)
			continue
		}
		if !q.determinate[1-own] || len(q.only[own]) == 0 {
			continue
		}
		s := &seeker{product: q.pairs, own: own, refused: map[int]dd.Node{}, most: k, wait: q.observer.Wait, group: q.observer.Group, found: list}
		s.number = func(transition int) int { return q.number(own, transition) }
		wanted := q.only[own]
		if s.group != nil {
			wanted = slices.DeleteFunc(slices.Clone(wanted), func(label int) bool { return s.group(label) == 0 })
		}
		if s.group == nil {
			defer func() { q.answer.LeftOut += len(wanted) - len(*list) }() // even if the search is ended
		}
		s.seek(wanted)
	}
}

// A seeker finds shortest words of one side that the other refuses, breadth first through the pairs by observations.
type seeker struct {
	*product
	own     int
	most    int
	number  func(transition int) int
	wait    int                 // see Observer
	group   func(label int) int // see Observer
	refused map[int]dd.Node     // by label: the pairs in which the other side refuses it
	waiting *waiting            // nil until a label needs it
	layers  []dd.Node           // by number of observed steps: the pairs first met then
	crowd   *big.Int            // the most states that the other side can be in along the prefix
	found   *[]Word
}

// seek finds a word for each label, at most as many as wanted.
func (s *seeker) seek(labels []int) {
	if len(labels) == 0 {
		return
	}
	for _, label := range labels {
		s.refused[label] = s.product.refused(s.own, label)
		if label == s.wait || s.wait == Hidden {
			continue
		}
		if never := s.never(label); never != dd.Empty {
			s.refused[label] = never
		}
	}
	for range s.spread() {
		if labels = s.emit(labels); len(*s.found) == s.most || len(labels) == 0 {
			return
		}
	}
	panic("product: a step that is refused is never reached")
}

// until collects the layers of pairs up to the first that has some of a goal, which it returns.
func (s *seeker) until(goal dd.Node) dd.Node {
	for last := range s.spread() {
		if some := s.forest.Intersect(last, goal); some != dd.Empty {
			return some
		}
	}
	panic("product: a step that takes something away is never reached")
}

// spread collects and returns, layer by layer, the pairs that are first met after so many observed steps.
func (s *seeker) spread() iter.Seq[dd.Node] {
	return func(yield func(dd.Node) bool) {
		last := s.drift(s.forth.either, s.start, s.reach)
		for seen := last; last != dd.Empty; seen = s.forest.Union(seen, last) {
			if s.layers = append(s.layers, last); !yield(last) {
				return
			}
			last = s.forest.Minus(s.drift(s.forth.either, s.step(&s.forth, last, s.reach), s.reach), seen)
		}
	}
}

// A waiting has the states of the other side that it reaches from pairs by waits and hidden moves of its own, in which no pair need be, with these moves turned
// round.
type waiting struct {
	all  dd.Node
	back *dd.System
}

// waited returns what the other side reaches by waiting.
func (s *seeker) waited() *waiting {
	if s.waiting == nil {
		other := 1 - s.own
		waits := s.product.waits(other, s.wait)
		all := s.forest.Reach(s.forest.System(waits), s.forest.Forget(s.reach, s.but(other)))
		s.waiting = &waiting{all, s.forest.System(s.inverses(waits))}
	}
	return s.waiting
}

// waits returns the waits of a side, and its hidden moves.
func (p *product) waits(side, wait int) (list []dd.Relation) {
	for i, a := range p.acts[side] {
		if a.label == wait || a.label == Hidden {
			list = append(list, p.relations[side][i])
		}
	}
	return list
}

// never returns the pairs in which the other side refuses a label, and after any number of waits, too.
func (s *seeker) never(label int) dd.Node {
	w, other := s.waited(), 1-s.own
	comes := s.able(w.all, s.test(other, s.of(other, label)))
	return s.forest.Minus(s.refused[label], s.forest.ReachWithin(w.back, comes, w.all))
}

// but returns numbers of values that tell apart those of a side alone; see dd.Forget.
func (p *product) but(side int) [][]int {
	one := make([][]int, p.forest.Levels()+1)
	for level := 1; level < len(one); level++ {
		one[level] = distinct(p.forest.Size(level))
	}
	for _, level := range p.level[1-side] {
		clear(one[level])
	}
	return one
}

// emit finds the words of the labels that are refused in the last layer, and returns the other labels.
func (s *seeker) emit(labels []int) []int {
	for len(*s.found) < s.most {
		labels = slices.DeleteFunc(labels, s.grouped)
		goal := s.goal(labels)
		if goal == dd.Empty {
			break
		}
		prefix, after := s.first(goal)
		labels = s.collect(labels, prefix, after)
	}
	return labels
}

// goal returns the pairs of the last layer in which any of the labels is refused.
func (s *seeker) goal(labels []int) (goal dd.Node) {
	for _, label := range labels {
		goal = s.forest.Union(goal, s.forest.Intersect(s.refused[label], s.layers[len(s.layers)-1]))
	}
	return goal
}

// first returns the first, in order of labels, of the shortest sequences to a pair of goal, a part of the last layer, and all pairs that
// are reached by it.
func (s *seeker) first(goal dd.Node) (prefix []int, after dd.Node) {
	rings, order := s.rings(goal), labels(s.acts[s.own])
	s.crowd = new(big.Int)
	after = s.layers[0]
	s.meet(after)
	for _, ring := range rings[1:] {
		var label int
		label, after = s.next(order, after, ring)
		prefix = append(prefix, label)
		s.meet(after)
	}
	return prefix, after
}

// meet updates the most states that the other side can be in.
func (s *seeker) meet(after dd.Node) {
	var mine []dd.Local
	for _, level := range s.level[s.own] {
		mine = append(mine, dd.Local{Level: level, Pairs: []dd.Pair{{}}})
	}
	others := s.forest.Forget(after, s.but(1-s.own))
	n := s.forest.Cardinality(s.forest.Lead(chain(&s.forest.Relations, mine), others))
	if n.Cmp(s.crowd) > 0 {
		s.crowd = n
	}
}

// distinct returns the numbers 0 up to size.
func distinct(size int) []int {
	list := make([]int, size)
	for i := range list {
		list[i] = i
	}
	return list
}

// next returns the first label that leads to a pair of the next ring, and all pairs that are reached by it. It tries those whose acts find the
// values that they need in some of the pairs, each by itself.
func (s *seeker) next(order []int, from, ring dd.Node) (label int, after dd.Node) {
	values := s.forest.Support(from)
	for _, label := range order {
		if !s.likely(values, label) {
			continue
		}
		if after := s.after(from, label); s.forest.Intersect(after, ring) != dd.Empty {
			return label, after
		}
	}
	panic("product: a pair that was reached is reached by nothing")
}

// likely reports whether each side has an act with a label that needs only values, by level, that occur.
func (s *seeker) likely(values [][]bool, label int) bool {
	for side := range s.acts {
		occurs := func(i int) bool { return s.forest.Occurs(s.relations[side][i], values) }
		if !slices.ContainsFunc(s.of(side, label), occurs) {
			return false
		}
	}
	return true
}

// rings returns the pairs of each layer from which one observed step leads to the next ring. The last ring is goal.
func (s *seeker) rings(goal dd.Node) []dd.Node {
	rings := make([]dd.Node, len(s.layers))
	rings[len(rings)-1] = goal
	for i := len(rings) - 2; i >= 0; i-- {
		rings[i] = s.step(&s.back, s.drift(s.back.either, rings[i+1], s.layers[i+1]), s.layers[i])
	}
	return rings
}

// collect adds the words that continue a prefix with a label that is refused in some of the pairs after it, and returns the other labels.
func (s *seeker) collect(labels, prefix []int, after dd.Node) (rest []int) {
	for _, label := range labels {
		switch here := s.forest.Intersect(s.refused[label], after); {
		case here != dd.Empty && s.grouped(label):
		case here == dd.Empty || len(*s.found) == s.most:
			rest = append(rest, label)
		default:
			run := s.lift(s.own, append(slices.Clone(prefix), label), s.number)
			*s.found = append(*s.found, Word{run, label, s.instead(after), s.crowd})
		}
	}
	return rest
}

// grouped reports whether a word of the label's group has been found.
func (s *seeker) grouped(label int) bool {
	return s.group != nil && slices.ContainsFunc(*s.found, func(w Word) bool { return s.group(w.Refused) == s.group(label) })
}

// instead returns the labels that the other side allows in some of these pairs, which are closed under its hidden moves.
func (s *seeker) instead(after dd.Node) (next []int) {
	for _, label := range labels(s.acts[1-s.own]) {
		if s.able(after, s.test(1-s.own, s.of(1-s.own, label))) != dd.Empty {
			next = append(next, label)
		}
	}
	return next
}
