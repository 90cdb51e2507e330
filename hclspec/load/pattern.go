package load

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

const (
	maxTimes = 20 // of at_most
	maxRow   = 8  // operands one after the other
)

// promised reads the formula of a requirement: ctl, table1 or a pattern; nil after a mistake.
func (l *loader) promised(b *hclsyntax.Block) *hclspec.Formula {
	given := attributesOf(b.Body, func(name string) bool { return construct.PatternIndex(name) >= 0 || name == "ctl" || name == "table1" })
	r := syntax.HeaderRange(b)
	switch {
	case len(given) > 1:
		l.Mistake(diag.DuplicateName, given[1].NameRange, fmt.Sprintf("Requirement %q has two formulas.", b.Labels[0]),
			fmt.Sprintf("Keep %s or %s, not both. Two promises are two requirements.", given[0].Name, given[1].Name))
		return nil
	case len(given) == 0:
		if !l.orphan(b) {
			l.Lacking(b.Body, r, fmt.Sprintf("Requirement %q does not say what is required.", b.Labels[0]),
				"Write never = \"...\"; or always, sometime, whenever and follows, no and without, at_most and times; or ctl = \"...\", a formula.")
		}
		return nil
	case given[0].Name == "ctl":
		l.misplaced(b, given[0])
		return l.Formula(b.Body, "ctl", hclspec.CTL)
	case given[0].Name == "table1":
		l.misplaced(b, given[0])
		return l.Formula(b.Body, "table1", hclspec.Table1)
	}
	return l.pattern(b, given[0])
}

// attributesOf returns the attributes with some names, in source order.
func attributesOf(body *hclsyntax.Body, named func(name string) bool) []*hclsyntax.Attribute {
	return slices.DeleteFunc(syntax.SortedAttributes(body.Attributes), func(a *hclsyntax.Attribute) bool { return !named(a.Name) })
}

// orphan reports the second attribute of a pattern that lacks its first.
func (l *loader) orphan(b *hclsyntax.Block) bool {
	for _, k := range construct.Patterns {
		if attr, given := b.Body.Attributes[k.Second]; given {
			l.Lacking(b.Body, attr.NameRange, fmt.Sprintf("%q needs %q beside it.", k.Second, k.First), "Write "+k.First+" = \"party.state\".")
			return true
		}
	}
	return false
}

// misplaced reports attributes of a pattern beside a formula, or beside another pattern.
func (l *loader) misplaced(b *hclsyntax.Block, kind *hclsyntax.Attribute, fitting ...string) {
	for _, a := range syntax.SortedAttributes(b.Body.Attributes) {
		if slices.Contains(construct.PatternAttributes, a.Name) && a != kind && !slices.Contains(fitting, a.Name) {
			l.Mistake(diag.Contradiction, a.NameRange, fmt.Sprintf("%q does not go with %q.", a.Name, kind.Name), goesWith(a.Name))
		}
	}
}

// goesWith returns the hint for a misplaced attribute of a pattern.
func goesWith(name string) string {
	for _, k := range construct.Patterns {
		if k.Second == name {
			return fmt.Sprintf("It goes with %s.", k.First)
		}
	}
	return "Only a pattern can be limited so. Drop it, and say it in the formula."
}

// pattern reads the pattern that an attribute selects; nil after a mistake.
func (l *loader) pattern(b *hclsyntax.Block, kind *hclsyntax.Attribute) *hclspec.Formula {
	at := construct.PatternIndex(kind.Name)
	second := construct.Patterns[at].Second
	l.misplaced(b, kind, append([]string{cmp.Or(second, kind.Name)}, construct.PatternScopes...)...)
	if _, given := b.Body.Attributes[second]; second != "" && !given {
		l.Lacking(b.Body, kind.NameRange, fmt.Sprintf("%q needs %q beside it.", kind.Name, second), "Write "+construct.Patterns[at].Example+".")
		return nil
	}
	if until, both := b.Body.Attributes["until"]; both && b.Body.Attributes["before"] != nil {
		l.Mistake(diag.Contradiction, until.NameRange, `"until" does not go with "before".`,
			"With before, what is required counts only if the end comes; with until, also if it never does.")
	}
	return l.patternOf(b, kind.Name, second)
}

// patternOf joins the pattern's operands into one text.
func (l *loader) patternOf(b *hclsyntax.Block, first, second string) *hclspec.Formula {
	w := &patternWriter{loader: l, body: b.Body, formula: &hclspec.Formula{Range: b.Body.SrcRange}}
	p := &hclspec.Pattern{Kind: first}
	p.Of = w.operands(first, first == "whenever" || first == "no")
	if second == "at_most" {
		p.AtMost = w.atMost()
	} else if second != "" {
		p.By = w.operands(second, true)
	}
	p.After, p.Before, p.Until, p.Every = w.scope("after"), w.scope("before"), w.scope("until"), w.scope("every")
	if w.broken {
		return nil
	}
	w.formula.Pattern = p
	return w.formula
}

// A patternWriter joins operands into the text of a formula.
type patternWriter struct {
	*loader
	body    *hclsyntax.Body
	formula *hclspec.Formula
	broken  bool
}

func (w *patternWriter) scope(name string) hclspec.Operand {
	if _, given := w.body.Attributes[name]; !given {
		return hclspec.Operand{}
	}
	if all := w.operands(name, false); len(all) == 1 {
		return all[0]
	}
	return hclspec.Operand{}
}

// operands reads a formula; or, if row allows it, a list of them.
func (w *patternWriter) operands(name string, row bool) []hclspec.Operand {
	attr := w.body.Attributes[name]
	w.write(name+" ", []hclspec.Span{{Source: attr.NameRange}})
	list, ok := attr.Expr.(*hclsyntax.TupleConsExpr)
	if !ok || !row {
		return w.operand(name, attr.Expr, nil)
	}
	if n := len(list.Exprs); n == 0 || n > maxRow {
		w.broken = true
		w.Mistake(diag.MissingAttribute, attr.Expr.Range(), fmt.Sprintf("%q lists %d formulas.", name, n),
			fmt.Sprintf("A list has 1 to %d formulas: what comes one after the other.", maxRow))
	}
	var all []hclspec.Operand
	for _, e := range list.Exprs {
		all = w.operand(name, e, all)
	}
	return all
}

// operand appends one formula to the operands of an attribute.
func (w *patternWriter) operand(name string, e hclsyntax.Expression, all []hclspec.Operand) []hclspec.Operand {
	if w.Unquoted(name, e) {
		w.broken = true
		return all
	}
	v, ok := w.Typed(&hclsyntax.Attribute{Name: name, Expr: e}, cty.String, "a formula in quotes")
	if !ok {
		w.broken = true
		return all
	}
	text := v.AsString()
	if strings.TrimSpace(text) == "" {
		w.broken = true
		w.Mistake(diag.MissingAttribute, e.Range(), fmt.Sprintf("%q is empty.", name), "Write a formula, such as party.state.")
		return all
	}
	from := len(w.formula.Text)
	w.write(text, w.Spans(e, text))
	w.write(" ", []hclspec.Span{{Source: hcl.Range{Filename: e.Range().Filename, Start: e.Range().End, End: e.Range().End}}})
	return append(all, hclspec.Operand{From: from, To: from + len(text)})
}

func (w *patternWriter) write(text string, spans []hclspec.Span) {
	w.formula.Spans = expr.AppendSpans(w.formula.Spans, len(w.formula.Text), spans)
	w.formula.Text += text
}

func (w *patternWriter) atMost() int {
	attr := w.body.Attributes["at_most"]
	n, ok := w.Integer(w.body, "at_most", 0)
	if ok && (n < 1 || n > maxTimes) {
		ok = false
		w.Mistake(diag.WrongType, attr.Expr.Range(), fmt.Sprintf("At most %d times cannot be asked.", n),
			fmt.Sprintf("Ask for at most 1 to %d times; not at all is never.", maxTimes))
	}
	w.broken = w.broken || !ok
	return n
}
