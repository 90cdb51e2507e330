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
	c := &counter{name: p.Name, place: p, at: map[int]*hclspec.Place{}}
	c.place.Kind, c.place.Counter, c.place.Bounds = hclspec.CounterValue, p.Name, [2]int{from, to}
	c.given = c.place.Sparse()
	if c.given {
		from, to = initial, initial // transitions give it the others
	}
	if !ok || !l.affordableCounter(p, to-from+1) {
		l.Dropped[p.Name] = true
		return
	}
	for _, attr := range b.Body.Attributes {
		c.given = c.given || len(attr.Expr.Variables()) > 0
	}
	for v := from; v <= to; v++ {
		c.add(v)
	}
	c.at[initial].Marked = true
	s.party.Places = append(s.party.Places, c.values...)
	s.counters[p.Name] = c
	s.known[knownCounters] = append(s.known[knownCounters], p.Name)
}

// affordableCounter charges n values of a counter, and reports whether the limit for all counters holds. It reports the excess once.
func (l *loader) affordableCounter(p hclspec.Place, n int) bool {
	if l.counterValues > maxExpanded {
		return false
	}
	if l.counterValues += n; l.counterValues <= maxExpanded {
		return true
	}
	l.Mistake(diag.Expansion, p.Range, fmt.Sprintf("With counter %q the counters have %d values.", p.Name, l.counterValues),
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
	case initial < from || initial > to:
		l.Mistake(diag.Contradiction, b.Body.Attributes["initial"].Expr.Range(), fmt.Sprintf("Counter %q starts at %d and counts from %d to %d.", b.Labels[0], initial, from, to),
			"The first value must be one of its values.")
	default:
		return from, to, initial, true
	}
	return
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
	what       string // the transition, or what changes a counter, in a sentence
	variants   []*hclspec.Transition
	part       [][2]int // of each counter, the values to be tried: from the first number on, before the second
}

// counts reports whether the transition has to do with counters.
func (a *arcs) counts() bool { return a.require != nil || len(a.changes) > 0 }

// expansion returns what is needed to expand a transition that has to do with counters; it has failed after a mistake.
func (a *arcs) expansion(t *hclspec.Transition) *expansion {
	c := &expansion{arcs: a, trial: newTrial(a.loader, "paid > 0 && 12 / paid > 1"), transition: t, what: fmt.Sprintf("Transition %q", t.Name)}
	c.failed = !c.involved()
	c.fix()
	return c
}

// fix keeps the values that expressions of this instance of a party see, for when it is expanded.
func (c *expansion) fix() {
	if !c.failed {
		for _, e := range c.expressions() {
			c.within(e)
		}
	}
}

// expand makes the variants of the transition; none after a mistake.
func (c *expansion) expand() []*hclspec.Transition {
	c.part = nil
	for _, counter := range c.counters {
		c.part = append(c.part, [2]int{0, len(counter.values)})
	}
	if c.failed || !c.charged(c.transition.Range, c.what, c.expressions()...) {
		return nil
	}
	c.combine(0, func() {
		if c.admitted() {
			c.choose(0, slices.Clone(c.values), "")
		}
	})
	if len(c.variants) == 0 && !c.failed {
		c.never()
	}
	return c.variants
}

// never reports a transition that no combination of values lets fire. Where variables, locals or parameters decide that, it is no mistake of the
// text: the transition is kept, and is one that can't happen.
func (c *expansion) never() {
	if c.given(nil, c.expressions()...) {
		t := c.copied("{}")
		c.move(t, c.values)
		t.Read = append(t.Read, c.counters[0].impossible(c.scope))
		c.variants = append(c.variants, t)
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
			"What another party counts is asked of an event, as in only_while = seller.delay < buyer.delay. A new value is computed from it by the counter itself: changes = { EVENT = delay + buyer.delay }.")
	case counter == nil:
		c.lacks(name, t.SourceRange(), knownCounters)
	default:
		c.Refer(t.SourceRange(), counter.place.Range)
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

// combine visits every combination of the values to be tried; that of the last counter varies fastest.
func (c *expansion) combine(i int, visit func()) {
	if i == len(c.counters) {
		visit()
		return
	}
	for v := c.part[i][0]; v < c.part[i][1] && !c.failed; v++ {
		c.set(i, v)
		c.combine(i+1, visit)
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
		if change.counter.at[v] != nil {
			c.choose(k+1, append(append(slices.Clone(after[:i]), v), after[i+1:]...), name)
		} else if !left { // one value says it
			left = true
			c.variant(name, &hclspec.Beyond{Counter: change.counter.name, Value: v, Range: change.written.Range()}, c.values)
		}
	}
}

// copied returns a copy of the transition, with a suffix to its name.
func (c *expansion) copied(suffix string) *hclspec.Transition {
	t := *c.transition
	t.Of, t.Name = t.Name, t.Name+suffix
	t.Consume, t.Produce, t.Read = slices.Clone(t.Consume), slices.Clone(t.Produce), slices.Clone(t.Read)
	return &t
}

// variant adds a transition from the combination under way. One that leaves the bounds moves nothing else, so that no other place is a contact.
func (c *expansion) variant(chosen string, beyond *hclspec.Beyond, after []int) {
	var values []string
	for i, counter := range c.counters {
		values = append(values, counter.at[c.values[i]].Name)
	}
	t := c.copied("{" + strings.Join(values, ",") + chosen + "}")
	t.Beyond = beyond
	if beyond != nil {
		t.Produce = []*hclspec.Place{c.scope.counters[beyond.Counter].beyond(c.scope)}
	}
	c.move(t, after)
	c.variants = append(c.variants, t)
	if chosen != "" {
		c.tried++
	}
	if len(c.variants) > maxCombinations || c.tried > maxAllCombinations {
		c.failed = true
		c.tooMany(c.transition.Range, c.what+" leaves too many values to choose.")
	}
}

// limits returns the least and the greatest value that a change can give its counter. There is none where the first is greater.
func (c *expansion) limits(change change) (least, most int) {
	least = c.result(change, change.to)
	if most = least; change.most != nil && !c.failed {
		most = c.result(change, change.most)
	}
	return least, min(most, least+hclspec.MaxValues)
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
		before := counter.at[c.values[i]]
		if after[i] == c.values[i] {
			t.Read = append(t.Read, before)
			continue
		}
		t.Consume, t.Produce = append(t.Consume, before), append(t.Produce, counter.at[after[i]])
	}
}

// A price of 250,000 paid in four instalments takes five values. A counter with too many values between its bounds has a place for each that
// transitions and its changes can give it, starting from the initial values of all counters, whatever else these need. So no other can ever be
// marked, and to leave it out changes nothing.

// fillCounters adds the values of counters that are not all places: the least fixpoint of what transitions and changes do. Each round tries the
// combinations with a value that the round before added (Bancilhon and Ramakrishnan 1986, semi-naive evaluation).
func (l *loader) fillCounters(scopes []*scope) {
	sparse := map[*counter][2]int{} // the values known before the last round, and with it
	first := map[*counter]*hclspec.Place{}
	var all []*expansion
	for _, s := range scopes {
		for _, name := range s.known[knownCounters] {
			if c := s.counters[name]; c.place.Sparse() {
				sparse[c], first[c] = [2]int{0, 1}, c.values[0]
			}
		}
		all = append(all, s.expansions...)
		for _, r := range s.recounts {
			all = append(all, r.expansion)
		}
	}
	for grows := len(sparse) > 0; grows; {
		for _, x := range all {
			if x.trial != nil && !x.failed && slices.ContainsFunc(x.changes, func(ch change) bool { return ch.counter.place.Sparse() }) && !x.round(sparse) {
				giveUp(sparse, all)
				return
			}
		}
		grows = false
		for c, known := range sparse {
			sparse[c] = [2]int{known[1], len(c.values)}
			grows = grows || known[1] < len(c.values)
		}
	}
	for _, s := range scopes {
		for _, name := range s.known[knownCounters] {
			c := s.counters[name]
			if first[c] == nil {
				continue
			}
			slices.SortFunc(c.values, func(a, b *hclspec.Place) int { return a.Value - b.Value })
			i := slices.Index(s.party.Places, first[c])
			s.party.Places = slices.Replace(s.party.Places, i, i+1, c.values...)
			l.affordableCounter(c.place, len(c.values)-1)
		}
	}
}

// giveUp leaves the counters with their initial values, and the transitions without variants, after a mistake: the rest would follow from it.
func giveUp(sparse map[*counter][2]int, all []*expansion) {
	for c := range sparse {
		c.values = c.values[:1]
	}
	for _, x := range all {
		if x.trial != nil {
			x.failed = true
		}
	}
}

// round adds the values that the transition gives from combinations with a new value, and reports whether it found no mistake.
func (c *expansion) round(sparse map[*counter][2]int) bool {
	if c.combinations(c.transition.Range, c.what) == 0 {
		c.failed = true
		return false
	}
	weight := c.weight(c.expressions())
	for newest, of := range c.counters {
		if !of.place.Sparse() {
			continue
		}
		c.part = c.part[:0]
		for i, other := range c.counters {
			known, whole := sparse[other]
			switch {
			case !whole:
				c.part = append(c.part, [2]int{0, len(other.values)})
			case i < newest:
				c.part = append(c.part, [2]int{0, known[0]})
			case i == newest:
				c.part = append(c.part, known)
			default:
				c.part = append(c.part, [2]int{0, known[1]})
			}
		}
		c.combine(0, func() {
			if c.charge(c.transition.Range, c.what, 1, weight) && c.admitted() {
				c.give()
			}
		})
	}
	return !c.failed
}

// give adds the values that the combination under way gives to sparse counters. What is out of bounds is none.
func (c *expansion) give() {
	for _, ch := range c.changes {
		of := ch.counter
		if !of.place.Sparse() {
			continue
		}
		least, most := c.limits(ch)
		for v := least; v <= most && !c.failed; v++ {
			if of.at[v] != nil || v < of.place.Bounds[0] || v > of.place.Bounds[1] {
				continue
			}
			if of.add(v); len(of.values) > hclspec.MaxValues {
				c.failed = true
				c.Mistake(diag.Expansion, ch.written.Range(), fmt.Sprintf("Counter %q takes more than 1,000 values: %s.", of.name, of.some()),
					"Each value that it can be given is a place. A counter has at most 1,000 of them: count in larger steps, or in larger units.")
			}
		}
	}
}

// some lists a few values of a counter, in ascending order.
func (c *counter) some() string {
	var all []int
	for _, p := range c.values {
		all = append(all, p.Value)
	}
	slices.Sort(all)
	return fmt.Sprintf("%d, %d, %d, %d and so on", all[0], all[1], all[2], all[3])
}
