package space

import (
	"math/bits"
	"slices"
)

// An index finds the number of a marking. It is a hash table with open addressing and linear probing (D. Knuth, 1973, The Art of Computer
// Programming 3, 6.4, algorithm L), at most three quarters full. A slot is 0 if empty. Otherwise its low bits hold a state's number plus one,
// and its other bits a piece of the hash, so that few markings are compared in vain. With 1<<b slots, numbers need b bits.
type index struct {
	slots []uint32
	bits  uint
	marks *rows[uint64]
}

const smallest = 4 // bits

func newIndex(marks *rows[uint64], b *budget) (index, error) {
	x := index{bits: smallest, marks: marks}
	if err := b.Claim(4 << x.bits); err != nil {
		return x, err
	}
	x.slots = make([]uint32, 1<<x.bits)
	return x, nil
}

// find returns the state whose marking has these words, or -1 and the empty slot where it belongs.
func (x *index) find(words []uint64, hash uint64) (state int, slot uint64) {
	number := uint32(1)<<x.bits - 1
	tag := uint32(hash) << x.bits
	for i := hash >> (64 - x.bits); ; i = (i + 1) & uint64(len(x.slots)-1) {
		v := x.slots[i]
		if v == 0 {
			return -1, i
		}
		if v&^number == tag && slices.Equal(x.marks.At(int(v&number-1)), words) {
			return int(v&number - 1), i
		}
	}
}

// put makes slot, which find returned for this hash, refer to state.
func (x *index) put(state int, hash, slot uint64) {
	x.slots[slot] = uint32(hash)<<x.bits | uint32(state+1)
}

// full reports whether the table must grow before it takes one more of n states.
func (x *index) full(n int) bool { return 4*(n+1) > 3*len(x.slots) }

// grow doubles the table. Both tables count against the budget until the old one is dropped. Its error is a *LimitError.
func (x *index) grow(b *budget) error {
	old := int64(4) << x.bits
	if err := b.Claim(2 * old); err != nil {
		return err
	}
	x.bits++
	x.slots = make([]uint32, 1<<x.bits)
	for s := range x.marks.len {
		h := Hash(x.marks.At(s))
		i := h >> (64 - x.bits)
		for x.slots[i] != 0 {
			i = (i + 1) & uint64(len(x.slots)-1)
		}
		x.put(s, h, i)
	}
	b.Release(old)
	return nil
}

// Hash returns a hash of words. It folds in each word by the halves of a 128-bit product (Wang Yi, 2019, wyhash).
func Hash(words []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		hi, lo := bits.Mul64(h^w, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	return h
}
