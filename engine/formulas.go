package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// formulas parses the contract's final states and requirements and resolves their atoms.
func (d *Draft) formulas() {
	if d.Spec.Final != nil {
		d.Final, _ = d.formula(d.Spec.Final)
	}
	d.Formulas = make([]*ctl.Formula, len(d.Spec.Requirements))
	d.reasons = make([]string, len(d.Spec.Requirements))
	for i, r := range d.Spec.Requirements {
		d.Formulas[i], d.reasons[i] = d.formula(r.Formula)
	}
}

// formula returns nil and the reason, and keeps the diagnostics, when the text is not a formula of
// this contract.
func (d *Draft) formula(text *hclspec.Formula) (*ctl.Formula, string) {
	f, diags := d.resolve(text)
	if f == nil {
		d.broken = append(d.broken, diags...)
		return nil, diags[0].Summary
	}
	return f, ""
}

// resolve parses formula text against the names of this draft.
func (d *Draft) resolve(text *hclspec.Formula) (*ctl.Formula, hcl.Diagnostics) {
	parse := ctl.Parse
	if text.Notation == hclspec.Table1 {
		parse = ctl.ParseTable1
	}
	f, err := parse(text.Text)
	var syntax *ctl.SyntaxError
	if errors.As(err, &syntax) {
		return nil, hcl.Diagnostics{diagnostic("formula-syntax", text.Source(syntax.From, syntax.To),
			"This is not a formula: "+syntax.Message+".", sentence(syntax.Hint))}
	}
	var diags hcl.Diagnostics
	for atom := range f.Atoms() {
		place, ok := d.placeOf[atom.Name]
		if !ok {
			diags = append(diags, d.unknownAtom(atom, text))
			continue
		}
		atom.Place = place
	}
	if diags != nil {
		return nil, diags
	}
	return f, nil
}

// sentence makes a hint one.
func sentence(hint string) string {
	if hint == "" {
		return ""
	}
	return strings.ToUpper(hint[:1]) + hint[1:] + "."
}

// unknownAtom says that a name in a formula stands for nothing, and which name may have been meant.
func (d *Draft) unknownAtom(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	known := slices.Sorted(maps.Keys(d.placeOf))
	hint := "An atom is party.state, party.flag or party.place."
	if near := nearestAtom(atom.Name, known); near != "" {
		hint += fmt.Sprintf(" Did you mean %q?", near)
	}
	return diagnostic("unknown-name", text.Source(atom.From, atom.To),
		fmt.Sprintf("There is no state, flag or place %q.", atom.Name), hint)
}

// nearestAtom also finds the one party that has a name written without its party.
func nearestAtom(name string, known []string) string {
	if !strings.Contains(name, ".") {
		for _, k := range known {
			if strings.HasSuffix(k, "."+name) {
				return k
			}
		}
	}
	return hclspec.Nearest(name, known)
}

func diagnostic(code codes.Code, at hcl.Range, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &at, Extra: code}
}
