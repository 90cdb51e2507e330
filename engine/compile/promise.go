package compile

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/rests"
	"github.com/redlinehq/redline/hclspec"
)

// exposes returns the part of the digest that marks an exposed place.
func exposes(p *hclspec.Place) string {
	if !p.Exposed {
		return ""
	}
	return " exposed"
}

// Actors returns the indices of the parties with these names; the name of a family stands for all its instances. It returns nil and false
// if a name has no party.
func (d *Draft) Actors(names []string) (list []int, ok bool) {
	for _, name := range names {
		before := len(list)
		for i, p := range d.Parties {
			if p.Name == name || p.Of == name {
				list = append(list, i)
			}
		}
		if len(list) == before {
			return nil, false
		}
	}
	return list, true
}

// Promise returns the canonical meaning of a requirement: that of its formula and its terms.
func (d *Draft) Promise(r *hclspec.Requirement) string {
	return d.Saying(d.Meaning(r.Formula), TermsOf(r))
}

// Saying appends terms to the canonical text of a formula.
func (d *Draft) Saying(formula string, t Terms) string {
	actors, _ := d.Actors(t.Names)
	slices.Sort(actors)
	var names []string
	for _, a := range slices.Compact(actors) {
		names = append(names, d.Parties[a].Name)
	}
	switch {
	case t.Resting && len(names) == 0:
		return formula + " resting on nobody"
	case t.Resting:
		return formula + " resting on " + strings.Join(names, ", ")
	case len(names) > 0:
		return formula + " assuming " + strings.Join(names, ", ")
	}
	return formula
}

// CanRest reports whether the question on whom it rests applies to a formula.
func CanRest(f *ctl.Formula) bool {
	_, ok := rests.Normal(f, false)
	return ok && rests.Comes(f)
}

// MustRequirement returns the requirement with a name. It panics if there is none.
func (d *Draft) MustRequirement(name string) *hclspec.Requirement {
	i := slices.IndexFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == name })
	return d.Spec.Requirements[i]
}
