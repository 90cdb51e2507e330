package product

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A test asks whether any of some acts can be done.
type test struct {
	always bool        // some of them needs nothing
	one    dd.Relation // all that can do the only one of them, as they are
	any    *dd.System  // nil: there is one only; else all that can do one of several, or none
	top    int         // the highest level that any of them looks at; 0: none
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

// able is the part of a set, of any level that the test does not look above, that passes.
func (p *product) able(set dd.Node, t test) (dd.Node, error) {
	switch {
	case t.always:
		return set, nil
	case t.any == nil:
		return p.forest.Lead(p.ctx, t.one, set)
	}
	return p.forest.Image(p.ctx, t.any, set, set)
}

// of is the acts of a side with a label.
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

// can is the pairs in which a side can do what is observed as a label, at once or after moves of its own that are hidden.
func (p *product) can(side, label int) (dd.Node, error) {
	set, err := p.able(p.reach, p.test(side, p.of(side, label)))
	if err != nil || !p.hides(side) {
		return set, err
	}
	return p.drift(p.back.alone[side], set, p.reach)
}

// differ reports in which directions the sides differ in a label somewhere: what one of them can do and the other can't.
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

// above is the nodes of the pairs from which some tests can be looked at: those of a level no test is above. What is
// told there is told of some pair, since each node is part of one.
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

// compare adds to what is known whether either of two sets has what the other has not.
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

// refused is the pairs in which a side can do what is observed as a label, and the other side can't.
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

// maxForks bounds the pairs of acts of one side that are looked at.
const maxForks = 1 << 20

// functional reports whether in no pair a side, which hides nothing, can do two things that are observed as one and lead to different
// states. What it says is not so may be so, where there are too many acts of one label.
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

// forks reports whether two acts can be done in one state and lead to different ones.
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

// overlap is the values with which two deeds can both be done, by variable, and of these the ones that they change otherwise; nothing
// when there are none.
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

// still is pairs that change nothing, from where others start.
func still(pairs []dd.Pair) []dd.Pair {
	list := make([]dd.Pair, len(pairs))
	for i, p := range pairs {
		list[i] = dd.Pair{From: p.From, To: p.From}
	}
	return list
}

// meet is the values from which pairs of both lists start, and those of them from which they lead to different ones.
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
