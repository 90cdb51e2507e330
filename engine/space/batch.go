package space

// A batch is the next few states to expand, which a crew expands together. What it adds to the
// graph is what expanding them one after the other would add, in four phases:
//
//	fire    by part:  fire and hash; the graph is only read
//	merge   by shard: find the markings in the index, or enter the first of equal ones
//	number  by part:  number those, counted on from the earlier parts
//	link    by part:  write the arcs
//
// Parts are runs of states, so that the order of parts, and of arcs in each, is the one in which
// states are numbered. Shards are ranges of hashes, thus of the index's slots, so that equal
// markings meet in one shard and no two goroutines enter them.
//
// A part stops early before a state that it cannot expand, because there is a contact, no room or no
// time. The batch then ends there, and that state is expanded alone, which finds the
// same and tells.
type batch struct {
	g      *Graph
	crew   *crew
	room   int // in arcs
	stride int // room of a part
	parts  []part
	used   []part     // those up to the first that stopped
	marks  []uint64   // by arc, the marking it leads to
	hashes []uint64   // by arc, that marking's hash; of a new state first its slot, then its number
	to     []uint32   // by arc, the next of its chain; then its target: a state, or fresh and the first arc to it
	late   [][]uint32 // by shard, arcs that found no place among the slots of their shard
}

// A part of a batch: some states, and the arcs that leave them, numbered from base on.
type part struct {
	from, to   int      // its states
	base, arcs int      // its first arc; how many
	ends       []uint32 // by state expanded, the number of arcs up to its last
	fireable   []uint64 // a bit set over transitions, empty between states
	chains     []chain  // by shard
	state, arc int      // in the graph, its first new state and its first arc
}

// A chain is the arcs of one part and shard, ascending.
type chain struct {
	first, last uint32
	len         int
	fresh       int // how many lead to a new state, and are the first to do so
}

// fresh marks an arc's target as the number of another arc; it is above every state.
const fresh = 1 << 31

// partsPerJob is more than one, since some parts take longer.
const partsPerJob = 4

// batchBytes is the memory that a batch takes for an arc when markings have this many words.
func batchBytes(words int) int64 { return int64(8*words + 8 + 4 + 4) }

func newBatch(g *Graph, c *crew, room int) *batch {
	b := &batch{g: g, crew: c, room: room, parts: make([]part, partsPerJob*c.jobs), late: make([][]uint32, c.jobs)}
	b.marks, b.hashes, b.to = make([]uint64, room*g.firer.words), make([]uint64, room), make([]uint32, room)
	for i := range b.parts {
		p := &b.parts[i]
		p.ends = make([]uint32, 0, room/len(b.parts))
		p.fireable = make([]uint64, (len(g.net.Transitions)+63)/64)
	}
	return b
}

// plan shares out states from s on, as many as there are and as fit if they have as many arcs as
// those just before, and returns how many.
func (b *batch) plan(s int) int {
	g := b.g
	// While it is being merged, an arc's number follows those of the states in a slot.
	b.stride = min(b.room, len(g.index.slots)-g.marks.len-2) / len(b.parts)
	near := max(0, s-256)
	from, _ := g.arcs(near)
	arcs := (g.succ.len-from)/(s-near) + 1
	n := min(g.marks.len-s, b.stride*3/4/arcs*len(b.parts))
	for i := range b.parts {
		p := &b.parts[i]
		p.from, p.to = s+i*n/len(b.parts), s+(i+1)*n/len(b.parts)
		p.base, p.arcs, p.ends = i*b.stride, 0, p.ends[:0]
	}
	return n
}

// marking is where an arc leads.
func (b *batch) marking(arc int) []uint64 {
	w := b.g.firer.words
	return b.marks[arc*w : (arc+1)*w : (arc+1)*w]
}

// sum counts what the batch adds, and tells each part where its share begins.
func (b *batch) sum() (states, arcs, expanded int) {
	g := b.g
	for i := range b.used {
		p := &b.used[i]
		p.state, p.arc = g.marks.len+states, g.succ.len+arcs
		for _, x := range p.chains {
			states += x.fresh
		}
		arcs += p.arcs
		expanded += len(p.ends)
	}
	return states, arcs, expanded
}
