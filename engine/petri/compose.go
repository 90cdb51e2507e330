package petri

import (
	"math/big"
	"slices"
)

// A Sync names one party's part in an event: the transitions of net Net (an index) that carry Label.
type Sync struct {
	Net   int
	Label string
}

// An Event synchronises transitions of several nets, at most one label of each net.
type Event struct {
	Name string
	Sync []Sync
}

// Compose puts the nets side by side and synchronises them on the events (section 3 of the
// paper). Its places are those of the nets, in net order. Its transitions are, for each event in
// turn, every combination of one transition per concerned net that carries that net's label, the
// last net's varying fastest; then, net by net, the transitions whose label no event mentions.
// An event for which a concerned net has no transition never happens and yields none.
//
// The number of combinations can be far beyond memory: see Combinations.
func Compose(nets []*Net, events []Event) *Net {
	c := composer{nets: nets, labelled: labelled(nets), product: &Net{}}
	for _, n := range nets {
		c.place(n)
	}
	for i, e := range events {
		c.event(i, e)
	}
	mentioned := mentioned(events)
	for i, n := range nets {
		c.carry(i, n, mentioned)
	}
	return c.product
}

// Combinations counts the transitions that Compose makes of each event, without making them.
func Combinations(nets []*Net, events []Event) []*big.Int {
	labelled := labelled(nets)
	counts := make([]*big.Int, len(events))
	for i, e := range events {
		counts[i] = big.NewInt(min(1, int64(len(e.Sync))))
		for _, s := range e.Sync {
			counts[i].Mul(counts[i], big.NewInt(int64(len(labelled[s]))))
		}
	}
	return counts
}

type composer struct {
	nets     []*Net
	labelled map[Sync][]int
	first    []int // of each net, the composed index of its first place
	product  *Net
}

func (c *composer) place(n *Net) {
	base := len(c.product.Places)
	c.first = append(c.first, base)
	c.product.Places = append(c.product.Places, n.Places...)
	c.product.Initial = appendShifted(c.product.Initial, n.Initial, base)
}

func (c *composer) event(index int, e Event) {
	sync := slices.Clone(e.Sync)
	slices.SortFunc(sync, func(a, b Sync) int { return a.Net - b.Net })
	c.combine(Transition{Name: e.Name, Event: index}, sync, nil)
}

// combine adds one transition for every choice of a part for each element of sync, after parts.
func (c *composer) combine(t Transition, sync []Sync, parts []Part) {
	if len(sync) > 0 {
		for _, i := range c.labelled[sync[0]] {
			c.combine(t, sync[1:], append(parts, Part{sync[0].Net, i}))
		}
		return
	}
	if len(parts) > 0 {
		c.add(t, parts)
	}
}

func (c *composer) carry(index int, n *Net, mentioned map[Sync]bool) {
	for i, t := range n.Transitions {
		if t.Label == "" || !mentioned[Sync{index, t.Label}] {
			c.add(Transition{Name: n.Name + "." + t.Name, Event: -1}, []Part{{index, i}})
		}
	}
}

// add appends t with the union of the parts' arcs; places of different nets differ.
func (c *composer) add(t Transition, parts []Part) {
	t.Parts = slices.Clone(parts)
	for _, p := range parts {
		of, base := c.nets[p.Net].Transitions[p.Transition], c.first[p.Net]
		t.In = appendShifted(t.In, of.In, base)
		t.Out = appendShifted(t.Out, of.Out, base)
		t.Read = appendShifted(t.Read, of.Read, base)
	}
	c.product.Transitions = append(c.product.Transitions, t)
}

// labelled lists the transitions of each net that carry each label, by index.
func labelled(nets []*Net) map[Sync][]int {
	found := map[Sync][]int{}
	for i, n := range nets {
		for j, t := range n.Transitions {
			if t.Label != "" {
				found[Sync{i, t.Label}] = append(found[Sync{i, t.Label}], j)
			}
		}
	}
	return found
}

func mentioned(events []Event) map[Sync]bool {
	m := map[Sync]bool{}
	for _, e := range events {
		for _, s := range e.Sync {
			m[s] = true
		}
	}
	return m
}

func appendShifted(to, places []int, by int) []int {
	for _, p := range places {
		to = append(to, p+by)
	}
	return to
}
