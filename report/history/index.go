package history

import (
	"encoding/binary"
	"iter"
	"slices"
)

// An index finds rows by a digest: a sorted list of numbers, each made of the first four bytes of a digest and its row. Other digests may
// begin alike, so callers compare what they find.
type index []uint64

func beginning(digest []byte) uint64 { return uint64(binary.BigEndian.Uint32(digest)) << 32 }

func (x *index) add(digest []byte, i int32) { *x = append(*x, beginning(digest)|uint64(uint32(i))) }

// of yields the rows of digests that begin like this one, in order.
func (x index) of(digest []byte) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		begin := beginning(digest)
		at, _ := slices.BinarySearch(x, begin)
		for ; at < len(x) && x[at]>>32 == begin>>32 && yield(int32(uint32(x[at]))); at++ {
		}
	}
}
