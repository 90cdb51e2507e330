package edit

import (
	"cmp"
	"slices"
)

// The first state in a body, with some of the changes made, is head's first one, if the change that adds it or moves it there is made; else
// the first one of base that is left; else the first one of head that is there.

// order adds the change that makes a state of base the first one, unless it follows from others.
func (d *Difference) order(b *body) {
	first := b.head.first()
	if first == nil {
		return
	}
	d.firsts = append(d.firsts, b)
	was := d.mates[first]
	if was == nil {
		return // it is added as the first one
	}
	for _, s := range b.base.blocks {
		if !s.state() || d.mates[s] == nil {
			continue
		}
		if s != was {
			b.moved = len(d.units)
			d.unit(unit{body: b, base: was, head: first, first: true})
		}
		return
	}
}

// firstOf returns the first state with those changes made: the node in base, the node in head, or both.
func (d *Difference) firstOf(b *body, made []bool) (base, head *node) {
	h := b.head.first()
	if i, added := b.added[h]; added && made[i] || b.moved >= 0 && made[b.moved] {
		return d.mates[h], h
	}
	for _, s := range b.base.blocks {
		if i, removed := b.removed[s]; s.state() && !(removed && made[i]) {
			return s, d.mates[s]
		}
	}
	for _, s := range b.head.blocks {
		if i, added := b.added[s]; s.state() && (!added || made[i]) {
			return d.mates[s], s
		}
	}
	return nil, nil
}

// A firstState is the state to be the first one in a block: mine, if the block has it; else theirs, which is added to it; else none.
type firstState struct{ onto, mine, theirs *node }

// begins folds blocks without lines of their own, and moves first states to the front: inner blocks first.
func (c *composition) begins(list []firstState) {
	slices.SortStableFunc(list, func(a, b firstState) int { return cmp.Compare(len(b.onto.path()), len(a.onto.path())) })
	for _, b := range list {
		for _, s := range c.states[b.onto] {
			s.first = b.onto.flat && s.node == b.theirs
		}
	}
	c.fold()
	for _, b := range list {
		if !b.onto.flat && (b.mine != nil || b.theirs != nil) {
			c.begin(b.onto, b.mine, b.theirs)
		}
	}
}

func (c *composition) begin(onto, mine, theirs *node) {
	p, front := c.patch(onto.file), 0
	kept := p.kept(onto)
	switch {
	case mine != nil && mine == kept:
		for _, s := range c.states[onto] {
			if s.line <= mine.span.from {
				p.shift(s, mine.span.to)
			}
		}
		return
	case mine != nil:
		c.states[onto] = append(c.states[onto], p.lift(mine, kept.span.from))
		theirs, front = mine, kept.span.from
	default:
		i := slices.IndexFunc(c.states[onto], func(s *piece) bool { return s.node == theirs })
		front = c.states[onto][i].line
		if kept != nil {
			front = min(front, kept.span.from)
		}
	}
	for _, s := range c.states[onto] {
		if s.first = s.node == theirs; s.first || s.line < front {
			p.shift(s, front)
		}
	}
}

// kept returns the first of a block's own states that is not removed.
func (p *patch) kept(n *node) *node {
	for _, s := range n.blocks {
		if s.state() && !p.gone[s.span.to-1] {
			return s
		}
	}
	return nil
}

// shift moves a piece to another line.
func (p *patch) shift(s *piece, line int) {
	p.pieces[s.line] = slices.DeleteFunc(p.pieces[s.line], func(o *piece) bool { return o == s })
	s.line = line
	p.pieces[line] = append(p.pieces[line], s)
}

// lift turns a block into a piece, with the changes in it.
func (p *patch) lift(n *node, line int) *piece {
	p.settle()
	s := &piece{node: n, text: p.render(n.span), line: line}
	s.above, s.below = s.from().blanks()
	p.remove(n.span)
	from, to := p.file.lines[n.span.from].start, p.file.lines[n.span.to-1].end
	p.cuts = slices.DeleteFunc(p.cuts, func(c cut) bool { return c.from >= from && c.from < to })
	for i := n.span.from + 1; i < n.span.to; i++ {
		delete(p.pieces, i)
	}
	p.pieces[line] = append(p.pieces[line], s)
	return s
}
