package compile

import (
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// A state is ideal when nothing has been breached in it. A breach is remembered, so a run is ideal
// when all its states are. An ideal run is a maximal path like any other: one that cannot go on but by a
// breach does not end there, and is none.

const IdealName = phrase.Ideal

// ideal gives the atom its meaning: no obligation or prohibition has been breached.
func (d *Draft) ideal() {
	var broken []*ctl.Formula
	for _, n := range d.Spec.Norms {
		if p := n.Breached(); p != nil {
			broken = append(broken, d.Marked(d.PlaceOf[n.Name+"."+p.Name]))
		}
	}
	d.mean(IdealName, &ctl.Formula{Op: ctl.Not, Left: Disjunction(broken)})
}

// overRuns restricts a formula to ideal runs where its text asks for them.
func overRuns(f *ctl.Formula, text *hclspec.Formula) *ctl.Formula {
	if text.Ideal {
		return phrase.OverIdeal(f)
	}
	return f
}

// meanIdeal resolves the atom ideal where phrase.OverIdeal has put it.
func (d *Draft) meanIdeal(f *ctl.Formula) *ctl.Formula {
	for atom := range f.Atoms() {
		if atom.Name == IdealName {
			atom.Means = d.Meant[IdealName]
		}
	}
	return f
}
