package pnml

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A builder makes a net from the items that a scanner has collected.
type builder struct {
	*scanner
	doc    *Document
	named  map[string]int // by id, the node
	meant  []int          // by node, the place or transition that it refers to, or itself
	index  []int          // by node, the index of its place or transition
	timing string         // of all transitions
}

// A joint is an arc between nodes, by their indices.
type joint struct {
	from, to int
	at       position
}

func (s *scanner) build() (*Document, error) {
	b := &builder{scanner: s, doc: &Document{Net: &petri.Net{Name: s.id}, Title: s.title, Tools: s.tools}, named: map[string]int{}}
	for _, part := range []func() error{b.items, b.references, b.connect, b.finals} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return b.doc, b.doc.Net.Sane()
}

// items makes the places and the transitions.
func (b *builder) items() error {
	net := b.doc.Net
	b.index = make([]int, len(b.nodes))
	for i, n := range b.nodes {
		if first, twice := b.named[n.id]; twice {
			return n.at.wrong("the id %q is not unique: line %d has it, too", n.id, b.nodes[first].at.line)
		}
		b.named[n.id] = i
		item := Item{n.title, n.at.line, n.at.column}
		switch {
		case n.ref != "":
		case n.place:
			b.index[i] = len(net.Places)
			if n.marked {
				net.Initial = append(net.Initial, len(net.Places))
			}
			net.Places, b.doc.Places = append(net.Places, petri.Place{Net: b.id, Name: n.id}), append(b.doc.Places, item)
		default:
			if len(net.Transitions) == 0 {
				b.timing = n.timing
			} else if n.timing != b.timing {
				return n.at.wrong("transition %q has another priority, or takes time otherwise, than transition %q, so one may keep the other from firing", n.id, net.Transitions[0].Name)
			}
			b.index[i] = len(net.Transitions)
			net.Transitions = append(net.Transitions, petri.Transition{Name: n.id, Event: -1})
			b.doc.Transitions = append(b.doc.Transitions, item)
		}
	}
	return nil
}

const (
	unknown = -1 // what a node refers to
	asked   = -2
)

// references finds the place or transition of every node. A reference may refer to another reference.
func (b *builder) references() error {
	b.meant = slices.Repeat([]int{unknown}, len(b.nodes))
	for i := range b.nodes {
		if err := b.follow(i); err != nil {
			return err
		}
	}
	return nil
}

// follow follows references to a known node, and records it for all nodes on the way. Each node is passed once.
func (b *builder) follow(i int) error {
	var way []int
	at := i
	for b.meant[at] == unknown && b.nodes[at].ref != "" {
		b.meant[at] = asked
		way = append(way, at)
		next, ok := b.named[b.nodes[at].ref]
		if !ok {
			return b.nodes[at].at.wrong("there is no place or transition %q to refer to", b.nodes[at].ref)
		}
		at = next
	}
	switch b.meant[at] {
	case asked:
		return b.nodes[i].at.wrong("the references from %q lead round in a circle", b.nodes[i].id)
	case unknown:
		b.meant[at] = at
	}
	for _, w := range way {
		b.meant[w] = b.meant[at]
	}
	return nil
}

// joints finds the nodes of the arcs, and sorts the arcs by them.
func (b *builder) joints() ([]joint, error) {
	list := make([]joint, len(b.arcs))
	for i, a := range b.arcs {
		from, ok := b.named[a.from]
		if !ok {
			return nil, a.at.wrong("arc %q to %q: there is no place or transition %q", a.from, a.to, a.from)
		}
		to, ok := b.named[a.to]
		if !ok {
			return nil, a.at.wrong("arc %q to %q: there is no place or transition %q", a.from, a.to, a.to)
		}
		list[i] = joint{b.meant[from], b.meant[to], a.at}
		if b.nodes[list[i].from].place == b.nodes[list[i].to].place {
			return nil, a.at.wrong("arc %q to %q is not between a place and a transition", a.from, a.to)
		}
	}
	slices.SortStableFunc(list, func(x, y joint) int { return cmp.Or(x.from-y.from, x.to-y.to) })
	return list, nil
}

// connect makes the arcs. They are sorted by their places, and so are the lists of every transition.
func (b *builder) connect() error {
	joints, err := b.joints()
	if err != nil {
		return err
	}
	for i, j := range joints {
		from, to := &b.nodes[j.from], &b.nodes[j.to]
		if i > 0 && joints[i-1].from == j.from && joints[i-1].to == j.to {
			return j.at.wrong("a second arc %q to %q, after that of line %d, makes its weight 2: %w", from.id, to.id, joints[i-1].at.line, ErrNotOneSafe)
		}
		if from.place {
			t := &b.doc.Net.Transitions[b.index[j.to]]
			t.In = append(t.In, b.index[j.from])
		} else {
			t := &b.doc.Net.Transitions[b.index[j.from]]
			t.Out = append(t.Out, b.index[j.to])
		}
	}
	for i := range b.doc.Net.Transitions {
		read(&b.doc.Net.Transitions[i])
	}
	return nil
}

// read replaces arcs in both directions by reads.
func read(t *petri.Transition) {
	for _, p := range t.In {
		if _, both := slices.BinarySearch(t.Out, p); both {
			t.Read = append(t.Read, p)
		}
	}
	read := func(p int) bool { _, found := slices.BinarySearch(t.Read, p); return found }
	t.In, t.Out = slices.DeleteFunc(t.In, read), slices.DeleteFunc(t.Out, read)
}
