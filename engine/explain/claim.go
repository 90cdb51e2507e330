package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
)

// claimed returns the claim of a run, or "" if there are no words for it: the run, and what follows it, then speak for themselves.
func (t *renderer) claimed(e *ctl.Evidence, past []petri.Marking, was bool) string {
	t.wordless = false
	if said := t.claim(e, past, was); !t.wordless {
		return said
	}
	return ""
}

// claim returns the claim of a run about its formula, in words that follow "at the end of this run". Past has the markings that were shown
// before the run. Was reports that the formula, or the consequent of an implication, held before the last step.
func (t *renderer) claim(e *ctl.Evidence, past []petri.Marking, was bool) string {
	f, holds, endless := e.Formula, e.Holds, e.Run.Loop >= 0 || e.Run.Dead
	for f.Op == ctl.Not {
		f, holds, was = f.Left, !holds, false
	}
	switch f.Op {
	case ctl.AF:
		if !holds && endless {
			return t.never(f.Left, past)
		}
	case ctl.AU, ctl.AW:
		if !holds && (endless || rests(e)) {
			return t.never(f.Right, past)
		}
		if !holds && len(e.Run.Steps) > 0 {
			return t.tooEarly(f.Left, f.Right, e.Run.Markings, past)
		}
	case ctl.EG, ctl.EW:
		if holds && endless {
			return t.stays(f.Left, past)
		}
	case ctl.EF:
		if !holds {
			return t.lost(f.Left, past, was)
		}
	case ctl.EX:
		if !holds {
			return t.noNext(f.Left)
		}
	case ctl.Implies:
		if !holds {
			return fmt.Sprintf("%s, and yet %s", t.given(f.Left, e.Run.Markings[0]), t.yet(f.Right, e.Run.Markings[0], past, was))
		}
	}
	if f.Call != nil && t.asked(f.Call, holds) != "" {
		return t.asked(f.Call, holds)
	}
	so := f
	if !holds {
		so = negation(f)
	}
	if _, ok := t.words(f); !ok {
		if reasons := t.reasons(so, e.Run.Markings[0]); reasons != nil {
			return t.holding(reasons, true)
		}
	}
	return t.holding(f, holds)
}

// reasons returns what because returns as a formula, or nil if that is much.
func (t *renderer) reasons(f *ctl.Formula, m petri.Marking) *ctl.Formula {
	if all := t.because(f, m); !f.Temporal() && all != nil && len(all) <= mostReasons {
		return compile.Join(ctl.And, all)
	}
	return nil
}

// renderAt renders a formula that holds in a marking. If there are no words for it, it renders from what it follows there.
func (t *renderer) renderAt(f *ctl.Formula, m petri.Marking) string {
	if _, ok := t.words(f); !ok {
		if reasons := t.reasons(f, m); reasons != nil {
			f = reasons
		}
	}
	return t.render(f)
}

// mostReasons is the most parts that a claim lists in the place of a formula that there are no words for.
const mostReasons = 4

// because returns names, and negations of names, that hold in a marking and from which a formula follows: of several alternatives the first that holds. It
// returns nil if there are none.
func (t *renderer) because(f *ctl.Formula, m petri.Marking) []*ctl.Formula {
	switch f = inward(f); f.Op {
	case ctl.And:
		left, right := t.because(f.Left, m), t.because(f.Right, m)
		if left == nil || right == nil {
			return nil
		}
		return append(left, slices.DeleteFunc(right, func(r *ctl.Formula) bool {
			return slices.ContainsFunc(left, func(l *ctl.Formula) bool { return ctl.Equal(l, r) })
		})...)
	case ctl.Or:
		if left := t.because(f.Left, m); left != nil {
			return left
		}
		return t.because(f.Right, m)
	case ctl.Implies:
		return t.because(&ctl.Formula{Op: ctl.Or, Left: negation(f.Left), Right: f.Right}, m)
	}
	if so, known := Truth(t.Draft, m, f); so && known && isNoun(f) {
		return []*ctl.Formula{f}
	}
	return nil
}

// holding renders that a formula holds, or that it does not.
func (t *renderer) holding(f *ctl.Formula, holds bool) string {
	if _, ok := t.absence(f); ok {
		f, holds = inward(f).Left, !holds
	}
	text := t.render(f)
	if f.Temporal() {
		return map[bool]string{false: "it is not so that "}[holds] + text
	}
	_, several := t.noun(f)
	several = several && inward(f).Op == ctl.And
	switch {
	case several && holds:
		return text + " hold"
	case several:
		return text + " do not all hold"
	case holds:
		return text + " holds"
	}
	return text + " does not hold"
}

// render renders a formula in the contract's words, or in its notation if there are none.
func (t *renderer) render(f *ctl.Formula) string {
	if text, ok := t.words(f); ok {
		return text
	}
	t.wordless = t.wordless || f.Temporal()
	return compile.InNotation(f, t.notation)
}

// words renders a formula in the contract's words, and reports whether that is possible.
func (t *renderer) words(f *ctl.Formula) (string, bool) {
	switch f = inward(f); f.Op {
	case ctl.Atom:
		if f.Call != nil {
			return t.asked(f.Call, true), true
		}
		if f.Means != nil || f.Sum != nil {
			return t.meaningful(f)
		}
		p := t.Net.Places[f.Place]
		return fmt.Sprintf("“%s: %s”", cmp.Or(t.Calls[p.Net], p.Net), compile.Word(t.AllPlaces[f.Place])), true
	case ctl.Not:
		if f.Left.Call != nil {
			text := t.asked(f.Left.Call, false)
			return text, text != ""
		}
		if f.Left.Op == ctl.Atom && f.Left.Name == compile.IdealName {
			return "“something breached”", true
		}
		if left, ok := t.words(f.Left); ok && f.Left.Op == ctl.Atom {
			return "not " + left, true
		}
	case ctl.And, ctl.Or:
		var plain, negated []string // "not" last: it would seem to be of all that follow
		for _, part := range operands(f, f.Op) {
			text, ok := t.words(part)
			switch {
			case !ok || !chain(f, part):
				return "", false
			case part.Op == ctl.Not:
				negated = append(negated, text)
			default:
				plain = append(plain, text)
			}
		}
		return strings.Join(append(plain, negated...), map[ctl.Op]string{ctl.And: " and ", ctl.Or: " or "}[f.Op]), true
	default:
		return t.prospect(f)
	}
	return "", false
}

// prospect renders what a formula says of what comes, if that is a noun or an event, and reports whether it is.
func (t *renderer) prospect(f *ctl.Formula) (string, bool) {
	said := map[ctl.Op][2]string{ // of a noun, of an event
		ctl.EF: {" can be reached", " can happen at some time"},
		ctl.AF: {" comes whatever happens", " happens in any case"},
		ctl.AG: {" stays so whatever happens"},
		ctl.EG: {" can stay so for ever"},
		ctl.EX: {" can come next"},
		ctl.AX: {" comes next in any case"},
	}[f.Op]
	if said[0] == "" || f.Left.Temporal() {
		return "", false
	}
	if event, ok := t.happening(f.Left); ok {
		return event + said[1], said[1] != ""
	}
	if inward(f.Left).Op == ctl.Not || inward(f.Left).Op == ctl.And {
		return "", false // that it ends, or that they come together
	}
	text, ok := t.noun(f.Left)
	return text + said[0], ok
}

// operands returns the operands of a chain of one operator.
func operands(f *ctl.Formula, op ctl.Op) []*ctl.Formula {
	if f = inward(f); f.Op != op {
		return []*ctl.Formula{f}
	}
	return append(operands(f.Left, op), operands(f.Right, op)...)
}

// inward moves the negation of a formula into its operands: !!p is p, !(p && q) is !p || !q, !(p -> q) is p && !q. It returns any other formula as it is.
func inward(f *ctl.Formula) *ctl.Formula {
	if f.Op != ctl.Not {
		return f
	}
	switch p := f.Left; p.Op {
	case ctl.Not:
		return inward(p.Left)
	case ctl.And:
		return &ctl.Formula{Op: ctl.Or, Left: negation(p.Left), Right: negation(p.Right)}
	case ctl.Or:
		return &ctl.Formula{Op: ctl.And, Left: negation(p.Left), Right: negation(p.Right)}
	case ctl.Implies:
		return &ctl.Formula{Op: ctl.And, Left: inward(p.Left), Right: negation(p.Right)}
	}
	return f
}

// negation returns the negation of a formula, moved inward.
func negation(f *ctl.Formula) *ctl.Formula { return inward(&ctl.Formula{Op: ctl.Not, Left: f}) }

// meaningful renders an atom that stands for a formula, and reports whether there are words for it.
func (t *renderer) meaningful(f *ctl.Formula) (string, bool) {
	if f.Compare != nil {
		return t.Compared(f.Compare), true
	}
	switch f.Name {
	case compile.IdealName:
		return "nothing has been breached", true
	case phrase.Overstepped:
		return "something forbidden has been done", true
	}
	if f.Call == nil {
		document, holder, _ := strings.Cut(f.Name, ".")
		return fmt.Sprintf("“%s: %s”", document, holder), true
	}
	return "", false
}

// chain reports whether an operand reads without parentheses beside its operator.
func chain(f, part *ctl.Formula) bool {
	return part.Op == ctl.Atom || part.Op == ctl.Not || part.Op == f.Op
}
