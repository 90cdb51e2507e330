package product

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// A test asks whether any of some acts is enabled.
type test struct {
	one dd.Relation // identity on the states that enable the only act
	any *dd.System  // nil: there is one act, or one that is always enabled; else identity on the states that enable one of several, or none
	top int         // the highest level that any act reads; 0: none
}

// test returns the test for acts of a side.
func (p *product) test(side int, list []int) test {
	needs := make([]dd.Relation, len(list))
	for k, i := range list {
		needs[k] = p.forest.Domain(p.relations[side][i])
	}
	return p.anyOf(needs)
}

// anyOf returns the test for identities.
func (p *product) anyOf(needs []dd.Relation) (t test) {
	if slices.Contains(needs, dd.Identity) {
		needs = []dd.Relation{dd.Identity}
	}
	for _, r := range needs {
		t.one, t.top = r, max(t.top, p.forest.Highest(r))
	}
	if len(needs) != 1 {
		t.any = p.forest.System(needs)
	}
	return t
}

// able returns the part of a set that passes a test. The set may start at any level that the test does not read above.
func (p *product) able(set dd.Node, t test) dd.Node {
	if t.any == nil {
		return p.forest.Lead(t.one, set)
	}
	return p.forest.Image(t.any, set, set)
}

// of returns the acts of a side with a label: they follow each other.
func (p *product) of(side, label int) (list []int) {
	acts := p.acts[side]
	first, _ := slices.BinarySearchFunc(acts, label, func(a act, label int) int { return cmp.Compare(a.label, label) })
	for i := first; i < len(acts) && acts[i].label == label; i++ {
		list = append(list, i)
	}
	return list
}

// can returns the pairs in which a side allows a label, at once or after hidden moves of its own.
func (p *product) can(side, label int) dd.Node {
	set := p.able(p.reach, p.test(side, p.of(side, label)))
	if !p.hides(side) || p.steady(label) {
		return set
	}
	return p.drift(p.back.alone[side], set, p.reach)
}

// steady reports whether no hidden act makes a difference to a label.
func (p *product) steady(label int) bool {
	for side := range p.acts {
		for _, i := range p.of(side, label) {
			if !p.acts[side][i].steady {
				return false
			}
		}
	}
	return true
}

// differ reports in which directions the sides differ in a label in some pair.
func (p *product) differ(label int) (only [2]bool) {
	if (p.hides(Base) || p.hides(Head)) && !p.steady(label) {
		p.compare(p.can(Base, label), p.can(Head, label), &only)
		return only
	}
	base, head := p.test(Base, p.of(Base, label)), p.test(Head, p.of(Head, label))
	for _, n := range p.above(max(base.top, head.top)) {
		p.compare(p.able(n, base), p.able(n, head), &only)
	}
	return only
}

// above returns the nodes of the pairs at the highest level that some tests read. A result for such a node holds for some pair, since each
// node is part of one.
func (p *product) above(top int) []dd.Node {
	if top == 0 {
		return []dd.Node{p.reach}
	}
	return p.nodes[top]
}

// compare sets the directions in which one of two sets has elements that the other lacks.
func (p *product) compare(a, b dd.Node, only *[2]bool) {
	for side, sets := range [2][2]dd.Node{{a, b}, {b, a}} {
		only[side] = only[side] || a != b && p.forest.Minus(sets[0], sets[1]) != dd.Empty
	}
}

// refused returns the pairs in which a side allows a label and the other side does not.
func (p *product) refused(own, label int) dd.Node {
	return p.forest.Minus(p.can(own, label), p.can(1-own, label))
}

// maxForks bounds the pairs of acts of one side that are examined.
const maxForks = 1 << 20

// functional reports whether a side that hides nothing never allows two acts of one label with different results. It may return false
// wrongly if there are too many acts of one label.
func (p *product) functional(side int) bool {
	list := p.acts[side]
	looked := 0
	for i := range list {
		for j := i + 1; j < len(list) && list[j].label == list[i].label; j++ {
			if list[i].transition == list[j].transition { // two ways of one transition exclude each other
				continue
			}
			if looked++; looked > maxForks || p.forks(side, i, j) {
				return false
			}
		}
	}
	return true
}

// forks reports whether two acts are enabled in one state and lead to different ones.
func (p *product) forks(side, i, j int) bool {
	both := p.forest.Disagreement(p.relations[side][i], p.relations[side][j])
	if both == dd.Nothing {
		return false
	}
	t := p.anyOf([]dd.Relation{both})
	return slices.ContainsFunc(p.above(t.top), func(n dd.Node) bool { return p.able(n, t) != dd.Empty })
}
