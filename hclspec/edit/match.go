package edit

import "github.com/hashicorp/hcl/v2"

// A Difference is the set of changes from one text, base, to another, head. Any subset of them can be made. The text that results need not be
// a valid contract.
type Difference struct {
	Changes []Change // outer blocks before inner ones, in head's order; removed attributes and blocks after the others

	base, head *tree
	units      []unit // by change
	mates      map[*node]*node
	firsts     []*body // those whose first state may differ
}

// A unit is a change with the nodes that it concerns.
type unit struct {
	body       *body // that it is made in
	base, head *node // the block, if the change is of a whole one; nil if a side lacks it
	was, now   *attribute
	first      bool
}

// A body is a block that both texts have, or the root of both.
type body struct {
	base, head *node
	added      map[*node]int // units, by block of head
	removed    map[*node]int // units, by block of base
	moved      int           // the unit that makes a state of base the first one; -1: none
}

// Compare returns the changes from base to head. An error names a text that can't be read as blocks. Cost: linear in the texts, except for
// sorting.
func Compare(base, head Text) (*Difference, error) {
	b, err := parse(base)
	if err != nil {
		return nil, err
	}
	h, err := parse(head)
	if err != nil {
		return nil, err
	}
	return compare(b, h), nil
}

func compare(base, head *tree) *Difference {
	d := &Difference{base: base, head: head, mates: map[*node]*node{}}
	d.bodies(base.root, head.root)
	return d
}

// bodies compares two blocks of one name.
func (d *Difference) bodies(base, head *node) {
	d.mates[base], d.mates[head] = head, base
	d.mate(base, head)
	if base.sum == head.sum {
		return
	}
	b := &body{base: base, head: head, added: map[*node]int{}, removed: map[*node]int{}, moved: -1}
	for _, now := range head.attrs {
		if was := base.named[now.name]; was == nil || string(was.canon) != string(now.canon) {
			d.unit(unit{body: b, was: was, now: now})
		}
	}
	for _, was := range base.attrs {
		if head.named[was.name] == nil {
			d.unit(unit{body: b, was: was})
		}
	}
	for _, now := range head.blocks {
		if was := d.mates[now]; was != nil {
			d.bodies(was, now)
			continue
		}
		b.added[now] = len(d.units)
		d.unit(unit{body: b, head: now})
	}
	for _, was := range base.blocks {
		if d.mates[was] == nil {
			b.removed[was] = len(d.units)
			d.unit(unit{body: b, base: was})
		}
	}
	d.order(b)
}

// mate pairs the blocks of two bodies that have the same key: first equal ones, then the others, in order.
func (d *Difference) mate(base, head *node) {
	for _, key := range []func(*node) string{equal, called} {
		left := map[string][]*node{}
		for _, b := range base.blocks {
			if d.mates[b] == nil {
				left[key(b)] = append(left[key(b)], b)
			}
		}
		for _, h := range head.blocks {
			if list := left[key(h)]; d.mates[h] == nil && len(list) > 0 {
				d.mates[h], d.mates[list[0]] = list[0], h
				left[key(h)] = list[1:]
			}
		}
	}
}

func equal(n *node) string  { return n.key + "\x00" + string(n.sum[:]) }
func called(n *node) string { return n.key }

func (d *Difference) unit(u unit) {
	d.units = append(d.units, u)
	d.Changes = append(d.Changes, u.change())
}

func (u unit) change() Change {
	switch {
	case u.was != nil || u.now != nil:
		return u.attribute()
	case u.base == nil:
		return Change{Action: Added, Path: u.head.path(), Head: u.head.at()}
	case u.head == nil:
		return Change{Action: Removed, Path: u.base.path(), Base: u.base.at(), Head: u.body.head.at()}
	}
	return Change{Action: Changed, Path: u.head.path(), Base: u.base.at(), Head: u.head.at(), First: true}
}

func (u unit) attribute() Change {
	c := Change{Action: Changed, Path: u.body.head.path(), Base: u.body.base.at(), Head: u.body.head.at()}
	if u.was != nil {
		c.Attribute, c.Was = u.was.name, u.was.at
	} else {
		c.Action = Added
	}
	if u.now != nil {
		c.Attribute, c.Now = u.now.name, u.now.at
	} else {
		c.Action = Removed
	}
	if c.Entry = c.Now; u.was != nil && u.now != nil {
		c.Entry = u.now.entry(u.was)
	}
	return c
}

// at returns the range of a block's header; empty for the root.
func (n *node) at() hcl.Range {
	if n.block == nil {
		return hcl.Range{}
	}
	return n.block.DefRange()
}
