package structure

import (
	"math/big"

	"github.com/redlinehq/redline/engine/ctl"
)

// A certificate is a weighting of places and sums that shows why no reachable marking meets some premises (J. Farkas, 1902, Theorie der
// einfachen Ungleichungen). It amounts to one weight for each place. No effect raises the total, so it stays at most its initial value; but
// the premises require a larger one.
type certificate struct {
	places []ctl.Weight
	sums   []share
}

// A share is the weight of a sum in a certificate.
type share struct {
	sum int
	by  int64
}

// premises are conditions on a marking.
type premises struct {
	literals []literal
	limits   []limit
	sums     []sum // of limits and certificates, by index
}

// A literal says that a place is marked, or that it is not.
type literal struct {
	place  int
	marked bool
}

// A limit says that a sum is within bounds.
type limit struct{ sum, least, most int }

// certificate returns the proof, read off the row of variable b, that b cannot be within its bounds. The row, times 1 or -1, is a sum of all
// variables that is always 0, yet above 0 where all variables are within their bounds.
func (t *tableau) certificate(b int, small bool) *certificate {
	c, sign := &certificate{}, int64(1)
	if !small {
		sign = -1
	}
	r := t.rows[b]
	t.weigh(c, b, sign*r.den)
	for i, v := range r.cols {
		t.weigh(c, int(v), -sign*r.vals[i])
	}
	return c
}

// weigh adds the weight of a variable. Counts of effects need no weight: theirs follow from those of places.
func (t *tableau) weigh(c *certificate, v int, by int64) {
	switch first := t.variable(0); {
	case v < len(t.marked):
		c.places = append(c.places, ctl.Weight{Place: v, By: int(by)})
	case v >= first:
		c.sums = append(c.sums, share{v - first, by})
	}
}

// proves reports whether the certificate shows that no reachable marking meets the premises. It uses no tableau, and exact numbers of any
// size.
func (c *certificate) proves(e *effects, given premises) bool {
	weights := c.together(given.sums)
	return e.neverRaise(weights) && c.floor(given).Cmp(initially(weights, e.marked)) > 0
}

// together returns the weight of each place, including its weight through sums.
func (c *certificate) together(sums []sum) map[int]*big.Int {
	all := map[int]*big.Int{}
	add := func(p int, by *big.Int) {
		if all[p] == nil {
			all[p] = new(big.Int)
		}
		all[p].Add(all[p], by)
	}
	for _, w := range c.places {
		add(w.Place, big.NewInt(int64(w.By)))
	}
	for _, s := range c.sums {
		for _, w := range sums[s.sum].weights {
			add(w.Place, product(s.by, w.By))
		}
	}
	return all
}

func product(a int64, b int) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(int64(b))) }

// neverRaise reports whether no effect raises the total.
func (e *effects) neverRaise(weights map[int]*big.Int) bool {
	seen := map[int32]bool{}
	for p := range weights {
		for _, i := range e.at[p] {
			if !seen[i] && e.raise(int(i), weights) > 0 {
				return false
			}
			seen[i] = true
		}
	}
	return true
}

// raise returns the sign of what an effect adds to the total.
func (e *effects) raise(i int, weights map[int]*big.Int) int {
	sum := new(big.Int)
	for _, p := range e.list[i].to {
		if w := weights[p]; w != nil {
			sum.Add(sum, w)
		}
	}
	for _, p := range e.list[i].from {
		if w := weights[p]; w != nil {
			sum.Sub(sum, w)
		}
	}
	return sum.Sign()
}

func initially(weights map[int]*big.Int, marked []bool) *big.Int {
	sum := new(big.Int)
	for p, w := range weights {
		if marked[p] {
			sum.Add(sum, w)
		}
	}
	return sum
}

// floor returns a lower bound of the total in markings that meet the premises.
func (c *certificate) floor(given premises) *big.Int {
	fixed := map[int]bool{}
	for _, l := range given.literals {
		fixed[l.place] = l.marked
	}
	sum := new(big.Int)
	for _, w := range c.places {
		marked, known := fixed[w.Place]
		if known && marked || !known && w.By < 0 {
			sum.Add(sum, big.NewInt(int64(w.By)))
		}
	}
	for _, s := range c.sums {
		least, most := given.bounds(s.sum)
		if s.by < 0 {
			least = most
		}
		sum.Add(sum, product(s.by, least))
	}
	return sum
}

// bounds returns the least and the most that a sum can be in a marking that meets the premises.
func (g premises) bounds(k int) (least, most int) {
	s := &g.sums[k]
	for _, w := range s.weights {
		least, most = least+min(w.By, 0), most+max(w.By, 0)
	}
	if s.trap {
		least = max(least, 1)
	}
	for _, l := range g.limits {
		if l.sum == k {
			least, most = max(least, l.least), min(most, l.most)
		}
	}
	return least, most
}
