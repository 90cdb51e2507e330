package space

import (
	"context"
	"errors"
	"math/bits"

	"github.com/redlinehq/redline/engine/petri"
)

// fire expands the states of the batch, up to the first that must be expanded alone.
func (b *batch) fire(ctx context.Context) {
	b.crew.each(len(b.parts), func(i int) {
		p := b.parts[i] // a copy, so that no two goroutines write to one cache line
		b.fill(ctx, &p)
		b.parts[i] = p
	})
	b.used = b.parts
	for i := range b.parts {
		if p := &b.parts[i]; len(p.ends) < p.to-p.from {
			b.used = b.parts[:i+1]
			return
		}
	}
}

// fill expands the states of a part until one cannot be.
func (b *batch) fill(ctx context.Context, p *part) {
	for s := p.from; s < p.to; s++ {
		if s%64 == 0 && ctx.Err() != nil {
			break
		}
		n, ok := b.expand(ctx, p, s)
		if !ok {
			clear(p.fireable)
			break
		}
		p.arcs += n
		p.ends = append(p.ends, uint32(p.arcs))
	}
	b.chain(p)
}

// expand returns how many arcs leave state s, and whether all went well.
func (b *batch) expand(ctx context.Context, p *part, s int) (int, bool) {
	m := b.g.marks.at(s)
	b.g.firer.fireable(m, p.fireable)
	if b.g.rule == petri.All {
		return b.expandAll(ctx, p, m)
	}
	return b.expandOne(p, m)
}

func (b *batch) expandOne(p *part, m []uint64) (int, bool) {
	from := p.base + p.arcs
	arc, end := from, p.base+b.stride
	for i, w := range p.fireable {
		p.fireable[i] = 0
		for ; w != 0; w &= w - 1 {
			if arc == end {
				return 0, false
			}
			after := b.marking(arc)
			copy(after, m)
			if b.g.firer.fire(after, i*64+bits.TrailingZeros64(w)) >= 0 {
				return 0, false
			}
			b.hashes[arc] = hash(after)
			arc++
		}
	}
	return arc - from, true
}

// errAlone ends the enumeration of the steps of a state that is to be expanded alone.
var errAlone = errors.New("space: contact, or no room")

func (b *batch) expandAll(ctx context.Context, p *part, m []uint64) (int, bool) {
	ts := members(p.fireable)
	clear(p.fireable)
	from := p.base + p.arcs
	arc, end := from, p.base+b.stride
	err := b.g.firer.steps(ctx, ts, func(step []int) error {
		if arc == end {
			return errAlone
		}
		after := b.marking(arc)
		copy(after, m)
		if b.g.firer.together(after, step) >= 0 {
			return errAlone
		}
		b.hashes[arc] = hash(after)
		arc++
		return nil
	})
	return arc - from, err == nil
}

// chain links the arcs of each shard of a part. The chains are made here, by the goroutine that
// fills them, to lie apart from others'.
func (b *batch) chain(p *part) {
	p.chains = make([]chain, b.crew.jobs)
	for arc := p.base; arc < p.base+p.arcs; arc++ {
		shard, _ := bits.Mul64(b.hashes[arc], uint64(b.crew.jobs))
		x := &p.chains[shard]
		if x.len == 0 {
			x.first = uint32(arc)
		} else {
			b.to[x.last] = uint32(arc)
		}
		x.last = uint32(arc)
		x.len++
	}
}
