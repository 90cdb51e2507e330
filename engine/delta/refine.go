package delta

import "slices"

// A refiner splits blocks of states by their signatures until all states of a block have the same. The signature of a state has its pairs
// of label and target block. Only states with an arc into a new block are examined again, and the largest part of a split block keeps its
// number. So each arc is visited O(log n) times, and each visit costs as much as its state has arcs (J. Jacobs, T. Wißmann 2023, Fast
// coalgebraic bisimilarity minimization).
//
// Branching bisimilarity with explicit divergence uses the signatures of S. Blom, S. Orzan (2005, Distributed branching bisimulation
// reduction of state spaces): silent steps within the block are free, and the signature includes what can be done after them; endless
// silence within the block is part of it.
type refiner struct {
	partition
	*stepBudget
	sys    *System
	before *System // arcs backwards; Label is unused

	// of branching bisimilarity; else nil
	endless []bool     // by state: it has a silent self-loop, which sys leaves out
	stable  [][]uint64 // by block: the signature of its clean states
	quiet   *System    // silent arcs backwards
	due     heap
	free    []uint32 // signatures reached by silent steps
	most    int      // capacity for keys in sigs, and
	kept    int      // in stable since the last claim

	sigs        signatures
	queue, next []uint32 // blocks with dirty states
	moved       []uint32
	place       []uint32 // by signature: the position of its next state
}

// endlessly represents endless silence in a signature.
const endlessly = uint64(Silent)<<32 | uint64(^uint32(0))

// refine partitions s by strong bisimilarity or, if endless is not nil, by branching bisimilarity with explicit divergence. In the second
// case each silent arc must lead to a state with a lower number, and come before the other arcs of its state.
func refine(m *stepBudget, s *System, endless []bool) (*partition, error) {
	n := s.Len()
	if err := m.claim(44*n + 4*len(s.Label)); err != nil {
		return nil, err
	}
	r := &refiner{partition: newPartition(n), stepBudget: m, sys: s, endless: endless, queue: []uint32{0}}
	r.before = backwards(s, func(uint32) bool { return true })
	r.sigs.of = make([]uint32, n)
	if endless != nil {
		r.quiet = backwards(s, func(l uint32) bool { return l == Silent })
		r.stable = [][]uint64{nil}
	}
	for len(r.queue) > 0 {
		for _, b := range r.queue {
			if err := r.split(b); err != nil {
				return nil, err
			}
		}
		r.queue, r.next = r.next, r.queue[:0]
	}
	return &r.partition, nil
}

// backwards returns a system whose targets are the sources of the kept arcs into each state.
func backwards(s *System, keep func(label uint32) bool) *System {
	b := &System{First: make([]uint32, s.Len()+2)}
	for a, t := range s.Target {
		if keep(s.Label[a]) {
			b.First[t+2]++
		}
	}
	for i := 2; i < len(b.First); i++ {
		b.First[i] += b.First[i-1]
	}
	b.Target = make([]uint32, b.First[len(b.First)-1])
	for from := range s.Len() {
		for a := s.First[from]; a < s.First[from+1]; a++ {
			if t := s.Target[a]; keep(s.Label[a]) {
				b.Target[b.First[t+1]] = uint32(from)
				b.First[t+1]++
			}
		}
	}
	b.First = b.First[:s.Len()+1]
	return b
}

// split divides block b by the signatures of its states.
func (r *refiner) split(b uint32) error {
	size := r.end[b] - r.start[b]
	r.sigs.reset(int(r.dirty[b]-r.start[b]) + 1)
	clean := r.dirty[b] < r.end[b]
	if err := r.sign(b, clean); err != nil {
		return err
	}
	if err := r.claim(8 * r.kept); err != nil {
		return err
	}
	r.kept = 0
	if clean {
		r.sigs.count[0] += r.end[b] - r.dirty[b]
	}
	if r.sigs.count[0] == size {
		r.dirty[b] = r.start[b]
		r.settle(b, 0)
		return nil
	}
	r.arrange(b, clean)
	r.divide(b, clean)
	r.spread()
	return nil
}

// sign computes the signature of every dirty state of b. Number 0 is the signature of the clean ones, if there are any.
func (r *refiner) sign(b uint32, clean bool) error {
	if r.endless != nil {
		return r.signQuietly(b, clean)
	}
	if clean {
		r.own(r.elem[r.dirty[b]])
	}
	states := r.elem[r.start[b]:r.dirty[b]]
	for _, s := range states {
		i := r.own(s)
		r.sigs.of[s] = i
		r.sigs.count[i]++
	}
	return r.tick(1 + len(states))
}

func (r *refiner) own(s uint32) uint32 {
	for a := r.sys.First[s]; a < r.sys.First[s+1]; a++ {
		r.sigs.keys = append(r.sigs.keys, key(r.sys.Label[a], r.block[r.sys.Target[a]]))
	}
	return r.sigs.add()
}

// signQuietly is sign with free silent steps. It goes from the lowest state upwards, so that a state comes after those it reaches silently.
// A changed signature makes the states dirty that reach its state silently.
func (r *refiner) signQuietly(b uint32, clean bool) error {
	if clean {
		r.sigs.keys = append(r.sigs.keys, r.stable[b]...)
		r.sigs.add()
	}
	r.due = append(r.due[:0], r.elem[r.start[b]:r.dirty[b]]...)
	slices.Sort(r.due) // which is a heap
	for len(r.due) > 0 {
		s := r.due.pop()
		i := r.after(s)
		r.sigs.of[s] = i
		r.sigs.count[i]++
		if !clean || i > 0 {
			r.wake(b, s)
		}
		if err := r.spent(); err != nil {
			return err
		}
	}
	return nil
}

// wake makes the states of b dirty that have a silent arc to s.
func (r *refiner) wake(b, s uint32) {
	for _, u := range r.quiet.Target[r.quiet.First[s]:r.quiet.First[s+1]] {
		if r.block[u] == b && r.at[u] >= r.dirty[b] {
			r.mark(u)
			r.due.push(u)
		}
	}
}

// spent counts the work and the memory for the latest signature.
func (r *refiner) spent() error {
	if keys := cap(r.sigs.keys); keys > r.most {
		if err := r.claim(16 * (keys - r.most)); err != nil { // the old array is still in use
			return err
		}
		r.most = keys
	}
	return r.tick(1 + r.sigs.read)
}

// after returns the signature of s, with what can be done after free silent steps.
func (r *refiner) after(s uint32) uint32 {
	b := r.block[s]
	r.free = r.free[:0]
	if r.endless[s] {
		r.sigs.keys = append(r.sigs.keys, endlessly)
	}
	for a := r.sys.First[s]; a < r.sys.First[s+1]; a++ {
		l, t := r.sys.Label[a], r.sys.Target[a]
		switch {
		case l != Silent || r.block[t] != b:
			r.sigs.keys = append(r.sigs.keys, key(l, r.block[t]))
		case r.at[t] < r.dirty[b]:
			r.free = append(r.free, r.sigs.of[t])
		default:
			r.free = append(r.free, 0) // the signature of the clean states
		}
	}
	return r.sigs.union(r.free)
}

// arrange orders the dirty states of b by signature. Those with the signature of the clean states come last, next to these.
func (r *refiner) arrange(b uint32, clean bool) {
	r.moved = append(r.moved[:0], r.elem[r.start[b]:r.dirty[b]]...)
	r.place = slices.Grow(r.place[:0], len(r.sigs.count))[:len(r.sigs.count)]
	lo := r.start[b]
	for j := range r.place {
		i := r.turn(j, clean)
		r.place[i] = lo
		lo += r.sigs.count[i]
	}
	for _, s := range r.moved {
		i := r.sigs.of[s]
		r.elem[r.place[i]], r.at[s] = s, r.place[i]
		r.place[i]++
	}
}

// turn returns the signature whose states are j-th in their block.
func (r *refiner) turn(j int, clean bool) uint32 {
	if clean {
		j = (j + 1) % len(r.sigs.count)
	}
	return uint32(j)
}

// divide makes blocks of the parts of b. The largest keeps its number. The states of the others are left in moved.
func (r *refiner) divide(b uint32, clean bool) {
	large := uint32(0)
	for i, n := range r.sigs.count {
		if n > r.sigs.count[large] {
			large = uint32(i)
		}
	}
	r.moved = r.moved[:0]
	lo := r.start[b]
	for j := range r.sigs.count {
		i := r.turn(j, clean)
		hi := lo + r.sigs.count[i]
		if i == large {
			r.start[b], r.end[b], r.dirty[b] = lo, hi, lo
			r.settle(b, i)
		} else {
			r.settle(r.put(lo, hi), i)
			r.moved = append(r.moved, r.elem[lo:hi]...)
		}
		lo = hi
	}
}

// settle records the signature of a block whose states are all clean.
func (r *refiner) settle(b, sig uint32) {
	if r.endless == nil {
		return
	}
	if int(b) == len(r.stable) {
		r.stable = append(r.stable, nil)
	}
	was := cap(r.stable[b])
	r.stable[b] = append(r.stable[b][:0], r.sigs.get(sig)...)
	r.kept += cap(r.stable[b]) - was
}

// spread makes the states dirty that lead to moved states. With free silent steps the moved states become dirty too, since their steps
// within the block may now leave it.
func (r *refiner) spread() {
	for _, s := range r.moved {
		for _, u := range r.before.Target[r.before.First[s]:r.before.First[s+1]] {
			r.touch(u)
		}
		if a := r.sys.First[s]; r.endless != nil && a < r.sys.First[s+1] && r.sys.Label[a] == Silent {
			r.touch(s)
		}
	}
}

func (r *refiner) touch(s uint32) {
	if r.mark(s) {
		r.next = append(r.next, r.block[s])
	}
}
