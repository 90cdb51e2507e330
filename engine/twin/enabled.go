package twin

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/space"
)

// tests are what some acts of a side need, and the highest level that any of these looks at; 0: none.
func (p *product) tests(side int, list []act) (tests []dd.Relation, top int) {
	for i := range list {
		tests = append(tests, list[i].test(p.forest, p.level[side]))
		for _, l := range list[i].locals {
			top = max(top, p.level[side][l.Variable])
		}
	}
	return tests, top
}

// able is the part of a set, of any level that no test is above, in which some of the tests is passed.
func (p *product) able(set dd.Node, tests []dd.Relation) (dd.Node, error) {
	some := dd.Empty
	for _, t := range tests {
		one, err := p.forest.Lead(p.ctx, t, set)
		if err == nil {
			some, err = p.forest.Union(p.ctx, some, one)
		}
		if err != nil {
			return dd.Empty, err
		}
		if some == set {
			break
		}
	}
	return some, nil
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
	tests, _ := p.tests(side, p.of(side, label))
	set, err := p.able(p.reach, tests)
	if err != nil || !p.lone[side] {
		return set, err
	}
	return p.forest.ReachWithin(p.ctx, p.silent(p.back, side), set, p.reach)
}

// differ reports in which directions the sides differ in a label somewhere: what one of them can do and the other can't.
func (p *product) differ(label int) (only [2]bool, err error) {
	if p.lone[Base] || p.lone[Head] {
		return p.differWhole(label)
	}
	base, low := p.tests(Base, p.of(Base, label))
	head, high := p.tests(Head, p.of(Head, label))
	for _, n := range p.above(max(low, high)) {
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

// functional reports whether in no pair a side, which hides nothing, can do two things that are observed as one and lead to different
// states.
func (p *product) functional(side int) (bool, error) {
	order, spans := labels(p.acts[side])
	looked := 0
	for _, label := range order {
		s := spans[label]
		for i := s.from; i < s.to; i++ {
			for j := i + 1; j < s.to; j++ {
				if looked++; looked > maxJoints {
					return false, nil
				}
				if forks, err := p.forks(side, &p.acts[side][i], &p.acts[side][j]); forks || err != nil {
					return false, err
				}
			}
		}
	}
	return true, nil
}

// forks reports whether two acts can be done in one state and lead to different ones.
func (p *product) forks(side int, a, b *act) (bool, error) {
	both, apart := overlap(a.locals, b.locals)
	for i := range apart {
		if len(apart[i].Pairs) == 0 {
			continue
		}
		d := act{locals: slices.Clone(both)}
		d.locals[i] = apart[i]
		tests, top := p.tests(side, []act{d})
		for _, n := range p.above(top) {
			if some, err := p.able(n, tests); some != dd.Empty || err != nil {
				return some != dd.Empty, err
			}
		}
	}
	return false, nil
}

// overlap is the values with which two deeds can both be done, by variable, and of these the ones that they change otherwise; nothing
// when there are none.
func overlap(a, b []space.VariableLocal) (both, apart []space.VariableLocal) {
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
		both, apart = append(both, space.VariableLocal{Variable: v, Pairs: all}), append(apart, space.VariableLocal{Variable: v, Pairs: other})
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
