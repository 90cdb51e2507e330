package dd

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/big"
	mathbits "math/bits"
	"slices"
)

// Cardinality returns the number of tuples of a set. Cost: as Occurrences of the identity.
func (f *Forest) Cardinality(ctx context.Context, a Node) (*big.Int, error) {
	return f.Occurrences(ctx, []Relation{Identity}, a)
}

// Occurrences returns of how many tuples of a set each relation leads somewhere, added up. No relation may lead from a tuple to several, nor in
// two ways. Cost: one addition of numbers as long as the result may be for each arc of the diagram and each set of relations that some tuple above it
// leaves open; memory for the numbers of two levels at a time.
func (f *Forest) Occurrences(ctx context.Context, of []Relation, a Node) (n *big.Int, err error) {
	err = f.guard(ctx, func() { n = f.count(of, a) })
	return n, err
}

func (f *Forest) count(of []Relation, a Node) *big.Int {
	if a == Empty {
		return new(big.Int)
	}
	all := bundles{f: f, known: map[string]int{}}
	defer func() { f.known -= all.bytes }()
	layers := layered(f.Level(a), ask(all.bundle(of), a), func(q query, do func(query)) {
		all.each(q, func(c query) {
			all.took(8)
			do(c)
		})
	})
	below := tally{map[query]int{}, nil, 1}
	for i, q := range layers[0] {
		below.places[q] = i
		below.sums = append(below.sums, all.list[q.bundle()].always)
	}
	bits := 1 + mathbits.Len(uint(len(of)))
	for level := 1; level < len(layers); level++ {
		bits += mathbits.Len(uint(f.sizes[level]))
		below = f.tally(&all, layers[level], below, bits/64+1)
	}
	return number(below.sums)
}

// A bundle is relations, each as often as it is listed.
type bundle struct {
	at     map[int][]Relation // by the level of their top
	lowest int                // of these levels; 0 if the identity is there
	always uint64             // how often the identity is there
	rest   map[[2]int]int     // by level and value, the bundle of what those with their top there require below, if there is any
}

// bundles are those of one question. Equal ones are one.
type bundles struct {
	f     *Forest
	list  []bundle
	known map[string]int
	bytes int64 // approximate, counted by the forest
}

// bundle returns the number of a bundle.
func (b *bundles) bundle(of []Relation) int {
	of = slices.Sorted(slices.Values(of))
	var key []byte
	for _, r := range of {
		key = binary.NativeEndian.AppendUint32(key, uint32(r))
	}
	if i, ok := b.known[string(key)]; ok {
		return i
	}
	one := bundle{at: map[int][]Relation{}, lowest: len(b.f.sizes), rest: map[[2]int]int{}}
	for _, r := range of {
		switch r {
		case Nothing:
			continue
		case Identity:
			one.always, one.lowest = one.always+1, 0
			continue
		}
		level := b.f.list[r].level
		one.at[level], one.lowest = append(one.at[level], r), min(one.lowest, level)
	}
	b.known[string(key)] = len(b.list)
	b.list = append(b.list, one)
	b.took(3*entry + 16*int64(len(of)))
	return len(b.list) - 1
}

// took counts memory until the question is answered.
func (b *bundles) took(bytes int64) { b.bytes, b.f.known = b.bytes+bytes, b.f.known+bytes }

// below returns the bundle of what the relations of bundle i with their top at a level require below one value, or false if there are none.
func (b *bundles) below(i, level, value int) (int, bool) {
	if len(b.list[i].at[level]) == 0 {
		return 0, false
	}
	if rest, ok := b.list[i].rest[[2]int{level, value}]; ok {
		return rest, rest >= 0
	}
	var below []Relation
	for _, r := range b.list[i].at[level] {
		node := &b.f.list[r]
		b.f.labour(len(node.pairs))
		for k, p := range node.pairs {
			if int(p.From) == value {
				below = append(below, node.below(k))
			}
		}
	}
	rest := -1
	if len(below) > 0 {
		rest = b.bundle(below)
	}
	b.list[i].rest[[2]int{level, value}] = rest
	return rest, rest >= 0
}

// A query is a node and, in the upper half, the bundle whose relations are asked about it: those with their top at the node's level or below.
type query uint64

func ask(bundle int, n Node) query { return query(bundle)<<32 | query(n) }

func (q query) bundle() int { return int(q >> 32) }

func (q query) node() Node { return Node(uint32(q)) }

// each calls do with what a node and its bundle are the sum of.
func (b *bundles) each(q query, do func(query)) {
	n, level := q.node(), b.f.Level(q.node())
	for v := range b.f.sizes[level] {
		b.f.labour(1)
		c := b.f.Child(n, v)
		if c == Empty {
			continue
		}
		if b.list[q.bundle()].lowest < level {
			do(ask(q.bundle(), c))
		}
		if rest, ok := b.below(q.bundle(), level, v); ok {
			do(ask(rest, c))
		}
	}
}

// A tally has a number of so many words for each node of one level and its bundle.
type tally struct {
	places map[query]int
	sums   []uint64
	words  int
}

func (t *tally) of(q query) []uint64 { return t.sums[t.places[q]*t.words:][:t.words] }

// tally adds up the numbers of what each is the sum of.
func (f *Forest) tally(all *bundles, layer []query, below tally, words int) tally {
	size := int64(len(layer)) * (entry + 8*int64(words))
	f.demand(size)
	f.known += size
	defer func() { f.known -= size }()
	t := tally{make(map[query]int, len(layer)), make([]uint64, len(layer)*words), words}
	for i, q := range layer {
		t.places[q] = i
		sum := t.of(q)
		all.each(q, func(c query) {
			f.labour(words)
			add(sum, below.of(c))
		})
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

// layered returns by level what one thing of the top level and those below it consist of.
func layered[T cmp.Ordered](level int, top T, each func(T, func(T))) [][]T {
	layers := make([][]T, level+1)
	layers[level] = []T{top}
	for ; level > 0; level-- {
		for _, x := range layers[level] {
			each(x, func(y T) { layers[level-1] = append(layers[level-1], y) })
		}
		slices.Sort(layers[level-1])
		layers[level-1] = slices.Compact(layers[level-1])
	}
	return layers
}

// below returns the nodes of a diagram by level, without Unit.
func (f *Forest) below(a Node) [][]Node {
	layers := layered(f.Level(a), a, func(n Node, do func(Node)) {
		for v := range f.sizes[f.Level(n)] {
			if f.labour(1); f.Child(n, v) != Empty {
				do(f.Child(n, v))
			}
		}
	})
	layers[0] = nil
	return layers
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
