package explain

import (
	"fmt"
	"maps"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// PatternWords renders a pattern as a sentence, and returns its name. A scenario has a sentence and no name, and so has a formula over ideal runs,
// as its drafter wrote it. It returns empty strings for any other formula.
func PatternWords(d *compile.Draft, text *hclspec.Formula) (says, name string) {
	if text.Scenario != nil {
		return scenarioWords(d, text), ""
	}
	p := text.Pattern
	if p == nil {
		return idealWords(text), ""
	}
	w := &patternRenderer{renderer{Draft: d, notation: hclspec.CTL.String()}, text}
	s := w.segment(p)
	switch {
	case p.After.Given() && p.Before.Given():
		s = fmt.Sprintf("between %s and %s, %s", w.when(p.After), w.when(p.Before), s)
	case p.After.Given() && p.Until.Given():
		s = fmt.Sprintf("after %s, until %s, %s", w.when(p.After), w.when(p.Until), s)
	case p.After.Given():
		s = fmt.Sprintf("after %s, %s", w.when(p.After), s)
	case p.Before.Given():
		s = fmt.Sprintf("before %s, %s", w.when(p.Before), s)
	case p.Until.Given():
		s = fmt.Sprintf("until %s, %s", w.when(p.Until), s)
	}
	if p.Every.Given() {
		s = fmt.Sprintf("for every %s: %s", w.plain(p.Every), s)
	}
	if text.Ideal {
		s = overIdeal + ", " + s
	}
	return phrase.Sentence(s), phrase.Kind(p).String()
}

const overIdeal = "on runs on which nothing is ever breached"

// idealWords returns a formula over ideal runs as it is written, and in what runs it is meant; "" for any other, and for ill-formed text.
func idealWords(text *hclspec.Formula) string {
	f, diags := phrase.ParseAsWritten(text)
	if !text.Ideal || diags != nil {
		return ""
	}
	return diag.Capital(overIdeal) + ": " + compile.InNotation(f, text.Notation.String())
}

// A patternRenderer renders the operands of a pattern in the contract's words.
type patternRenderer struct {
	renderer
	text *hclspec.Formula
}

// segment renders a pattern without its scope.
func (w *patternRenderer) segment(p *hclspec.Pattern) string {
	of := w.row(p.Of, " and later ", w.when)
	switch p.Kind {
	case "never":
		return "never " + of
	case "always":
		return "always " + w.row(p.Of, "", w.render)
	case "sometime":
		return "at some time " + of
	case "times":
		if p.AtMost == 1 {
			return "at most once " + of
		}
		return fmt.Sprintf("at most %d times %s", p.AtMost, of)
	case "whenever":
		return fmt.Sprintf("whenever %s, then %s follows", w.row(p.Of, " and later ", w.render), w.row(p.By, ", and later ", w.when))
	}
	if len(p.Of) > 1 {
		return fmt.Sprintf("no %s unless %s has come by the first of these", of, w.row(p.By, " and later ", w.when))
	}
	return fmt.Sprintf("no %s without %s first", of, w.row(p.By, " and later ", w.when))
}

// row renders several operands, joined.
func (w *patternRenderer) row(operands []hclspec.Operand, between string, say func(hclspec.Operand) string) string {
	var list []string
	for _, o := range operands {
		list = append(list, say(o))
	}
	return strings.Join(list, between)
}

// say renders an operand in words, or as written if there are none.
func (w *patternRenderer) render(o hclspec.Operand) string {
	of, f, names := w.resolved(o)
	if f == nil {
		return w.plain(o)
	}
	named := *w.Draft
	named.Calls = names
	r := &renderer{Draft: &named, notation: w.notation}
	if text, ok := r.words(f); ok {
		return of + text
	}
	if of != "" || !maps.Equal(names, w.Calls) { // without words it would say of one what is said of some or all
		return w.plain(o)
	}
	return r.render(f)
}

// when renders an operand as a moment: happened(e) becomes the event's title.
func (w *patternRenderer) when(o hclspec.Operand) string {
	if of, f, _ := w.resolved(o); f != nil && of == "" {
		if event, ok := w.happening(f); ok {
			return event
		}
	}
	return w.render(o)
}

// resolved returns an operand with its atoms resolved, the words for parties in it, and what stands before it: "for every buyer ". The formula is nil if that fails, as
// for names with the variable of a pattern's every.
func (w *patternRenderer) resolved(o hclspec.Operand) (of string, f *ctl.Formula, names map[string]string) {
	written, err := ctl.Parse(w.plain(o))
	if err != nil {
		return "", nil, nil
	}
	phrase.Rescope(written, w.text.Scope, phrase.PatternVariables(w.text)...)
	names = maps.Clone(w.Calls)
	if f = w.OneOfEach(written, names); f == nil {
		names = maps.Clone(w.Calls)
		if of, f = w.Quantified(written, names); f == nil {
			return "", nil, nil
		}
		of += " "
	}
	for atom := range f.Atoms() {
		if w.ResolveAtom(atom, w.text) != nil {
			return "", nil, nil
		}
	}
	return of, f, names
}

// plain returns an operand as written.
func (w *patternRenderer) plain(o hclspec.Operand) string { return w.text.Text[o.From:o.To] }
