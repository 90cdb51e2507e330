package verify

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/smv"
	"github.com/redlinehq/redline/engine/workflow"
)

// SMV writes the contract in the language of NuSMV, each requirement as a specification with the same verdict. If only is not empty, it
// writes that requirement alone, under its progress assumption. Notes list the requirements that are left out: ill-formed ones, those with
// rests_on, and, without only, those that assume progress, since NuSMV has one assumption for all specifications of a file. An error is
// w's, or the reason why nothing was written.
func SMV(d *compile.Draft, w io.Writer, only string) (notes []string, err error) {
	if d.Failure != "" {
		return nil, errors.New(d.Failure)
	}
	m := &smv.Model{Title: cmp.Or(d.Spec.Title, d.Spec.Name), Net: d.Net, Rule: d.Rule}
	found := false
	for i, r := range d.Spec.Requirements {
		if only != "" && r.Name != only {
			continue
		}
		found = true
		names := compile.TermsOf(r).Names
		switch {
		case r.RestsOn != nil:
			m.Notes = append(m.Notes, fmt.Sprintf("%s is left out, because it says on whom it may rest, and NuSMV has no runs that may stop", r.Name))
			continue
		case r.Formula.Scenario != nil:
			m.Notes = append(m.Notes, fmt.Sprintf("%s is left out, because it is a scenario, and NuSMV has no events", r.Name))
			continue
		case d.Formulas[i] == nil:
			m.Notes = append(m.Notes, fmt.Sprintf("%s is left out, because it is ill-formed: %s", r.Name, d.Reasons[i]))
			continue
		case len(names) > 0 && only == "":
			m.Notes = append(m.Notes, fmt.Sprintf("%s is left out, because it assumes progress of %s: --requirement %[1]s writes it alone", r.Name, strings.Join(names, ", ")))
			continue
		}
		m.Actors = smvActors(d, names, r.Formula.Ideal)
		title := cmp.Or(r.Title, d.Wording(r.Formula))
		m.Specs = append(m.Specs, smv.Spec{ID: smv.SpecID(r.Name), Title: title, Formula: d.Formulas[i]})
	}
	if only != "" && !found {
		return nil, fmt.Errorf("there is no requirement %q", only)
	}
	if d.Final != nil && only == "" {
		m.Specs = append(m.Specs, completionSpecs(d.Final)...)
	}
	return m.Notes, smv.Write(w, m)
}

// smvActors returns the parties that are assumed to make progress, with their acts.
func smvActors(d *compile.Draft, names []string, ideal bool) []smv.Actor {
	actors, _ := d.Actors(names)
	slices.Sort(actors)
	actors = slices.Compact(actors)
	var all []smv.Actor
	for k, acts := range acts(d, actors, ideal) {
		all = append(all, smv.Actor{Name: d.Parties[actors[k]].Name, Acts: acts})
	}
	return all
}

// completionSpecs returns the checks of final states as specifications.
func completionSpecs(final *ctl.Formula) []smv.Spec {
	stuck := &ctl.Formula{Op: ctl.AX, Left: &ctl.Formula{Op: ctl.False}}
	return []smv.Spec{
		{ID: "dead-end", Title: "Nothing gets stuck but in final states", Formula: always(&ctl.Formula{Op: ctl.Implies, Left: stuck, Right: final})},
		{ID: "no-option-to-complete", Title: "Completion stays possible", Formula: always(&ctl.Formula{Op: ctl.EF, Left: final})},
	}
}

// always returns AG f.
func always(f *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: ctl.AG, Left: f} }

// Sound returns the formula for the soundness of a one-safe net, as package workflow defines it.
func Sound(n *petri.Net, ends workflow.Ends) *ctl.Formula {
	place := func(p int) *ctl.Formula { return &ctl.Formula{Op: ctl.Atom, Name: n.Places[p].String(), Place: p} }
	var sinks, others []*ctl.Formula
	for p := range n.Places {
		if slices.Contains(ends.Sinks, p) {
			sinks = append(sinks, place(p))
		} else {
			others = append(others, place(p))
		}
	}
	ended, empty := compile.Join(ctl.Or, sinks), &ctl.Formula{Op: ctl.Not, Left: compile.Join(ctl.Or, others)}
	all := []*ctl.Formula{always(&ctl.Formula{Op: ctl.EF, Left: &ctl.Formula{Op: ctl.And, Left: ended, Right: empty}})}
	if len(sinks) == 1 {
		all = append(all, always(&ctl.Formula{Op: ctl.Implies, Left: ended, Right: empty}))
	}
	for _, t := range n.Transitions {
		var needs []*ctl.Formula
		for _, p := range slices.Concat(t.In, t.Read) {
			needs = append(needs, place(p))
		}
		all = append(all, &ctl.Formula{Op: ctl.EF, Left: compile.Join(ctl.And, needs)})
	}
	return compile.Join(ctl.And, all)
}
