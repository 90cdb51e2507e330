package phrase

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// parsePattern returns the formula of a pattern, with its quantifier. Offsets refer to the whole text.
func parsePattern(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	r := &patternReader{text: text}
	spec := text.Pattern
	p := &ctl.Pattern{Kind: Kind(spec), Times: spec.AtMost, Of: r.all(spec.Of, spec.Kind), By: r.all(spec.By, construct.Patterns[construct.PatternIndex(spec.Kind)].Second)}
	p.After, p.Must = r.operand(spec.After, "after"), spec.Before.Given()
	if p.End = r.operand(spec.Before, "before"); p.End == nil {
		p.End = r.operand(spec.Until, "until")
	}
	every := r.every(spec.Every)
	if r.diag != nil {
		return nil, r.diag
	}
	f := p.Formula()
	if every != nil {
		every.Left = f
		f = every
	}
	return f, nil
}

// PatternAttributes returns a pattern by its attributes, in the words of its contract: times = seller.sent, at_most = 2. The pattern has to parse.
func PatternAttributes(text *hclspec.Formula) string {
	r, spec := &patternReader{text: text}, text.Pattern
	var all []string
	add := func(attribute string, operands ...hclspec.Operand) {
		var said []string
		for _, f := range r.all(slices.DeleteFunc(operands, func(o hclspec.Operand) bool { return !o.Given() }), attribute) {
			said = append(said, f.CTL())
		}
		if len(said) > 0 {
			all = append(all, attribute+" = "+strings.Join(said, ", then "))
		}
	}
	add(spec.Kind, slices.Clone(spec.Of)...)
	add(construct.Patterns[construct.PatternIndex(spec.Kind)].Second, slices.Clone(spec.By)...)
	if spec.AtMost > 0 {
		all = append(all, fmt.Sprintf("at_most = %d", spec.AtMost))
	}
	add("after", spec.After)
	add("before", spec.Before)
	add("until", spec.Until)
	if f := r.every(spec.Every); f != nil {
		all = append(all, "every = "+f.Name+" in "+f.Range.Name)
	}
	return strings.Join(all, ", ")
}

// Kind returns the kind of a pattern, as package ctl defines it.
func Kind(p *hclspec.Pattern) ctl.Kind { return ctl.Kind(construct.PatternIndex(p.Kind)) }

// A patternReader parses the operands of a pattern, and keeps the first mistake.
type patternReader struct {
	text *hclspec.Formula
	diag *hcl.Diagnostic // the first one
}

// all parses the operands of an attribute, and numbers their roles if there are several.
func (r *patternReader) all(operands []hclspec.Operand, attribute string) []*ctl.Formula {
	var list []*ctl.Formula
	for i, o := range operands {
		role := attribute
		if len(operands) > 1 {
			role = fmt.Sprintf("%s[%d]", attribute, i)
		}
		list = append(list, r.operand(o, role))
	}
	return list
}

// operand parses one operand, or returns nil if it is missing or wrong. An operand must not have temporal operators.
func (r *patternReader) operand(o hclspec.Operand, role string) *ctl.Formula {
	if !o.Given() {
		return nil
	}
	f, err := ctl.Parse(r.text.Text[o.From:o.To])
	if err != nil {
		r.fail(err, o.From)
		return nil
	}
	f.Shift(o.From)
	cast(f, role)
	Rescope(f, r.text.Scope, patternVariables(r.text)...)
	if timely := temporal(f); timely != nil && r.diag == nil {
		r.diag = Diagnostic("formula-syntax", r.text.Source(timely.From, timely.To), "A pattern speaks of states: this says what may come.",
			"Leave out AG, EF and their like, and before(...): the pattern says when. Or write the whole formula with ctl = \"...\".")
	}
	return f
}

// cast sets the role of all parts of an operand.
func cast(f *ctl.Formula, role string) {
	if f != nil {
		f.Role = role
		cast(f.Left, role)
		cast(f.Right, role)
	}
}

// temporal returns the first part of a formula that is about more than one state, or nil.
func temporal(f *ctl.Formula) *ctl.Formula {
	if f == nil || f.Op >= ctl.EX || f.Call != nil && f.Call.Function == "before" {
		return f
	}
	if left := temporal(f.Left); left != nil {
		return left
	}
	return temporal(f.Right)
}

// patternVariables returns the variable that a pattern's every attribute binds, or none.
func patternVariables(text *hclspec.Formula) []string {
	if text.Pattern == nil {
		return nil
	}
	words := strings.Fields(text.Text[text.Pattern.Every.From:text.Pattern.Every.To])
	return words[:min(1, len(words))]
}

// every parses the every attribute, such as p in purchaser. It returns nil if it is missing or wrong.
func (r *patternReader) every(o hclspec.Operand) *ctl.Formula {
	if !o.Given() {
		return nil
	}
	const word, rest = "all ", ": true"
	f, err := ctl.Parse(word + r.text.Text[o.From:o.To] + rest)
	if err != nil || f.Left.Op != ctl.True {
		r.fail(&ctl.SyntaxError{To: o.To - o.From, Message: "every needs a name and a party", Hint: "write every = \"p in PARTY\""}, o.From)
		return nil
	}
	f.Shift(o.From - len(word))
	f.From, f.To = o.From, o.To
	Rescope(f, r.text.Scope)
	return f
}

// fail keeps the first mistake, with offsets that refer to the whole text.
func (r *patternReader) fail(err error, at int) {
	if r.diag == nil {
		syntax := *err.(*ctl.SyntaxError)
		syntax.From, syntax.To = syntax.From+at, syntax.To+at
		r.diag = NotAFormula(&syntax, r.text)
	}
}
