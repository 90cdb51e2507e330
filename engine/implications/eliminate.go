package implications

import "math/bits"

// An elimination is the state of removing clauses. Its queue has the transitions that may break a clause that is left.
type elimination struct {
	*Facts
	queue  []int
	queued []bool
	users  [][]int // by literal, the transitions that need it
	lost   []bool  // by literal: it implies less than when the current transition was taken
	losers []Literal
}

func newElimination(f *Facts) *elimination {
	n := len(f.net.Transitions)
	s := &elimination{Facts: f, queued: make([]bool, n), users: make([][]int, len(f.rows)), lost: make([]bool, len(f.rows))}
	for t := range n {
		s.queue, s.queued[t] = append(s.queue, t), true
		for _, l := range f.needs(t) {
			s.users[l] = append(s.users[l], t)
		}
	}
	return s
}

func (s *elimination) next() int {
	t := s.queue[0]
	s.queue, s.queued[t] = s.queue[1:], false
	return t
}

// strike removes the clauses that transition t breaks, and returns the number of words and bits it looked at. If t breaks x in a clause x or
// y, then y must be known to hold after t.
func (s *elimination) strike(t int) (work int) {
	known, can := s.when(t)
	if work = len(known) * (1 + len(s.needs(t))); !can {
		return work
	}
	for _, x := range s.after(t, known) {
		work += len(known)
		for i, w := range s.rows[x.not()] {
			if broken := w &^ known[i]; broken != 0 {
				work += bits.OnesCount64(broken)
				s.lose(x, i, broken)
			}
		}
	}
	for _, l := range s.losers {
		s.lost[l] = false
		s.again(l)
	}
	s.losers = s.losers[:0]
	return work
}

// lose removes the clauses x or y, for the literals y whose bits are broken in a word of the row.
func (s *elimination) lose(x Literal, word int, broken uint64) {
	for ; broken != 0; broken &= broken - 1 {
		y := Literal(64*word + bits.TrailingZeros64(broken))
		if y == x.not() {
			continue // x or not x, which stays
		}
		s.rows[x.not()].remove(y)
		s.rows[y.not()].remove(x)
		s.loses(y.not())
		s.loses(x.not())
	}
}

func (s *elimination) loses(l Literal) {
	if !s.lost[l] {
		s.lost[l], s.losers = true, append(s.losers, l)
	}
}

// again queues the transitions that need a literal of which less is known now.
func (s *elimination) again(l Literal) {
	for _, t := range s.users[l] {
		if !s.queued[t] {
			s.queue, s.queued[t] = append(s.queue, t), true
		}
	}
}

// A set is a set of literals.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) clone() set         { return append(set(nil), s...) }
func (s set) has(l Literal) bool { return s[l/64]>>(l%64)&1 != 0 }
func (s set) add(l Literal)      { s[l/64] |= 1 << (l % 64) }
func (s set) remove(l Literal)   { s[l/64] &^= 1 << (l % 64) }

func (s set) join(o set) {
	for i, w := range o {
		s[i] |= w
	}
}

// contradicts reports whether the set has a literal and its opposite, which are adjacent.
func (s set) contradicts() bool {
	const even = 0x5555555555555555
	for _, w := range s {
		if w&(w>>1)&even != 0 {
			return true
		}
	}
	return false
}
