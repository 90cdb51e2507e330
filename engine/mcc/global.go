package mcc

import (
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// deadlock returns the formula that a dead end can be reached.
func deadlock() *ctl.Formula {
	some := &ctl.Formula{Op: ctl.EX, Left: &ctl.Formula{Op: ctl.True}}
	return &ctl.Formula{Op: ctl.EF, Left: &ctl.Formula{Op: ctl.Not, Left: some}}
}

// everyTransition returns the formula that every transition can fire or, with always, can always fire again. The formula is balanced, since
// labelling recurses to its depth.
func everyTransition(n *petri.Net, always bool) *ctl.Formula {
	all := make([]*ctl.Formula, len(n.Transitions))
	for t := range n.Transitions {
		all[t] = &ctl.Formula{Op: ctl.EF, Left: fireable(n, t)}
		if always {
			all[t] = &ctl.Formula{Op: ctl.AG, Left: all[t]}
		}
	}
	return joined(ctl.And, all, ctl.True)
}

// joined returns a balanced tree of formulas under an operator, or none if there are no formulas.
func joined(op ctl.Op, all []*ctl.Formula, none ctl.Op) *ctl.Formula {
	switch len(all) {
	case 0:
		return &ctl.Formula{Op: none}
	case 1:
		return all[0]
	}
	half := len(all) / 2
	return &ctl.Formula{Op: op, Left: joined(op, all[:half], none), Right: joined(op, all[half:], none)}
}
