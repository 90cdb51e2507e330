package compile

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// A state is ideal when nothing has been breached in it. A breach is permanent, so a run is ideal when all its states are. Ideal runs are
// maximal paths like any other, with one exception: a run may end where all that can still happen is forbidden to a party that takes part in
// it, and breaches that prohibition. A path that can only continue by another breach, such as a missed deadline, does not end there.

// IdealName is the name of the atom for ideal states.
const IdealName = phrase.Ideal

// ideal defines the atoms: no norm has been breached; a norm has been breached that can be left alone.
func (d *Draft) ideal() {
	ideal, overstepped := d.unbreached(nil)
	d.mean(IdealName, ideal)
	if overstepped != nil {
		d.mean(phrase.Overstepped, overstepped)
	}
}

// Sparing returns a copy of a resolved formula for whose ideal runs breaches of some norms do not count.
func (d *Draft) Sparing(f *ctl.Formula, spared []*hclspec.Norm) *ctl.Formula {
	ideal, overstepped := d.unbreached(spared)
	overstepped = cmp.Or(overstepped, &ctl.Formula{Op: ctl.False})
	var spare func(f *ctl.Formula) *ctl.Formula
	spare = func(f *ctl.Formula) *ctl.Formula {
		if f == nil {
			return nil
		}
		g := *f
		g.Left, g.Right, g.Means = spare(f.Left), spare(f.Right), spare(f.Means)
		switch g.Name {
		case IdealName:
			g.Means = ideal
		case phrase.Overstepped:
			g.Means = overstepped
		}
		return &g
	}
	return spare(f)
}

// unbreached returns the meanings of the atoms, leaving aside some norms. The second is nil if none of the others can be left alone.
func (d *Draft) unbreached(aside []*hclspec.Norm) (ideal, left *ctl.Formula) {
	var broken, overstepped []*ctl.Formula
	for _, n := range d.Spec.Norms {
		p := n.Breached()
		if p == nil || slices.Contains(aside, n) {
			continue
		}
		broken = append(broken, d.Marked(d.PlaceOf[n.Name+"."+p.Name]))
		if d.canLeave(n) {
			overstepped = append(overstepped, broken[len(broken)-1])
		}
	}
	if len(overstepped) > 0 {
		left = Join(ctl.Or, overstepped)
	}
	return &ctl.Formula{Op: ctl.Not, Left: Join(ctl.Or, broken)}, left
}

// canLeave reports whether a norm is a prohibition that whoever bears it keeps by doing nothing: a bearer takes part in each way of each forbidden
// event, and none of these happens by itself. It is false where everything that can happen does so at once, since nobody can hold back there.
func (d *Draft) canLeave(n *hclspec.Norm) bool {
	if n.Kind != hclspec.Prohibition || d.Rule != petri.One {
		return false
	}
	for t := range d.Net.Transitions {
		tr := &d.Net.Transitions[t]
		if tr.Event < 0 || !slices.Contains(n.Acts, d.Events[tr.Event]) {
			continue
		}
		if d.Events[tr.Event].Due != nil || slices.ContainsFunc(n.Bearers, func(who hclspec.Tenure) bool { return !d.TakesPart(tr, who) }) {
			return false
		}
	}
	return true
}

// Shunned returns, by composed transition, whether a prohibition names its event that whoever bears it keeps by doing nothing. Where nothing is
// ever breached nobody is assumed to do such a thing.
func (d *Draft) Shunned() []bool {
	all := make([]bool, len(d.Net.Transitions))
	for _, n := range d.Spec.Norms {
		if !d.canLeave(n) {
			continue
		}
		for t := range all {
			e := d.Net.Transitions[t].Event
			all[t] = all[t] || e >= 0 && slices.Contains(n.Acts, d.Events[e])
		}
	}
	return all
}

// TakesPart reports whether one of some parties takes part in a transition, in whichever role.
func (d *Draft) TakesPart(t *petri.Transition, who hclspec.Tenure) bool {
	return slices.ContainsFunc(t.Parts, func(p petri.Part) bool { return !d.Part(p).Passive && who.Includes(d.Parties[p.Net]) })
}

// IdealRun returns the formula that an ideal run begins.
func (d *Draft) IdealRun() *ctl.Formula {
	return d.meanIdeal(phrase.IdealRun(d.rests()))
}

// rests reports whether ideal runs may end where something can still happen.
func (d *Draft) rests() bool { return d.meant[phrase.Overstepped] != nil }

// overRuns restricts a formula to ideal runs if its text asks for that.
func (d *Draft) overRuns(f *ctl.Formula, text *hclspec.Formula) *ctl.Formula {
	if text.Ideal {
		return phrase.OverIdeal(f, d.rests())
	}
	return f
}

// ResolveLike resolves formula text against the names of this draft, as Resolve does, with the ideal runs restricted as in another draft, so that the
// formula has the shape that it has there.
func (d *Draft) ResolveLike(text *hclspec.Formula, other *Draft) (*ctl.Formula, hcl.Diagnostics) {
	like := *d
	like.meant = maps.Clone(d.meant)
	switch {
	case !other.rests():
		delete(like.meant, phrase.Overstepped)
	case !d.rests():
		like.meant[phrase.Overstepped] = &ctl.Formula{Op: ctl.False}
	}
	return like.Resolve(text)
}

// parse parses formula text, and restricts it to the ideal runs of this draft if the text says so.
func (d *Draft) parse(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	f, diag := phrase.ParseAsWritten(text)
	if diag == nil {
		f = d.overRuns(f, text)
	}
	return f, diag
}

// meanIdeal resolves the ideal atoms that phrase.OverIdeal has inserted. It changes the formula in place.
func (d *Draft) meanIdeal(f *ctl.Formula) *ctl.Formula {
	for atom := range f.Atoms() {
		if atom.Name == IdealName || atom.Name == phrase.Overstepped {
			atom.Means = d.meant[atom.Name]
		}
	}
	return f
}
