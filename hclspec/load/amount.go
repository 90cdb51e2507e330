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
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// Expressions over counters are computed for each combination of their values: those of a transition, and comparisons in conditions.

// Limits of the expansion of counters.
const (
	maxCombinations    = 10_000    // of values, tried for one transition or comparison
	maxAllCombinations = 100_000   // for all of a contract
	maxTrials          = 256 << 20 // what evaluating all of them weighs, as weigh counts it
)

// A trial computes expressions with counters at each of their values.
type trial struct {
	l         *loader
	counters  []*counter
	names     []string             // of each, in expressions and messages
	values    []int                // of each, in the combination under way
	variables map[string]cty.Value // the counters, with these values
	contexts  map[hclsyntax.Expression]*hcl.EvalContext
	guard     string // how to ask before a division
	failed    bool
}

func newTrial(l *loader, guard string) *trial {
	return &trial{l: l, guard: guard, variables: map[string]cty.Value{}, contexts: map[hclsyntax.Expression]*hcl.EvalContext{}}
}

// add adds a counter, once.
func (c *trial) add(name string, of *counter) {
	if !slices.Contains(c.names, name) {
		c.counters, c.names, c.values = append(c.counters, of), append(c.names, name), append(c.values, of.values[0].Value)
	}
}

// set gives counter i the v-th of its values.
func (c *trial) set(i, v int) {
	c.values[i] = c.counters[i].values[v].Value
	c.variables[c.names[i]] = cty.NumberIntVal(int64(c.values[i]))
}

// charged charges all evaluations before the first, and reports whether the limits hold. What names the expressions in a sentence.
func (c *trial) charged(at hcl.Range, what string, all ...hclsyntax.Expression) bool {
	n := c.combinations(at, what)
	return n > 0 && c.charge(at, what, n, n*c.weight(all))
}

// weight returns what evaluating some expressions once weighs.
func (c *trial) weight(all []hclsyntax.Expression) (weight int) {
	for _, e := range all {
		weight += c.l.Weigh(e)
	}
	return weight
}

// combinations returns how many combinations of values there are; 0 after reporting that they are too many.
func (c *trial) combinations(at hcl.Range, what string) int {
	n := 1
	for _, counter := range c.counters {
		if n *= len(counter.values); n > maxCombinations {
			c.tooMany(at, fmt.Sprintf("%s would be tried for more than 10,000 combinations of the values of %s.", what, c.named()))
			return 0
		}
	}
	return n
}

// charge charges n combinations of some weight, and reports whether the limits of the contract hold.
func (c *trial) charge(at hcl.Range, what string, n, weight int) bool {
	l, failed := c.l, c.failed
	c.failed = true
	if l.tried > maxAllCombinations || l.trials > maxTrials { // reported already
		return false
	}
	l.tried, l.trials = l.tried+n, l.trials+weight
	switch {
	case l.tried > maxAllCombinations:
		c.tooMany(at, fmt.Sprintf("%s brings the combinations of values of counters in this contract to %d.", what, l.tried))
	case l.trials > maxTrials:
		c.tooMany(at, fmt.Sprintf("%s takes too long to compute for %d combinations of the values of %s.", what, n, c.named()))
	default:
		c.failed = failed
		return true
	}
	return false
}

func (c *trial) tooMany(at hcl.Range, summary string) {
	c.l.Mistake(diag.Expansion, at, summary,
		"A transition or comparison is tried for at most 10,000 combinations, all of a contract for 100,000. Use fewer values.")
}

// compute evaluates an expression with the counters at their values.
func (c *trial) compute(e hclsyntax.Expression, t cty.Type, what string) (cty.Value, bool) {
	if at := expr.ZeroDivisor(e, c.within(e)); at != nil {
		c.l.Mistake(diag.BadExpression, at.Range(), "Nothing can be divided by zero.", "With "+c.text()+" this is 0. Ask first, as in "+c.guard+".")
		c.failed = true
		return cty.NilVal, false
	}
	v, found := e.Value(c.within(e))
	c.l.Foreign(diag.BadExpression, c.l.NameOperands(e, found))
	if !found.HasErrors() && (v.IsNull() || v.Type() != t) {
		c.l.Mistake(diag.WrongType, e.Range(), what, "This is "+expr.Describe(v)+".")
		found = found.Append(&hcl.Diagnostic{Severity: hcl.DiagError})
	}
	c.failed = c.failed || found.HasErrors()
	return v, !c.failed
}

// within returns the context of an expression. It is made once for all combinations.
func (c *trial) within(e hclsyntax.Expression) *hcl.EvalContext {
	if c.contexts[e] == nil {
		c.contexts[e] = c.l.Context(e).NewChild()
		c.contexts[e].Variables = c.variables
	}
	return c.contexts[e]
}

// given reports whether variables, locals or parameters have a part in expressions or in the bounds of their counters. Parties are known by name.
func (c *trial) given(parties map[string]*family, all ...hclsyntax.Expression) bool {
	for _, e := range all {
		for _, t := range e.Variables() {
			if slices.Contains(valueNames, t.RootName()) && parties[t.RootName()] == nil {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.counters, func(of *counter) bool { return of.given })
}

// named joins the names of the counters.
func (c *trial) named() string { return strings.Join(c.names, ", ") }

// text returns the values of the counters for a message.
func (c *trial) text() string {
	var list []string
	for i, name := range c.names {
		list = append(list, fmt.Sprintf("%s = %d", name, c.values[i]))
	}
	return strings.Join(list, ", ")
}

// comparisons has what each operator says of the sign of the difference.
var comparisons = map[*hclsyntax.Operation]func(sign int) bool{
	hclsyntax.OpEqual: func(s int) bool { return s == 0 }, hclsyntax.OpNotEqual: func(s int) bool { return s != 0 },
	hclsyntax.OpLessThan: func(s int) bool { return s < 0 }, hclsyntax.OpLessThanOrEqual: func(s int) bool { return s <= 0 },
	hclsyntax.OpGreaterThan: func(s int) bool { return s > 0 }, hclsyntax.OpGreaterThanOrEqual: func(s int) bool { return s >= 0 },
}

// A comparing reads a comparison in a condition: seller.delay + buyer.delay > 15. Event is nil in a norm.
type comparing struct {
	*trial
	event *hclspec.Event
	own   *scope           // whose counters may stand without their party; nil in a condition
	first *scope           // of the first counter
	nets  []*hclspec.Party // of the counters
	text  *hclspec.Comparison
	at    []hcl.Range // of the counters, in source order
	sound bool        // all that the comparison names is known
}

// comparison reads a comparison of amounts, or its opposite.
func (l *loader) comparison(event *hclspec.Event, op *hclsyntax.BinaryOpExpr, not bool) ([]*hclspec.Party, hclspec.Need) {
	c := &comparing{trial: newTrial(l, "(seller.paid > 0 ? 12 / seller.paid : 0) > 1"), event: event, sound: true, text: &hclspec.Comparison{}}
	holds := comparisons[op.Op]
	if holds == nil {
		l.noComparison(op)
		return nil, nil
	}
	if l.partyCompared(op) {
		return nil, nil
	}
	left, right := c.counting(op.LHS), c.counting(op.RHS)
	switch {
	case !c.sound:
		return nil, nil
	case len(c.counters) == 0:
		l.noComparison(op)
		return nil, nil
	case !c.charged(op.Range(), "This comparison", left, right):
		return nil, nil
	}
	c.spell(op, not)
	decide := func() bool {
		a, ok := c.compute(left, cty.Number, "Counters are compared with numbers.")
		if !ok {
			return false
		}
		b, ok := c.compute(right, cty.Number, "Counters are compared with numbers.")
		return ok && holds(a.AsBigFloat().Cmp(b.AsBigFloat())) != not
	}
	need := c.alternatives(0, decide)
	if c.failed {
		return nil, nil
	}
	switch {
	case len(need) == 0 && c.given(l.families, op):
		need = hclspec.Need{{Places: []*hclspec.Place{c.counters[0].values[0], c.counters[0].impossible(c.first)}, By: c.text}}
	case len(need) == 0:
		l.Mistake(diag.Contradiction, op.Range(), c.never(not), "")
	}
	return c.nets, need
}

// partyCompared reports a party that is compared with a name, as if that were its state.
func (l *loader) partyCompared(op *hclsyntax.BinaryOpExpr) bool {
	party, ok := syntax.Steps(op.LHS)
	state, named := syntax.Steps(op.RHS)
	if !ok || !named || len(party) != 1 || len(state) != 1 || l.families[party[0].Text] == nil {
		return false
	}
	l.Mistake(diag.NotAReference, op.Range(), "A party is not compared with a name.", fmt.Sprintf("If it is the name of a state of %[1]s, write %[1]s.%[2]s.", party[0].Text, state[0].Text))
	return true
}

// noComparison reports an operation that compares no counter. Conditions that it joins as in a formula belong in a list.
func (l *loader) noComparison(op *hclsyntax.BinaryOpExpr) {
	src := l.Content[op.Range().Filename]
	left, right := op.LHS.Range().SliceBytes(src), op.RHS.Range().SliceBytes(src)
	switch op.Op {
	case hclsyntax.OpLogicalAnd:
		l.Mistake(diag.NotAReference, op.Range(), "Conditions are not joined by &&.", fmt.Sprintf("Write a list, of which all must be so: [%s, %s].", left, right))
	case hclsyntax.OpLogicalOr:
		l.Mistake(diag.NotAReference, op.Range(), "Conditions are not joined by ||.", fmt.Sprintf("Write any(%s, %s), of which one must be so.", left, right))
	default:
		l.Mistake(diag.NotAReference, op.Range(), "A comparison with a counter of a party is expected here.",
			"Write it as seller.delay > 15. For several conditions write a list, of which all must be so, or any(..., ...).")
	}
}

// never says that a comparison is so for no values.
func (c *comparing) never(not bool) string {
	var within []string
	for i, of := range c.counters {
		within = append(within, fmt.Sprintf("%s lies between %d and %d", c.names[i], of.place.Bounds[0], of.place.Bounds[1]))
	}
	what := "This is never so"
	if not {
		what = "This is always so, and its opposite never"
	}
	return what + ": " + strings.Join(within, ", ") + "."
}

// alternatives returns the places of counters i and up that together make a comparison true. It leaves out a counter that makes no difference.
func (c *comparing) alternatives(i int, decide func() bool) hclspec.Need {
	if i == len(c.counters) {
		if c.failed || !decide() {
			return nil
		}
		return hclspec.Need{{By: c.text}}
	}
	var all hclspec.Need
	always := i > 0
	for v, place := range c.counters[i].values {
		c.set(i, v)
		rest := c.alternatives(i+1, decide)
		always = always && len(rest) == 1 && len(rest[0].Places) == 0
		for _, a := range rest {
			all = append(all, hclspec.Alternative{Places: append([]*hclspec.Place{place}, a.Places...), By: c.text})
		}
	}
	switch {
	case always:
		return hclspec.Need{{By: c.text}}
	case len(c.counters) == 1 && !c.counters[0].place.Sparse(): // its places say it
		for k := range all {
			all[k].By = nil
		}
	}
	return all
}

// counting returns a copy of an expression in which each counter of a party is one name, and adds the counters.
func (c *comparing) counting(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr, *hclsyntax.UnaryOpExpr, *hclsyntax.BinaryOpExpr, *hclsyntax.ConditionalExpr:
		return syntax.Rewritten(e, c.counting)
	case *hclsyntax.FunctionCallExpr:
		before := len(c.l.Diags)
		c.l.CheckNode(e)
		c.sound = c.sound && len(c.l.Diags) == before
		return syntax.Rewritten(e, c.counting)
	}
	way, ok := syntax.Steps(e)
	if !ok || slices.Contains(valueNames, way[0].Text) && c.l.families[way[0].Text] == nil {
		c.sound = c.l.Check(e) && c.sound
		return e
	}
	name := c.counter(e, way)
	return &hclsyntax.ScopeTraversalExpr{Traversal: hcl.Traversal{hcl.TraverseRoot{Name: name, SrcRange: e.Range()}}, SrcRange: e.Range()}
}

// counter adds the counter that a reference names, and returns its name.
func (c *comparing) counter(e hclsyntax.Expression, way []syntax.Step) string {
	l, known := c.l, c.sound
	c.sound = false
	last, s := way[len(way)-1], c.own
	bare := len(way) == 1 && c.own != nil
	if len(way) < 2 && !bare || last.Index {
		l.Mistake(diag.NotAReference, e.Range(), "A counter of a party is expected here.", "Write it as seller.delay.")
		return ""
	}
	if !bare {
		whose := syntax.Joined(way[:len(way)-1])
		if l.families[whose.Name] == nil {
			l.unknownParty(whose)
			return ""
		}
		if s = l.conditionOn(c.event, whose); s == nil {
			return ""
		}
		l.Refer(whose.At, s.party.Range)
	}
	of := s.counters[last.Text]
	if of == nil {
		l.missing(s, last.Text, last.At, knownCounters)
		return ""
	}
	l.Refer(last.At, of.place.Range)
	c.sound = known
	name := s.party.Name + "." + last.Text
	if s == c.own {
		name = last.Text
	}
	c.add(name, of)
	if c.first == nil {
		c.first = s
	}
	if !slices.Contains(c.nets, s.party) {
		c.nets = append(c.nets, s.party)
	}
	c.text.Counters, c.at = append(c.text.Counters, of.values[0]), append(c.at, e.Range())
	return name
}

// spell keeps the text of a comparison around its counters.
func (c *comparing) spell(e hclsyntax.Expression, not bool) {
	var counters []filled
	for i, at := range c.at {
		counters = append(counters, filled{at, fmt.Sprintf("of_%d", i)})
	}
	rest := c.l.filledIn(e, counters...)
	if not {
		rest = "!(" + rest + ")"
	}
	for i := range c.at {
		var before string
		before, rest, _ = strings.Cut(rest, fmt.Sprintf("of_%d", i))
		c.text.Text = append(c.text.Text, before)
	}
	c.text.Text = append(c.text.Text, rest)
}

// A filled is a text in place of another.
type filled struct {
	at   hcl.Range
	text string
}

// filledIn returns the source of an expression in the canonical layout, with some texts in place of others, and the values of variables, parameters and local
// values in place of their names: with another value it says something else. count and each stay, so that the text is the same for each of several.
func (l *loader) filledIn(e hclsyntax.Expression, fills ...filled) string {
	for _, t := range hclsyntax.Variables(e) {
		if !slices.Contains([]string{"local", "var", "param"}, t.RootName()) || l.families[t.RootName()] != nil {
			continue
		}
		if v, ok := l.Evaluate(&hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: t.SourceRange()}); ok && v.Type() == cty.Number {
			fills = append(fills, filled{t.SourceRange(), v.AsBigFloat().Text('f', -1)})
		}
	}
	slices.SortFunc(fills, func(a, b filled) int { return cmp.Compare(a.at.Start.Byte, b.at.Start.Byte) })
	src, from := l.Content[e.Range().Filename], e.Range().Start.Byte
	var text []byte
	for _, f := range fills {
		text = append(append(text, src[from:f.at.Start.Byte]...), f.text...)
		from = f.at.End.Byte
	}
	return expr.Layout(append(text, src[from:e.Range().End.Byte]...))
}
