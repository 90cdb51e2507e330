package space

import (
	"context"
	"math/bits"
)

// Components visits the strongly connected components of the graph within a that some of its states lead to within a, those without an
// arc of their own too, each after those it leads to. Inside reports whether a state is in the component.
func (g *Graph) Components(ctx context.Context, a, from Set, visit func(part []uint32, inside func(t uint32) bool) error) error {
	return g.components(ctx, a, from, visit)
}

// Each state of the set, ascending.
func (a Set) Each() func(yield func(s int) bool) { return a.each() }

// Has reports whether a state is in the set.
func (a Set) Has(s int) bool { return a.has(s) }

// Pressing visits components of a, as Components does, each with the groups of transitions, a bit set, that press in it: in each of
// its states one of the group can fire and change something, and along no arc inside one of them does. A path that stays in the
// component for ever, or stops there, is unfair to these groups whatever it does; one that goes round everywhere is fair to all others.
// Groups are disjoint, and group[t] is that of transition t, or negative. Cost: what can fire in each state of a, once, and along
// the arcs of components of several states in which some group presses.
func (g *Graph) Pressing(ctx context.Context, a, from Set, group []int, visit func(part []uint32, inside func(t uint32) bool, pressing []uint64) error) error {
	most := 0
	for _, k := range group {
		most = max(most, k+1)
	}
	p := &presser{g: g, group: group, fireable: make([]uint64, (len(group)+63)/64), able: make([]uint64, (most+63)/64), pressing: make([]uint64, (most+63)/64)}
	return g.components(ctx, a, from, func(part []uint32, inside func(t uint32) bool) error {
		if err := p.enter(ctx, part, inside); err != nil {
			return err
		}
		return visit(part, inside, p.pressing)
	})
}

// A presser finds which groups press in a component.
type presser struct {
	g              *Graph
	group          []int
	fireable, able []uint64 // of the state that was looked at last
	pressing       []uint64
}

func (p *presser) enter(ctx context.Context, part []uint32, inside func(t uint32) bool) error {
	for i, s := range part {
		if err := now(ctx, i); err != nil {
			return err
		}
		p.look(int(s))
		some := uint64(0)
		for w := range p.pressing {
			if i == 0 {
				p.pressing[w] = p.able[w]
			} else {
				p.pressing[w] &= p.able[w]
			}
			some |= p.pressing[w]
		}
		if some == 0 {
			return nil
		}
	}
	if len(part) == 1 { // what changes something leads elsewhere
		return nil
	}
	for i, s := range part {
		if err := now(ctx, i); err != nil {
			return err
		}
		p.happen(int(s), inside)
	}
	return nil
}

// look finds the groups that can change something in a state.
func (p *presser) look(s int) {
	clear(p.fireable)
	clear(p.able)
	p.g.firer.fireable(p.g.Marks.At(s), p.fireable)
	for i, w := range p.fireable {
		for ; w != 0; w &= w - 1 {
			t := i*64 + bits.TrailingZeros64(w)
			if k := p.group[t]; k >= 0 && p.able[k/64]>>(k%64)&1 == 0 && p.g.changes(s, t) {
				p.able[k/64] |= 1 << (k % 64)
			}
		}
	}
}

// happen takes away the groups of which a transition changes something along an arc inside.
func (p *presser) happen(s int, inside func(t uint32) bool) {
	succ := p.g.Succ(s)
	p.g.eachStep(s, func(i int, step []int) {
		if !inside(succ[i]) {
			return
		}
		for _, t := range step {
			if k := p.group[t]; k >= 0 && p.pressing[k/64]>>(k%64)&1 != 0 && p.g.changes(s, t) {
				p.pressing[k/64] &^= 1 << (k % 64)
			}
		}
	})
}
