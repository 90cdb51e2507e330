package dd

import (
	"context"
	"fmt"

	"github.com/redlinehq/redline/engine/halt"
)

// A Node is a set of tuples of the variables from its level downwards: an index into the forest's store. Nodes of one forest are equal if
// and only if their sets are.
//
// The diagrams are quasi-reduced: a child stands one level below its parent, unless it is Empty.
type Node uint32

const (
	Empty Node = 0 // no tuple, at any level
	Unit  Node = 1 // the tuple of no variables, at level 0
	whole Node = 2 // as a constraint: every tuple, at any level
)

// Limits bound a forest. Zero means no limit.
type Limits struct {
	Bytes int64 // memory of nodes, their index, and caches
	Work  int64 // children visited by all operations together: a clock that is the same on every machine
}

// A LimitError reports that a forest exceeded a limit.
type LimitError struct {
	Limit int64
	Work  bool // the limit is on work; otherwise on bytes
}

func (e *LimitError) Error() string {
	if e.Work {
		return fmt.Sprintf("more than %d steps on decision diagrams", e.Limit)
	}
	return fmt.Sprintf("decision diagrams of more than %d bytes", e.Limit)
}

// A Forest holds diagrams over the variables of levels 1 (at the bottom) to Levels. It must not be used concurrently. Its results depend
// only on the order of calls.
type Forest struct {
	Relations
	sizes  []int      // by level, the number of values of its variable; level 0 has none
	pages  [][]uint32 // of each node, its level, then a child for each value; see pages.go
	stored int64      // bytes of pages
	nodes  int
	index  []Node // open addressing by content
	limits Limits

	most int // pages

	cache     []cached
	forgotten int                // results replaced since the cache last grew
	systems   map[uint64]*System // by hash, the last
	numbers   op                 // of systems
	ctx       context.Context    // of the call under way
	work      int                // children made since the last check
	stack     []Node             // children of the nodes being made
	Stats     Stats
}

// Stats counts the work of a forest.
type Stats struct {
	Peak       int    // nodes made; none is freed
	Lookups    uint64 // in the cache
	Hits       uint64
	firings    uint64 // of relations at their top
	Iterations int    // of greatest fixpoints
	work       int64  // children visited, up to the last check of the limits
}

// New returns an empty forest. sizes[i] is the number of values of the variable of level i+1, from 1 to 65,536.
func New(sizes []int, limits Limits) *Forest {
	for _, size := range sizes {
		if size < 1 || size > 1<<16 {
			panic(fmt.Sprintf("dd: a variable of %d values", size))
		}
	}
	f := &Forest{sizes: append([]int{0}, sizes...), limits: limits, most: maxPages}
	f.systems = map[uint64]*System{}
	f.pages = [][]uint32{{0, 0, 0}} // Empty, Unit and whole have no children
	f.index = make([]Node, 1<<12)
	f.cache = make([]cached, 1<<14)
	return f
}

// Levels returns the number of variables.
func (f *Forest) Levels() int { return len(f.sizes) - 1 }

// Size returns the number of values of a level's variable.
func (f *Forest) Size(level int) int { return f.sizes[level] }

// Child returns the child of a node for a value of its variable.
func (f *Forest) Child(n Node, value int) Node {
	if n <= whole { // of Empty, Empty; of whole, whole
		return n
	}
	return Node(f.pages[n>>pageBits][int(n&pageMask)+1+value])
}

// Bytes returns the memory that the forest takes.
func (f *Forest) Bytes() int64 {
	return f.stored + int64(len(f.index))*4 + int64(len(f.cache))*int64(cachedSize) + f.known
}

// node returns the node of a level with these children. It copies the slice.
func (f *Forest) node(level int, children []Node) Node {
	h := uint64(level)
	some := Empty
	for _, c := range children {
		some |= c
		h = blend(h, uint64(c))
	}
	if some == Empty {
		return Empty
	}
	mask := uint64(len(f.index) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		n := f.index[i]
		if n == Empty {
			return f.keep(i, h, level, children)
		}
		if f.is(n, level, children) {
			return n
		}
	}
}

func (f *Forest) is(n Node, level int, children []Node) bool {
	at := f.pages[n>>pageBits][n&pageMask:]
	if at[0] != uint32(level) {
		return false
	}
	for i, c := range children {
		if at[1+i] != uint32(c) {
			return false
		}
	}
	return true
}

// keep stores a new node with a hash in a free slot of the index. It checks the limits first.
func (f *Forest) keep(at, hash uint64, level int, children []Node) Node {
	if f.crowded() {
		f.grow()
		at = free(f.index, hash)
	}
	page := f.page(1 + len(children))
	n := Node((len(f.pages)-1)<<pageBits | len(*page))
	*page = append(*page, uint32(level))
	for _, c := range children {
		*page = append(*page, uint32(c))
	}
	f.index[at] = n
	f.nodes++
	f.Stats.Peak = f.nodes
	return n
}

// free returns a free slot of an index for a hash.
func free(index []Node, hash uint64) uint64 {
	mask := uint64(len(index) - 1)
	i := hash & mask
	for index[i] != Empty {
		i = (i + 1) & mask
	}
	return i
}

// remaining returns how many more bytes the forest may take.
func (f *Forest) remaining() int64 {
	if f.limits.Bytes == 0 {
		return 1 << 62
	}
	return f.limits.Bytes - f.Bytes()
}

// exceeded returns the error for exceeding the memory limit, or 32-bit node numbers.
func (f *Forest) exceeded() error {
	if f.limits.Bytes == 0 {
		return &LimitError{Limit: 4 * int64(f.most) << pageBits}
	}
	return &LimitError{Limit: f.limits.Bytes}
}

// demand ends the computation if there is no room for so many bytes.
func (f *Forest) demand(bytes int64) {
	if f.remaining() < bytes {
		halt.End(f.exceeded())
	}
}

// crowded reports whether the index should grow: it is half full, or nearly full if there is no room for one twice as large beside it.
func (f *Forest) crowded() bool {
	return 2*f.nodes >= len(f.index) && (f.remaining() >= 8*int64(len(f.index)) || 8*f.nodes >= 7*len(f.index))
}

// grow doubles the index. If a limit ends it, the old index remains.
func (f *Forest) grow() {
	f.demand(8 * int64(len(f.index)))
	index := make([]Node, 2*len(f.index))
	f.each(func(n Node, level int, children []uint32) {
		h := uint64(level)
		for _, c := range children {
			h = blend(h, uint64(c))
		}
		index[free(index, h)] = n
		f.labour(1 + len(children))
	})
	f.index = index
}

// blend mixes a number into a hash: the multiplication carries bits upwards, the shift downwards.
func blend(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// check ends the computation if a limit is exceeded or the context has ended.
func (f *Forest) check() {
	if f.remaining() < 0 {
		halt.End(f.exceeded())
	}
	if f.limits.Work > 0 && f.Stats.work > f.limits.Work {
		halt.End(&LimitError{Limit: f.limits.Work, Work: true})
	}
	if f.ctx.Err() != nil {
		halt.End(context.Cause(f.ctx))
	}
}

// SetWorkLimit sets the limit of work anew, that done so far included. Zero means no limit.
func (f *Forest) SetWorkLimit(work int64) { f.limits.Work = work }

// Worked returns the work done so far, in the unit of Limits.Work.
func (f *Forest) Worked() int64 { return f.Stats.work + int64(f.work) }

// labour counts visited children, and checks the limits now and then.
func (f *Forest) labour(children int) {
	if f.work += children; f.work > 1<<16 {
		f.Stats.work += int64(f.work)
		f.work = 0
		f.check()
	}
}

// run runs a computation of a set under guard.
func (f *Forest) run(ctx context.Context, compute func() Node) (n Node, err error) {
	if err = f.guard(ctx, func() { n = compute() }); err != nil {
		return Empty, err
	}
	return n, nil
}

// guard runs a computation and returns as an error the panic that ends it. The forest stays usable.
func (f *Forest) guard(ctx context.Context, compute func()) (err error) {
	base := len(f.stack)
	defer func() { f.ctx, f.stack = nil, f.stack[:base] }()
	defer halt.Caught(&err)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.ctx = ctx
	compute()
	return nil
}

// freely runs a computation that neither a context nor a limit may end.
func (f *Forest) freely(compute func()) {
	limits := f.limits
	defer func() { f.limits = limits }()
	f.limits = Limits{}
	if err := f.guard(context.Background(), compute); err != nil {
		panic(err) // made by the forest itself
	}
}

// take returns a buffer for the children of a node, all Empty. give releases it.
func (f *Forest) take(level int) []Node {
	size := f.sizes[level]
	f.labour(1 + size)
	top := len(f.stack)
	for range size {
		f.stack = append(f.stack, Empty)
	}
	return f.stack[top : top+size : top+size]
}

// give makes a node of the children taken last, and releases their buffer.
func (f *Forest) give(level int, children []Node) Node {
	n := f.node(level, children)
	f.stack = f.stack[:len(f.stack)-len(children)]
	return n
}
