package slice

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// constants are the places whose marking no longer changes, from some marking on. The zero constants are none.
type constants struct {
	stays   []uint64 // marked for good
	reached []uint64 // those that a token may come to
}

// A value is what is known of a predicate from some marking on.
type value struct {
	known, holds bool
	places       []int // whose tokens it depends on as far as it is known, and otherwise may depend on
}

// support returns what is known of a predicate. Once one breach is there for good, that there is some breach depends on that alone.
func (c constants) support(f *ctl.Formula) value {
	switch {
	case f.Op == ctl.True || f.Op == ctl.False:
		return value{known: true, holds: f.Op == ctl.True}
	case f.Op == ctl.Not:
		v := c.support(f.Left)
		v.holds = !v.holds
		return v
	case f.Op == ctl.And:
		return c.decided(f.Left, true, f.Right, true, false)
	case f.Op == ctl.Or:
		return c.decided(f.Left, false, f.Right, false, true)
	case f.Op == ctl.Implies:
		return c.decided(f.Left, true, f.Right, false, true)
	case f.Op == ctl.Iff:
		a, b := c.support(f.Left), c.support(f.Right)
		return value{a.known && b.known, a.holds == b.holds, slices.Concat(a.places, b.places)}
	case f.Means != nil:
		return c.support(f.Means)
	case f.Sum != nil:
		var v value
		for _, w := range f.Sum.Weights {
			v.places = append(v.places, w.Place)
		}
		return v
	case c.reached == nil:
		return value{places: []int{f.Place}}
	case !space.Has(c.reached, f.Place):
		return value{known: true}
	}
	stays := space.Has(c.stays, f.Place)
	return value{stays, stays, []int{f.Place}}
}

// decided returns what is known of a predicate that has a value if f is not as left or g is not as right, and otherwise the other value.
func (c constants) decided(f *ctl.Formula, left bool, g *ctl.Formula, right, holds bool) value {
	a, b := c.support(f), c.support(g)
	for _, one := range []value{{a.known && a.holds != left, holds, a.places}, {b.known && b.holds != right, holds, b.places}} {
		if one.known {
			return one
		}
	}
	return value{a.known && b.known, !holds, slices.Concat(a.places, b.places)}
}
