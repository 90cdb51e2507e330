package delta

// A partition has states 0, 1, ... in blocks that can only be split. Within a block, dirty states, which have to be examined again, come
// first (A. Valmari, P. Lehtinen 2008, Efficient minimization of DFAs with partial transition functions: the refinable partition).
type partition struct {
	elem  []uint32 // the states, block by block
	at    []uint32 // by state: its index in elem
	block []uint32 // by state

	start, end []uint32 // by block: its part of elem
	dirty      []uint32 // by block: the end of its dirty states
}

// newPartition returns one block of n dirty states.
func newPartition(n int) partition {
	p := partition{elem: make([]uint32, n), at: make([]uint32, n), block: make([]uint32, n)}
	for i := range p.elem {
		p.elem[i], p.at[i] = uint32(i), uint32(i)
	}
	p.start, p.end, p.dirty = []uint32{0}, []uint32{uint32(n)}, []uint32{uint32(n)}
	return p
}

// mark makes state s dirty, and reports whether it is the first dirty state of its block. A state that is alone in its block never becomes
// dirty, since it cannot be split.
func (p *partition) mark(s uint32) bool {
	b := p.block[s]
	i, j := p.at[s], p.dirty[b]
	if i < j || p.end[b]-p.start[b] == 1 {
		return false
	}
	t := p.elem[j]
	p.elem[i], p.elem[j] = t, s
	p.at[t], p.at[s] = i, j
	p.dirty[b]++
	return j == p.start[b]
}

// put makes elem[lo:hi] a block of its own, without dirty states, and returns its number.
func (p *partition) put(lo, hi uint32) uint32 {
	b := uint32(len(p.start))
	p.start, p.end, p.dirty = append(p.start, lo), append(p.end, hi), append(p.dirty, lo)
	for _, s := range p.elem[lo:hi] {
		p.block[s] = b
	}
	return b
}

// classes numbers the blocks in the order of their least states, and returns the class of each state and the least states.
func (p *partition) classes() (class, least []uint32) {
	const none = ^uint32(0)
	number := make([]uint32, len(p.start))
	for b := range number {
		number[b] = none
	}
	class = make([]uint32, len(p.block))
	for s, b := range p.block {
		if number[b] == none {
			number[b] = uint32(len(least))
			least = append(least, uint32(s))
		}
		class[s] = number[b]
	}
	return class, least
}

// quotient returns the system whose states are classes, with the arcs of the least state of each, sorted by label, then target, without
// duplicates.
func quotient(s *System, class, least []uint32) *System {
	q := &System{First: make([]uint32, 1, len(least)+1)}
	var keys []uint64
	for _, l := range least {
		keys = keys[:0]
		for a := s.First[l]; a < s.First[l+1]; a++ {
			keys = append(keys, key(s.Label[a], class[s.Target[a]]))
		}
		q.append(sorted(keys))
	}
	return q
}
