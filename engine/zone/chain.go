package zone

import "github.com/redlinehq/redline/engine/ctl"

// A chain is what a path can show of a state: a predicate holds in it, and there may be a walk from it. So E[p U q] with a chain for q is one, and what denies
// AG (p -> AF q): a state with p from which a path goes on for ever, or ends, without q.
type chain struct {
	here *ctl.Formula // a predicate
	walk *walk        // nil: the predicate is all
}

// A walk is a path through states with a predicate, to a chain or without an end.
type walk struct {
	through *ctl.Formula // a predicate
	to      *chain       // nil: it only goes on for ever, or ends
	endless bool         // it may go on for ever, or end, in states with the predicate
}

var always = &ctl.Formula{Op: ctl.True}

func not(f *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: ctl.Not, Left: f} }

func and(f, g *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: ctl.And, Left: f, Right: g} }

// shown returns the chain that shows that a formula has a value; false if there is none.
func shown(f *ctl.Formula, value bool) (c chain, ok bool) {
	switch {
	case !f.Temporal() && value:
		return chain{here: f}, true
	case !f.Temporal():
		return chain{here: not(f)}, true
	}
	along := func(through *ctl.Formula, to *ctl.Formula, value bool, besides *ctl.Formula) (chain, bool) {
		c, ok := shown(to, value)
		if besides != nil {
			c.here = and(c.here, besides)
		}
		return chain{always, &walk{through: through, to: &c}}, ok && !through.Temporal()
	}
	endless := func(through *ctl.Formula, to *chain) (chain, bool) {
		return chain{always, &walk{through, to, true}}, !through.Temporal() && (to == nil || !to.here.Temporal())
	}
	both := func(f *ctl.Formula, value bool, g *ctl.Formula, other bool) (chain, bool) {
		a, ok := shown(f, value)
		b, also := shown(g, other)
		if !ok || !also || a.walk != nil && b.walk != nil {
			return chain{}, false
		}
		if a.walk == nil {
			a.walk = b.walk
		}
		return chain{and(a.here, b.here), a.walk}, true
	}
	switch f.Op {
	case ctl.Atom:
		return shown(f.Means, value)
	case ctl.Not:
		return shown(f.Left, !value)
	}
	switch {
	case value && f.Op == ctl.And:
		return both(f.Left, true, f.Right, true)
	case value && f.Op == ctl.EF:
		return along(always, f.Left, true, nil)
	case value && f.Op == ctl.EU:
		return along(f.Left, f.Right, true, nil)
	case value && f.Op == ctl.EG:
		return endless(f.Left, nil)
	case value && f.Op == ctl.EW:
		return endless(f.Left, &chain{here: f.Right})
	case value:
		return chain{}, false
	case f.Op == ctl.Or:
		return both(f.Left, false, f.Right, false)
	case f.Op == ctl.Implies:
		return both(f.Left, true, f.Right, false)
	case f.Op == ctl.AG:
		return along(always, f.Left, false, nil)
	case f.Op == ctl.AW && !f.Right.Temporal():
		return along(not(f.Right), f.Left, false, not(f.Right))
	case f.Op == ctl.AF:
		return endless(not(f.Left), nil)
	case f.Op == ctl.AU:
		return endless(not(f.Right), &chain{here: and(not(f.Left), not(f.Right))})
	}
	return chain{}, false
}
