package dd_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/dd"
)

var ctx = context.Background()

// table is a Boolean function of three variables, a bit for each of its eight tuples.
type table uint8

func (t table) has(tuple int) bool { return t>>tuple&1 != 0 }

func tuple(i int) []int { return []int{i & 1, i >> 1 & 1, i >> 2 & 1} }

// functions are all 256 functions of three variables as diagrams.
func functions(t *testing.T, f *dd.Forest) []dd.Node {
	var all []dd.Node
	for i := range 256 {
		n := dd.Empty
		for k := range 8 {
			if table(i).has(k) {
				n = must(t)(f.Union(ctx, n, must(t)(f.Tuple(tuple(k)))))
			}
		}
		all = append(all, n)
	}
	return all
}

func must(t *testing.T) func(n dd.Node, err error) dd.Node {
	return func(n dd.Node, err error) dd.Node {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// TestTruthTables: every operation on all functions of three variables is what their tables say, and
// equal functions are one node.
func TestTruthTables(t *testing.T) {
	f := dd.New([]int{2, 2, 2}, dd.Limits{})
	all := functions(t, f)
	for i, a := range all {
		for k, b := range all {
			for _, law := range []struct {
				name string
				have dd.Node
				want int
			}{
				{"union", must(t)(f.Union(ctx, a, b)), i | k},
				{"intersection", must(t)(f.Intersect(ctx, a, b)), i & k},
				{"difference", must(t)(f.Minus(ctx, a, b)), i &^ k},
			} {
				if law.have != all[law.want] {
					t.Fatalf("%s of %08b and %08b is not %08b", law.name, i, k, law.want)
				}
			}
		}
	}
}

// TestUnaryTables: counting, picking, selecting, support and sums of weights.
func TestUnaryTables(t *testing.T) {
	f := dd.New([]int{2, 2, 2}, dd.Limits{})
	all := functions(t, f)
	for i, a := range all {
		want := table(i)
		var members []int
		for k := range 8 {
			if want.has(k) {
				members = append(members, k)
			}
		}
		if n := f.Count(a); n.Cmp(big.NewInt(int64(len(members)))) != 0 {
			t.Fatalf("%08b has %v tuples", i, n)
		}
		if len(members) > 0 && !slices.Equal(f.First(a), tuple(members[0])) {
			t.Fatalf("the first tuple of %08b is %v", i, f.First(a))
		}
		support := must2(t)(f.Support(ctx, a))
		for level := 1; level <= 3; level++ {
			for value := range 2 {
				keep := []bool{value == 0, value == 1}
				part := 0
				for _, k := range members {
					if tuple(k)[level-1] == value {
						part |= 1 << k
					}
				}
				if must(t)(f.Select(ctx, a, level, keep)) != all[part] || support[level][value] != (part != 0) {
					t.Fatalf("%08b with variable %d at %d is not %08b", i, level, value, part)
				}
			}
		}
		for most := -4; most <= 4; most++ {
			weights, part := [][]int{nil, {0, 1}, {2, -1}, {0, -3}}, 0
			for _, k := range members {
				sum := 0
				for level, value := range tuple(k) {
					sum += weights[level+1][value]
				}
				if sum <= most {
					part |= 1 << k
				}
			}
			if must(t)(f.AtMost(ctx, a, weights, most)) != all[part] {
				t.Fatalf("%08b with sums of at most %d is not %08b", i, most, part)
			}
		}
	}
}

func TestEmptyAndUnit(t *testing.T) {
	f := dd.New(nil, dd.Limits{})
	if n, err := f.Tuple(nil); n != dd.Unit || err != nil || f.Count(dd.Unit).Int64() != 1 || f.Count(dd.Empty).Sign() != 0 {
		t.Error("no variables: there is the empty tuple, and nothing else")
	}
}

func must2(t *testing.T) func(values [][]bool, err error) [][]bool {
	return func(values [][]bool, err error) [][]bool {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
}
