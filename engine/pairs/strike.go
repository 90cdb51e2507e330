package pairs

import "math/bits"

// A striking is the work under way: transitions that may break what is still supposed.
type striking struct {
	*Facts
	queue  []int
	queued []bool
	users  [][]int // by literal, the transitions that need it
}

func newStriking(f *Facts) *striking {
	n := len(f.net.Transitions)
	s := &striking{Facts: f, queued: make([]bool, n), users: make([][]int, len(f.rows))}
	for t := range n {
		s.queue, s.queued[t] = append(s.queue, t), true
		for _, l := range f.needs(t) {
			s.users[l] = append(s.users[l], t)
		}
	}
	return s
}

func (s *striking) next() int {
	t := s.queue[0]
	s.queue, s.queued[t] = s.queue[1:], false
	return t
}

// strike takes back what transition t breaks, and says how many words it looked at. Of a clause x or y, t breaks x: then y
// must be known to hold after it.
func (s *striking) strike(t int) int {
	known, can := s.when(t)
	words := len(known) * (1 + len(s.needs(t)))
	if !can {
		return len(s.rows)/64 + 1
	}
	broken := s.after(t, known)
	for _, x := range broken {
		row := s.rows[x.Not()]
		for i, w := range row {
			if lost := w &^ known[i]; lost != 0 {
				s.lose(x, i, lost)
			}
		}
	}
	return words + len(broken)*len(known)
}

// lose strikes out the clauses x or y, for the literals y whose bits are lost in a word of the row.
func (s *striking) lose(x Literal, word int, lost uint64) {
	for ; lost != 0; lost &= lost - 1 {
		y := Literal(64*word + bits.TrailingZeros64(lost))
		if y == x.Not() {
			continue // x or not x
		}
		s.rows[x.Not()].remove(y)
		s.rows[y.Not()].remove(x)
		s.touch(y.Not())
	}
	s.touch(x.Not())
}

// touch looks again at the transitions that need a literal, of which less is known now.
func (s *striking) touch(l Literal) {
	for _, t := range s.users[l] {
		if !s.queued[t] {
			s.queue, s.queued[t] = append(s.queue, t), true
		}
	}
}

// A set of literals.
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

// contradicts reports whether it holds a literal and its opposite, which stand side by side.
func (s set) contradicts() bool {
	const even = 0x5555555555555555
	for _, w := range s {
		if w&(w>>1)&even != 0 {
			return true
		}
	}
	return false
}
