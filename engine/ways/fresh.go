package ways

import "slices"

// find marks the pairs from which head has a wanted way to violate a claim, its parts first. The view alone is needed only if runs are
// followed: otherwise every violation is a way.
func (p *pairs) find(c *claim) error {
	for _, part := range c.parts {
		if err := p.find(part); err != nil {
			return err
		}
	}
	if c.left != nil {
		if err := p.find(c.left); err != nil {
			return err
		}
	}
	if p.follows() {
		if err := p.findIn(c, alone); err != nil {
			return err
		}
	}
	return p.findIn(c, against)
}

func (p *pairs) findIn(c *claim, v view) error {
	of := &c.by[v]
	shown := func(int32) bool { return true }
	switch c.form {
	case same, every, some:
		shown = func(i int32) bool {
			return slices.ContainsFunc(c.parts, func(part *claim) bool { return part.by[v].fresh[i] && (v == against || c.shows(part)) })
		}
	case next:
		shown = func(i int32) bool { return p.freshStep(c, i, v) >= 0 }
	case coming:
		found, err := p.comes(c, v)
		if err != nil {
			return err
		}
		shown = func(i int32) bool { return found[i] }
	}
	of.fresh = p.where(func(i int32) bool {
		return p.onHead(c.violated, i) && !p.accepted(c, i) && (v == alone || p.any(c, i)) && (v == against && p.lost(i) || p.mayKeep(c, i, v) && shown(i))
	})
	return nil
}

// shows reports whether the runs that violate a part of c || d distinguish ways. Those of a part without temporal operators do not, beside
// others.
func (c *claim) shows(part *claim) bool {
	return c.form != some || part.head.Temporal()
}

// any reports whether head has a way from a pair that no named run shows, whatever base has.
func (p *pairs) any(c *claim, i int32) bool {
	return p.onHead(c.violated, i) && (!p.follows() || c.by[alone].fresh[i])
}

// mayKeep reports whether base can still keep a claim, or base is ignored.
func (p *pairs) mayKeep(c *claim, i int32, v view) bool { return v == alone || p.onBase(c.keeps, i) }

// freshStep returns an arc by which a pair violates AX in a wanted way, or -1.
func (p *pairs) freshStep(c *claim, i int32, v view) int32 {
	for a, end := p.arcs(i); a < end; a++ {
		to := p.to[a]
		if (p.kind[a] != apart || c.base == nil) && (p.kind[a] == hidden && p.any(c.left, to) || c.left.by[v].fresh[to]) {
			return a
		}
	}
	return -1
}

// comes returns the pairs from which a run violates A[left U right], or A[left W right], in a wanted way.
func (p *pairs) comes(c *claim, v view) ([]bool, error) {
	of := &c.by[v]
	of.within = p.where(func(i int32) bool {
		broken := c.left != nil && !p.onHead(c.left.kept, i) // for good: nothing after it is part of the way
		return p.onHead(c.along, i) && !broken && p.mayKeep(c, i, v) && !p.accepted(c, i)
	})
	if c.strong {
		var err error
		if of.ends, err = p.endless(c, v); err != nil {
			return nil, err
		}
	}
	of.goal = p.where(func(i int32) bool { return p.breaks(c, i, v) || p.escapes(c, i, v) || p.stops(c, i, v) })
	return p.until(of.within, of.goal), nil
}

// breaks reports whether left is violated before right came.
func (p *pairs) breaks(c *claim, i int32, v view) bool {
	return c.left != nil && p.onHead(c.without, i) && p.mayKeep(c, i, v) && c.left.by[v].fresh[i]
}

// escapes reports whether head violates the claim from here although base has reached right, or did not follow.
func (p *pairs) escapes(c *claim, i int32, v view) bool {
	return v == against && (p.lost(i) || p.onBase(c.reached, i)) && p.any(c, i)
}

// stops reports whether head ends here, or goes on for ever, without right, while base can still keep the claim.
func (p *pairs) stops(c *claim, i int32, v view) bool {
	return c.strong && c.by[v].within[i] && (p.halts(c, i, v) || c.by[v].ends.has(i))
}

// halts reports whether head's run may end in a pair, in a wanted way: where head allows nothing or, where runs may stop, where it may and base
// may not.
func (p *pairs) halts(c *claim, i int32, v view) bool {
	if !p.Stops {
		return len(p.Head.Graph.Succ(int(p.list[i].head))) == 0
	}
	return p.rests(&p.Head, p.list[i].head) && !p.halted(c, i) && (v == alone || c.base == nil || !p.rests(&p.Base, p.list[i].base))
}

// rests reports whether a run of a side may stop in a state: none of its acts can happen.
func (p *pairs) rests(s *Side, state uint32) bool {
	m := s.Graph.Marking(int(state))
	return !slices.ContainsFunc(s.Acts, func(some []int) bool { return able(s.Net, m, some) })
}

// halted reports whether a run that stops in a pair matches a named one that stops.
func (p *pairs) halted(c *claim, i int32) bool {
	return slices.ContainsFunc(c.named, func(k int) bool { return p.named[k].stops && p.come(i)[k] == len(p.named[k].steps) })
}
