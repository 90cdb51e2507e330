package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Say sets the sentence of a requirement, whether parts of it are as they are written, and the name of its pattern. A scenario has a sentence and no
// pattern, and so has a formula that begins with quantifiers or is over ideal runs: of whom it is meant, and in what runs. Any other has no sentence.
func Say(req *finding.Requirement, d *compile.Draft, text *hclspec.Formula) {
	switch {
	case text.Scenario != nil:
		req.Says = scenarioWords(d, text)
	case text.Pattern != nil:
		w := &patternRenderer{renderer: renderer{Draft: d, notation: hclspec.CTL.String()}, text: text}
		req.Says, req.Pattern = w.pattern(text.Pattern), phrase.Kind(text.Pattern).String()
		req.Verbatim = w.verbatim
	default:
		req.Says = formulaWords(d, text)
		req.Verbatim = req.Says != ""
	}
}

// tooOften says of a run that violates a promise of how often something may come at most what came too often. It returns "" of evidence of another promise.
func tooOften(d *compile.Draft, e *ctl.Evidence) string {
	for i, f := range d.Formulas {
		text := d.Spec.Requirements[i].Formula
		if f == nil || e.Holds || text.Pattern == nil || text.Pattern.Kind != "times" || !ctl.Equal(f, e.Formula) {
			continue
		}
		w := &patternRenderer{renderer: renderer{Draft: d, notation: hclspec.CTL.String()}, text: text, exceeded: true}
		said := w.scoped(text.Pattern)
		if w.verbatim {
			return ""
		}
		if text.Ideal {
			said += ", though" + unbreached
		}
		return said
	}
	return ""
}

// pattern renders a pattern as a sentence.
func (w *patternRenderer) pattern(p *hclspec.Pattern) string {
	s := w.scoped(p)
	if w.text.Ideal {
		s = overIdeal + ", " + s
	}
	return phrase.Sentence(s)
}

// scoped renders a pattern with its scope and its quantifier.
func (w *patternRenderer) scoped(p *hclspec.Pattern) string {
	if p.Every.Given() {
		w.every, _ = ctl.Parse("all " + w.plain(p.Every) + ": true")
	}
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
	if w.every != nil {
		phrase.Rescope(w.every, w.text.Scope)
		every := *w.every
		if w.exceeded {
			every.Op = ctl.ForSome
		}
		s = w.forWhom(&every, w.verbatim) + ": " + s
	}
	return s
}

const overIdeal = "on runs on which nothing is ever breached"

// formulaWords returns a formula as it is written but for its first quantifiers, and before it in what runs and of whom it is meant; "" if it is meant in
// all runs and begins with no quantifier, and for ill-formed text.
func formulaWords(d *compile.Draft, text *hclspec.Formula) string {
	f, diags := phrase.ParseAsWritten(text)
	if diags != nil {
		return ""
	}
	var meant []string
	if text.Ideal {
		meant = append(meant, overIdeal)
	}
	for ; f.Op == ctl.ForAll || f.Op == ctl.ForSome; f = f.Left {
		meant = append(meant, (&renderer{Draft: d}).forWhom(f, true))
	}
	if meant == nil {
		return ""
	}
	return diag.Capital(strings.Join(meant, ", ")) + ": " + compile.InNotation(f, text.Notation.String())
}

// forWhom renders a quantifier, with its variable if that is named after it: "for every buyer b", "for some occurrence o of rent".
func (t *renderer) forWhom(f *ctl.Formula, named bool) string {
	words := map[ctl.Op]string{ctl.ForAll: "for every", ctl.ForSome: "for some"}[f.Op]
	name := map[bool]string{true: " " + f.Name}[named]
	switch of := f.Range.Name; {
	case slices.ContainsFunc(t.Spec.Norms, func(n *hclspec.Norm) bool { return n.Written() == of }):
		return words + " occurrence" + name + " of " + of
	case slices.ContainsFunc(t.Parties, func(p *hclspec.Party) bool { return cmp.Or(p.Of, p.Name) == of }):
		return words + " " + of + name
	case slices.Contains(t.Spec.Rounds[of], of+"-1") && !slices.Contains(t.Spec.Rounds[of], of+"-0"): // rounds are counted from 1
		return words + " round" + name + " of " + of
	default:
		return words + " phase" + name + " of " + of
	}
}

// A patternRenderer renders the operands of a pattern in the contract's words.
type patternRenderer struct {
	renderer
	text     *hclspec.Formula
	every    *ctl.Formula // the quantifier of the whole pattern, or nil
	verbatim bool         // an operand is as it is written
	exceeded bool         // it is said of a run that something comes more often than a pattern has it
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
		often := "once"
		if p.AtMost != 1 {
			often = fmt.Sprintf("%d times", p.AtMost)
		}
		if !w.exceeded {
			return "at most " + often + " " + of
		}
		if quantified, f, _ := w.resolved(p.Of[0], 0); quantified == "" && f != nil && isNoun(f) {
			return of + " comes more than " + often
		}
		return "more than " + often + " " + of
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

// render renders an operand in words, or as written if there are none.
func (w *patternRenderer) render(o hclspec.Operand) string { return w.inWords(o, false) }

// when renders an operand as a moment: happened(e) becomes the event's title.
func (w *patternRenderer) when(o hclspec.Operand) string { return w.inWords(o, true) }

// inWords renders an operand. What a quantifier says of one instance it says of all only in words that are the same for each, so otherwise, and where there
// are no words, the operand is as it is written.
func (w *patternRenderer) inWords(o hclspec.Operand, moment bool) string {
	said, ok := w.ofOne(o, 0, moment)
	for n := range w.Instances(w.written(o)) {
		again, known := w.ofOne(o, n, moment)
		ok = ok && known && again == said
	}
	if ok {
		return said
	}
	w.verbatim = true
	if of, f, names := w.resolved(o, 0); f != nil && of == "" && maps.Equal(names.Parties, w.Calls) { // else it would say of one what is said of some or all
		return compile.InNotation(f, w.notation)
	}
	return w.plain(o)
}

// ofOne renders in words what an operand says of the nth instance, and reports whether that is possible.
func (w *patternRenderer) ofOne(o hclspec.Operand, nth int, moment bool) (string, bool) {
	of, f, names := w.resolved(o, nth)
	if f == nil {
		return "", false
	}
	named := *w.Draft
	named.Calls = names.Parties
	t := &renderer{Draft: &named, notation: w.notation, acts: names.Events}
	if event, ok := t.happening(f); ok && moment && of == "" {
		return event, true
	}
	text, ok := t.words(f)
	return of + text, ok
}

// resolved returns an operand with its atoms resolved, the words for parties and events in it, and what stands before it: "for every buyer ". Of a quantifier, and
// of the pattern's every, it is said of the nth instance. The formula is nil if that fails.
func (w *patternRenderer) resolved(o hclspec.Operand, nth int) (of string, f *ctl.Formula, names compile.Words) {
	written := w.written(o)
	if written == nil {
		return "", nil, names
	}
	names = compile.Words{Parties: maps.Clone(w.Calls), Events: map[string]string{}}
	if w.every != nil {
		_, f = w.Quantified(written, nth, names)
	} else if f = w.OneOfEach(written, nth, names.Parties); f == nil {
		names.Parties = maps.Clone(w.Calls)
		of, f = w.Quantified(written, nth, names)
		of += " "
	}
	if f == nil {
		return "", nil, names
	}
	for atom := range f.Atoms() {
		if w.ResolveAtom(atom, w.text) != nil {
			return "", nil, names
		}
	}
	return of, f, names
}

// written parses an operand, with the pattern's every before it. It returns nil if that fails.
func (w *patternRenderer) written(o hclspec.Operand) *ctl.Formula {
	f, err := ctl.Parse(w.plain(o))
	if err != nil {
		return nil
	}
	if w.every != nil {
		every := *w.every
		every.Left, f = f, &every
	}
	phrase.Rescope(f, w.text.Scope)
	return f
}

// plain returns an operand as written.
func (w *patternRenderer) plain(o hclspec.Operand) string { return w.text.Text[o.From:o.To] }
