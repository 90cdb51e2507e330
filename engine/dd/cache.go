package dd

import "unsafe"

// An op is the cache key of an operation. Operations that depend on a system of relations add its number.
type op uint32

const (
	opUnion op = iota + 1
	opIntersect
	opMinus
	opSaturate
	opFire
	opImage
	opProduct
	opCount = 8
)

// cached is a result. The cache is direct-mapped: a new result replaces the one in its slot.
type cached struct {
	op      op
	a, b, c uint32
	result  Node
}

const cachedSize = unsafe.Sizeof(cached{})

// maxCache limits the number of cached results: 40 MiB. Four times as many gain nothing that could be measured, neither in the sale to 1000 purchasers
// nor in the families and comparisons of the benchmarks.
const maxCache = 1 << 21

func place(cache []cached, o op, a, b, c uint32) *cached {
	h := blend(blend(uint64(o)<<32|uint64(c), uint64(a)), uint64(b))
	return &cache[h&uint64(len(cache)-1)]
}

func (f *Forest) find(o op, a, b, c uint32) (Node, bool) {
	f.Stats.Lookups++
	at := place(f.cache, o, a, b, c)
	if at.op == o && at.a == a && at.b == b && at.c == c {
		f.Stats.Hits++
		return at.result, true
	}
	return Empty, false
}

func (f *Forest) remember(o op, a, b, c uint32, result Node) Node {
	at := place(f.cache, o, a, b, c)
	if at.op != 0 {
		if f.forgotten++; f.forgotten > 2*len(f.cache) {
			f.forgotten = 0
			f.enlarge()
			at = place(f.cache, o, a, b, c)
		}
	}
	*at = cached{o, a, b, c, result}
	return result
}

// enlarge doubles the cache, up to a limit. It is due when many results were replaced: few nodes may have many results.
func (f *Forest) enlarge() {
	if len(f.cache) >= maxCache || f.remaining() < 2*int64(len(f.cache))*int64(cachedSize) {
		return
	}
	cache := make([]cached, 2*len(f.cache))
	for _, e := range f.cache {
		if f.labour(1); e.op != 0 {
			*place(cache, e.op, e.a, e.b, e.c) = e
		}
	}
	f.cache = cache
}
