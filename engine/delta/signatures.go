package delta

import "slices"

// key returns a label and a state, block or class in one number, ordered by label first.
func key(label, to uint32) uint64 { return uint64(label)<<32 | uint64(to) }

// sorted sorts keys in place and removes duplicates.
func sorted(keys []uint64) []uint64 {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// A signatures has the different signatures of the states of one block, and the signature of each state.
type signatures struct {
	keys  []uint64 // the signatures, concatenated
	ends  []uint32 // by signature: its end in keys
	hash  []uint64 // by signature
	count []uint32 // by signature: how many states have it
	table []uint32 // open addressing: number of a signature plus 1; 0: none
	mask  uint64
	of    []uint32 // by state, if it has one
	read  int      // keys that the latest union read
}

// reset removes all signatures and allocates a table for n.
func (g *signatures) reset(n int) {
	g.keys, g.ends, g.hash, g.count = g.keys[:0], g.ends[:0], g.hash[:0], g.count[:0]
	g.allocate(n)
}

// allocate allocates an empty table for n signatures.
func (g *signatures) allocate(n int) {
	size := 4
	for size < 2*n {
		size *= 2
	}
	g.table = slices.Grow(g.table[:0], size)[:size]
	clear(g.table)
	g.mask = uint64(size - 1)
}

// grow doubles the table.
func (g *signatures) grow() {
	g.allocate(len(g.table))
	for i, h := range g.hash {
		at := h & g.mask
		for g.table[at] != 0 {
			at = (at + 1) & g.mask
		}
		g.table[at] = uint32(i) + 1
	}
}

func (g *signatures) begin(i uint32) uint32 {
	if i == 0 {
		return 0
	}
	return g.ends[i-1]
}

// get returns signature i.
func (g *signatures) get(i uint32) []uint64 { return g.keys[g.begin(i):g.ends[i]] }

// add makes a signature of the keys appended since the last one and returns its number. Equal signatures have the same number.
func (g *signatures) add() uint32 {
	n := uint32(len(g.ends))
	if 2*len(g.ends) >= len(g.table) {
		g.grow()
	}
	from := g.begin(n)
	sig := sorted(g.keys[from:])
	h := mix(sig)
	at := h & g.mask
	for ; g.table[at] != 0; at = (at + 1) & g.mask {
		if i := g.table[at] - 1; g.hash[i] == h && slices.Equal(g.get(i), sig) {
			g.keys = g.keys[:from]
			return i
		}
	}
	g.table[at] = n + 1
	g.keys = g.keys[:int(from)+len(sig)]
	g.ends, g.hash, g.count = append(g.ends, uint32(len(g.keys))), append(g.hash, h), append(g.count, 0)
	return n
}

// union is like add, with the keys of other signatures. Usually one of these has all keys already.
func (g *signatures) union(others []uint32) uint32 {
	slices.Sort(others)
	others = slices.Compact(others)
	from := g.begin(uint32(len(g.ends)))
	g.read = len(g.keys) - int(from)
	if len(others) == 1 && subset(g.keys[from:], g.get(others[0])) {
		g.keys = g.keys[:from]
		return others[0]
	}
	for _, i := range others {
		g.keys = append(g.keys, g.get(i)...)
	}
	g.read = len(g.keys) - int(from)
	return g.add()
}

// subset reports whether each of keys is in the sorted list.
func subset(keys, list []uint64) bool {
	for _, k := range keys {
		if _, ok := slices.BinarySearch(list, k); !ok {
			return false
		}
	}
	return true
}

// mix returns a hash of numbers (the finalizer is that of MurmurHash3, A. Appleby 2011).
func mix[N uint32 | uint64](list []N) uint64 {
	h := uint64(len(list))
	for _, n := range list {
		h = scramble(h ^ uint64(n))
	}
	return h
}

func scramble(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
