package structure

import "math"

// A tableau is a linear programme over the state equation. Its variables are the changes of the places' tokens since the initial marking, the
// number of times each effect happens, and sums of the former. Some of them are basic: each has a row that expresses it by the others. The
// others are at one of their bounds.
//
// It decides whether all variables can be within their bounds, by the dual simplex method (C. Lemke, 1954, The dual method of solving the
// linear programming problem). It starts from the initial marking, where nothing has fired, and goes as little away from it as it can. Bounds
// come and go and the rows stay, as in B. Dutertre, L. de Moura (2006, A fast linear-arithmetic solver for DPLL(T), section 3). Rows are
// exact, in integers. Values and costs are floating-point numbers that only choose what to do next.
type tableau struct {
	*effects
	lo, hi, x []float64 // by variable
	cost      []float64 // reduced costs, by variable that is not basic
	rows      []*row    // by variable; nil where it is not basic
	at        [][]int32 // by variable that is not basic, the rows it may be in, with repetitions
	sums      []sum
	named     map[string]int // indexes of sums, by String
	spoilt    bool           // numbers grew too large
	suspects  []int32        // basic variables that may be outside their bounds
	suspected []bool
	trail     []bounds
	size      int   // entries of rows
	work      int64 // entries looked at
	pivots    int
	enough    func() bool // whether the work is used up or cancelled
	scratch   []int64
}

// A row says that den times a basic variable is the sum of vals times the variables cols, which ascend.
type row struct {
	den  int64
	cols []int32
	vals []int64
}

// bounds are earlier bounds of a variable.
type bounds struct {
	variable int32
	lo, hi   float64
}

// largest bounds the absolute value of a coefficient, so that the sum of two products fits into an int64.
const largest = 1 << 31

func newTableau(e *effects) *tableau {
	places, all := len(e.marked), len(e.marked)+len(e.list)
	t := &tableau{effects: e, lo: make([]float64, all), hi: make([]float64, all), x: make([]float64, all), cost: make([]float64, all),
		rows: make([]*row, all), at: make([][]int32, all), suspected: make([]bool, all), scratch: make([]int64, all), named: map[string]int{}}
	for p, marked := range e.marked {
		t.lo[p] = -float64(tokens(marked))
		t.hi[p] = t.lo[p] + 1
		t.rows[p] = &row{den: 1}
	}
	for i := range e.list {
		v := places + i
		t.hi[v] = math.Inf(1)
		t.cost[v] = float64(len(e.list[i].from)+len(e.list[i].to)) + spread(i)
		t.happen(v, e.list[i].from, -1)
		t.happen(v, e.list[i].to, 1)
	}
	return t
}

// happen adds an effect's variable to the rows of places that the effect changes.
func (t *tableau) happen(v int, places []int, by int64) {
	for _, p := range places {
		r := t.rows[p]
		r.cols, r.vals = append(r.cols, int32(v)), append(r.vals, by)
		t.at[v] = append(t.at[v], int32(p))
	}
	t.size += len(places)
}

// spread returns a number below 1 that differs between variables, so that costs are seldom equal.
func spread(i int) float64 {
	const golden = 0.6180339887498949
	_, part := math.Modf(float64(i+1) * golden)
	return part
}

// mark returns a point to which undo can return.
func (t *tableau) mark() int { return len(t.trail) }

// undo restores the bounds as they were at mark.
func (t *tableau) undo(mark int) {
	for len(t.trail) > mark {
		b := t.trail[len(t.trail)-1]
		t.trail = t.trail[:len(t.trail)-1]
		t.lo[b.variable], t.hi[b.variable] = b.lo, b.hi
		t.rest(int(b.variable))
	}
}

// bound narrows the bounds of a variable.
func (t *tableau) bound(v int, lo, hi float64) {
	t.trail = append(t.trail, bounds{int32(v), t.lo[v], t.hi[v]})
	t.lo[v], t.hi[v] = max(lo, t.lo[v]), min(hi, t.hi[v])
	t.rest(v)
}

// rest moves a variable that is not basic to its cheaper bound, after its bounds have changed. It marks a basic one as suspect.
func (t *tableau) rest(v int) {
	if t.rows[v] != nil {
		t.suspect(v)
		return
	}
	at := t.lo[v]
	if t.cost[v] < 0 && !math.IsInf(t.hi[v], 1) {
		at = t.hi[v]
	}
	if at != t.x[v] {
		t.x[v] = at
		for _, i := range t.at[v] {
			t.value(int(i))
		}
	}
}

func (t *tableau) suspect(v int) {
	if !t.suspected[v] {
		t.suspected[v] = true
		t.suspects = append(t.suspects, int32(v))
	}
}

// value computes the value of a variable, if it is basic.
func (t *tableau) value(v int) {
	r := t.rows[v]
	if r == nil {
		return
	}
	sum := 0.0
	for i, c := range r.cols {
		sum += float64(r.vals[i]) * t.x[c]
	}
	t.x[v] = sum / float64(r.den)
	t.work += int64(len(r.cols))
	t.suspect(v)
}

const tolerance = 1e-7

// outside returns the basic variable outside its bounds with the shortest row, or -1, and whether its value is too small. Short rows make
// others grow the least.
func (t *tableau) outside() (best int, small bool) {
	best = -1
	kept := t.suspects[:0]
	for _, v := range t.suspects {
		r, under := t.rows[v], t.lo[v]-t.x[v]
		if r == nil || max(under, t.x[v]-t.hi[v]) <= tolerance {
			t.suspected[v] = false
			continue
		}
		kept = append(kept, v)
		if best < 0 || len(r.cols) < len(t.rows[best].cols) || len(r.cols) == len(t.rows[best].cols) && int(v) < best {
			best, small = int(v), under > 0
		}
	}
	t.suspects = kept
	t.work += int64(len(kept))
	return best, small
}

// An outcome is a result of solve.
type outcome uint8

const (
	possible   outcome = iota // all variables are within their bounds
	impossible                // a certificate says that they cannot be
	given                     // given up: numbers or work grew too large, or cancelled
)

// solve looks for values within the bounds, until the work is used up. It returns a certificate with impossible.
func (t *tableau) solve() (outcome, *certificate) {
	for {
		b, small := t.outside()
		if b < 0 {
			return possible, nil
		}
		e := t.entering(b, small)
		if e < 0 {
			return impossible, t.certificate(b, small)
		}
		if t.enough() {
			return given, nil
		}
		if t.pivots++; !t.pivot(b, e, small) {
			t.spoilt = true
			return given, nil
		}
	}
}

// entering returns the variable to become basic instead of b, or -1. It chooses, of those that can bring b towards its bounds, one with the
// least ratio of cost to coefficient.
func (t *tableau) entering(b int, small bool) int {
	best, ratio, size := -1, math.Inf(1), int64(0)
	r := t.rows[b]
	for i, c := range r.cols {
		if up := (r.vals[i] > 0) == small; up && t.x[c] >= t.hi[c] || !up && t.x[c] <= t.lo[c] {
			continue
		}
		abs := max(r.vals[i], -r.vals[i])
		if q := math.Abs(t.cost[c]) / float64(abs); q < ratio || q == ratio && abs > size {
			best, ratio, size = int(c), q, abs
		}
	}
	t.work += int64(len(r.cols))
	return best
}
