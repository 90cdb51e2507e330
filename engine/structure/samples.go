package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// samples are some reachable markings from a deterministic walk. They prove nothing, but a formula that differs between them need not be
// tried.
type samples struct {
	places []bits // samples in which the place is marked
	dead   bits   // samples that are dead ends
	count  int
}

// bits is a set of samples.
type bits [words]uint64

const (
	words    = 8
	maxSteps = 4000
	maxLooks = 3_000_000 // at places, to find fireable transitions
	every    = 8         // steps between samples
)

func (b *bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) and(o bits) bits { return b.each(o, func(x, y uint64) uint64 { return x & y }) }
func (b bits) or(o bits) bits  { return b.each(o, func(x, y uint64) uint64 { return x | y }) }
func (b bits) empty() bool     { return b == bits{} }

func (b bits) each(o bits, op func(x, y uint64) uint64) (r bits) {
	for i := range b {
		r[i] = op(b[i], o[i])
	}
	return r
}

// A walker fires pseudo-random transitions, the same ones every time.
type walker struct {
	net    *petri.Net
	marked []bool
	random uint64
	looks  int
}

// sample returns markings of a walk. The walk starts again after a dead end or contact.
func sample(n *petri.Net) *samples {
	s := &samples{places: make([]bits, len(n.Places))}
	w := &walker{net: n, marked: make([]bool, len(n.Places)), random: 1}
	w.start()
	for step := 0; step < maxSteps && w.looks < maxLooks && s.count < 64*words; step++ {
		t := w.choose()
		if t < 0 || step%every == 0 || step < every {
			s.add(w, t < 0)
		}
		if t < 0 || !w.fire(t) {
			w.start()
		}
	}
	return s
}

func (s *samples) add(w *walker, dead bool) {
	for p, marked := range w.marked {
		if marked {
			s.places[p].set(s.count)
		}
	}
	if dead {
		s.dead.set(s.count)
	}
	s.count++
}

func (w *walker) start() {
	clear(w.marked)
	for _, p := range w.net.Initial {
		w.marked[p] = true
	}
}

// choose returns a transition that can fire, or -1.
func (w *walker) choose() int {
	all := len(w.net.Transitions)
	if all == 0 {
		return -1
	}
	w.random = w.random*6364136223846793005 + 1442695040888963407 // D. Knuth, The Art of Computer Programming, 3.3.4, MMIX
	for first, i := int((w.random>>33)%uint64(all)), 0; i < all; i++ {
		t := (first + i) % all
		if of := &w.net.Transitions[t]; w.all(of.In) && w.all(of.Read) && (!of.Moving || len(w.moved(of)) > 0) {
			return t
		}
	}
	return -1
}

func (w *walker) all(places []int) bool {
	for _, p := range places {
		if w.looks++; !w.marked[p] {
			return false
		}
	}
	return true
}

// moved returns the moves that apply: the first of those that start at the same place, unless it is a stay.
func (w *walker) moved(of *petri.Transition) (list []petri.Move) {
	for _, v := range of.Moves {
		w.looks++
		if (len(list) == 0 || list[len(list)-1].From != v.From) && w.marked[v.From] && w.all(v.If) {
			list = append(list, v)
		}
	}
	return slices.DeleteFunc(list, petri.Move.Stays)
}

// fire fires a transition. It reports false if a place would hold two tokens; the marking is then useless.
func (w *walker) fire(t int) bool {
	of := &w.net.Transitions[t]
	from, to := slices.Clone(of.In), slices.Clone(of.Out)
	for _, v := range w.moved(of) {
		from, to = append(from, v.From), append(to, v.To)
	}
	for _, p := range from {
		w.marked[p] = false
	}
	for _, p := range to {
		if w.marked[p] {
			return false
		}
		w.marked[p] = true
	}
	for _, p := range of.Marks {
		w.marked[p] = true
	}
	return true
}

// A shown holds the samples in which a formula is known to hold, and those in which it is known not to.
type shown struct{ yes, no bits }

func (a shown) not() shown        { return shown{a.no, a.yes} }
func (a shown) and(b shown) shown { return shown{a.yes.and(b.yes), a.no.or(b.no)} }
func (a shown) or(b shown) shown  { return a.not().and(b.not()).not() }
func (a shown) iff(b shown) shown { return a.and(b).or(a.not().and(b.not())) }

// known returns a set of samples and its complement.
func (s *samples) known(yes bits) shown {
	no := bits{}
	for i := range s.count {
		no.set(i)
	}
	return shown{yes, no.each(yes, func(x, y uint64) uint64 { return x &^ y })}
}

// place returns the samples in which a place is marked, and the others.
func (s *samples) place(p int) shown { return s.known(s.places[p]) }

// sum returns the samples in which a sum is at most its bound, and the others.
func (s *samples) sum(of *ctl.Sum) shown {
	yes := bits{}
	for i := range s.count {
		if of.Holds(func(p int) bool { return s.places[p][i/64]>>(i%64)&1 == 1 }) {
			yes.set(i)
		}
	}
	return s.known(yes)
}

// ends returns the samples that are dead ends, and the others.
func (s *samples) ends() shown { return s.known(s.dead) }
