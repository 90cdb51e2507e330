package dd

import "github.com/redlinehq/redline/engine/halt"

// Nodes are stored in pages, so that growing copies nothing. A node's number consists of its page and its offset there.
const (
	pageBits = 18
	pageSize = 1 << pageBits // numbers of 32 bits; more than any node needs
	pageMask = pageSize - 1
	maxPages = 1<<(32-pageBits) - 1
)

// Level returns the level of a node; 0 for Empty and Unit.
func (f *Forest) Level(n Node) int { return int(f.pages[n>>pageBits][n&pageMask]) }

// page returns the last page, with space for so many more numbers. The first page starts small and grows.
func (f *Forest) page(more int) *[]uint32 {
	last := &f.pages[len(f.pages)-1]
	size := len(*last) + more
	switch {
	case size <= cap(*last):
		return last
	case size <= pageSize:
		longer := min(pageSize, max(2*cap(*last), size, 1<<10))
		f.demand(4 * int64(longer))
		f.stored += 4 * int64(longer-cap(*last))
		*last = append(make([]uint32, 0, longer), *last...)
		return last
	case len(f.pages) >= f.most:
		halt.End(f.exceeded())
	}
	f.demand(4 * pageSize)
	f.stored += 4 * pageSize
	f.pages = append(f.pages, make([]uint32, 0, pageSize))
	return &f.pages[len(f.pages)-1]
}

// each calls visit with all nodes in the order in which they were made.
func (f *Forest) each(visit func(n Node, level int, children []uint32)) {
	first := 3
	for i, page := range f.pages {
		for at := first; at < len(page); {
			level := int(page[at])
			end := at + 1 + f.sizes[level]
			visit(Node(i<<pageBits|at), level, page[at+1:end])
			at = end
		}
		first = 0
	}
}
