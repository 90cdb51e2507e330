package compile

import (
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// A state is ideal when nothing has been breached in it. A breach is permanent, so a run is ideal when all its states are. Ideal runs are
// maximal paths like any other. A path that can only continue by a breach does not end there, so it is not an ideal run.

// IdealName is the name of the atom for ideal states.
const IdealName = phrase.Ideal

// ideal defines the atom: no norm has been breached.
func (d *Draft) ideal() {
	var broken []*ctl.Formula
	for _, n := range d.Spec.Norms {
		if p := n.Breached(); p != nil {
			broken = append(broken, d.Marked(d.PlaceOf[n.Name+"."+p.Name]))
		}
	}
	d.mean(IdealName, &ctl.Formula{Op: ctl.Not, Left: Join(ctl.Or, broken)})
}

// overRuns restricts a formula to ideal runs if its text asks for that.
func overRuns(f *ctl.Formula, text *hclspec.Formula) *ctl.Formula {
	if text.Ideal {
		return phrase.OverIdeal(f)
	}
	return f
}

// meanIdeal resolves the ideal atoms that phrase.OverIdeal has inserted. It changes the formula in place.
func (d *Draft) meanIdeal(f *ctl.Formula) *ctl.Formula {
	for atom := range f.Atoms() {
		if atom.Name == IdealName {
			atom.Means = d.Meant[IdealName]
		}
	}
	return f
}
