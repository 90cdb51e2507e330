package space

import (
	"context"
	"math/bits"
)

// Pressing visits components of a, as Components does, each with the groups of transitions that press in it, as a bit set. A group presses if
// in each state of the component one of its transitions can fire and change something, and none does along an arc inside. A path that stays in
// the component for ever, or stops there, is unfair to these groups. A path that visits all of it for ever is fair to all others. Groups are
// disjoint; group[t] is the group of transition t, or negative. A firing of t that moves a token to a place of barred[t] does not count. visit must not keep its arguments. Cost: what can fire in each state of a,
// once, and along the arcs of components of several states in which some group presses.
func (g *Graph) Pressing(ctx context.Context, a, from Set, group []int, barred [][]int, visit func(part []uint32, inside func(t uint32) bool, pressing []uint64) error) error {
	most := 0
	for _, k := range group {
		most = max(most, k+1)
	}
	p := &presser{g: g, group: group, bar: barred, fireable: make([]uint64, (len(group)+63)/64), able: make([]uint64, (most+63)/64), pressing: make([]uint64, (most+63)/64)}
	return g.Components(ctx, a, from, func(part []uint32, inside func(t uint32) bool) error {
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
	bar            bar
	fireable, able []uint64 // of the state looked at last
	pressing       []uint64
}

// enter sets p.pressing to the groups that press in a component.
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
	if len(part) == 1 { // an arc that changes something leads to another state
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

// look sets p.able to the groups that can change something in state s.
func (p *presser) look(s int) {
	clear(p.fireable)
	clear(p.able)
	p.g.firer.fireable(p.g.Marks.At(s), p.fireable)
	for i, w := range p.fireable {
		for ; w != 0; w &= w - 1 {
			t := i*64 + bits.TrailingZeros64(w)
			if k := p.group[t]; k >= 0 && !Has(p.able, k) && p.g.acts(p.bar, s, t) {
				Add(p.able, k)
			}
		}
	}
}

// happen removes the groups that change something along an arc inside from state s.
func (p *presser) happen(s int, inside func(t uint32) bool) {
	succ := p.g.Succ(s)
	for i, step := range p.g.Steps(s) {
		if !inside(succ[i]) {
			continue
		}
		for _, t := range step {
			if k := p.group[t]; k >= 0 && Has(p.pressing, k) && p.g.acts(p.bar, s, t) {
				drop(p.pressing, k)
			}
		}
	}
}
