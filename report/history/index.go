package history

import (
	"encoding/binary"
	"iter"
	"slices"
)

// An index finds rows by a digest: its first four bytes and the row are a number each, and these are sorted. Other digests may begin alike,
// so what is found is to be compared.
type index []uint64

func beginning(digest []byte) uint64 { return uint64(binary.BigEndian.Uint32(digest)) << 32 }

func (x *index) add(digest []byte, i int32) { *x = append(*x, beginning(digest)|uint64(uint32(i))) }

// of are the rows of digests that begin like this one, the first row first.
func (x index) of(digest []byte) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		begin := beginning(digest)
		at, _ := slices.BinarySearch(x, begin)
		for ; at < len(x) && x[at]>>32 == begin>>32 && yield(int32(uint32(x[at]))); at++ {
		}
	}
}
