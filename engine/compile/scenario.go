package compile

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// ran resolves the steps of a scenario. It returns a diagnostic for a step that is no event.
func (d *Draft) ran(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	for _, step := range slices.Compact(slices.Clone(atom.Call.Args)) {
		if step.Name != hclspec.Tick && step.Name != phrase.Begun && len(d.EventsOf(step.Name)) == 0 {
			return d.unknownEvent(step, text)
		}
	}
	return nil
}

// EventsOf returns the events that a step of a scenario means: the event of that name or, of several, all that its block makes.
func (d *Draft) EventsOf(step string) []*hclspec.Event {
	if e := d.Event(step); e != nil {
		return []*hclspec.Event{e}
	}
	return d.lookup.made[step]
}

// inBreach resolves in_breach(party): the party has breached an obligation or a prohibition.
func (d *Draft) inBreach(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	name := atom.Call.Args[0].Name
	p := d.lookup.parties[name]
	if p == nil {
		return phrase.Diagnostic("unknown-name", text.Range, fmt.Sprintf("There is no party %q.", name), "")
	}
	var any []*ctl.Formula
	for _, n := range d.Spec.Norms {
		for _, t := range n.Bearers {
			if n.Breached() != nil && t.Includes(p) {
				any = append(any, Join(ctl.And, append(d.During(t), d.normAtom(n, construct.Breached))))
			}
		}
	}
	atom.Means = Join(ctl.Or, any)
	return nil
}

// Speaks reports whether fulfilled(...) is about a norm: one of its arguments, or any if it has none.
func Speaks(of *ctl.Call, n *hclspec.Norm) bool {
	return len(of.Args) == 0 || slices.ContainsFunc(of.Args, func(a ctl.Ref) bool { return a.Name == n.Name || a.Name == n.Of })
}

// fulfilled returns the formula that nothing is owed and nothing is breached, of the norms that are meant.
func (d *Draft) fulfilled(of *ctl.Call) *ctl.Formula {
	var none []*ctl.Formula
	for _, n := range d.Spec.Norms {
		if !Speaks(of, n) {
			continue
		}
		if n.Breached() != nil {
			none = append(none, &ctl.Formula{Op: ctl.Not, Left: d.normAtom(n, construct.Breached)})
		}
		if n.Kind == hclspec.Obligation {
			for _, p := range n.Binding() {
				none = append(none, &ctl.Formula{Op: ctl.Not, Left: d.normAtom(n, p.Name)})
			}
		}
	}
	return Join(ctl.And, none)
}

// During returns the formulas that norms are borne by some parties, or owed to them; none for those to whom they always are.
func (d *Draft) During(list ...hclspec.Tenure) (all []*ctl.Formula) {
	for _, t := range list {
		if t.While != nil {
			all = append(all, d.Marked(d.PlacesAt()[t.While]))
		}
	}
	return all
}

// normAtom returns the atom for a state of a norm.
func (d *Draft) normAtom(n *hclspec.Norm, state string) *ctl.Formula {
	return d.Marked(d.PlaceOf[n.Name+"."+state])
}
