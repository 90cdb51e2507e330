package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// A sum is a sum of weighted tokens with a row in the tableau.
type sum struct {
	weights     []ctl.Weight
	least, most int  // bounds in any marking
	initial     int  // initial value
	trap        bool // its places, all of weight 1, are an initially marked trap: the sum is at least 1
}

// heavy bounds a weight, and the range of a sum.
const heavy = 1 << 20

func newSum(weights []ctl.Weight, marked []bool) (s sum, ok bool) {
	s.weights = weights
	for _, w := range weights {
		if w.By >= heavy || w.By <= -heavy {
			return s, false
		}
		s.least, s.most = s.least+min(w.By, 0), s.most+max(w.By, 0)
		if s.most-s.least >= heavy {
			return s, false
		}
		s.initial += w.By * tokens(marked[w.Place])
	}
	return s, true
}

// sum returns the index of a sum, and adds a variable for it if it is new. It returns -1 if numbers grow too large.
func (t *tableau) sum(weights []ctl.Weight) int {
	name := (&ctl.Sum{Weights: weights}).String()
	if k, found := t.named[name]; found {
		return k
	}
	s, ok := newSum(weights, t.marked)
	if !ok {
		return -1
	}
	r := t.total(weights)
	if r == nil {
		return -1
	}
	v := len(t.rows)
	t.lo, t.hi = append(t.lo, float64(s.least-s.initial)), append(t.hi, float64(s.most-s.initial))
	t.x, t.cost, t.suspected, t.scratch = append(t.x, 0), append(t.cost, 0), append(t.suspected, false), append(t.scratch, 0)
	t.rows, t.at = append(t.rows, r), append(t.at, nil)
	t.named[name] = len(t.sums)
	t.sums = append(t.sums, s)
	t.size += len(r.cols)
	for _, c := range r.cols {
		t.at[c] = append(t.at[c], int32(v))
	}
	t.value(v)
	return len(t.sums) - 1
}

// variable returns the variable of a sum.
func (t *tableau) variable(sum int) int { return len(t.marked) + len(t.list) + sum }

// total returns the row of a sum, or nil if numbers grow too large.
func (t *tableau) total(weights []ctl.Weight) *row {
	den := int64(1)
	for _, w := range weights {
		if r := t.rows[w.Place]; r != nil {
			if den *= r.den / gcd(r.den, den); den >= heavy {
				return nil
			}
		}
	}
	sum := &row{den: den}
	small := true
	for _, w := range weights {
		small = small && t.gather(sum, w, den)
	}
	slices.Sort(sum.cols)
	sum.cols = slices.Compact(sum.cols)
	kept := sum.cols[:0]
	for _, c := range sum.cols {
		if v := t.scratch[c]; v != 0 {
			kept, sum.vals = append(kept, c), append(sum.vals, v)
		}
		t.scratch[c] = 0
	}
	sum.cols = kept
	if !small || !sum.reduce() {
		return nil
	}
	return sum
}

// gather adds den times a weighted place to the scratch, and its columns to the row. It reports whether numbers stay small.
func (t *tableau) gather(sum *row, w ctl.Weight, den int64) bool {
	r := t.rows[w.Place]
	if r == nil {
		r = &row{den: 1, cols: []int32{int32(w.Place)}, vals: []int64{1}}
	}
	small := true
	for i, c := range r.cols {
		by := int64(w.By) * (den / r.den) // below 2^40
		if v := r.vals[i]; v >= heavy || v <= -heavy {
			small = false
			continue
		}
		sum.cols = append(sum.cols, c)
		t.scratch[c] += by * r.vals[i]
		small = small && t.scratch[c] < 1<<61 && t.scratch[c] > -1<<61
	}
	t.work += int64(len(r.cols))
	return small
}

// addTrap adds a sum for the places of a trap, of which one is always marked. It reports false if they are no initially marked trap.
func (t *tableau) addTrap(places []int) bool {
	weights := make([]ctl.Weight, len(places))
	for i, p := range places {
		weights[i] = ctl.Weight{Place: p, By: 1}
	}
	if !t.isMarkedTrap(weights) {
		return false
	}
	k := t.sum(weights)
	if k < 0 {
		return false
	}
	t.sums[k].trap = true
	v := t.variable(k)
	t.lo[v] = max(t.lo[v], float64(1-t.sums[k].initial))
	t.rest(v)
	return true
}
