package zone

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A label is what is known of a formula at each node (after S. Kleene, 1952, Introduction to metamathematics, and of the two relations of modal transition systems, K. Larsen, B. Thomsen,
// 1988, A modal process logic). An event can happen whatever the values, so a node from which it leads to a node that must satisfy EF p must, too. Which tick is the next
// depends on the values, so of ticks all have to.
type label struct {
	must []bool // all values satisfy it
	may  []bool // some may
}

// An arc leads from a node to another that includes all that it leads to.
type arc struct {
	to   int
	tick bool
}

// nested decides a formula of EF, AG, E[ U ] and A[ W ], in any nesting, in a marking, with the run to where it is shown or denied.
func (v evaluator) nested(ctx context.Context, f *ctl.Formula, from petri.Marking) (holds bool, run ctl.Run, err error) {
	through, target, value, ok := until(f)
	if !ok {
		return false, run, errOther
	}
	s, err := v.starting(f, from)
	if err != nil {
		return false, run, err
	}
	s.whole, s.walks = true, []*walk{{through: always}}
	if _, err = s.run(ctx); err != nil {
		return false, run, err
	}
	a, known := s.label(through)
	b, also := s.label(target)
	if s.irregular || !known || !also {
		return false, run, errOther
	}
	reached := make([]bool, len(s.nodes)) // by a path of nodes that all satisfy through
	for i := range s.nodes {
		parent := s.nodes[i].parent
		reached[i] = parent < 0 || reached[parent] && a.must[parent]
		if reached[i] && b.must[i] {
			s.path = s.to(i)
			run, err = s.concrete()
			return value, run, err
		}
	}
	if s.until(a, b).may[0] {
		return false, run, errOther
	}
	return !value, run, nil
}

// until returns a formula as E[through U target], or the negation of that if value is false.
func until(f *ctl.Formula) (through, target *ctl.Formula, value, ok bool) {
	switch f.Op {
	case ctl.EF:
		return always, f.Left, true, true
	case ctl.EU:
		return f.Left, f.Right, true, true
	case ctl.AG:
		return always, not(f.Left), false, true
	case ctl.AW:
		return not(f.Right), and(not(f.Left), not(f.Right)), false, true
	}
	return nil, nil, false, false
}

// label returns what is known of a formula; false if it has another operator.
func (s *search) label(f *ctl.Formula) (l label, ok bool) {
	switch {
	case !f.Temporal():
		l.must = make([]bool, len(s.nodes))
		for i := range s.nodes {
			l.must[i] = s.holds(i, f)
		}
		return label{l.must, l.must}, true
	case f.Op == ctl.Atom:
		return s.label(f.Means)
	}
	through, target, value, ok := until(f)
	if ok {
		a, known := s.label(through)
		b, also := s.label(target)
		if !known || !also {
			return l, false
		}
		if l = s.until(a, b); !value {
			l = l.not()
		}
		return l, true
	}
	switch f.Op {
	case ctl.Not:
		l, ok = s.label(f.Left)
		return l.not(), ok
	case ctl.And:
		l, ok = s.either(not(f.Left), not(f.Right))
		return l.not(), ok
	case ctl.Or:
		return s.either(f.Left, f.Right)
	case ctl.Implies:
		return s.either(not(f.Left), f.Right)
	}
	return l, false
}

// either returns what is known of f || g.
func (s *search) either(f, g *ctl.Formula) (l label, ok bool) {
	a, known := s.label(f)
	b, also := s.label(g)
	if !known || !also {
		return l, false
	}
	or := func(a, b []bool) []bool {
		all := make([]bool, len(a))
		for i := range a {
			all[i] = a[i] || b[i]
		}
		return all
	}
	return label{or(a.must, b.must), or(a.may, b.may)}, true
}

func (l label) not() label {
	inverse := func(list []bool) []bool {
		all := make([]bool, len(list))
		for i, so := range list {
			all[i] = !so
		}
		return all
	}
	return label{must: inverse(l.may), may: inverse(l.must)}
}

// until returns what is known of E[a U b].
func (s *search) until(a, b label) label {
	before := make([][]arc, len(s.nodes))
	ticks := make([]int, len(s.nodes))
	for i := range s.nodes {
		for _, next := range s.nodes[i].arcs {
			before[next.to] = append(before[next.to], arc{i, next.tick})
			if next.tick {
				ticks[i]++
			}
		}
	}
	backwards := func(a, b []bool, leads func(arc) bool) []bool {
		on := make([]bool, len(s.nodes))
		var work []int
		for i, so := range b {
			if on[i] = so; so {
				work = append(work, i)
			}
		}
		for len(work) > 0 {
			last := work[len(work)-1]
			work = work[:len(work)-1]
			for _, from := range before[last] {
				if leads(from) && a[from.to] && !on[from.to] {
					on[from.to] = true
					work = append(work, from.to)
				}
			}
		}
		return on
	}
	return label{
		must: backwards(a.must, b.must, func(from arc) bool {
			if !from.tick {
				return true
			}
			ticks[from.to]--
			return ticks[from.to] == 0 && !s.nodes[from.to].held
		}),
		may: backwards(a.may, b.may, func(arc) bool { return true }),
	}
}
