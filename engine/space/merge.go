package space

import "slices"

// merge finds the state that each arc leads to, or enters the first arc to a new one in the index.
func (b *batch) merge() {
	b.crew.each(b.crew.jobs, b.mergeShard)
	for shard, late := range b.late {
		for _, arc := range late {
			// Equal markings are late together, and still in order.
			slots := len(b.g.index.slots)
			if !b.place(int(arc), b.g.index.slot(b.hashes[arc]), slots) {
				b.place(int(arc), 0, slots)
			}
			if b.isFirst(int(arc)) {
				b.used[int(arc)/b.stride].chains[shard].fresh++
			}
		}
	}
}

func (b *batch) mergeShard(shard int) {
	late := b.late[shard][:0]
	end := (shard + 1) * len(b.g.index.slots) / b.crew.jobs // before the slots of the next shard
	for i := range b.used {
		x := &b.used[i].chains[shard]
		arc, fresh := x.first, 0
		for range x.len {
			next := b.to[arc]
			switch {
			case !b.place(int(arc), b.g.index.slot(b.hashes[arc]), end):
				late = append(late, arc)
			case b.isFirst(int(arc)):
				fresh++
			}
			arc = next
		}
		x.fresh = fresh
	}
	b.late[shard] = late
}

// place settles where an arc leads. It looks at the slots from i up to end, as index.find does, and
// reports whether it came to a conclusion.
func (b *batch) place(arc, i, end int) bool {
	x, h, m, n := &b.g.index, b.hashes[arc], b.marking(arc), b.g.marks.len
	number := uint32(1)<<x.bits - 1
	tag := uint32(h) << x.bits
	for ; i < end; i++ {
		v := x.slots[i]
		if v == 0 {
			x.slots[i] = tag | uint32(n+arc+1)
			b.to[arc], b.hashes[arc] = fresh|uint32(arc), uint64(i)
			return true
		}
		if v&^number != tag {
			continue
		}
		if s := int(v&number - 1); s < n {
			if slices.Equal(x.marks.at(s), m) {
				b.to[arc] = uint32(s)
				return true
			}
		} else if slices.Equal(b.marking(s-n), m) {
			b.to[arc] = fresh | uint32(s-n)
			return true
		}
	}
	return false
}

// isFirst reports whether an arc is the first to a new state.
func (b *batch) isFirst(arc int) bool { return b.to[arc] == fresh|uint32(arc) }

// forget takes out of the index what merge has entered.
func (b *batch) forget() {
	for i := range b.used {
		for p, arc := &b.used[i], b.used[i].base; arc < p.base+p.arcs; arc++ {
			if b.isFirst(arc) {
				b.g.index.slots[b.hashes[arc]] = 0
			}
		}
	}
}

// number copies the markings of the new states of each part, and numbers them.
func (b *batch) number() {
	b.crew.each(len(b.used), func(i int) {
		p, x := &b.used[i], &b.g.index
		s, number := p.state, uint32(1)<<x.bits-1
		for arc := p.base; arc < p.base+p.arcs; arc++ {
			if b.isFirst(arc) {
				copy(b.g.marks.at(s), b.marking(arc))
				slot := &x.slots[b.hashes[arc]]
				*slot = *slot&^number | uint32(s+1)
				b.hashes[arc] = uint64(s)
				s++
			}
		}
	})
}

// link writes the arcs.
func (b *batch) link() {
	b.crew.each(len(b.used), func(i int) {
		p := &b.used[i]
		for j, v := range b.to[p.base : p.base+p.arcs] {
			if v&fresh != 0 {
				v = uint32(b.hashes[v&^fresh])
			}
			b.g.succ.at(p.arc + j)[0] = v
		}
		for j, end := range p.ends {
			b.g.first.at(p.from + j + 1)[0] = uint32(p.arc) + end
		}
	})
}
