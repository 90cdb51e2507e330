package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/duration"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// declareScenario reads a scenario, once events and norms are known. It shares the names of requirements.
func (l *loader) declareScenario(b *hclsyntax.Block) {
	r := &hclspec.Requirement{Prose: l.Prose(b.Body), Name: b.Labels[0], Range: syntax.HeaderRange(b)}
	before := len(l.Diags)
	steps := l.steps(b)
	r.Formula = l.expected(b)
	r.Waiver = l.waiver(b)
	if r.Formula != nil && len(l.Diags) == before {
		r.Formula.Scenario.Steps, r.Formula.Scenario.Unit = steps, l.unit
		r.Formula.Scope = l.ScopesOf[b.Body]
		for _, o := range l.begins[l.Generated[b].Phase] {
			if name := o.event.Name; !slices.Contains(r.Formula.Scenario.Begins, name) {
				r.Formula.Scenario.Begins = append(r.Formula.Scenario.Begins, name)
			}
		}
		l.ownDuties(b, r.Formula.Scenario)
		l.spec.Requirements = append(l.spec.Requirements, r)
	}
}

// ownDuties makes a scenario of a phase that ends fulfilled be about the duties of the phase.
func (l *loader) ownDuties(b *hclsyntax.Block, s *hclspec.Scenario) {
	phase := l.Generated[b].Phase
	if phase == "" || s.Expect != hclspec.ExpectFulfilled {
		return
	}
	for name, n := range l.norms {
		if l.Generated[n.block].Phase == phase && n.Kind.Construct().Burdens {
			s.Duties = append(s.Duties, name)
		}
	}
	if slices.Sort(s.Duties); len(s.Duties) == 0 {
		l.Mistake(diag.Contradiction, b.Body.Attributes["ends"].Expr.Range(), fmt.Sprintf("Phase %q has no obligation and no prohibition that could be fulfilled.", phase), "Write ends = \"formula\", or expect = possible.")
	}
}

// steps reads the events of a scenario: names of events, tick, and texts such as "3 ticks".
func (l *loader) steps(b *hclsyntax.Block) []string {
	attr, given := b.Body.Attributes["events"]
	if !given {
		l.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("Scenario %q has no events.", b.Labels[0]), "Write events = [EVENT, EVENT]: what happens, in this order.")
		return nil
	}
	list, ok := attr.Expr.(*hclsyntax.TupleConsExpr)
	if !ok || len(list.Exprs) == 0 {
		l.Mistake(diag.WrongType, attr.Expr.Range(), "events must be a list with at least one event.", `Write events = [EVENT, "3 ticks", EVENT]: what happens, in this order.`)
		return nil
	}
	var all []string
	for _, e := range list.Exprs {
		if all = append(all, l.step(e)...); len(all) > hclspec.MaxSteps {
			l.Mistake(diag.ValueTooLarge, attr.Expr.Range(), fmt.Sprintf("Scenario %q has more than %d steps.", b.Labels[0], hclspec.MaxSteps), "Each tick counts as one.")
			return nil
		}
	}
	return all
}

// step reads one element of events; nil after a mistake. Where there are several of an event, its name alone means any of them.
func (l *loader) step(e hclsyntax.Expression) []string {
	switch t := e.(type) {
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		return l.waiting(e)
	case *hclsyntax.LiteralValueExpr:
		if l.ArgumentIn(e) == nil {
			break
		} else if v, ok := l.Evaluate(e); ok && v.Type() == cty.String {
			return l.waiting(e)
		} else if n := 0; ok {
			if n = l.ticks("A time of a scenario", e, v); n > 0 {
				return l.passing(n)
			}
		}
		return nil
	case *hclsyntax.ScopeTraversalExpr:
		if _, own := l.events[hclspec.Tick]; len(t.Traversal) == 1 && t.Traversal.RootName() == hclspec.Tick && !own {
			return l.passing(1)
		}
	}
	found := l.eventsAt(e)
	if len(found) == 0 {
		return nil
	}
	l.Refer(e.Range(), found[0].Range)
	if ref, ok := syntax.Dotted(e); ok && ref.Indexed {
		return []string{found[0].Name}
	}
	return []string{found[0].Of}
}

// waiting reads a time in quotes: "3 ticks", or "30 days" where durations have units.
func (l *loader) waiting(e hclsyntax.Expression) []string {
	v, ok := l.Typed(&hclsyntax.Attribute{Name: "events", Expr: e}, cty.String, `a list of events and times such as "3 ticks"`)
	if !ok {
		return nil
	}
	text := v.AsString()
	number, unit, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	lasts, inWords := duration.Parse(text)
	_, event := l.events[text]
	switch {
	case event:
		l.Mistake(diag.QuotedReference, e.Range(), fmt.Sprintf("Write %s, not %q.", text, text), "The name of an event has no quotes.")
	case err == nil && n > 0 && (unit == "tick" || unit == "ticks"):
		return l.passing(min(n, hclspec.MaxSteps+1))
	case inWords && l.unit == "":
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("This contract counts in ticks, and says nowhere how long one is: %q has no meaning here.", text), "Write a number of ticks, as \"3 ticks\".")
	case inWords:
		if _, whole := l.calendar.In(lasts, l.ownUnit); whole {
			n, _ = l.calendar.In(lasts, l.unit)
			return slices.Repeat([]string{hclspec.Tick}, min(n, hclspec.MaxSteps+1))
		}
		number, advice := "fixed", "A scenario can't ask about less than a tick, which is the finest unit of all durations outside scenarios."
		if _, known := l.calendar.In(duration.Length{N: 1, Unit: l.ownUnit}, lasts.Unit); known { // how long it is in that unit is known: the rest is a part of one
			number = "whole"
		} else if l.noTick {
			return nil
		} else if duration.Usual(lasts.Unit, l.ownUnit).N > 0 {
			advice = l.sayHowLong(lasts.Unit)
		}
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("%s is no %s number of %ss, and a tick of this contract is a %s.", lasts, number, l.ownUnit, l.ownUnit), advice)
	case l.unit != "":
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("A time is a duration in quotes, as \"3 %ss\"; this is %q.", l.ownUnit, text), "Names of events have no quotes.")
	default:
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("A time is a number of ticks in quotes, as \"3 ticks\"; this is %q.", text), "Names of events have no quotes.")
	}
	return nil
}

// passing returns the steps of n ticks that are as long as the text has them. The source may be read with shorter ones.
func (l *loader) passing(n int) []string {
	if l.unit != l.ownUnit {
		n, _ = l.calendar.In(duration.Length{N: n, Unit: l.ownUnit}, l.unit)
	}
	return slices.Repeat([]string{hclspec.Tick}, min(n, hclspec.MaxSteps+1))
}

// expectations lists the attributes that say what is expected of a scenario: one of them.
var expectations = []string{"expect", "breach", "ends"}

// expected reads what has to be so of the steps of a scenario; nil after a mistake.
func (l *loader) expected(b *hclsyntax.Block) *hclspec.Formula {
	given := attributesOf(b.Body, func(name string) bool { return slices.Contains(expectations, name) })
	switch {
	case len(given) == 0:
		l.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("Scenario %q does not say what is expected of its events.", b.Labels[0]),
			`Write expect = possible or expect = impossible; breach = PARTY; ends = fulfilled, ends = ended or ends = "formula".`)
		return nil
	case len(given) > 1:
		l.Mistake(diag.Contradiction, given[1].NameRange, fmt.Sprintf("%q does not go with %q.", given[1].Name, given[0].Name), "A scenario expects one thing. Write a second scenario with the same events.")
		return nil
	}
	f := &hclspec.Formula{Range: given[0].Expr.Range(), Scenario: &hclspec.Scenario{}}
	switch given[0].Name {
	case "expect":
		word, _ := l.word(given[0].Expr, "possible", "impossible")
		f.Scenario.Expect = map[string]hclspec.Expected{"impossible": hclspec.ExpectImpossible}[word]
	case "breach":
		if n, ref := l.breached(given[0].Expr); n != nil {
			return l.breachOf(n, ref, f)
		}
		f.Scenario.Expect = hclspec.ExpectBreach
		if p := l.person("breach", given[0].Expr); p != nil {
			f.Scenario.Party = p.Name
		}
	default:
		return l.ending(b, given[0].Expr, f)
	}
	return f
}

// word reads one of some words, without quotes.
func (l *loader) word(e hclsyntax.Expression, words ...string) (string, bool) {
	name, r, ok := l.Reference(e, "one of "+strings.Join(words, ", "))
	if ok && !slices.Contains(words, name) {
		l.Unknown(r, fmt.Sprintf("%q does not stand here.", name), name, func() []string { return words })
		ok = false
	}
	return name, ok
}

// breached returns the norm that a scenario expects to be breached, if it names one.
func (l *loader) breached(e hclsyntax.Expression) (*norm, syntax.Ref) {
	ref, ok := syntax.Dotted(e)
	if !ok {
		ref = syntax.Ref{Name: hcl.ExprAsKeyword(e), At: e.Range()}
	}
	return l.norms[ref.Name], ref
}

// breachOf reads the expectation that an obligation or a prohibition is breached: of one with occurrences, any of them or the one with the index. It is that
// the scenario ends with NORM.breached; nil after a mistake.
func (l *loader) breachOf(n *norm, ref syntax.Ref, f *hclspec.Formula) *hclspec.Formula {
	l.Refer(ref.At, n.Range)
	if n.Kind != hclspec.Obligation && n.Kind != hclspec.Prohibition {
		l.Mistake(diag.WrongKind, ref.At, fmt.Sprintf("%q is %s, which nobody can breach.", l.written(n.block), diag.Article(n.Kind.String())), "Name an obligation, a prohibition or a party.")
		return nil
	}
	switch {
	case ref.Indexed:
		one := l.nth(n, ref.Index, ref.At)
		if one == nil {
			return nil
		}
		f.Text = one.Name + ".breached"
	case n.times > 0:
		f.Text = fmt.Sprintf("some breached in %s: breached.breached", ref.Name)
	default:
		f.Text = n.Name + ".breached"
	}
	f.Scenario.Expect, f.Spans = hclspec.ExpectEnds, []hclspec.Span{{Source: f.Range}}
	return f
}

// ending reads what has to be so at the end of a scenario: a word, or a formula.
func (l *loader) ending(b *hclsyntax.Block, e hclsyntax.Expression, f *hclspec.Formula) *hclspec.Formula {
	if name, ok := e.(*hclsyntax.ScopeTraversalExpr); ok && len(name.Traversal) == 1 {
		word, ok := l.word(e, "fulfilled", "ended")
		switch {
		case !ok:
			return nil
		case word == "fulfilled":
			f.Scenario.Expect = hclspec.ExpectFulfilled
			return f
		case l.end == nil:
			l.nothingEnds(e.Range())
			return nil
		}
		f.Scenario.Expect, f.Text = hclspec.ExpectEnds, "contract.ended"
		f.Spans = []hclspec.Span{{Source: e.Range()}}
		return f
	}
	g := l.Formula(b.Body, "ends", hclspec.CTL)
	if g == nil {
		return nil
	}
	if strings.TrimSpace(g.Text) == "" {
		l.Mistake(diag.MissingAttribute, e.Range(), `"ends" is empty.`, "Write a formula, such as party.state.")
		return nil
	}
	g.Scenario = &hclspec.Scenario{Expect: hclspec.ExpectEnds}
	return g
}
