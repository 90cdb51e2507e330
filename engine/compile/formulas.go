package compile

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
)

// formulas parses the contract's final states and requirements and resolves their atoms, until the context ends. It collects mistakes in
// Broken.
func (d *Draft) formulas(ctx context.Context) {
	d.lookup.suggest = new(hclspec.Suggester)
	defer func() { d.lookup.suggest = nil }()
	d.remember(d.affordable(ctx, d.texts()))
	if d.Spec.Final != nil {
		d.Final, _ = d.formula(d.Spec.Final)
	}
	d.Formulas = make([]*ctl.Formula, len(d.Spec.Requirements))
	d.Reasons = make([]string, len(d.Spec.Requirements))
	for i, r := range d.Spec.Requirements {
		if ctx.Err() != nil {
			return
		}
		d.Formulas[i], d.Reasons[i] = d.formula(r.Formula)
		if f := d.Formulas[i]; f != nil && r.RestsOn != nil && !CanRest(f) {
			diag := phrase.Diagnostic("bad-rests-on", r.RestsOn.Range, fmt.Sprintf("Requirement %q can't say on whom it may rest.", r.Name),
				"That is asked where something has to come, and where all that has to come has to come on every run (AF, A[p U q]).")
			d.Broken, d.Formulas[i], d.Reasons[i] = append(d.Broken, diag), nil, diag.Summary
		}
	}
}

// maxFormulas bounds the operators and atoms of all formulas of a contract, with quantifiers written out.
const maxFormulas = 500_000

// affordable returns the formulas that fit within maxFormulas together, in their order. It marks the rest as beyond the limit, so that
// Resolve refuses them.
func (d *Draft) affordable(ctx context.Context, texts []*hclspec.Formula) []*hclspec.Formula {
	parts := 0
	for i, text := range texts {
		if f, diag := d.parse(text); diag == nil {
			if f, _ = d.expand(f, text); f != nil {
				parts += d.size(f)
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		if parts > maxFormulas {
			d.lookup.beyond = map[*hclspec.Formula]bool{}
			for _, text := range texts[i:] {
				d.lookup.beyond[text] = true
			}
			return texts[:i]
		}
	}
	return texts
}

// size counts the operators and atoms of a formula. A comparison adds the numbers of the values of its counters.
func (d *Draft) size(f *ctl.Formula) int {
	if f == nil {
		return 0
	}
	n := 1 + d.size(f.Left) + d.size(f.Right)
	if f.Compare != nil {
		for _, of := range f.Compare.Refs() {
			n += len(d.Counters[of.Name])
		}
	}
	return n
}

// tooLong returns the diagnostic for a formula that comes after the size limit.
func tooLong(text *hclspec.Formula) *hcl.Diagnostic {
	return phrase.Diagnostic("expansion-too-large", text.Source(0, len(text.Text)), "The formulas of the contract are too long.",
		fmt.Sprintf("With this one, all formulas together have more than %d parts, written out for every instance. The formulas from here on are left out.", maxFormulas))
}

// formula resolves a requirement's text. For an ill-formed text it returns nil and the reason, and adds the diagnostics to Broken.
func (d *Draft) formula(text *hclspec.Formula) (*ctl.Formula, string) {
	f, diags := d.Resolve(text)
	if f == nil {
		d.Broken = append(d.Broken, diags...)
		return nil, diags[0].Summary
	}
	return f, ""
}

// Resolve parses formula text, writes quantifiers out, and resolves atoms against the names of this draft.
func (d *Draft) Resolve(text *hclspec.Formula) (*ctl.Formula, hcl.Diagnostics) {
	return d.resolve(text, d.parse)
}

// resolve does so with what a parser returns.
func (d *Draft) resolve(text *hclspec.Formula, parse func(*hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic)) (*ctl.Formula, hcl.Diagnostics) {
	if d.lookup.beyond[text] {
		return nil, hcl.Diagnostics{tooLong(text)}
	}
	f, diag := parse(text)
	if diag == nil {
		f, diag = d.expand(f, text)
	}
	if diag != nil {
		if hint := d.titled(text.Text); hint != "" {
			diag.Detail = hint
		}
		return nil, hcl.Diagnostics{diag}
	}
	var diags hcl.Diagnostics
	for atom := range f.Atoms() {
		if diag := d.ResolveAtom(atom, text); diag != nil {
			diags = append(diags, diag)
		}
		if atom.Means != nil && atom.Means.Temporal() {
			atom.Means = d.meanIdeal(d.overRuns(atom.Means, text))
		}
	}
	if diags != nil {
		return nil, diags
	}
	return f, nil
}

// ResolveAtom sets the place of an atom, or the formula that it means. It returns a diagnostic for an unknown name.
func (d *Draft) ResolveAtom(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	switch {
	case atom.Compare != nil:
		return d.compare(atom, text)
	case atom.Call != nil:
		return d.call(atom, text)
	}
	place, ok := d.PlaceOf[atom.Name]
	switch {
	case ok:
		atom.Place = place
	case d.meant[atom.Name] != nil:
		atom.Means = d.meant[atom.Name]
	case d.Counters[atom.Name] != nil:
		return d.uncompared(atom, text)
	default:
		if atom.Means = d.unchanging(atom.Name); atom.Means == nil {
			return d.unknownAtom(atom, text)
		}
	}
	return nil
}

// unknownAtom returns the diagnostic for an unknown name in a formula, with a suggestion if one is near.
func (d *Draft) unknownAtom(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	at := text.Source(atom.From, atom.To)
	if what, hint := d.otherKind(atom.Name); what != "" {
		return phrase.Diagnostic("wrong-kind", at, fmt.Sprintf("%q is %s: it is neither true nor false.", atom.Name, what), hint)
	}
	hint := "Write party.state, party.flag or party.place."
	of, _, _ := strings.Cut(atom.Name, ".")
	if near := d.nearestAtom(atom.Name); near != "" {
		hint += " " + hclspec.Meant(atom.Name, near)
	} else if p := d.lookup.parties[of]; p != nil && of != atom.Name {
		hint = fmt.Sprintf("Of %s there are %s.", of, someAtoms(p))
	}
	if roles := d.rolesOf(of); roles != "" {
		hint = fmt.Sprintf("The parties of %s are %s: a role is called as who plays it.", of, roles)
	}
	if of == "contract" {
		hint = "Of the end of the contract formulas ask contract.in_force and contract.ended."
	}
	hint = cmp.Or(d.several(atom.Name), d.heldBy(atom.Name), hint)
	return phrase.Diagnostic("unknown-name", at, fmt.Sprintf("There is no state, flag or place %q.", atom.Name), hint)
}

// titled returns what to write in place of a state as reports print it, as in "Seller: has the goods"; "" if a text has none.
func (d *Draft) titled(text string) string {
	for _, p := range d.Spec.Parties {
		for _, who := range []string{p.Name, p.Title} {
			_, after, found := strings.Cut(text, who+": ")
			if who == "" || !found || !d.lookup.suggest.Spend(len(p.Places)+len(text)) {
				continue
			}
			for _, place := range p.Places {
				if place.Title == "" || !strings.HasPrefix(after, place.Title) {
					continue
				}
				name := p.Name + "." + cmp.Or(place.Flag, place.Name)
				if place.Flag != "" && strings.HasPrefix(after, place.Title+" (no)") {
					name = "!" + name
				}
				return fmt.Sprintf("Write %s: that is the name of “%s”.", name, place.Title)
			}
		}
	}
	return ""
}

// maxListed bounds the names that a hint lists.
const maxListed = 6

// otherKind returns what a name in a formula means that is no place, with an article, and what to write instead; "" for an unknown name.
func (d *Draft) otherKind(name string) (what, hint string) {
	if d.lookup.events[name] != nil {
		return "an event", fmt.Sprintf("Write happened(%s) for what has happened, enabled(%[1]s) for what can happen next.", name)
	}
	if p := d.lookup.parties[name]; p != nil {
		switch what = "a party"; {
		case p.Made != "":
			what = diag.Article(p.Made)
		case p.IsNet:
			what = "a net"
		}
		if norm := construct.NormOf(p.Made); norm.On != "" {
			return what, fmt.Sprintf("Write %s.%s while it binds. There are %s.", name, norm.On, someAtoms(p))
		}
		return what, "Name a state, flag or place of it, such as " + someAtoms(p) + "."
	}
	party, own, _ := strings.Cut(name, ".")
	p := d.lookup.parties[party]
	if p == nil || !d.lookup.suggest.Spend(len(p.Transitions)) {
		return "", ""
	}
	at := slices.IndexFunc(p.Transitions, func(t *hclspec.Transition) bool { return t.Name == own || t.Of == own })
	if at < 0 {
		return "", ""
	}
	for _, place := range p.Transitions[at].Produce {
		if place.Kind == hclspec.State {
			return "a transition", fmt.Sprintf("Write %s.%s, the state that it leads to.", party, place.Name)
		}
	}
	return "a transition", "Name a state, flag or place that it changes."
}

// rolesOf returns the names of the parties of a phase, as formulas call them; "" if it has none.
func (d *Draft) rolesOf(phase string) string {
	var all []string
	for _, p := range d.Spec.Parties {
		if name, of := strings.CutPrefix(p.Name, phase+"."); of && p.Made == "" && len(all) < maxListed {
			all = append(all, phase+"."+name)
		}
	}
	return strings.Join(all, ", ")
}

// someAtoms lists the first names of states and places of a party, or the form of such a name.
func someAtoms(p *hclspec.Party) string {
	var all []string
	for _, place := range p.Places {
		if (place.Kind == hclspec.State || place.Kind == hclspec.Plain) && len(all) < maxListed {
			all = append(all, p.Name+"."+place.Name)
		}
	}
	return cmp.Or(strings.Join(all, ", "), p.Name+".flag")
}
