package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
)

// A transition that tests or changes counters becomes many: one variant for each combination of their values that its require admits, as in a
// diagram drawn by hand. All share its label.

// Limits of the expansion of counters.
const (
	maxCombinations    = 10_000    // of values, tried for one transition
	maxAllCombinations = 100_000   // for all transitions of a contract
	maxTrials          = 256 << 20 // what evaluating all of them weighs, as weigh counts it
)

// A change is a new value for a counter in set.
type change struct {
	counter *counter
	to      hclsyntax.Expression
}

// expansion is one transition while its counters are being expanded.
type expansion struct {
	*arcs
	transition *hclspec.Transition
	counters   []*counter           // that it tests or changes, in source order
	values     []int                // of each, in the combination under way
	variables  map[string]cty.Value // the counters, with these values
	contexts   map[hclsyntax.Expression]*hcl.EvalContext
	variants   []*hclspec.Transition
	failed     bool
}

// counts reports whether the transition has to do with counters.
func (a *arcs) counts() bool { return a.require != nil || len(a.changes) > 0 }

// variants returns the variants of a transition that has to do with counters; nil after a mistake.
func (a *arcs) variants(t *hclspec.Transition) []*hclspec.Transition {
	c := &expansion{arcs: a, transition: t, variables: map[string]cty.Value{}, contexts: map[hclsyntax.Expression]*hcl.EvalContext{}}
	if !c.involved() || !c.charged() {
		return nil
	}
	c.values = make([]int, len(c.counters))
	c.combine(0)
	if len(c.variants) == 0 && !c.failed {
		a.Mistake(diag.Contradiction, a.require.Range(), fmt.Sprintf("Transition %q can never fire.", t.Name),
			"What it requires is so for no value of "+c.named()+".")
	}
	return c.variants
}

// involved collects the counters, and reports whether every expression can be evaluated.
func (c *expansion) involved() bool {
	used := map[string]bool{}
	ok := c.require == nil || c.checkCounting(c.require, used)
	if ok && c.require != nil && len(used) == 0 {
		c.Mistake(diag.MissingAttribute, c.require.Range(), fmt.Sprintf("What transition %q requires names no counter.", c.transition.Name),
			"Compare one, as in require = paid < 12. A flag is tested with when.")
		return false
	}
	for _, change := range c.changes {
		ok = c.checkCounting(change.to, used) && ok
		used[change.counter.name] = true
	}
	for _, name := range c.scope.known[knownCounters] {
		if used[name] {
			c.counters = append(c.counters, c.scope.counters[name])
		}
	}
	return ok
}

// checkCounting checks an expression over counters, and collects their names in used.
func (c *expansion) checkCounting(e hclsyntax.Expression, used map[string]bool) bool {
	before := len(c.Diags)
	hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		c.CheckNode(n)
		return nil
	})
	if len(c.Diags) > before { // a refused expression may declare names of its own
		return false
	}
	ok := true
	for _, t := range e.Variables() {
		name := t.RootName()
		if slices.Contains(valueNames, name) {
			ok = c.CheckLocal(t) && ok
			continue
		}
		ok = c.checkCounter(name, t) && ok
		used[name] = true
	}
	return ok
}

// checkCounter reports whether a reference names a counter of this party.
func (c *expansion) checkCounter(name string, t hcl.Traversal) bool {
	counter := c.scope.counters[name]
	switch {
	case len(t) != 1:
		c.Mistake(diag.NotAReference, t.SourceRange(), "The name of a counter of the same party is expected here.",
			"What another party counts is its own affair: meet in an event.")
	case counter == nil:
		c.lacks(name, t.SourceRange(), knownCounters)
	default:
		c.Refer(t.SourceRange(), counter.at)
		return true
	}
	return false
}

// charged charges all evaluations before the first, and reports whether the limits hold.
func (c *expansion) charged() bool {
	n := 1
	for _, counter := range c.counters {
		if n *= len(counter.values); n > maxCombinations {
			c.tooMany(fmt.Sprintf("Transition %q would be tried for more than 10,000 combinations of the values of %s.", c.transition.Name, c.named()))
			return false
		}
	}
	weight := 0
	for _, e := range c.expressions() {
		weight += n * c.Weigh(e)
	}
	if c.tried > maxAllCombinations || c.trials > maxTrials { // reported already
		return false
	}
	c.tried, c.trials = c.tried+n, c.trials+weight
	switch {
	case c.tried > maxAllCombinations:
		c.tooMany(fmt.Sprintf("With transition %q the contract has %d combinations of values of counters.", c.transition.Name, c.tried))
	case c.trials > maxTrials:
		c.tooMany(fmt.Sprintf("What transition %q says of counters takes too long to compute for %d combinations of their values.", c.transition.Name, n))
	default:
		return true
	}
	return false
}

func (c *expansion) tooMany(summary string) {
	c.Mistake(diag.Expansion, c.transition.Range, summary,
		"A transition is tried for at most 10,000 combinations, all of a contract for 100,000. Use fewer values.")
}

func (c *expansion) expressions() []hclsyntax.Expression {
	var all []hclsyntax.Expression
	if c.require != nil {
		all = append(all, c.require)
	}
	for _, change := range c.changes {
		all = append(all, change.to)
	}
	return all
}

// combine tries every combination of values; that of the last counter varies fastest.
func (c *expansion) combine(i int) {
	if i == len(c.counters) {
		if c.admitted() {
			c.variant()
		}
		return
	}
	counter := c.counters[i]
	for v := range counter.values {
		if c.failed {
			return
		}
		c.values[i] = counter.from + v
		c.variables[counter.name] = cty.NumberIntVal(int64(c.values[i]))
		c.combine(i + 1)
	}
}

// compute evaluates an expression with the counters at their values.
func (c *expansion) compute(e hclsyntax.Expression, t cty.Type, what string) (cty.Value, bool) {
	if at := expr.ZeroDivisor(e, c.within(e)); at != nil {
		c.Mistake(diag.BadExpression, at.Range(), "Nothing can be divided by zero.", "With "+c.text()+" this is 0. Ask first, as in paid > 0 && 12 / paid > 1.")
		c.failed = true
		return cty.NilVal, false
	}
	v, found := e.Value(c.within(e))
	c.Foreign(diag.BadExpression, c.NameOperands(e, found))
	if !found.HasErrors() && (v.IsNull() || v.Type() != t) {
		c.Mistake(diag.WrongType, e.Range(), what, "This is "+expr.Describe(v)+".")
		found = found.Append(&hcl.Diagnostic{Severity: hcl.DiagError})
	}
	c.failed = c.failed || found.HasErrors()
	return v, !c.failed
}

// within returns the context of an expression. It is made once for all combinations.
func (c *expansion) within(e hclsyntax.Expression) *hcl.EvalContext {
	if c.contexts[e] == nil {
		c.contexts[e] = c.Context(e).NewChild()
		c.contexts[e].Variables = c.variables
	}
	return c.contexts[e]
}

func (c *expansion) admitted() bool {
	if c.require == nil {
		return true
	}
	v, ok := c.compute(c.require, cty.Bool, fmt.Sprintf("What transition %q requires must be true or false.", c.transition.Name))
	return ok && v.True()
}

// variant makes the transition of the combination under way.
func (c *expansion) variant() {
	t := *c.transition
	t.Of, t.Name = t.Name, t.Name+c.suffix()
	t.Consume, t.Produce, t.Read = slices.Clone(t.Consume), slices.Clone(t.Produce), slices.Clone(t.Read)
	after := slices.Clone(c.values)
	for _, change := range c.changes {
		i := slices.Index(c.counters, change.counter)
		if after[i] = c.result(change); c.failed {
			return
		}
		if change.counter.place(after[i]) == nil {
			t.Beyond = &hclspec.Beyond{Counter: change.counter.name, Value: after[i], Range: change.to.Range()}
			t.Produce = []*hclspec.Place{change.counter.beyond(c.scope)}
			after = c.values // so that no other place is a contact
			break
		}
	}
	c.move(&t, after)
	c.variants = append(c.variants, &t)
}

// result returns the value that a change gives its counter.
func (c *expansion) result(change change) int {
	what := fmt.Sprintf("Counter %q must take a whole number.", change.counter.name)
	v, ok := c.compute(change.to, cty.Number, what)
	if !ok {
		return 0
	}
	n, whole := expr.WholeNumber(v)
	if !whole {
		c.Mistake(diag.WrongType, change.to.Range(), what, fmt.Sprintf("With %s this is %s.", c.text(), v.AsBigFloat().Text('g', 6)))
		c.failed = true
	}
	return n
}

// move adds the arcs that take the counters from their values to those after.
func (c *expansion) move(t *hclspec.Transition, after []int) {
	for i, counter := range c.counters {
		before := counter.place(c.values[i])
		if after[i] == c.values[i] {
			t.Read = append(t.Read, before)
			continue
		}
		t.Consume, t.Produce = append(t.Consume, before), append(t.Produce, counter.place(after[i]))
	}
}

// named joins the names of the counters.
func (c *expansion) named() string {
	var list []string
	for _, counter := range c.counters {
		list = append(list, counter.name)
	}
	return strings.Join(list, ", ")
}

// suffix returns the part of a variant's name that differs from the other variants.
func (c *expansion) suffix() string {
	var list []string
	for i, counter := range c.counters {
		list = append(list, counter.place(c.values[i]).Name)
	}
	return "{" + strings.Join(list, ",") + "}"
}

// text returns the values of the counters for a message.
func (c *expansion) text() string {
	var list []string
	for i, counter := range c.counters {
		list = append(list, fmt.Sprintf("%s = %d", counter.name, c.values[i]))
	}
	return strings.Join(list, ", ")
}
