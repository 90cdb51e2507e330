package structure

import "slices"

// pivot makes e basic instead of b, and moves b to the bound it violates. It reports false if numbers grow too large or the work is used up;
// the tableau is then useless.
func (t *tableau) pivot(b, e int, small bool) bool {
	turned := t.rows[b].turn(b, e)
	t.price(b, e)
	t.x[b] = t.hi[b]
	if small {
		t.x[b] = t.lo[b]
	}
	t.size -= len(t.rows[b].cols)
	t.rows[b] = nil
	users := t.at[e]
	t.at[e] = nil
	for _, i := range users {
		if t.enough() || !t.substitute(int(i), e, turned) {
			return false
		}
	}
	t.rows[e] = turned
	t.size += len(turned.cols)
	for _, c := range turned.cols {
		t.at[c] = append(t.at[c], int32(e))
	}
	t.value(e)
	return true
}

// turn returns the row of b solved for e.
func (r *row) turn(b, e int) *row {
	at, _ := slices.BinarySearch(r.cols, int32(e))
	sign := int64(1)
	if r.vals[at] < 0 {
		sign = -1
	}
	turned := &row{den: sign * r.vals[at]}
	for i, c := range r.cols {
		if i != at {
			turned.cols, turned.vals = append(turned.cols, c), append(turned.vals, -sign*r.vals[i])
		}
	}
	where, _ := slices.BinarySearch(turned.cols, int32(b))
	turned.cols = slices.Insert(turned.cols, where, int32(b))
	turned.vals = slices.Insert(turned.vals, where, sign*r.den)
	return turned
}

// price updates the costs for e becoming basic instead of b.
func (t *tableau) price(b, e int) {
	r := t.rows[b]
	at, _ := slices.BinarySearch(r.cols, int32(e))
	each := t.cost[e] / float64(r.vals[at])
	for i, c := range r.cols {
		t.cost[c] -= each * float64(r.vals[i])
	}
	t.cost[e], t.cost[b] = 0, each*float64(r.den)
}

// substitute replaces e in the row of i by the row of e. It reports false if numbers grow too large.
func (t *tableau) substitute(i, e int, of *row) bool {
	r := t.rows[i]
	if r == nil {
		return true
	}
	at, found := slices.BinarySearch(r.cols, int32(e))
	if !found {
		return true
	}
	times := r.vals[at]
	common := gcd(times, of.den)
	sum := t.add(i, r, e, of.den/common, of, times/common)
	t.work += int64(len(sum.cols))
	t.size += len(sum.cols) - len(r.cols)
	t.rows[i] = sum
	if !sum.reduce() {
		return false
	}
	t.value(i)
	return true
}

// add returns a times r, without its entry of e, plus b times of, as the row of variable i. It registers the row with its new columns.
func (t *tableau) add(i int, r *row, e int, a int64, of *row, b int64) *row {
	sum := &row{den: r.den * a, cols: make([]int32, 0, len(r.cols)+len(of.cols)), vals: make([]int64, 0, len(r.cols)+len(of.cols))}
	put := func(c int32, v int64) {
		if v != 0 {
			sum.cols, sum.vals = append(sum.cols, c), append(sum.vals, v)
		}
	}
	k := 0
	for j, c := range r.cols {
		for ; k < len(of.cols) && of.cols[k] < c; k++ {
			put(of.cols[k], b*of.vals[k])
			t.at[of.cols[k]] = append(t.at[of.cols[k]], int32(i))
		}
		switch {
		case k < len(of.cols) && of.cols[k] == c:
			put(c, a*r.vals[j]+b*of.vals[k])
			k++
		case c != int32(e):
			put(c, a*r.vals[j])
		}
	}
	for ; k < len(of.cols); k++ {
		put(of.cols[k], b*of.vals[k])
		t.at[of.cols[k]] = append(t.at[of.cols[k]], int32(i))
	}
	return sum
}

// reduce divides a row by the common divisor of its numbers, and reports whether they are then small.
func (r *row) reduce() bool {
	common, most := r.den, r.den
	for _, v := range r.vals {
		if common > 1 {
			common = gcd(v, common)
		}
		most = max(most, v, -v)
	}
	if common > 1 {
		r.den /= common
		for i := range r.vals {
			r.vals[i] /= common
		}
	}
	return most/common < largest
}

// gcd returns the greatest common divisor of a number and a positive one.
func gcd(a, b int64) int64 {
	if a < 0 {
		a = -a
	}
	for a != 0 {
		a, b = b%a, a
	}
	return b
}
