package ways

// find marks the pairs from which head has a new way to violate a claim, its parts first.
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
	shown := func(int32) bool { return true }
	switch c.form {
	case same, every, some:
		shown = func(i int32) bool {
			for _, part := range c.parts {
				if part.fresh[i] {
					return true
				}
			}
			return false
		}
	case next:
		shown = func(i int32) bool { return p.freshStep(c, i) >= 0 }
	case coming:
		found, err := p.comes(c)
		if err != nil {
			return err
		}
		shown = func(i int32) bool { return found[i] }
	}
	c.fresh = p.where(func(i int32) bool {
		return p.onHead(c.violated, i) && (p.lost(i) || p.onBase(c.keeps, i) && shown(i))
	})
	return nil
}

// freshStep returns an arc by which a pair violates AX in a new way; -1: there is none.
func (p *pairs) freshStep(c *claim, i int32) int32 {
	for a, end := p.arcs(i); a < end; a++ {
		if to := p.to[a]; p.onHead(c.left.violated, to) && (p.kind[a] == hidden || p.kind[a] == common && c.left.fresh[to]) {
			return a
		}
	}
	return -1
}

// comes returns the pairs from which a run violates A[left U right], or A[left W right], in a new way.
func (p *pairs) comes(c *claim) ([]bool, error) {
	c.within = p.where(func(i int32) bool { return p.onHead(c.along, i) && p.onBase(c.keeps, i) })
	if c.strong {
		var err error
		if c.ends, err = p.endless(c.within); err != nil {
			return nil, err
		}
	}
	c.goal = p.where(func(i int32) bool { return p.breaks(c, i) || p.escapes(c, i) || p.stops(c, i) })
	return p.until(c.within, c.goal), nil
}

// breaks reports whether left is violated before right came, in a new way.
func (p *pairs) breaks(c *claim, i int32) bool {
	return c.left != nil && p.onHead(c.without, i) && p.onHead(c.left.violated, i) && p.onBase(c.keeps, i) && (c.left.fresh[i] || p.onBase(c.reached, i))
}

// escapes reports whether base is rid of the claim, or did not follow, and head violates it from here.
func (p *pairs) escapes(c *claim, i int32) bool {
	return p.onHead(c.violated, i) && (p.lost(i) || p.onHead(c.without, i) && p.onBase(c.reached, i))
}

// stops reports whether head ends here, or goes on for ever, without what has to come, and base could still keep the claim.
func (p *pairs) stops(c *claim, i int32) bool {
	return c.strong && c.within[i] && (len(p.Head.Graph.Succ(int(p.list[i].head))) == 0 || c.ends.has(i))
}
