package dd

import (
	"context"
	"errors"
	"testing"
)

// TestSystemsAreShared: the same relations make the same system, so that asking again and again takes neither memory nor numbers.
func TestSystemsAreShared(t *testing.T) {
	f := New([]int{2, 2}, Limits{})
	r := f.Chain([]Local{{1, []Pair{{0, 1}}}})
	s := f.Chain([]Local{{2, []Pair{{0, 1}}}})
	both := f.System([]Relation{r, s})
	if again := f.System([]Relation{r, s}); again != both || f.System([]Relation{r}) == both {
		t.Error("systems are the same if and only if their relations are")
	}
}

// TestOpsAreDistinct: no operation of a system has the number of another's, or of one without a system.
func TestOpsAreDistinct(t *testing.T) {
	f := New([]int{2, 2, 2}, Limits{})
	seen := map[op]bool{opUnion: true, opIntersect: true, opMinus: true, opProduct: true}
	for level := 1; level <= 3; level++ {
		s := f.System([]Relation{f.Chain([]Local{{level, []Pair{{0, 1}}}})})
		for _, o := range []op{opSaturate, opFire, opImage} {
			if seen[s.number+o] {
				t.Errorf("operation %d of system %d has a number that is taken", o, s.number)
			}
			seen[s.number+o] = true
		}
	}
}

// TestCacheGrows: few nodes may have many results; a cache that forgets most of them grows.
func TestCacheGrows(t *testing.T) {
	f := New([]int{2}, Limits{})
	before := len(f.cache)
	for i := range uint32(8 * before) {
		f.remember(opUnion, i, i, i, Empty)
	}
	if len(f.cache) < 2*before {
		t.Errorf("%d results are kept of %d, in %d nodes", len(f.cache), 8*before, f.nodes)
	}
	f = New([]int{2}, Limits{Bytes: f.Bytes()})
	for i := range uint32(1 << 22) {
		f.remember(opUnion, i, i, i, Empty)
	}
	if f.Bytes() > f.limits.Bytes {
		t.Errorf("%d bytes, over the limit of %d", f.Bytes(), f.limits.Bytes)
	}
}

// TestWork: a node of many values counts as many steps, so that one who cancels doesn't wait for 16,384 of them.
func TestWork(t *testing.T) {
	const size = 60_000
	f := New([]int{size}, Limits{})
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	steps := 0
	_, err := f.run(ctx, func() Node {
		cancel(cause)
		for ; steps < 1000; steps++ {
			f.give(1, f.take(1))
		}
		return Empty
	})
	if !errors.Is(err, cause) || steps > 10 {
		t.Errorf("%d nodes of %d values were made after the end: %v", steps, size, err)
	}
	if len(f.stack) != 0 {
		t.Errorf("%d children are left on the stack", len(f.stack))
	}
}

// TestStoreIsBounded: nodes are told apart by 32 bits; a store that would be longer is past a limit.
func TestStoreIsBounded(t *testing.T) {
	f := New([]int{2}, Limits{})
	f.most = 1
	_, err := f.run(t.Context(), func() Node {
		for range 1 << 20 {
			f.node(1, []Node{Unit, Node(f.nodes)})
		}
		return Empty
	})
	var limit *LimitError
	if !errors.As(err, &limit) || len(f.pages) > 1 {
		t.Errorf("%d pages are stored: %v", len(f.pages), err)
	}
}

func TestNewRefusesSizes(t *testing.T) {
	for _, size := range []int{0, -1, 1<<16 + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a variable of %d values is no panic", size)
				}
			}()
			New([]int{2, size}, Limits{})
		}()
	}
}

// TestManyLevels: recursion is as deep as there are levels.
func TestManyLevels(t *testing.T) {
	const levels = 10_000
	sizes := make([]int, levels)
	for i := range sizes {
		sizes[i] = 2
	}
	f := New(sizes, Limits{})
	var all []Relation
	for i := range levels {
		all = append(all, f.Chain([]Local{{i + 1, []Pair{{0, 1}, {1, 0}}}}))
	}
	s := f.System(all)
	zero, err := f.Tuple(make([]int, levels))
	if err != nil {
		t.Fatal(err)
	}
	reach, err := f.Reach(t.Context(), s, zero)
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Count(reach); n.BitLen() != levels+1 {
		t.Errorf("2^%d tuples", n.BitLen()-1)
	}
	if some, err := f.Minus(t.Context(), reach, zero); err != nil || f.First(some)[0] != 1 {
		t.Error("the first of all but one is wrong", err)
	}
	if m, err := f.Image(t.Context(), s, reach, reach); err != nil || m != reach {
		t.Error("the image of all is not all", err)
	}
}

// TestWideVariable: a variable may have as many values as 16 bits tell apart.
func TestWideVariable(t *testing.T) {
	const size = 1 << 16
	f := New([]int{size, 2}, Limits{})
	var pairs []Pair
	for v := range size - 1 {
		pairs = append(pairs, Pair{uint16(v), uint16(v + 1)})
	}
	s := f.System([]Relation{f.Chain([]Local{{1, pairs}}), f.Chain([]Local{{1, []Pair{{size - 1, 0}}}, {2, []Pair{{0, 1}}}})})
	zero, err := f.Tuple([]int{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	reach, err := f.Reach(t.Context(), s, zero)
	if err != nil || f.Count(reach).Int64() != 2*size {
		t.Errorf("%v tuples, %v", f.Count(reach), err)
	}
	if last, err := f.Tuple([]int{size - 1, 1}); err != nil || f.First(last)[0] != size-1 {
		t.Error("the last value is not found", err)
	}
}

// TestFullForest: one that is full stays full, however often it is asked for more, and what is in it stays right.
func TestFullForest(t *testing.T) {
	f := New([]int{256, 256, 256}, Limits{Bytes: 1 << 21})
	first, err := f.Tuple([]int{0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i := range 1 << 16 {
		if _, err := f.Tuple([]int{i & 255, i >> 8, 1}); err != nil {
			failed++
		}
	}
	if again, err := f.Tuple([]int{0, 0, 0}); failed == 0 || err != nil || again != first || f.nodes > len(f.index)/2 {
		t.Errorf("%d nodes in an index of %d, %d failures, %v", f.nodes, len(f.index), failed, err)
	}
}

// TestManyPages: nodes are found again wherever they are stored, and however often the index has grown.
func TestManyPages(t *testing.T) {
	const tuples = 1 << 12
	f := New([]int{64, 64, 256}, Limits{})
	var all []Node
	for range 2 {
		for i := range tuples {
			n, err := f.Tuple([]int{i & 63, i >> 6, i * 7 & 255})
			if err != nil {
				t.Fatal(err)
			}
			if len(all) < tuples {
				all = append(all, n)
			} else if all[i] != n {
				t.Fatalf("tuple %d is %d, and was %d", i, n, all[i])
			}
		}
	}
	if len(f.pages) < 3 || len(f.index) <= 1<<12 {
		t.Fatalf("%d pages, an index of %d: too few to tell", len(f.pages), len(f.index))
	}
}
