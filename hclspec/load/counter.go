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
	"github.com/redlinehq/redline/hclspec/syntax"
)

// maxValues bounds the values of one counter.
const maxValues = 1_000

// valueNames are reserved for other values in expressions; no counter may have such a name.
var valueNames = []string{"local", "var", "param", "count", "each"}

// declareCounter adds a counter to a party: one place for each value.
func (l *loader) declareCounter(s *scope, p hclspec.Place, b *hclsyntax.Block) {
	if slices.Contains(valueNames, p.Name) {
		l.Dropped[p.Name] = true
		l.Mistake(diag.ReservedName, b.LabelRanges[0], fmt.Sprintf("%q cannot be the name of a counter.", p.Name),
			"In an expression it means something else.")
		return
	}
	from, to, initial, ok := l.bounds(b)
	if !ok || !l.affordableCounter(b, to-from+1) {
		l.Dropped[p.Name] = true
		return
	}
	c := &counter{name: p.Name, from: from, title: p.Prose, at: p.Range}
	for _, attr := range b.Body.Attributes {
		c.given = c.given || len(attr.Expr.Variables()) > 0
	}
	for v := from; v <= to; v++ {
		q := p
		q.Name, q.Kind, q.Counter, q.Value, q.Marked = fmt.Sprintf("%s=%d", p.Name, v), hclspec.CounterValue, p.Name, v, v == initial
		c.values = append(c.values, &q)
	}
	s.party.Places = append(s.party.Places, c.values...)
	s.counters[p.Name] = c
	s.known[knownCounters] = append(s.known[knownCounters], p.Name)
}

// affordableCounter charges n values of a counter, and reports whether the limit for all counters holds. It reports the excess once.
func (l *loader) affordableCounter(b *hclsyntax.Block, n int) bool {
	if l.counterValues > maxExpanded {
		return false
	}
	if l.counterValues += n; l.counterValues <= maxExpanded {
		return true
	}
	l.Mistake(diag.Expansion, syntax.HeaderRange(b), fmt.Sprintf("With counter %q the counters have %d values.", b.Labels[0], l.counterValues),
		fmt.Sprintf("All of a contract have at most %d.", maxExpanded))
	return false
}

// bounds reads the smallest and the largest value of a counter, and its initial one.
func (l *loader) bounds(b *hclsyntax.Block) (from, to, initial int, ok bool) {
	last, given := b.Body.Attributes["to"]
	if !given {
		l.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("Counter %q has no to.", b.Labels[0]),
			"Write to = 12: the largest value it may take. It counts from 0 unless from says otherwise.")
		return
	}
	from, okFrom := l.Integer(b.Body, "from", 0)
	to, okTo := l.Integer(b.Body, "to", 0)
	initial, okInitial := l.Integer(b.Body, "initial", from)
	if !okFrom || !okTo || !okInitial {
		return
	}
	switch {
	case to < from:
		l.Mistake(diag.Contradiction, last.Expr.Range(), fmt.Sprintf("Counter %q counts from %d to %d.", b.Labels[0], from, to),
			"The last value must not be smaller than the first.")
	case to-from >= maxValues:
		l.Mistake(diag.Expansion, last.Expr.Range(), fmt.Sprintf("Counter %q has %d values.", b.Labels[0], to-from+1),
			"Each value is a place. A counter has at most 1,000: count in larger units.")
	case initial < from || initial > to:
		l.Mistake(diag.Contradiction, l.initialRange(b), fmt.Sprintf("Counter %q starts at %d and counts from %d to %d.", b.Labels[0], initial, from, to),
			"The first value must be one of its values.")
	default:
		return from, to, initial, true
	}
	return
}

func (l *loader) initialRange(b *hclsyntax.Block) hcl.Range {
	return b.Body.Attributes["initial"].Expr.Range()
}

// A transition that tests or changes counters becomes many: one variant for each combination of their values that its require admits, as in a
// diagram drawn by hand. All share its label.

// A change is a new value for a counter in set, or any one from To to Most.
type change struct {
	counter  *counter
	to, most hclsyntax.Expression // most is nil where there is no choice
	written  hclsyntax.Expression
}

// choice is the function of set that stands for any whole number from one to another.
const choice = "between"

// expansion is one transition while its counters are being expanded.
type expansion struct {
	*arcs
	*trial
	transition *hclspec.Transition
	variants   []*hclspec.Transition
}

// counts reports whether the transition has to do with counters.
func (a *arcs) counts() bool { return a.require != nil || len(a.changes) > 0 }

// variants returns the variants of a transition that has to do with counters; nil after a mistake.
func (a *arcs) variants(t *hclspec.Transition) []*hclspec.Transition {
	c := &expansion{arcs: a, trial: newTrial(a.loader, "paid > 0 && 12 / paid > 1"), transition: t}
	if !c.involved() || !c.charged(t.Range, fmt.Sprintf("Transition %q", t.Name), c.expressions()...) {
		return nil
	}
	c.combine(0)
	if len(c.variants) == 0 && !c.failed {
		c.never()
	}
	return c.variants
}

// never reports a transition that no combination of values lets fire. Where variables, locals or parameters decide that, it is no mistake of the
// text: the transition is kept, and is one that can't happen.
func (c *expansion) never() {
	if c.given(nil, c.expressions()...) {
		t := *c.transition
		t.Of, t.Name = t.Name, t.Name+"{}"
		t.Consume, t.Produce, t.Read = slices.Clone(t.Consume), slices.Clone(t.Produce), slices.Clone(t.Read)
		c.move(&t, slices.Clone(c.values))
		t.Read = append(t.Read, c.counters[0].impossible(c.scope))
		c.variants = append(c.variants, &t)
		return
	}
	if c.require == nil {
		c.Mistake(diag.Contradiction, c.changes[0].written.Range(), fmt.Sprintf("Transition %q can never fire.", c.transition.Name),
			"From no values of its counters there is a value to choose: between takes the smaller number first.")
		return
	}
	what := "What it requires is so for no value of " + c.named() + "."
	if slices.ContainsFunc(c.changes, func(change change) bool { return change.most != nil }) {
		what = "Where what it requires is so, there is no value to choose."
	}
	c.Mistake(diag.Contradiction, c.require.Range(), fmt.Sprintf("Transition %q can never fire.", c.transition.Name), what)
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
		ok = c.checkCounting(change.to, used) && (change.most == nil || c.checkCounting(change.most, used)) && ok
		used[change.counter.name] = true
	}
	for _, name := range c.scope.known[knownCounters] {
		if used[name] {
			c.add(name, c.scope.counters[name])
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
			"What another party counts is its own affair: meet in an event, and ask there, as in only_while = seller.delay < buyer.delay.")
	case counter == nil:
		c.lacks(name, t.SourceRange(), knownCounters)
	default:
		c.Refer(t.SourceRange(), counter.at)
		return true
	}
	return false
}

func (c *expansion) expressions() []hclsyntax.Expression {
	var all []hclsyntax.Expression
	if c.require != nil {
		all = append(all, c.require)
	}
	for _, change := range c.changes {
		all = append(all, change.to)
		if change.most != nil {
			all = append(all, change.most)
		}
	}
	return all
}

// combine tries every combination of values; that of the last counter varies fastest.
func (c *expansion) combine(i int) {
	if i == len(c.counters) {
		if c.admitted() {
			c.choose(0, slices.Clone(c.values), "")
		}
		return
	}
	for v := range c.counters[i].values {
		if c.failed {
			return
		}
		c.set(i, v)
		c.combine(i + 1)
	}
}

func (c *expansion) admitted() bool {
	if c.require == nil {
		return true
	}
	v, ok := c.compute(c.require, cty.Bool, fmt.Sprintf("What transition %q requires must be true or false.", c.transition.Name))
	return ok && v.True()
}

// choose makes a transition for each choice of values after the combination under way, from the k-th change on. Chosen names the choices so far.
func (c *expansion) choose(k int, after []int, chosen string) {
	if k == len(c.changes) {
		c.variant(chosen, nil, after)
		return
	}
	change := c.changes[k]
	least, most := c.limits(change)
	i, left := slices.Index(c.counters, change.counter), false
	for v := least; v <= most && !c.failed; v++ {
		name := chosen
		if change.most != nil {
			name += fmt.Sprintf(",%s:=%d", change.counter.name, v)
		}
		if change.counter.place(v) != nil {
			c.choose(k+1, append(append(slices.Clone(after[:i]), v), after[i+1:]...), name)
		} else if !left { // one value says it
			left = true
			c.variant(name, &hclspec.Beyond{Counter: change.counter.name, Value: v, Range: change.written.Range()}, c.values)
		}
	}
}

// variant adds a transition from the combination under way. One that leaves the bounds moves nothing else, so that no other place is a contact.
func (c *expansion) variant(chosen string, beyond *hclspec.Beyond, after []int) {
	t := *c.transition
	t.Of, t.Name, t.Beyond = t.Name, t.Name+c.suffix(chosen), beyond
	t.Consume, t.Produce, t.Read = slices.Clone(t.Consume), slices.Clone(t.Produce), slices.Clone(t.Read)
	if beyond != nil {
		t.Produce = []*hclspec.Place{c.scope.counters[beyond.Counter].beyond(c.scope)}
	}
	c.move(&t, after)
	c.variants = append(c.variants, &t)
	if chosen != "" {
		c.tried++
	}
	if len(c.variants) > maxCombinations || c.tried > maxAllCombinations {
		c.failed = true
		c.tooMany(c.transition.Range, fmt.Sprintf("Transition %q leaves too many values to choose.", c.transition.Name))
	}
}

// limits returns the least and the greatest value that a change can give its counter. There is none where the first is greater.
func (c *expansion) limits(change change) (least, most int) {
	least = c.result(change, change.to)
	if most = least; change.most != nil && !c.failed {
		most = c.result(change, change.most)
	}
	return least, min(most, least+maxValues)
}

// result returns the value of an expression that a change gives its counter.
func (c *expansion) result(change change, e hclsyntax.Expression) int {
	what := fmt.Sprintf("Counter %q must take a whole number.", change.counter.name)
	v, ok := c.compute(e, cty.Number, what)
	if !ok {
		return 0
	}
	n, whole := expr.WholeNumber(v)
	if !whole {
		c.Mistake(diag.WrongType, e.Range(), what, fmt.Sprintf("With %s this is %s. Say how it is rounded: floor(...) down, ceil(...) up, round(...) to the nearest.", c.text(), v.AsBigFloat().Text('g', 6)))
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

// suffix returns the part of a variant's name that differs from the other variants.
func (c *expansion) suffix(chosen string) string {
	var list []string
	for i, counter := range c.counters {
		list = append(list, counter.place(c.values[i]).Name)
	}
	return "{" + strings.Join(list, ",") + chosen + "}"
}
