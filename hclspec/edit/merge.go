package edit

import (
	"bytes"
	"slices"
)

// A Conflict is a pair of changes, one of each amendment, that can't both be made.
type Conflict struct{ A, B Change }

// Merge returns base with the changes of two amendments, and the conflicts. Changes that are the same in both are made once; of changes in
// conflict neither is made. With a and b exchanged the result means the same. An error names a text that can't be read as blocks.
func Merge(base, a, b Text) (Text, []Conflict, error) {
	t, err := parse(base)
	if err != nil {
		return nil, nil, err
	}
	m := &merger{base: t}
	for i, side := range []Text{a, b} {
		head, err := parse(side)
		if err != nil {
			return nil, nil, err
		}
		m.sides[i] = compare(t, head)
		m.made[i] = slices.Repeat([]bool{true}, len(m.sides[i].units))
	}
	m.meet()
	return m.text(), m.conflicts, nil
}

type merger struct {
	base      *tree
	sides     [2]*Difference
	made      [2][]bool // by side and change: to be made, and not made by the other side already
	conflicts []Conflict
}

// A subject identifies what two amendments can disagree on.
type subject struct {
	base *node  // the block that is changed or removed, or that a block is added to
	name string // of the attribute, or the key of the added block
}

// meet finds the subjects that both sides change.
func (m *merger) meet() {
	theirs, removed := map[subject][]int{}, map[*node]int{}
	for j, u := range m.sides[1].units {
		theirs[u.subject()] = append(theirs[u.subject()], j)
		if u.gone() {
			removed[u.base] = j
		}
	}
	for i, u := range m.sides[0].units {
		m.alike(i, u, theirs)
		m.within(i, u, removed, false)
	}
	removed = map[*node]int{}
	for i, u := range m.sides[0].units {
		if u.gone() {
			removed[u.base] = i
		}
	}
	for j, u := range m.sides[1].units {
		m.within(j, u, removed, true)
	}
}

func (u unit) gone() bool { return u.base != nil && u.head == nil }

func (u unit) subject() subject {
	switch {
	case u.was != nil:
		return subject{u.body.base, u.was.name}
	case u.now != nil:
		return subject{u.body.base, u.now.name}
	case u.gone():
		return subject{u.base, ""}
	case u.first:
		return subject{} // see first
	}
	return subject{u.body.base, u.head.key}
}

// alike compares a change of the first side with those of the second that have the same subject.
func (m *merger) alike(i int, u unit, theirs map[subject][]int) {
	list := theirs[u.subject()]
	if len(list) == 0 || u.first {
		return
	}
	for k, j := range list {
		if same(u, m.sides[1].units[j]) {
			m.made[1][j] = false
			theirs[u.subject()] = slices.Delete(slices.Clone(list), k, k+1)
			return
		}
	}
	if u.head != nil && repeatable(u.head) {
		return
	}
	m.conflict(i, list[0])
	theirs[u.subject()] = list[1:]
}

// repeatable reports whether a block can have siblings of the same name.
func repeatable(n *node) bool { return n.block.Type == "locals" || n.block.Type == "validation" }

func same(a, b unit) bool {
	if a.head != nil && b.head != nil {
		return a.head.sum == b.head.sum
	}
	return (a.now == nil) == (b.now == nil) && (a.now == nil || bytes.Equal(a.now.canon, b.now.canon))
}

// within finds changes of one side in a block that the other removes. Removing it as well is no conflict.
func (m *merger) within(i int, u unit, removed map[*node]int, mine bool) {
	if u.gone() || u.was != nil && u.now == nil {
		return
	}
	for n := u.body.base; n != nil; n = n.within {
		j, gone := removed[n]
		switch {
		case !gone:
		case mine:
			m.conflict(j, i)
			return
		default:
			m.conflict(i, j)
			return
		}
	}
}

func (m *merger) conflict(i, j int) {
	m.made[0][i], m.made[1][j] = false, false
	m.conflicts = append(m.conflicts, Conflict{m.sides[0].Changes[i], m.sides[1].Changes[j]})
}

// text returns base with the remaining changes made.
func (m *merger) text() Text {
	c := newComposition(m.base)
	firsts := map[*node][2]*body{}
	var order []*node
	for rank, d := range m.sides {
		for i, u := range d.units {
			if m.made[rank][i] {
				c.make(d, u, false, rank)
			}
		}
		for _, b := range d.firsts {
			if _, seen := firsts[b.base]; !seen {
				order = append(order, b.base)
			}
			both := firsts[b.base]
			both[rank] = b
			firsts[b.base] = both
		}
	}
	var list []firstState
	for _, n := range order {
		mine, theirs := m.first(c, n, firsts[n])
		list = append(list, firstState{n, mine, theirs})
	}
	c.begins(list)
	return c.text()
}

// first returns the state to be the first one, base's own or an added one: the one that a side selects; else base's first one that is left.
func (m *merger) first(c *composition, n *node, both [2]*body) (mine, theirs *node) {
	said, a := m.says(both[0])
	other, b := m.says(both[1])
	kept := c.patch(n.file).kept(n)
	switch {
	case said != nil && other != nil && said.key != other.key:
		m.conflicts = append(m.conflicts, Conflict{m.sides[0].Changes[a], m.sides[1].Changes[b]})
	case said == nil && other == nil:
	default:
		if said == nil {
			said = other
		}
		if mine, theirs := m.find(c, n, said.key); mine != nil || theirs != nil {
			return mine, theirs
		}
	}
	if kept != nil {
		return kept, nil
	}
	var least *node
	for _, s := range c.states[n] {
		if least == nil || s.node.key < least.key {
			least = s.node
		}
	}
	return nil, least
}

// says returns the state that a side itself makes the first one, and the change that does it.
func (m *merger) says(b *body) (*node, int) {
	if b == nil {
		return nil, 0
	}
	h := b.head.first()
	if i, added := b.added[h]; added {
		return h, i
	}
	if b.moved >= 0 {
		return h, b.moved
	}
	return nil, 0
}

// find returns the state with a key in the result: base's own, or an added one.
func (m *merger) find(c *composition, n *node, key string) (mine, theirs *node) {
	for _, s := range n.blocks {
		if s.state() && s.key == key && !c.patch(n.file).gone[s.span.to-1] {
			return s, nil
		}
	}
	for _, s := range c.states[n] {
		if s.node.key == key {
			return nil, s.node
		}
	}
	return nil, nil
}
