package dd

import (
	"context"
	"math/big"
	mathbits "math/bits"
	"slices"
)

// Cardinality returns the number of tuples of a set. Cost: one addition of numbers as long as the result may be for each arc of the
// diagram; memory for the numbers of two levels at a time.
func (f *Forest) Cardinality(ctx context.Context, a Node) (n *big.Int, err error) {
	err = f.guard(ctx, func() { n = f.count(a) })
	return n, err
}

func (f *Forest) count(a Node) *big.Int {
	if a <= whole {
		return big.NewInt(int64(a & 1)) // Unit is one tuple
	}
	layers := f.below(a)
	below := tally{places: map[Node]int{Unit: 0}, sums: []uint64{1}, words: 1}
	bits := 1
	for level := 1; level < len(layers); level++ {
		bits += mathbits.Len(uint(f.sizes[level]))
		below = f.tally(layers[level], below, bits/64+1)
	}
	return number(below.sums)
}

// A tally has a number of so many words for each node of one level.
type tally struct {
	places map[Node]int
	sums   []uint64
	words  int
}

func (t *tally) of(n Node) []uint64 { return t.sums[t.places[n]*t.words:][:t.words] }

// tally adds up the numbers of each node's children.
func (f *Forest) tally(nodes []Node, below tally, words int) tally {
	size := int64(len(nodes)) * (entry + 8*int64(words))
	f.demand(size)
	f.known += size
	defer func() { f.known -= size }()
	t := tally{make(map[Node]int, len(nodes)), make([]uint64, len(nodes)*words), words}
	for i, n := range nodes {
		t.places[n] = i
		sum := t.of(n)
		for v := range f.sizes[f.Level(n)] {
			if f.labour(words); f.Child(n, v) != Empty {
				add(sum, below.of(f.Child(n, v)))
			}
		}
	}
	return t
}

// add adds a number with at most as many words.
func add(sum, more []uint64) {
	carry := uint64(0)
	for i := range sum {
		x := uint64(0)
		if i < len(more) {
			x = more[i]
		}
		sum[i], carry = mathbits.Add64(sum[i], x, carry)
	}
}

// number converts words, lowest first, to a number.
func number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(words[i]))
	}
	return n
}

// below returns the nodes of a diagram by level.
func (f *Forest) below(a Node) [][]Node {
	if a <= whole {
		return nil
	}
	layers := make([][]Node, f.Level(a)+1)
	layers[f.Level(a)] = []Node{a}
	for level := f.Level(a); level > 1; level-- {
		layers[level-1] = f.children(layers[level])
	}
	return layers
}

// children returns the distinct children of nodes of one level, in order.
func (f *Forest) children(nodes []Node) (list []Node) {
	for _, n := range nodes {
		for v := range f.sizes[f.Level(n)] {
			if f.labour(1); f.Child(n, v) != Empty {
				list = append(list, f.Child(n, v))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Nodes returns the number of nodes in the diagram of a set.
func (f *Forest) Nodes(ctx context.Context, a Node) (count int, err error) {
	err = f.guard(ctx, func() {
		for _, layer := range f.below(a) {
			count += len(layer)
		}
	})
	return count, err
}

// Support returns, by level and value, whether some tuple of a set has the value there.
func (f *Forest) Support(ctx context.Context, a Node) (values [][]bool, err error) {
	values = make([][]bool, len(f.sizes))
	for l, size := range f.sizes {
		values[l] = make([]bool, size)
	}
	err = f.guard(ctx, func() {
		for level, layer := range f.below(a) {
			for _, n := range layer {
				for v := range values[level] {
					values[level][v] = values[level][v] || f.Child(n, v) != Empty
				}
			}
		}
	})
	return values, err
}
