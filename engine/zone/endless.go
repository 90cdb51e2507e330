package zone

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// endless reports whether a path from node i goes on for ever in states with its walk's predicate, or ends in one, or arrives. It looks depth first, so all that is on the way leads to the
// node that is looked at; what is done leads to nothing.
func (s *search) endless(ctx context.Context, i int) (bool, error) {
	s.nodes[i].way = true
	found, err := s.arrives(ctx, i)
	if found || err != nil {
		return found, err
	}
	if s.holds(i, s.walks[s.nodes[i].walk].through) {
		first := len(s.nodes)
		s.expand(i)
		last := len(s.nodes)
		if s.steps == 0 && s.stuck && !s.irregular {
			s.path, s.dead = s.to(i), true
			return true, nil
		}
		for k := first; k < last && !s.irregular; k++ {
			if found, err := s.onward(ctx, k); found || err != nil {
				return found, err
			}
		}
	}
	s.nodes[i].way, s.nodes[i].done = false, true
	return false, nil
}

// onward reports whether node k is on the way already, which closes a path that goes round, or whether a path goes on from it for ever.
func (s *search) onward(ctx context.Context, k int) (bool, error) {
	of := &s.nodes[k]
	for _, i := range s.seen[s.kind(of)] {
		switch other := &s.nodes[i]; {
		case other.way && slices.Equal(other.values.most, of.values.most):
			s.path = s.to(k)
			s.round = slices.Index(s.path, i)
			s.length = len(s.path) - 1 - s.round
			return true, nil
		case other.done && of.values.within(other.values):
			of.done = true
			return false, nil
		}
	}
	return s.endless(ctx, k)
}

// before returns a marking of node i in which a transition fires by which some clocks end.
func (s *search) before(i, t int, ended []int) petri.Marking {
	if t == s.tick {
		return s.marked(&s.nodes[i], ended, 1)
	}
	return s.marked(&s.nodes[i], nil, 0)
}

// having returns the values of node i with which some clocks come to their end by the tick, and no others do.
func (s *search) having(i, t int, ended []int) bounds {
	of := &s.nodes[i]
	if t != s.tick {
		return of.values
	}
	values := of.values.clone()
	for k, c := range of.running {
		if slices.Contains(ended, c) {
			values.limit(k+1, 0, 1)
		} else {
			values.limit(0, k+1, -2)
		}
	}
	values.tighten()
	return values
}
