package zone

import "slices"

// bounds are a set of values of clocks, all whole numbers from 1 on, as bounds on differences (D. Dill, 1989, Timing assumptions and verification of
// finite-state concurrent systems): x[i] - x[j] is at most at(i, j), and x[0] is always 0. They are kept as tight as they can be, which makes
// equal sets equal bounds. All bounds are whole numbers, so a set that has a solution has one in whole numbers.
type bounds struct {
	clocks int
	most   []int32 // by row and column, clocks+1 of each
}

// noClocks is the set for no clock.
func noClocks() bounds { return bounds{0, []int32{0}} }

func (b bounds) clone() bounds { return bounds{b.clocks, slices.Clone(b.most)} }

func (b bounds) at(i, j int) int32 { return b.most[i*(b.clocks+1)+j] }

// limit adds the bound that x[i] - x[j] is at most a number. Bounds have to be tightened after it.
func (b bounds) limit(i, j int, most int32) {
	at := &b.most[i*(b.clocks+1)+j]
	*at = min(*at, most)
}

// tighten makes all bounds as tight as they can be (R. Floyd, 1962, Algorithm 97: Shortest path), and reports whether the set has an element.
func (b bounds) tighten() bool {
	n := b.clocks + 1
	for k := range n {
		for i := range n {
			for j := range n {
				b.limit(i, j, b.at(i, k)+b.at(k, j))
			}
		}
	}
	for i := range n {
		if b.at(i, i) < 0 {
			return false
		}
	}
	return true
}

// later returns the values that are reached from those of the set as time passes and no clock comes to its end: all lower by the same number, and 1 at least.
func (b bounds) later() bounds {
	b = b.clone()
	for i := 1; i <= b.clocks; i++ {
		b.most[i] = -1
	}
	b.tighten()
	return b
}

// within reports whether a set of the same clocks includes all of this one.
func (b bounds) within(other bounds) bool {
	for i, most := range b.most {
		if most > other.most[i] {
			return false
		}
	}
	return true
}

// with returns the set for the clocks that are named by their numbers in b, each lower by a number; or 0 for a new one, with a value of its own.
func (b bounds) with(from []int, lower int32, value []int32) bounds {
	n := len(from) + 1
	next := bounds{len(from), make([]int32, n*n)}
	bound := func(i, j int) (sum int32) { // of each clock to 0 or from it, if both are not old
		old := func(k int) (clock int, less int32) {
			switch {
			case k == 0:
				return 0, 0
			case from[k-1] == 0:
				return 0, -value[k-1]
			}
			return from[k-1], lower
		}
		a, lessA := old(i)
		c, lessC := old(j)
		return b.at(a, c) - lessA + lessC
	}
	for i := range n {
		for j := range n {
			next.most[i*n+j] = bound(i, j)
		}
	}
	return next
}
