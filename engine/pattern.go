package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// parsePattern is the formula of a pattern, quantifier and all; offsets are those of the whole text.
func parsePattern(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	r := &patternReader{text: text}
	spec := text.Pattern
	p := &ctl.Pattern{Kind: patternKind(spec), Times: spec.AtMost, Of: r.all(spec.Of), By: r.all(spec.By)}
	p.After, p.Must = r.operand(spec.After), spec.Before.Given()
	if p.End = r.operand(spec.Before); p.End == nil {
		p.End = r.operand(spec.Until)
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

func patternKind(p *hclspec.Pattern) ctl.Kind {
	return map[string]ctl.Kind{
		"never": ctl.Absence, "always": ctl.Universality, "sometime": ctl.Existence, "times": ctl.BoundedExistence,
		"whenever": ctl.Response, "no": ctl.Precedence,
	}[p.Kind]
}

// A patternReader parses the operands of a pattern.
type patternReader struct {
	text *hclspec.Formula
	diag *hcl.Diagnostic // the first one
}

func (r *patternReader) all(operands []hclspec.Operand) []*ctl.Formula {
	var list []*ctl.Formula
	for _, o := range operands {
		list = append(list, r.operand(o))
	}
	return list
}

// operand is nil where there is none.
func (r *patternReader) operand(o hclspec.Operand) *ctl.Formula {
	if !o.Given() {
		return nil
	}
	f, err := ctl.Parse(r.text.Text[o.From:o.To])
	if err != nil {
		r.fail(err, o.From)
		return nil
	}
	f.Shift(o.From)
	rescope(f, r.text.Scope, boundBy(r.text)...)
	if timely := temporal(f); timely != nil && r.diag == nil {
		r.diag = diagnostic("formula-syntax", r.text.Source(timely.From, timely.To), "A pattern speaks of states: this says what may come.",
			"Leave out AG, EF and their like, and before(...): the pattern says when. Or write the whole formula with ctl = \"...\".")
	}
	return f
}

// temporal finds what speaks of more than one state.
func temporal(f *ctl.Formula) *ctl.Formula {
	if f == nil || f.Op >= ctl.EX || f.Call != nil && f.Call.Function == "before" {
		return f
	}
	if left := temporal(f.Left); left != nil {
		return left
	}
	return temporal(f.Right)
}

// boundBy is the variable that a pattern's every binds in its operands.
func boundBy(text *hclspec.Formula) []string {
	words := strings.Fields(text.Text[text.Pattern.Every.From:text.Pattern.Every.To])
	return words[:min(1, len(words))]
}

// every reads p in purchaser; nil where it is not given.
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
	rescope(f, r.text.Scope)
	return f
}

func (r *patternReader) fail(err error, at int) {
	if r.diag == nil {
		syntax := *err.(*ctl.SyntaxError)
		syntax.From, syntax.To = syntax.From+at, syntax.To+at
		r.diag = notAFormula(&syntax, r.text)
	}
}

// patternWords says a pattern as a sentence, and what it is called; nothing of what is no pattern.
func (d *Draft) patternWords(text *hclspec.Formula) (says, name string) {
	p := text.Pattern
	if p == nil {
		return "", ""
	}
	w := &patternTeller{teller{d, hclspec.CTL.String()}, text}
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
	return sentence(s), patternKind(p).String()
}

// A patternTeller puts operands into the contract's words.
type patternTeller struct {
	teller
	text *hclspec.Formula
}

func (w *patternTeller) segment(p *hclspec.Pattern) string {
	of := w.row(p.Of, " and later ", w.when)
	switch p.Kind {
	case "never":
		return "never " + of
	case "always":
		return "always " + w.row(p.Of, "", w.say)
	case "sometime":
		return "at some time " + of
	case "times":
		if p.AtMost == 1 {
			return "at most once " + of
		}
		return fmt.Sprintf("at most %d times %s", p.AtMost, of)
	case "whenever":
		return fmt.Sprintf("whenever %s, then %s follows", w.row(p.Of, " and later ", w.say), w.row(p.By, ", and later ", w.when))
	}
	return fmt.Sprintf("no %s without %s first", of, w.row(p.By, " and later ", w.when))
}

func (w *patternTeller) row(operands []hclspec.Operand, between string, say func(hclspec.Operand) string) string {
	var list []string
	for _, o := range operands {
		list = append(list, say(o))
	}
	return strings.Join(list, between)
}

// say puts an operand into words, and leaves what has none as it is written.
func (w *patternTeller) say(o hclspec.Operand) string {
	if f := w.resolved(o); f != nil {
		return w.teller.say(f)
	}
	return w.plain(o)
}

// when puts an operand into words that stand for a moment: of an event its title.
func (w *patternTeller) when(o hclspec.Operand) string {
	if f := w.resolved(o); f != nil {
		if event, ok := w.happening(f); ok {
			return event
		}
	}
	return w.say(o)
}

// resolved is nil for what stands for nothing by itself: it may be a variable's.
func (w *patternTeller) resolved(o hclspec.Operand) *ctl.Formula {
	f, err := ctl.Parse(w.plain(o))
	if err != nil {
		return nil
	}
	rescope(f, w.text.Scope, boundBy(w.text)...)
	for atom := range f.Atoms() {
		if w.resolveAtom(atom, w.text) != nil {
			return nil
		}
	}
	return f
}

func (w *patternTeller) plain(o hclspec.Operand) string { return w.text.Text[o.From:o.To] }

// telling keeps, of the remarks on a pattern, those on its operands: in its formula they stand more than
// once, which no reader of the pattern has written.
func telling(found []ctl.Vacuity) []ctl.Vacuity {
	var kept []ctl.Vacuity
	for _, v := range found {
		again := slices.ContainsFunc(kept, func(k ctl.Vacuity) bool { return ctl.Equal(k.Sub, v.Sub) })
		if (v.Never || v.Always) && !v.Sub.Temporal() && !again {
			kept = append(kept, v)
		}
	}
	return kept
}
