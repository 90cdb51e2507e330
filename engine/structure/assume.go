package structure

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// assume narrows bounds by the goals. It returns the goals that leave a choice, and reports false if goals exclude each other.
func (s *search) assume(goals []goal) (choices []goal, met bool) {
	for _, g := range goals {
		if met = s.assumeOne(g, &choices); !met {
			return nil, false
		}
	}
	return choices, true
}

func (s *search) assumeOne(g goal, choices *[]goal) bool {
	f := g.formula
	s.table.work++
	switch {
	case f.Op == ctl.True || f.Op == ctl.False:
		return (f.Op == ctl.True) == g.holds
	case f.Op == ctl.Atom:
		return s.assumeAtom(g, choices)
	case f.Op == ctl.Not:
		return s.assumeOne(goal{f.Left, !g.holds}, choices)
	case deadEnd(f) == g.holds && (deadEnd(f) || lively(f)):
		return s.assumeDead()
	case f.Op >= ctl.ForAll:
		return true // it says nothing of the marking alone
	case f.Op == ctl.And && g.holds:
		return s.assumeOne(goal{f.Left, true}, choices) && s.assumeOne(goal{f.Right, true}, choices)
	case f.Op == ctl.Or && !g.holds:
		return s.assumeOne(goal{f.Left, false}, choices) && s.assumeOne(goal{f.Right, false}, choices)
	case f.Op == ctl.Implies && !g.holds:
		return s.assumeOne(goal{f.Left, true}, choices) && s.assumeOne(goal{f.Right, false}, choices)
	}
	*choices = append(*choices, g)
	return true
}

// lively and deadEnd report whether a formula says that a state has a successor, or that it has none.
func lively(f *ctl.Formula) bool  { return f.Op == ctl.EX && f.Left.Op == ctl.True }
func deadEnd(f *ctl.Formula) bool { return f.Op == ctl.AX && f.Left.Op == ctl.False }

func (s *search) assumeAtom(g goal, choices *[]goal) bool {
	switch f := g.formula; {
	case f.Means != nil:
		return s.assumeOne(goal{f.Means, g.holds}, choices)
	case f.Sum == nil:
		return s.literal(f.Place, g.holds)
	case len(f.Sum.Weights) == 1:
		return s.single(f.Sum, g.holds)
	case g.holds:
		return s.limit(f.Sum.Weights, -heavy, f.Sum.Most)
	default:
		return s.limit(f.Sum.Weights, f.Sum.Most+1, heavy)
	}
}

// literal assumes that a place is marked, or that it is not. It reports false if bounds exclude that.
func (s *search) literal(p int, marked bool) bool {
	t := s.table
	change := float64(tokens(marked) - tokens(s.marked[p]))
	if change < t.lo[p] || change > t.hi[p] {
		return false
	}
	if t.lo[p] < t.hi[p] {
		t.bound(p, change, change)
		s.given.literals = append(s.given.literals, literal{p, marked})
	}
	return true
}

// single assumes what a sum of one place says about that place. It reports false if bounds exclude that.
func (s *search) single(sum *ctl.Sum, holds bool) bool {
	empty, full := 0 <= sum.Most == holds, sum.Weights[0].By <= sum.Most == holds
	if empty && full {
		return true
	}
	return (empty || full) && s.literal(sum.Weights[0].Place, full)
}

// limit assumes that a sum is within bounds. It reports false if other bounds exclude that. It ignores a sum whose numbers are too large.
func (s *search) limit(weights []ctl.Weight, least, most int) bool {
	k := s.table.sum(weights)
	if k < 0 {
		return true
	}
	v, initial := s.table.variable(k), s.table.sums[k].initial
	lo, hi := float64(least-initial), float64(most-initial)
	if lo > s.table.hi[v] || hi < s.table.lo[v] {
		if s.table.sums[k].trap {
			s.because(reason{trap: s.table.sums[k].weights})
		}
		return false
	}
	s.table.bound(v, lo, hi)
	s.given.limits = append(s.given.limits, limit{k, least, most})
	return true
}

// assumeDead assumes that no transition is fireable: at least one place that the transition needs is not marked. In a one-safe net this bounds
// the sum of those places. Transitions that fire only where some move applies are ignored.
func (s *search) assumeDead() bool {
	for i := range s.net.Transitions {
		of := &s.net.Transitions[i]
		if of.Moving {
			continue
		}
		needs := slices.Concat(of.In, of.Read)
		s.table.work += int64(len(needs))
		if s.table.enough() {
			return true // without effect: the programme is given up
		}
		met := true
		switch slices.Sort(needs); len(needs) {
		case 0:
			return false
		case 1:
			met = s.literal(needs[0], false)
		default:
			weights := make([]ctl.Weight, len(needs))
			for i, p := range needs {
				weights[i] = ctl.Weight{Place: p, By: 1}
			}
			met = s.limit(weights, 0, len(needs)-1)
		}
		if !met {
			return false
		}
	}
	return true
}

// meets reports whether the programme's marking certainly meets a goal.
func (s *search) meets(g goal) bool {
	f := g.formula
	both := func(a, b bool) bool { return s.meets(goal{f.Left, a}) && s.meets(goal{f.Right, b}) }
	either := func(a, b bool) bool { return s.meets(goal{f.Left, a}) || s.meets(goal{f.Right, b}) }
	switch {
	case f.Op == ctl.True || f.Op == ctl.False:
		return (f.Op == ctl.True) == g.holds
	case f.Op == ctl.Atom && f.Means != nil:
		return s.meets(goal{f.Means, g.holds})
	case f.Op == ctl.Atom:
		return s.shows(f, g.holds)
	case f.Op == ctl.Not:
		return s.meets(goal{f.Left, !g.holds})
	case f.Op >= ctl.ForAll:
		return true
	case f.Op == ctl.Iff:
		return both(true, g.holds) || both(false, !g.holds)
	case f.Op == ctl.And && g.holds:
		return both(true, true)
	case f.Op == ctl.And:
		return either(false, false)
	case f.Op == ctl.Or && g.holds:
		return either(true, true)
	case f.Op == ctl.Or:
		return both(false, false)
	case g.holds: // ctl.Implies
		return either(false, true)
	}
	return both(true, false)
}

// shows reports whether an atom certainly has a value in the programme's marking.
func (s *search) shows(f *ctl.Formula, holds bool) bool {
	most, sum := 0.0, 0.0
	if f.Sum == nil {
		most, sum = -1, -s.tokens(f.Place)
	} else {
		most = float64(f.Sum.Most)
		for _, w := range f.Sum.Weights {
			sum += float64(w.By) * s.tokens(w.Place)
		}
	}
	if holds {
		return sum <= most+tolerance
	}
	return sum >= most+1-tolerance
}
