package product

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A test asks whether any of some acts is enabled.
type test struct {
	always bool        // some act needs nothing
	one    dd.Relation // identity on the states that enable the only act
	any    *dd.System  // nil: there is one act; else identity on the states that enable one of several, or none
	top    int         // the highest level that any act reads; 0: none
}

func (p *product) test(side int, list []act) (t test) {
	var needs []dd.Relation
	for i := range list {
		locals := list[i].at(p.level[side], func(p dd.Pair) dd.Pair { return dd.Pair{From: p.From, To: p.From} })
		for _, l := range locals {
			t.top = max(t.top, l.Level)
		}
		t.always = t.always || len(locals) == 0
		t.one = chain(p.forest, locals)
		needs = append(needs, t.one)
	}
	if len(needs) != 1 {
		t.any = p.forest.System(needs)
	}
	return t
}

// able returns the part of a set that passes a test. The set may start at any level that the test does not read above.
func (p *product) able(set dd.Node, t test) (dd.Node, error) {
	switch {
	case t.always:
		return set, nil
	case t.any == nil:
		return p.forest.Lead(p.ctx, t.one, set)
	}
	return p.forest.Image(p.ctx, t.any, set, set)
}

// of returns the acts of a side with a label.
func (p *product) of(side, label int) []act {
	list := p.acts[side]
	from := slices.IndexFunc(list, func(a act) bool { return a.label == label })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(list) && list[to].label == label {
		to++
	}
	return list[from:to]
}

// can returns the pairs in which a side allows a label, at once or after hidden moves of its own.
func (p *product) can(side, label int) (dd.Node, error) {
	set, err := p.able(p.reach, p.test(side, p.of(side, label)))
	if err != nil || !p.hides(side) {
		return set, err
	}
	return p.drift(p.back.alone[side], set, p.reach)
}

// differ reports in which directions the sides differ in a label in some pair.
func (p *product) differ(label int) (only [2]bool, err error) {
	if p.hides(Base) || p.hides(Head) {
		return p.differWhole(label)
	}
	base, head := p.test(Base, p.of(Base, label)), p.test(Head, p.of(Head, label))
	for _, n := range p.above(max(base.top, head.top)) {
		a, err := p.able(n, base)
		if err != nil {
			return only, err
		}
		b, err := p.able(n, head)
		if err != nil {
			return only, err
		}
		if only, err = p.compare(a, b, only); err != nil {
			return only, err
		}
	}
	return only, nil
}

// above returns the nodes of the pairs at the highest level that some tests read. A result for such a node holds for some pair, since each
// node is part of one.
func (p *product) above(top int) []dd.Node {
	if top == 0 {
		return []dd.Node{p.reach}
	}
	return p.nodes[top]
}

func (p *product) differWhole(label int) (only [2]bool, err error) {
	var can [2]dd.Node
	for side := range can {
		if can[side], err = p.can(side, label); err != nil {
			return only, err
		}
	}
	return p.compare(can[Base], can[Head], only)
}

// compare sets the directions in which one of two sets has elements that the other lacks.
func (p *product) compare(a, b dd.Node, only [2]bool) ([2]bool, error) {
	for side, sets := range [2][2]dd.Node{{a, b}, {b, a}} {
		if a == b || only[side] {
			continue
		}
		rest, err := p.forest.Minus(p.ctx, sets[0], sets[1])
		if err != nil {
			return only, err
		}
		only[side] = rest != dd.Empty
	}
	return only, nil
}

// refused returns the pairs in which a side allows a label and the other side does not.
func (p *product) refused(own, label int) (dd.Node, error) {
	mine, err := p.can(own, label)
	if err != nil {
		return dd.Empty, err
	}
	theirs, err := p.can(1-own, label)
	if err != nil {
		return dd.Empty, err
	}
	return p.forest.Minus(p.ctx, mine, theirs)
}

// maxForks bounds the pairs of acts of one side that are examined.
const maxForks = 1 << 20

// functional reports whether a side that hides nothing never allows two acts of one label with different results. It may return false
// wrongly if there are too many acts of one label.
func (p *product) functional(side int) (bool, error) {
	list := p.acts[side]
	looked := 0
	for i := range list {
		for j := i + 1; j < len(list) && list[j].label == list[i].label; j++ {
			if list[i].transition == list[j].transition { // two ways of one transition exclude each other
				continue
			}
			if looked++; looked > maxForks {
				return false, nil
			}
			if forks, err := p.forks(side, &list[i], &list[j]); forks || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// forks reports whether two acts are enabled in one state and lead to different ones.
func (p *product) forks(side int, a, b *act) (bool, error) {
	if p.ctx.Err() != nil {
		return false, context.Cause(p.ctx)
	}
	both, apart := overlap(a.locals, b.locals)
	for i := range apart {
		if len(apart[i].Pairs) == 0 {
			continue
		}
		d := act{locals: slices.Clone(both)}
		d.locals[i] = apart[i]
		t := p.test(side, []act{d})
		for _, n := range p.above(t.top) {
			if some, err := p.able(n, t); some != dd.Empty || err != nil {
				return some != dd.Empty, err
			}
		}
	}
	return false, nil
}

// overlap returns the values, by variable, with which two acts are both enabled, and those of them that they change differently. It returns
// nil if there are none.
func overlap(a, b []symbolic.VariableLocal) (both, apart []symbolic.VariableLocal) {
	for len(a)+len(b) > 0 {
		var x, y []dd.Pair
		v := 0
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Variable < b[0].Variable:
			v, x, a = a[0].Variable, a[0].Pairs, a[1:]
			y = still(x)
		case len(a) == 0 || b[0].Variable < a[0].Variable:
			v, y, b = b[0].Variable, b[0].Pairs, b[1:]
			x = still(y)
		default:
			v, x, y, a, b = a[0].Variable, a[0].Pairs, b[0].Pairs, a[1:], b[1:]
		}
		all, other := meet(x, y)
		if len(all) == 0 {
			return nil, nil
		}
		both, apart = append(both, symbolic.VariableLocal{Variable: v, Pairs: all}), append(apart, symbolic.VariableLocal{Variable: v, Pairs: other})
	}
	return both, apart
}

// still returns the pairs that keep the starting values of others.
func still(pairs []dd.Pair) []dd.Pair {
	list := make([]dd.Pair, len(pairs))
	for i, p := range pairs {
		list[i] = dd.Pair{From: p.From, To: p.From}
	}
	return list
}

// meet returns the values from which pairs of both lists start, and those from which they lead to different values.
func meet(x, y []dd.Pair) (all, other []dd.Pair) {
	for i, p := range still(x) {
		j := slices.IndexFunc(y, func(q dd.Pair) bool { return q.From == p.From })
		if j < 0 {
			continue
		}
		all = append(all, p)
		if x[i].To != y[j].To {
			other = append(other, p)
		}
	}
	return all, other
}
