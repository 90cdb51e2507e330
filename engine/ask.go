package engine

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// answers are what one version says to the wording of another: to each requirement that it
// dropped or reworded, and to the final states it declares no longer or otherwise.
type answers struct {
	Requirements []Requirement
	Completion   []Diagnostic
	formulas     []*ctl.Formula // slot i belongs to requirement i; nil when it can't be asked here
	final        *ctl.Formula
	asker        *Draft // whose words these are
	finalText    *hclspec.Formula
	lostFinal    *Diagnostic // why base's final states can't be asked here; nil when they can
}

// ask collects what base requires and this draft does not, in base's order: in base's wording, and in the
// names that the amendment has given to what base speaks of.
func (d *Draft) ask(m *amendment) *answers {
	if m == nil {
		return &answers{}
	}
	other := m.base
	a := &answers{asker: other}
	kept := d.meanings()
	for i, r := range other.Spec.Requirements {
		renamed := m.names.HeadRequirement(r)
		if other.Formulas[i] == nil || slices.Contains(kept, d.promise(renamed)) {
			continue
		}
		f, diags := d.resolve(renamed.Formula)
		req := Requirement{Name: r.Name, Title: r.Title, Clause: r.Clause, Source: r.Range,
			Formula: wording(r.Formula), Notation: r.Formula.Notation.String(), ideal: r.Formula.Ideal}
		req.set(termsOf(renamed))
		req.Says, req.Pattern = other.patternWords(r.Formula)
		if diags.HasErrors() {
			req.Reason = "the old wording can't be asked of this draft: " + diags[0].Summary
		}
		if _, ok := d.actors(req.terms().names); !ok {
			f, req.Reason = nil, "the old wording can't be asked of this draft: a party it names is gone."
		}
		a.Requirements, a.formulas = append(a.Requirements, req), append(a.formulas, f)
	}
	d.askFinal(a, m)
	return a
}

func (d *Draft) askFinal(a *answers, m *amendment) {
	other := m.base
	if other.Final == nil {
		return
	}
	renamed := m.names.HeadText(other.Spec.Final)
	if d.Final != nil && d.meaning(d.Spec.Final) == d.meaning(renamed) {
		return
	}
	a.finalText = other.Spec.Final
	var diags hcl.Diagnostics
	if a.final, diags = d.resolve(renamed); a.final == nil {
		lost := other.finding("dead-end", "", a.finalText.Range, "Nobody knows whether the contract still comes to rest only where it used to.",
			"The old final states can't be asked of this draft: "+diags[0].Summary)
		a.lostFinal = &lost
	}
}

// meanings lists what this draft's requirements mean.
func (d *Draft) meanings() []string {
	var list []string
	for _, r := range d.Spec.Requirements {
		list = append(list, d.promise(r))
	}
	return list
}

// unknown gives one reason to every question that was not reached.
func (a *answers) unknown(reason string) {
	for i := range a.Requirements {
		if a.Requirements[i].Reason == "" {
			a.Requirements[i].Reason = reason
		}
	}
}
