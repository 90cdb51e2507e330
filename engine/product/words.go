package product

import (
	"errors"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// words collects the words that a side refuses.
func (q *query) words(k int) error {
	for own, list := range []*[]Word{&q.answer.Impossible, &q.answer.Possible} {
		if q.open(own) {
			found, leftOut, err := q.followed.words(own, k)
			*list, q.answer.LeftOut = found, q.answer.LeftOut+leftOut
			if err != nil {
				return err
			}
			continue
		}
		if !q.determinate[1-own] || len(q.only[own]) == 0 {
			continue
		}
		s := &seeker{product: q.pairs, own: own, refused: map[int]dd.Node{}, most: k, wait: q.observer.Wait, group: q.observer.Group}
		s.number = func(transition int) int { return q.number(own, transition) }
		wanted := q.only[own]
		if s.group != nil {
			wanted = slices.DeleteFunc(slices.Clone(wanted), func(label int) bool { return s.group(label) == 0 })
		}
		err := s.seek(wanted)
		*list = s.found
		if s.group == nil {
			q.answer.LeftOut += len(wanted) - len(s.found)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	found   []Word
}

// seek finds a word for each label, at most as many as wanted.
func (s *seeker) seek(labels []int) (err error) {
	if len(labels) == 0 {
		return nil
	}
	for _, label := range labels {
		if s.refused[label], err = s.product.refused(s.own, label); err != nil {
			return err
		}
		if label == s.wait || s.wait == Hidden {
			continue
		}
		if never, err := s.never(label); err != nil {
			return err
		} else if never != dd.Empty {
			s.refused[label] = never
		}
	}
	last, err := s.drift(s.forth.either, s.start, s.reach)
	seen := last
	for err == nil && last != dd.Empty {
		s.layers = append(s.layers, last)
		if labels, err = s.emit(labels); err != nil || len(s.found) == s.most || len(labels) == 0 {
			return err
		}
		last, seen, err = s.further(last, seen)
	}
	if err == nil {
		panic("product: a step that is refused is never reached")
	}
	return err
}

// until collects the layers of pairs up to the first that has some of a goal, which it returns.
func (s *seeker) until(goal dd.Node) (dd.Node, error) {
	last, err := s.drift(s.forth.either, s.start, s.reach)
	seen := last
	for err == nil && last != dd.Empty {
		s.layers = append(s.layers, last)
		if some, err := s.forest.Intersect(s.ctx, last, goal); some != dd.Empty || err != nil {
			return some, err
		}
		if last, seen, err = s.further(last, seen); err != nil {
			return dd.Empty, err
		}
	}
	return dd.Empty, errors.Join(err, errors.New("product: a step that takes something away is never reached"))
}

// further returns the pairs that are first met one observed step after some, and all that were seen.
func (s *seeker) further(last, seen dd.Node) (dd.Node, dd.Node, error) {
	last, err := s.step(&s.forth, last, s.reach)
	if err == nil {
		last, err = s.drift(s.forth.either, last, s.reach)
	}
	if err == nil {
		last, err = s.forest.Minus(s.ctx, last, seen)
	}
	if err == nil {
		seen, err = s.forest.Union(s.ctx, seen, last)
	}
	return last, seen, err
}

// A waiting has the states of the other side that it reaches from pairs by waits and hidden moves of its own, in which no pair need be, with these moves turned
// round.
type waiting struct {
	all  dd.Node
	back *dd.System
}

// waited returns what the other side reaches by waiting.
func (s *seeker) waited() (*waiting, error) {
	if s.waiting != nil {
		return s.waiting, nil
	}
	other := 1 - s.own
	waits := s.product.waits(other, s.wait)
	all, err := s.forest.Forget(s.ctx, s.reach, s.but(other))
	if err == nil {
		all, err = s.forest.Reach(s.ctx, s.forest.System(waits), all)
	}
	if err != nil {
		return nil, err
	}
	s.waiting = &waiting{all, s.forest.System(s.inverses(waits))}
	return s.waiting, nil
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
func (s *seeker) never(label int) (dd.Node, error) {
	other := 1 - s.own
	w, err := s.waited()
	if err != nil {
		return dd.Empty, err
	}
	comes, err := s.able(w.all, s.test(other, s.of(other, label)))
	if err == nil {
		comes, err = s.forest.ReachWithin(s.ctx, w.back, comes, w.all)
	}
	if err != nil {
		return dd.Empty, err
	}
	return s.forest.Minus(s.ctx, s.refused[label], comes)
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
func (s *seeker) emit(labels []int) ([]int, error) {
	for len(s.found) < s.most {
		labels = slices.DeleteFunc(labels, s.grouped)
		goal, err := s.goal(labels)
		if goal == dd.Empty || err != nil {
			return labels, err
		}
		prefix, after, err := s.first(goal)
		if err != nil {
			return labels, err
		}
		labels, err = s.collect(labels, prefix, after)
		if err != nil {
			return labels, err
		}
	}
	return labels, nil
}

// goal returns the pairs of the last layer in which any of the labels is refused.
func (s *seeker) goal(labels []int) (goal dd.Node, err error) {
	for _, label := range labels {
		here, err := s.forest.Intersect(s.ctx, s.refused[label], s.layers[len(s.layers)-1])
		if err == nil {
			goal, err = s.forest.Union(s.ctx, goal, here)
		}
		if err != nil {
			return dd.Empty, err
		}
	}
	return goal, nil
}

// first returns the first, in order of labels, of the shortest sequences to a pair of goal, a part of the last layer, and all pairs that
// are reached by it.
func (s *seeker) first(goal dd.Node) (prefix []int, after dd.Node, err error) {
	rings, err := s.rings(goal)
	if err != nil {
		return nil, dd.Empty, err
	}
	order := labels(s.acts[s.own])
	s.crowd = new(big.Int)
	for i := range rings {
		label := Hidden
		if i == 0 {
			after, err = s.drift(s.forth.either, s.start, s.reach)
		} else {
			label, after, err = s.next(order, after, rings[i])
			prefix = append(prefix, label)
		}
		if err == nil {
			err = s.meet(after)
		}
		if err != nil {
			return nil, dd.Empty, err
		}
	}
	return prefix, after, nil
}

// meet updates the most states that the other side can be in.
func (s *seeker) meet(after dd.Node) error {
	var mine []dd.Local
	for _, level := range s.level[s.own] {
		mine = append(mine, dd.Local{Level: level, Pairs: []dd.Pair{{}}})
	}
	others, err := s.forest.Forget(s.ctx, after, s.but(1-s.own))
	if err == nil {
		others, err = s.forest.Lead(s.ctx, chain(&s.forest.Relations, mine), others)
	}
	if err != nil {
		return err
	}
	n, err := s.forest.Cardinality(s.ctx, others)
	if err == nil && n.Cmp(s.crowd) > 0 {
		s.crowd = n
	}
	return err
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
func (s *seeker) next(order []int, from, ring dd.Node) (label int, after dd.Node, err error) {
	values, err := s.forest.Support(s.ctx, from)
	if err != nil {
		return 0, dd.Empty, err
	}
	for _, label := range order {
		if !s.likely(values, label) {
			continue
		}
		after, err := s.after(from, label)
		if err != nil {
			return 0, dd.Empty, err
		}
		some, err := s.forest.Intersect(s.ctx, after, ring)
		if some != dd.Empty || err != nil {
			return label, after, err
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
func (s *seeker) rings(goal dd.Node) ([]dd.Node, error) {
	rings := make([]dd.Node, len(s.layers))
	rings[len(rings)-1] = goal
	for i := len(rings) - 2; i >= 0; i-- {
		ring, err := s.drift(s.back.either, rings[i+1], s.layers[i+1])
		if err == nil {
			rings[i], err = s.step(&s.back, ring, s.layers[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return rings, nil
}

// collect adds the words that continue a prefix with a label that is refused in some of the pairs after it, and returns the other labels.
func (s *seeker) collect(labels, prefix []int, after dd.Node) (rest []int, err error) {
	for i, label := range labels {
		here, err := s.forest.Intersect(s.ctx, s.refused[label], after)
		switch {
		case err != nil:
			return append(rest, labels[i:]...), err
		case here != dd.Empty && s.grouped(label):
			continue
		case here == dd.Empty || len(s.found) == s.most:
			rest = append(rest, label)
			continue
		}
		w := Word{Refused: label, Crowd: s.crowd}
		if w.Run, err = s.lift(s.own, append(slices.Clone(prefix), label), s.number); err == nil {
			w.Instead, err = s.instead(after)
		}
		if err != nil {
			return append(rest, labels[i:]...), err
		}
		s.found = append(s.found, w)
	}
	return rest, nil
}

// grouped reports whether a word of the label's group has been found.
func (s *seeker) grouped(label int) bool {
	return s.group != nil && slices.ContainsFunc(s.found, func(w Word) bool { return s.group(w.Refused) == s.group(label) })
}

// instead returns the labels that the other side allows in some of these pairs, which are closed under its hidden moves.
func (s *seeker) instead(after dd.Node) (next []int, err error) {
	for _, label := range labels(s.acts[1-s.own]) {
		some, err := s.able(after, s.test(1-s.own, s.of(1-s.own, label)))
		if err != nil {
			return nil, err
		}
		if some != dd.Empty {
			next = append(next, label)
		}
	}
	return next, nil
}
